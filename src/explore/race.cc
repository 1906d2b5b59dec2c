#include "explore/race.h"

#include "explore/monitor.h"
#include "plato/classes.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

RaceDetector::RaceDetector(const Program& program)
    : program_(program), synchronising_(synchronising_locations(program)) {}

// The declaration a location is accounted to; for an array element the first variable or field that refers to the array and
// is no ghost.
const Variable* RaceDetector::behind(const Store& store, const Location& location) const {
  if (location.kind != Location::Kind::kElement) return declaration_of(program_, store, location);
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const Variable& variable = program_.variables[v];
    if (variable.is_ghost || variable.type.kind != Type::Kind::kArray) continue;
    if (store.variables[v].scalar == location.object) return &variable;
  }
  for (const Object& object : store.objects) {
    if (object.class_index < 0) continue;
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      const Variable& field = field_of(program_, object.class_index, static_cast<int>(f));
      if (field.is_ghost || field.type.kind != Type::Kind::kArray) continue;
      if (object.fields[f].scalar == location.object) return &field;
    }
  }
  return nullptr;
}

bool RaceDetector::synchronises(const Store& store, const Location& location) const {
  if (location.kind == Location::Kind::kMonitor) return true;
  if (location.kind == Location::Kind::kElement) return synchronising_.elements.contains(behind(store, location));
  const Variable* variable = declaration_of(program_, store, location);
  if (variable == nullptr) return false;
  return variable->is_volatile || variable->type.kind == Type::Kind::kMonitor ||
         synchronising_.variables.contains(variable);
}

bool RaceDetector::ordered(const Store& store, Scalar first, const Transition& first_step, Scalar second,
                           const Transition& second_step) const {
  if (first_step.started.contains(second) || second_step.joined.contains(first)) return true;
  for (const Access& a : first_step.accesses) {
    if (!a.is_write || !synchronises(store, a.location)) continue;
    for (const Access& b : second_step.accesses) {
      if (overlap(a.location, b.location)) return true;
    }
  }
  return false;
}

std::optional<Breach> RaceDetector::check(const Machine& machine, const State& between, Scalar first,
                                          const Transition& first_step, Scalar second,
                                          const Transition& second_step) const {
  const Store& store = second_step.after.store;
  if (ordered(store, first, first_step, second, second_step)) return std::nullopt;
  for (const Access& a : first_step.accesses) {
    if (synchronises(store, a.location)) continue;
    for (const Access& b : second_step.accesses) {
      if ((!a.is_write && !b.is_write) || !overlap(a.location, b.location)) continue;
      const Variable* variable = behind(store, a.location);
      if (variable != nullptr && (variable->is_ghost || variable->is_unraced)) continue;
      const std::string what = variable != nullptr ? "`" + variable->name + "`" : "an array element";
      const base::SourceRange claim =
          variable != nullptr ? variable->name_range : store.objects[a.location.object - 1].site;
      return Breach{diag::Kind::kRace, claim,
                    machine.thread_name(between, first) + " and " + machine.thread_name(between, second) + " access " +
                        what + " at the same time, and " + (b.is_write ? "the second" : "the first") + " writes it"};
    }
  }
  return std::nullopt;
}

}  // namespace concord::explore
