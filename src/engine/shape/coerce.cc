#include "engine/shape/coerce.h"

#include <algorithm>
#include <utility>

#include "engine/shape/build.h"
#include "engine/shape/normal.h"

namespace concord::engine::shape {

Constraints::Constraints(const System& system) {
  for (std::size_t p = 0; p < system.predicates.size(); ++p) {
    add_properties(system.predicates[p], static_cast<int>(p));
    if (system.predicates[p].definition) add_definition(system.predicates[p], static_cast<int>(p));
  }
  for (const Rule& it : system.rules) add(it.body, it.head, "a rule");
}

// One for each disjunct of the body.
void Constraints::add(const FormulaPtr& body, const FormulaPtr& head, const std::string& name) {
  if (body->kind == Formula::Kind::kOr) {
    for (const FormulaPtr& it : body->parts) add(it, head, name);
    return;
  }
  std::vector<Variable> free = free_variables(*body);
  for (const Variable& it : free_variables(*head)) {
    if (std::find(free.begin(), free.end(), it) == free.end()) free.push_back(it);
  }
  const bool is_negated = head->kind == Formula::Kind::kNot;
  const Formula& basic = is_negated ? *head->parts.front() : *head;
  Constraint made{Evaluation(body, free), Head::kFalse, basic.predicate, {}, name};
  if (basic.kind == Formula::Kind::kAtom) made.head = is_negated ? Head::kNotAtom : Head::kAtom;
  if (basic.kind == Formula::Kind::kEqual) made.head = is_negated ? Head::kNotEqual : Head::kEqual;
  for (const Variable& it : basic.variables) {
    made.arguments.push_back(static_cast<int>(std::find(free.begin(), free.end(), it) - free.begin()));
  }
  all_.push_back(std::move(made));
}

void Constraints::add_properties(const Predicate& predicate, int number) {
  const auto p = [&](const Variable& a, const Variable& b) { return atom(number, {a, b}); };
  const std::string& name = predicate.name;
  const auto determines = [&](const FormulaPtr& one, const FormulaPtr& other, const std::string& what) {
    add(conjunction({one, other}), equal("y", "z"), name + what);
    add(conjunction({one, negation(equal("y", "z"))}), negation(other), name + what);
  };
  if (predicate.is_unique) determines(atom(number, {"y"}), atom(number, {"z"}), " is unique");
  if (predicate.is_function) determines(p("x", "y"), p("x", "z"), " is a function");
  if (predicate.is_inverse_function) determines(p("y", "x"), p("z", "x"), " is an inverse function");
  if (predicate.is_symmetric) {
    add(p("x", "y"), p("y", "x"), name + " is symmetric");
    add(negation(p("x", "y")), negation(p("y", "x")), name + " is symmetric");
  }
  if (predicate.is_antisymmetric) {
    add(conjunction({p("x", "y"), p("y", "x")}), equal("x", "y"), name + " is antisymmetric");
    add(conjunction({p("x", "y"), negation(equal("x", "y"))}), negation(p("y", "x")), name + " is antisymmetric");
  }
  if (predicate.is_reflexive) add(constant(Kleene::kTrue), p("x", "x"), name + " is reflexive");
  if (predicate.is_antireflexive || predicate.is_acyclic)
    add(constant(Kleene::kTrue), negation(p("x", "x")),
        name + (predicate.is_acyclic ? " is acyclic" : " is antireflexive"));
  if (predicate.is_transitive) {
    add(conjunction({p("x", "y"), p("y", "z")}), p("x", "z"), name + " is transitive");
    add(conjunction({p("x", "y"), negation(p("x", "z"))}), negation(p("y", "z")), name + " is transitive");
    add(conjunction({p("y", "z"), negation(p("x", "z"))}), negation(p("x", "y")), name + " is transitive");
  }
}

void Constraints::add_definition(const Predicate& predicate, int number) {
  const FormulaPtr holds = atom(number, predicate.variables);
  const FormulaPtr definition = with_inner_negations(predicate.definition);
  const FormulaPtr opposite = with_inner_negations(negation(predicate.definition));
  const std::string name = predicate.name + ", by its definition";
  add(definition, holds, name);
  add(opposite, negation(holds), name);
  add_parts(definition, negation(holds), name);
  add_parts(opposite, holds, name);
}

// If the definition is ∃…: l1 & … & lk, and the defined is not so while all but one of these hold, then that one does not.
void Constraints::add_parts(const FormulaPtr& definition, const FormulaPtr& is_not, const std::string& name) {
  const Conjunction it = conjunction_of(definition);
  for (std::size_t i = 0; i < it.parts.size(); ++i) {
    const Formula& part = *it.parts[i];
    const Formula& basic = part.kind == Formula::Kind::kNot ? *part.parts.front() : part;
    if (basic.kind != Formula::Kind::kAtom && basic.kind != Formula::Kind::kEqual) continue;
    const std::vector<Variable> kept = free_variables(part);
    std::vector<Variable> closed;
    for (const Variable& variable : it.bound) {
      if (std::find(kept.begin(), kept.end(), variable) == kept.end()) closed.push_back(variable);
    }
    std::vector<FormulaPtr> others;
    for (std::size_t j = 0; j < it.parts.size(); ++j) {
      if (j != i) others.push_back(it.parts[j]);
    }
    const FormulaPtr rest = others.empty() ? nullptr : exists(closed, conjunction(others));
    add(rest == nullptr ? is_not : conjunction({is_not, rest}), negation(it.parts[i]), name);
  }
}

std::optional<Constraints::Breach> Constraints::coerce(Structure& structure) const {
  std::size_t quiet = 0;  // constraints in a row that changed nothing
  for (std::size_t i = 0; quiet < all_.size(); i = (i + 1) % all_.size()) {
    std::vector<int> individuals;
    const Effect effect = apply(all_[i], structure, individuals);
    if (effect == Effect::kBroken) return Breach{static_cast<int>(i), std::move(individuals)};
    quiet = effect == Effect::kNone ? quiet + 1 : 0;
  }
  return std::nullopt;
}

Constraints::Effect Constraints::apply(const Constraint& constraint, Structure& structure,
                                       std::vector<int>& individuals) const {
  const Table body = constraint.body.table(structure);
  if (std::all_of(body.rows.begin(), body.rows.end(), [](const Row& it) { return it.must == 0; })) return Effect::kNone;
  Effect out = Effect::kNone;
  for_each_choice(constraint.body.free().size(), structure.size(), [&](const std::vector<int>& choice) {
    if (entry(body, choice, structure.size()) != Kleene::kTrue) return true;
    out = std::max(out, enforce(constraint, choice, structure));
    if (out == Effect::kBroken) individuals = choice;
    return out != Effect::kBroken;
  });
  return out;
}

Constraints::Effect Constraints::enforce(const Constraint& constraint, const std::vector<int>& individuals,
                                         Structure& structure) {
  std::vector<int> arguments;
  for (const int it : constraint.arguments) arguments.push_back(individuals[static_cast<std::size_t>(it)]);
  if (constraint.head == Head::kFalse) return Effect::kBroken;
  if (constraint.head == Head::kEqual || constraint.head == Head::kNotEqual) {
    const bool is_same = arguments[0] == arguments[1];
    if (constraint.head == Head::kNotEqual)
      return is_same && !structure.is_summary(arguments[0]) ? Effect::kBroken : Effect::kNone;
    if (!is_same) return Effect::kBroken;
    if (!structure.is_summary(arguments[0])) return Effect::kNone;
    structure.set(structure.layout().sm(), arguments[0], Kleene::kFalse);
    return Effect::kSharper;
  }
  // p(x, x) says nothing of two different individuals that one stands for.
  const bool is_of_itself = arguments.size() == 2 && constraint.arguments[0] == constraint.arguments[1];
  if (is_of_itself && structure.is_summary(arguments[0])) return Effect::kNone;
  const Kleene wanted = constraint.head == Head::kAtom ? Kleene::kTrue : Kleene::kFalse;
  Row& row = structure.row(constraint.predicate, arguments.size() == 2 ? arguments[0] : 0);
  const int last = arguments.empty() ? 0 : arguments.back();
  const Kleene value = at(row, last);
  if (value == wanted) return Effect::kNone;
  if (value != Kleene::kUnknown) return Effect::kBroken;
  if (arguments.empty()) structure.set(constraint.predicate, wanted);
  if (arguments.size() == 1) structure.set(constraint.predicate, arguments[0], wanted);
  if (arguments.size() == 2) structure.set(constraint.predicate, arguments[0], arguments[1], wanted);
  return Effect::kSharper;
}

}  // namespace concord::engine::shape
