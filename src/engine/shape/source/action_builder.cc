#include "engine/shape/source/action_builder.h"

#include <utility>

#include "engine/shape/build.h"
#include "engine/shape/closure.h"
#include "engine/shape/definitions.h"
#include "engine/shape/differencing.h"

namespace concord::engine::shape::source {

ActionBuilder::ActionBuilder(const Vocabulary& vocabulary, std::string title, base::SourceRange range)
    : vocabulary_(vocabulary) {
  action_.title = std::move(title);
  action_.range = range;
}

void ActionBuilder::change(int predicate, const FormulaPtr& adds, const FormulaPtr& removes) {
  Changes& it = changes_[predicate];
  if (adds != nullptr) it.adds.push_back(adds);
  if (removes != nullptr) it.removes.push_back(removes);
}

void ActionBuilder::assign(const Place& place, const First& first, const Term& value) {
  const FormulaPtr all = constant(Kleene::kTrue);
  const auto property = [&](int predicate, const FormulaPtr& truth) {
    const FormulaPtr whom = first ? first("v") : all;
    change(predicate, conjunction({whom, truth}), whom);
  };
  switch (place.kind) {
    case Place::Kind::kBool: return property(place.predicate, value.truth);
    case Place::Kind::kEnum:
      for (std::size_t c = 0; c < place.constants.size(); ++c) property(place.constants[c], value.constants[c]);
      return;
    case Place::Kind::kRelation: {
      const FormulaPtr whom = first ? first("u") : all;
      return change(place.predicate, conjunction({whom, value.is("v")}), whom);
    }
    case Place::Kind::kNumber: return assign_number(place, first, value);
    case Place::Kind::kMonitor:
    case Place::Kind::kUnknown: return;
  }
}

// A copy is the same number. A sum is a new one: where it stands in the order follows from where the number stands that it is a sum of.
void ActionBuilder::assign_number(const Place& place, const First& first, const Term& value) {
  const FormulaPtr whom = first ? first("u") : constant(Kleene::kTrue);
  if (value.kind == Term::Kind::kNumber && value.plus == 0)
    return change(place.predicate, conjunction({whom, value.is("v")}), whom);
  change(place.predicate, nullptr, whom);
  if (value.kind != Term::Kind::kNumber || creates()) return;  // not known
  create();
  const System& system = vocabulary_.system();
  const auto is_new = [&](const Variable& it) { return atom(system.is_new, {it}); };
  const auto is_number = [&](const Variable& it) { return atom(vocabulary_.is_number(), {it}); };
  const FormulaPtr maybe = constant(Kleene::kUnknown);
  change(place.predicate, conjunction({whom, is_new("v")}), nullptr);
  change(vocabulary_.is_number(), is_new("v"), nullptr);
  const auto known = [&](const FormulaPtr& how) {
    return conditional(value.is_null, maybe, exists({"n"}, conjunction({value.is("n"), how})));
  };
  const auto le = [&](const Variable& a, const Variable& b) { return atom(vocabulary_.le(), {a, b}); };
  const bool is_more = value.plus > 0;
  const bool is_next = value.plus == 1 || value.plus == -1;
  // Of another number u and the new one, and of the new one and another v.
  const FormulaPtr below = is_more   ? disjunction({le("u", "n"), maybe})
                           : is_next ? negation(le("n", "u"))
                                     : conjunction({negation(le("n", "u")), maybe});
  const FormulaPtr above = !is_more  ? disjunction({le("n", "v"), maybe})
                           : is_next ? negation(le("v", "n"))
                                     : conjunction({negation(le("v", "n")), maybe});
  change(vocabulary_.le(), conjunction({is_new("u"), is_new("v")}), nullptr);
  change(vocabulary_.le(), conjunction({is_number("u"), is_new("v"), known(below)}), nullptr);
  change(vocabulary_.le(), conjunction({is_new("u"), is_number("v"), known(above)}), nullptr);
}

void ActionBuilder::clear(const Place& place, const First& first) {
  switch (place.kind) {
    case Place::Kind::kBool: return change(place.predicate, nullptr, first("v"));
    case Place::Kind::kEnum:
      for (const int it : place.constants) change(it, nullptr, first("v"));
      return;
    case Place::Kind::kNumber:
    case Place::Kind::kRelation: return change(place.predicate, nullptr, first("u"));
    case Place::Kind::kMonitor:
    case Place::Kind::kUnknown: return;
  }
}

void ActionBuilder::say(const FormulaPtr& condition, int property, const std::string& text, base::SourceRange range) {
  Message made;
  made.condition = condition;
  made.property = property;
  made.text = text;
  made.range = range;
  action_.messages.push_back(std::move(made));
}

Action ActionBuilder::finish() {
  const System& system = vocabulary_.system();
  for (const auto& [predicate, changes] : changes_) {
    Update update;
    update.predicate = predicate;
    const int arity = system.predicates[static_cast<std::size_t>(predicate)].arity;
    if (arity == 2) update.variables = {"u", "v"};
    if (arity == 1) update.variables = {"v"};
    if (!changes.adds.empty()) update.adds = disjunction(changes.adds);
    if (!changes.removes.empty()) update.removes = disjunction(changes.removes);
    FormulaPtr value = atom(predicate, update.variables);
    if (update.removes != nullptr) value = conjunction({value, negation(update.removes)});
    if (update.adds != nullptr) value = disjunction({value, update.adds});
    update.value = value;
    action_.updates.push_back(std::move(update));
  }
  for (Update& it : Differencing(system, action_.updates).derived()) {
    const bool is_settled = common_definition(system, system.predicates[static_cast<std::size_t>(it.predicate)]) ||
                            closure_of(system, it.predicate) || reached_of(system, it.predicate) ||
                            ordered_of(system, it.predicate);
    if (!is_settled) action_.updates.push_back(std::move(it));  // else the step does that
  }
  if (!goes_on_.empty()) action_.goes_on = conjunction(goes_on_);
  return std::move(action_);
}

}  // namespace concord::engine::shape::source
