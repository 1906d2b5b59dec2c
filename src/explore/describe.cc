#include "explore/describe.h"

#include <set>

#include "plato/classes.h"
#include "plato/flow.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

std::string describe_object(const Machine& machine, const State& state, Scalar reference) {
  if (reference == 0) return "null";
  const int class_index = state.store.objects[reference - 1].class_index;
  const std::string name = class_index < 0 ? "array" : machine.program().classes[class_index].name;
  return name + "@" + std::to_string(reference);
}

std::string describe_monitor(const Machine& machine, const State& state, const Composite& monitor) {
  std::string out = monitor.holder == 0 ? "free" : "held by " + machine.thread_name(state, monitor.holder);
  if (monitor.depth > 1) out += " (" + std::to_string(monitor.depth) + " levels)";
  if (!monitor.elements.empty()) {
    out += ", waiting:";
    for (const Scalar waiter : monitor.elements) out += " " + machine.thread_name(state, waiter);
  }
  return out;
}

class Differences {
 public:
  Differences(const Machine& machine, const State& state) : machine_(machine), state_(state) {}

  void compare(const std::string& name, const Type& type, const Value& before, const Value& after) {
    if (before == after) return;
    const bool finite = type.kind == Type::Kind::kMap &&
                        (type.first->kind == Type::Kind::kBool || type.first->kind == Type::Kind::kEnum);
    if (type.kind == Type::Kind::kMap && (finite || before.composite->rest == after.composite->rest)) {
      std::set<Scalar> keys;
      const bool is_enum = type.first->kind == Type::Kind::kEnum;
      const auto count = is_enum ? std::ssize(machine_.program().enums[type.first->decl].constants) : 2;
      for (Scalar key = 0; finite && key < count; ++key) keys.insert(key);
      for (const Value* map : {&before, &after}) {
        for (const auto& [key, entry] : map->composite->entries) keys.insert(key);
      }
      for (const Scalar key : keys) {
        compare(name + "[" + describe(machine_, state_, *type.first, key) + "]", *type.second, lookup(before, key),
                lookup(after, key));
      }
      return;
    }
    out.emplace_back(name, describe(machine_, state_, type, after));
  }

  engine::Changes out;

 private:
  const Machine& machine_;
  const State& state_;
};

const Type kMonitorType = type_of_kind(Type::Kind::kMonitor);

std::string describe_element(const Machine& machine, const State& state, const Object& array, std::size_t index) {
  const Value& value = array.fields[index];
  return array.element == nullptr ? std::to_string(value.scalar) : describe(machine, state, *array.element, value);
}

engine::Situation::Object describe_fields(const Machine& machine, const State& state, std::size_t number) {
  constexpr std::size_t kMostElements = 64;
  const Object& object = state.store.objects[number];
  engine::Situation::Object out{describe_object(machine, state, static_cast<Scalar>(number + 1)), {}};
  for (std::size_t f = 0; f < object.fields.size(); ++f) {
    if (object.class_index < 0) {
      if (f == kMostElements) break;
      out.fields.emplace_back("[" + std::to_string(f) + "]", describe_element(machine, state, object, f));
      continue;
    }
    const Variable& field = field_of(machine.program(), object.class_index, static_cast<int>(f));
    out.fields.emplace_back(field.name, describe(machine, state, field.type, object.fields[f]));
  }
  return out;
}

engine::Situation::Follower describe_follower(const AbstractThread& machine, const ThreadState& thread,
                                              std::string name) {
  engine::Situation::Follower out{std::move(name), machine.name, {}};
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    if (thread.nodes[n]) out.nodes.push_back(machine.nodes[n].name);
  }
  return out;
}

}  // namespace

std::string describe_lock(const Machine& machine, const State& state, const Lock& lock) {
  if (lock.object != 0) return describe_object(machine, state, lock.object) + "'s monitor";
  const Program& program = machine.program();
  const Place& place = lock.place;
  std::string out;
  if (place.kind == Place::Kind::kVariable) out = program.variables[place.index].name;
  if (place.kind == Place::Kind::kField || place.kind == Place::Kind::kElement) {
    const int class_index = state.store.objects[place.object - 1].class_index;
    out = describe_object(machine, state, place.object);
    out += class_index < 0 ? "[" + std::to_string(place.index) + "]"
                           : "." + field_of(program, class_index, place.index).name;
  }
  for (const Place::Key& it : place.keys) out += "[" + describe(machine, state, *it.map->first, it.key) + "]";
  return out;
}

std::string describe(const Machine& machine, const State& state, const Type& type, const Value& value) {
  switch (type.kind) {
    case Type::Kind::kBool: return value.scalar != 0 ? "true" : "false";
    case Type::Kind::kFloat: return float_text(type.decl, value.scalar);
    case Type::Kind::kTid: return value.scalar == 0 ? "none" : machine.thread_name(state, value.scalar);
    case Type::Kind::kEnum: return machine.program().enums[type.decl].constants[value.scalar].name;
    case Type::Kind::kClass:
    case Type::Kind::kArray: return describe_object(machine, state, value.scalar);
    case Type::Kind::kMonitor: return describe_monitor(machine, state, *value.composite);
    case Type::Kind::kSet: {
      std::string out;
      for (const Scalar element : value.composite->elements) {
        out += (out.empty() ? "" : ", ") + describe(machine, state, *type.first, element);
      }
      return "{" + out + "}";
    }
    case Type::Kind::kMap: {
      std::string out;
      for (const auto& [key, entry] : value.composite->entries) {
        out += describe(machine, state, *type.first, key) + ": " + describe(machine, state, *type.second, entry) + ", ";
      }
      const std::string rest = describe(machine, state, *type.second, value.composite->rest);
      return out.empty() ? "[all: " + rest + "]" : "[" + out + "others: " + rest + "]";
    }
    default: return std::to_string(value.scalar);
  }
}

engine::Changes describe_initial(const Machine& machine, const State& state) {
  engine::Changes out;
  const Program& program = machine.program();
  for (std::size_t c = 0; c < program.consts.size(); ++c) {
    if (program.consts[c].value) continue;
    out.emplace_back(program.consts[c].name, describe(machine, state, program.consts[c].type, state.consts[c]));
  }
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const Variable& variable = program.variables[v];
    out.emplace_back(variable.name, describe(machine, state, variable.type, state.store.variables[v]));
  }
  return out;
}

engine::Situation describe_situation(const Machine& machine, const State& state, const std::vector<Lock>& locks) {
  engine::Situation out;
  const Program& program = machine.program();
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const Variable& variable = program.variables[v];
    out.shared.emplace_back(variable.name, describe(machine, state, variable.type, state.store.variables[v]));
  }
  for (std::size_t o = 0; o < state.store.objects.size(); ++o) out.heap.push_back(describe_fields(machine, state, o));
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    const ThreadState& thread = state.threads[self - 1];
    const std::string name = machine.thread_name(state, self);
    if (!thread.nodes.empty()) {
      const int abstract = abstracted(program, thread.declaration, thread.entry).index;
      out.followers.push_back(describe_follower(program.abstract_threads[abstract], thread, name));
    }
    if (thread.finished || thread.frames.empty()) continue;
    const Frame& frame = thread.frames.back();
    const Procedure& procedure = program.procedures[frame.procedure];
    engine::Situation::Local local{name, procedure.name, {}};
    for (std::size_t slot = 0; slot < frame.locals.size(); ++slot) {
      const Local& it = procedure.locals[slot];
      local.values.emplace_back(it.name, describe(machine, state, it.type, frame.locals[slot]));
    }
    out.locals.push_back(std::move(local));
  }
  for (const Lock& it : locks) {
    const Value value = machine.read_lock(state, it);
    const Scalar holder = it.is_monitor ? value.composite->holder : value.scalar;
    if (holder != 0) out.held.emplace_back(describe_lock(machine, state, it), machine.thread_name(state, holder));
  }
  return out;
}

engine::Changes describe_changes(const Machine& machine, const State& before, const State& after, Scalar self) {
  const Program& program = machine.program();
  Differences differences(machine, after);
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const Variable& variable = program.variables[v];
    differences.compare(variable.name, variable.type, before.store.variables[v], after.store.variables[v]);
  }
  for (std::size_t o = 0; o < after.store.objects.size(); ++o) {
    const Object& object = after.store.objects[o];
    const std::string name = describe_object(machine, after, static_cast<Scalar>(o + 1));
    if (o >= before.store.objects.size()) {
      std::string fields;  // those that do not have their type's default
      for (std::size_t f = 0; object.class_index >= 0 && f < object.fields.size(); ++f) {
        const Variable& field = field_of(program, object.class_index, static_cast<int>(f));
        if (object.fields[f] == default_value(field.type)) continue;
        fields +=
            (fields.empty() ? "" : ", ") + field.name + " = " + describe(machine, after, field.type, object.fields[f]);
      }
      differences.out.emplace_back(name, fields.empty() ? "new" : "new (" + fields + ")");
      continue;
    }
    const Object& old = before.store.objects[o];
    differences.compare(name + "'s monitor", kMonitorType, old.monitor, object.monitor);
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      if (object.class_index >= 0) {
        const Variable& field = field_of(program, object.class_index, static_cast<int>(f));
        differences.compare(name + "." + field.name, field.type, old.fields[f], object.fields[f]);
      } else if (!(old.fields[f] == object.fields[f])) {
        differences.out.emplace_back(name + "[" + std::to_string(f) + "]", std::to_string(object.fields[f].scalar));
      }
    }
  }
  const std::vector<Frame>& frames = after.threads[self - 1].frames;
  const std::vector<Frame>& old_frames = before.threads[self - 1].frames;
  if (frames.empty()) return std::move(differences.out);
  const Frame& frame = frames.back();
  const Procedure& procedure = program.procedures[frame.procedure];
  if (frames.size() > old_frames.size()) {
    for (std::size_t slot = 0; slot < procedure.parameters.size(); ++slot) {
      const Local& local = procedure.locals[slot];
      differences.out.emplace_back(local.name, describe(machine, after, local.type, frame.locals[slot]));
    }
    return std::move(differences.out);
  }
  const Frame& old_frame = old_frames[frames.size() - 1];
  for (std::size_t slot = 0; slot < frame.locals.size(); ++slot) {
    const Local& local = procedure.locals[slot];
    differences.compare(local.name, local.type, old_frame.locals[slot], frame.locals[slot]);
  }
  return std::move(differences.out);
}

}  // namespace concord::explore
