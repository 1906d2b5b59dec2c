#include "engine/shape/coerce.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "engine/shape/build.h"
#include "engine/shape/normal.h"

namespace concord::engine::shape {

// The constraints that are to be looked at.
class Constraints::Pending {
 public:
  Pending(std::size_t count, bool all, const std::vector<std::vector<int>>& readers)
      : is_(count, all), count_(all ? count : 0), readers_(readers) {}

  void add(int predicate) {
    for (const int it : readers_[static_cast<std::size_t>(predicate)]) {
      if (is_[static_cast<std::size_t>(it)]) continue;
      is_[static_cast<std::size_t>(it)] = true;
      ++count_;
    }
  }
  bool empty() const { return count_ == 0; }
  bool take(std::size_t constraint) {
    if (!is_[constraint]) return false;
    is_[constraint] = false;
    --count_;
    return true;
  }

 private:
  std::vector<bool> is_;
  std::size_t count_;
  const std::vector<std::vector<int>>& readers_;
};

Constraints::Constraints(const System& system) : system_(system), sm_(system.sm) {
  for (std::size_t p = 0; p < system.predicates.size(); ++p) {
    add_properties(system.predicates[p], static_cast<int>(p));
    if (system.predicates[p].definition) add_definition(system.predicates[p], static_cast<int>(p));
  }
  for (const Rule& it : system.rules) add(it.body, it.head, "a rule");
  find_readers(system);
}

void Constraints::find_readers(const System& system) {
  readers_.resize(system.predicates.size());
  for (std::size_t c = 0; c < all_.size(); ++c) {
    std::set<int> read;
    if (all_[c].body) read.insert(all_[c].body->predicates().begin(), all_[c].body->predicates().end());
    // Heads are about single individuals in one way or another, as equations are.
    if (!all_[c].body || all_[c].body->compares() || all_[c].arguments.size() == 2) read.insert(sm_);
    if (all_[c].predicate >= 0) read.insert(all_[c].predicate);
    if (all_[c].common) read.insert(all_[c].common->relation);
    if (all_[c].common && all_[c].common->other >= 0) read.insert(all_[c].common->other);
    if (all_[c].closure) read.insert(all_[c].closure->relation);
    if (all_[c].reached) read.insert({all_[c].reached->from, all_[c].reached->closure});
    if (const auto& it = all_[c].ordered) read.insert({it->first, it->second, it->closure});
    for (const int it : read) readers_[static_cast<std::size_t>(it)].push_back(static_cast<int>(c));
  }
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
  Constraint made{Evaluation(body, free),
                  Head::kFalse,
                  basic.kind == Formula::Kind::kAtom ? basic.predicate : -1,
                  {},
                  {},
                  {},
                  {},
                  {},
                  name};
  if (basic.kind == Formula::Kind::kAtom) made.head = is_negated ? Head::kNotAtom : Head::kAtom;
  if (basic.kind == Formula::Kind::kEqual) made.head = is_negated ? Head::kNotEqual : Head::kEqual;
  for (const Variable& it : basic.variables) {
    made.arguments.push_back(static_cast<int>(std::find(free.begin(), free.end(), it) - free.begin()));
  }
  all_.push_back(std::move(made));
}

void Constraints::add_property(int predicate, Head head, const std::string& name) {
  Constraint made;
  made.head = head;
  made.predicate = predicate;
  made.name = name;
  all_.push_back(std::move(made));
}

void Constraints::add_properties(const Predicate& predicate, int number) {
  const auto p = [&](const Variable& a, const Variable& b) { return atom(number, {a, b}); };
  const std::string& name = predicate.name;
  if (predicate.is_unique) add_property(number, Head::kUnique, name + " is unique");
  if (predicate.is_function) add_property(number, Head::kFunction, name + " is a function");
  if (predicate.is_inverse_function) add_property(number, Head::kInverseFunction, name + " is an inverse function");
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
  if (const auto common = common_definition(system_, predicate)) {
    add_property(number, Head::kDefined, name);
    all_.back().common = common;
    return;
  }
  const auto closure = closure_of(system_, number);
  const auto reached = reached_of(system_, number);
  const auto ordered = ordered_of(system_, number);
  if (closure || reached || ordered) {
    add_property(number, Head::kDefined, name);
    all_.back().closure = closure;
    all_.back().reached = reached;
    all_.back().ordered = ordered;
    return;
  }
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
  Pending pending(all_.size(), true, readers_);
  return run(structure, pending);
}

std::optional<Constraints::Breach> Constraints::coerce(Structure& structure, const Changed& changed) const {
  Pending pending(all_.size(), false, readers_);
  for (std::size_t p = 0; p < changed.size(); ++p) {
    if (changed[p]) pending.add(static_cast<int>(p));
  }
  return run(structure, pending);
}

std::optional<Constraints::Breach> Constraints::run(Structure& structure, Pending& pending) const {
  while (!pending.empty()) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!pending.take(i)) continue;
      std::vector<int> individuals;
      const Effect effect =
          all_[i].body ? apply(all_[i], structure, pending, individuals) : apply_property(all_[i], structure, pending);
      if (effect == Effect::kBroken) return Breach{static_cast<int>(i), std::move(individuals)};
    }
  }
  return std::nullopt;
}

Constraints::Effect Constraints::apply(const Constraint& constraint, Structure& structure, Pending& pending,
                                       std::vector<int>& individuals) const {
  const std::size_t variables = constraint.body->free().size();
  Effect out = Effect::kNone;
  if (variables == 0) {
    if (constraint.body->value(structure) != Kleene::kTrue) return out;
    return enforce(constraint, {}, structure, pending);
  }
  for_each_choice(variables - 1, structure.size(), [&](const std::vector<int>& choice) {
    for_each_bit(constraint.body->row(structure, choice).must & structure.universe(), [&](int last) {
      if (out == Effect::kBroken) return;
      std::vector<int> all = choice;
      all.push_back(last);
      out = std::max(out, enforce(constraint, all, structure, pending));
      if (out == Effect::kBroken) individuals = std::move(all);
    });
    return out != Effect::kBroken;
  });
  return out;
}

// At most one individual in a row: what is surely in it is alone there, and single.
Constraints::Effect Constraints::apply_property(const Constraint& constraint, Structure& structure,
                                                Pending& pending) const {
  if (constraint.common) return apply_common(constraint, structure, pending);
  if (constraint.closure) return apply_closure(*constraint.closure, structure, pending);
  if (constraint.reached) return apply_reached(*constraint.reached, structure, pending);
  if (constraint.ordered) return apply_ordered(*constraint.ordered, structure, pending);
  Effect out = Effect::kNone;
  const auto become_single = [&](int individual) {
    if (!structure.is_summary(individual)) return;
    structure.set(sm_, individual, Kleene::kFalse);
    pending.add(sm_);
    out = std::max(out, Effect::kSharper);
  };
  const bool is_inverse = constraint.head == Head::kInverseFunction;
  const int rows = constraint.head == Head::kUnique ? 1 : structure.size();
  for (int r = 0; r < rows; ++r) {
    Row row;
    if (!is_inverse) row = structure.row(constraint.predicate, r);
    for (int a = 0; is_inverse && a < structure.size(); ++a) {
      const Kleene value = structure.get(constraint.predicate, a, r);
      if (value != Kleene::kFalse) row.may |= Bits{1} << static_cast<unsigned>(a);
      if (value == Kleene::kTrue) row.must |= Bits{1} << static_cast<unsigned>(a);
    }
    if (row.must == 0) continue;
    if ((row.must & (row.must - 1)) != 0) return Effect::kBroken;
    become_single(__builtin_ctzll(row.must));
    if (row.may == row.must) continue;
    for_each_bit(row.may & ~row.must, [&](int other) {
      is_inverse                         ? structure.set(constraint.predicate, other, r, Kleene::kFalse)
      : constraint.head == Head::kUnique ? structure.set(constraint.predicate, other, Kleene::kFalse)
                                         : structure.set(constraint.predicate, r, other, Kleene::kFalse);
    });
    pending.add(constraint.predicate);
    out = std::max(out, Effect::kSharper);
  }
  return out;
}

Constraints::Effect Constraints::apply_common(const Constraint& constraint, Structure& structure,
                                              Pending& pending) const {
  Effect out = Effect::kNone;
  bool changes_relation = false;
  bool changes_defined = false;
  Row& defined = structure.row(constraint.predicate);
  const int relation = constraint.common->relation;
  const CommonDefinition::Kind kind = constraint.common->kind;
  const bool is_forward = kind == CommonDefinition::Kind::kHasTarget;
  std::array<Row, Structure::kMostIndividuals> all;
  lines(structure, *constraint.common, all.data());
  const auto cut = [&](int individual, Bits others) {
    for_each_bit(others, [&](int other) {
      is_forward ? structure.set(relation, individual, other, Kleene::kFalse)
                 : structure.set(relation, other, individual, Kleene::kFalse);
    });
    changes_relation = changes_relation || others != 0;
  };
  for (int i = 0; i < structure.size(); ++i) {
    const Row& line = all[static_cast<std::size_t>(i)];
    const Bits bit = Bits{1} << static_cast<unsigned>(i);
    const Kleene said = said_by(kind, line, structure.row(sm_).may);
    const bool holds = said == Kleene::kTrue;
    const bool fails = said == Kleene::kFalse;
    if ((holds && (defined.may & bit) == 0) || (fails && (defined.must & bit) != 0)) return Effect::kBroken;
    if (holds && (defined.must & bit) == 0) defined.must |= bit, changes_defined = true;
    if (fails && (defined.may & bit) != 0) defined.may &= ~bit, changes_defined = true;
    if (constraint.common->other >= 0) {
      sharpen_pair(*constraint.common, at(defined, i), i, structure, pending);
      continue;
    }
    const bool is_only_one = (line.may & (line.may - 1)) == 0 && (line.may & structure.row(sm_).may) == 0;
    if ((defined.must & bit) != 0 && kind != CommonDefinition::Kind::kIsShared && line.may != line.must &&
        is_only_one) {
      // Somebody makes it hold, and there is only one who may.
      const int other = __builtin_ctzll(line.may);
      is_forward ? structure.set(relation, i, other, Kleene::kTrue) : structure.set(relation, other, i, Kleene::kTrue);
      changes_relation = true;
    }
    if ((defined.may & bit) != 0) continue;
    if (kind != CommonDefinition::Kind::kIsShared) {
      cut(i, line.may);
    } else if (line.must != 0) {
      const int only = __builtin_ctzll(line.must);
      if (structure.is_summary(only)) {
        structure.set(sm_, only, Kleene::kFalse);
        pending.add(sm_);
        out = Effect::kSharper;
      }
      cut(i, line.may & ~line.must);
    }
  }
  if (changes_relation) pending.add(relation);
  if (changes_defined) pending.add(constraint.predicate);
  return changes_relation || changes_defined ? Effect::kSharper : out;
}

Constraints::Effect Constraints::apply_closure(const Closure& closure, Structure& structure, Pending& pending) {
  const Sharpened out = sharpen(closure, structure);
  if (out.is_broken) return Effect::kBroken;
  if (out.closure) pending.add(closure.predicate);
  if (out.relation) pending.add(closure.relation);
  return out.closure || out.relation ? Effect::kSharper : Effect::kNone;
}

Constraints::Effect Constraints::apply_reached(const Reached& reached, Structure& structure, Pending& pending) {
  const SharpenedReached out = sharpen(reached, structure);
  if (out.is_broken) return Effect::kBroken;
  if (out.reached) pending.add(reached.predicate);
  if (out.closure) pending.add(reached.closure);
  return out.reached || out.closure ? Effect::kSharper : Effect::kNone;
}

Constraints::Effect Constraints::apply_ordered(const Ordered& ordered, Structure& structure, Pending& pending) {
  const SharpenedOrdered out = sharpen(ordered, structure);
  if (out.is_broken) return Effect::kBroken;
  if (out.ordered) pending.add(ordered.predicate);
  if (out.closure) pending.add(ordered.closure);
  if (out.ends) pending.add(ordered.first), pending.add(ordered.second);
  return out.ordered || out.closure || out.ends ? Effect::kSharper : Effect::kNone;
}

// The target, if it is known, is related in the other way too or it is not, as is known; and one that is known to be so related or not is
// the target or not.
void Constraints::sharpen_pair(const CommonDefinition& definition, Kleene holds, int individual, Structure& structure,
                               Pending& pending) {
  if (holds == Kleene::kUnknown) return;
  const bool is_mutual = definition.kind == CommonDefinition::Kind::kIsMutual;
  const auto set = [&](int relation, int from, int to, Kleene value) {
    structure.set(relation, from, to, value);
    pending.add(relation);
  };
  const Bits candidates = structure.row(definition.relation, individual).may |
                          (is_mutual ? 0 : structure.row(definition.other, individual).may);
  for_each_bit(candidates, [&](int target) {
    const int from = is_mutual ? target : individual;
    const int to = is_mutual ? individual : target;
    const Kleene leads = structure.get(definition.relation, individual, target);
    const Kleene other = structure.get(definition.other, from, to);
    if (leads == Kleene::kTrue && other == Kleene::kUnknown) set(definition.other, from, to, holds);
    if (leads == Kleene::kUnknown && other == !holds) set(definition.relation, individual, target, Kleene::kFalse);
    if (is_mutual) return;  // else both are functions
    if (other == Kleene::kTrue && leads == Kleene::kUnknown && holds == Kleene::kTrue)
      set(definition.relation, individual, target, Kleene::kTrue);
    if (other == Kleene::kUnknown && leads == !holds) set(definition.other, from, to, Kleene::kFalse);
  });
}

Constraints::Effect Constraints::enforce(const Constraint& constraint, const std::vector<int>& individuals,
                                         Structure& structure, Pending& pending) {
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
    pending.add(structure.layout().sm());
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
  pending.add(constraint.predicate);
  return Effect::kSharper;
}

}  // namespace concord::engine::shape
