#include "engine/shape/action.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/shape/build.h"

namespace concord::engine::shape {

namespace {

const Variable kThread = "tr";

}  // namespace

Step::Step(const System& system, const Constraints& constraints, const Action& action, const Edge* edge,
           bool are_coerced)
    : system_(system), constraints_(constraints), action_(action), are_coerced_(are_coerced) {
  for (const FormulaPtr& it : action.focus) focus_.emplace_back(system, it);
  FormulaPtr precondition = action.precondition;
  const bool moves = edge != nullptr && system.has_threads;
  if (moves) {
    focus_.emplace_back(system, atom(system.runnable, {kThread}));
    std::vector<FormulaPtr> all{atom(system.runnable, {kThread}),
                                atom(system.at[static_cast<std::size_t>(edge->from)], {kThread})};
    if (precondition) all.push_back(precondition);
    precondition = conjunction(std::move(all));
  }
  if (precondition) {
    bound_ = free_variables(*precondition);
    precondition_.emplace(precondition, bound_);
  }
  for (const Message& it : action.messages) messages_.emplace_back(it.condition, bound_);
  for (const Update& it : action.updates) {
    const bool is_moved = moves && (it.predicate == system.at[static_cast<std::size_t>(edge->from)] ||
                                    it.predicate == system.at[static_cast<std::size_t>(edge->to)]);
    if (!is_moved) add_update(it);
  }
  moves_ = moves;
  if (moves) move_thread(*edge);
  if (action.created_for) created_for_.emplace(action.created_for, of_one(*action.created_for));
  if (action.retained) retained_.emplace(action.retained, of_one(*action.retained));
  if (action.goes_on) goes_on_.emplace(action.goes_on, bound_);
  if (action.halts) halts_.emplace(action.halts, bound_);
  const Changed none(system.predicates.size(), false);
  for (const Focus& it : focus_) {
    Changed& changed = focus_changes_.emplace_back(none);
    changed[static_cast<std::size_t>(system.sm)] = true;
    for (const int predicate : it.predicates()) changed[static_cast<std::size_t>(predicate)] = true;
  }
  update_changes_ = none;
  places_.assign(system.predicates.size(), -1);
  for (std::size_t u = 0; u < updates_.size(); ++u)
    places_[static_cast<std::size_t>(updates_[u].predicate)] = static_cast<int>(u);
  for (const Assignment& it : updates_) update_changes_[static_cast<std::size_t>(it.predicate)] = true;
  if (are_coerced) find_settled();
}

// Instrumentation predicates that have no update here, and that follow from predicates that have.
void Step::find_settled() {
  const auto changes = [&](int predicate) {
    return predicate >= 0 && update_changes_[static_cast<std::size_t>(predicate)];
  };
  const auto all = static_cast<int>(system_.predicates.size());
  for (int p = 0; p < all; ++p) {
    if (changes(p)) continue;
    const auto common = common_definition(system_, system_.predicates[static_cast<std::size_t>(p)]);
    if (common && (changes(common->relation) || changes(common->other))) settled_.emplace_back(p, *common);
    if (const auto closure = closure_of(system_, p); closure && changes(closure->relation))
      closures_.push_back(*closure);
  }
  for (const auto& [predicate, definition] : settled_) update_changes_[static_cast<std::size_t>(predicate)] = true;
  for (const Closure& it : closures_) update_changes_[static_cast<std::size_t>(it.predicate)] = true;
  for (int p = 0; p < all; ++p) {
    if (changes(p)) continue;
    const auto reached = reached_of(system_, p);
    const bool is_forgotten = system_.defect == Defect::kUpdateForgotten;
    if (reached && !is_forgotten && (changes(reached->from) || changes(reached->closure))) reached_.push_back(*reached);
    const auto ordered = ordered_of(system_, p);
    if (ordered && (changes(ordered->first) || changes(ordered->second) || changes(ordered->closure)))
      ordered_.push_back(*ordered);
  }
  for (const Reached& it : reached_) update_changes_[static_cast<std::size_t>(it.predicate)] = true;
  for (const Ordered& it : ordered_) update_changes_[static_cast<std::size_t>(it.predicate)] = true;
}

// The variables that are bound, then the one that a formula about one individual has besides those.
std::vector<Variable> Step::of_one(const Formula& formula) const {
  std::vector<Variable> out = free_variables(formula);
  std::erase_if(out, [&](const Variable& it) { return std::find(bound_.begin(), bound_.end(), it) != bound_.end(); });
  if (out.empty()) out.emplace_back("v'");  // it says the same of all
  out.insert(out.begin(), bound_.begin(), bound_.end());
  return out;
}

void Step::add_update(const Update& update) {
  std::vector<Variable> free = bound_;
  free.insert(free.end(), update.variables.begin(), update.variables.end());
  Assignment made;
  made.predicate = update.predicate;
  made.arguments = update.variables.size();
  const bool is_change = update.adds != nullptr || update.removes != nullptr;
  if (!is_change) made.value.emplace(update.value, free);
  if (update.adds != nullptr) made.adds.emplace(update.adds, free);
  if (update.removes != nullptr) made.removes.emplace(update.removes, free);
  updates_.push_back(std::move(made));
}

// What the action itself makes of the predicate.
FormulaPtr Step::updated(int predicate, const Variable& variable) const {
  for (const Update& it : action_.updates) {
    if (it.predicate != predicate) continue;
    // ∃x: x == v & F(x)
    return exists(it.variables, conjunction({equal(it.variables.front(), variable), it.value}));
  }
  return atom(predicate, {variable});
}

void Step::move_thread(const Edge& edge) {
  const Variable v = "v'";
  const int from = system_.at[static_cast<std::size_t>(edge.from)];
  const int to = system_.at[static_cast<std::size_t>(edge.to)];
  if (from != to) {
    add_update({from, {v}, conjunction({updated(from, v), negation(equal(v, kThread))}), {}});
    add_update({to, {v}, disjunction({updated(to, v), equal(v, kThread)}), {}});
  } else if (std::any_of(action_.updates.begin(), action_.updates.end(),
                         [&](const Update& it) { return it.predicate == to; })) {
    add_update({to, {v}, disjunction({updated(to, v), equal(v, kThread)}), {}});
  }
  lets_others_run_ = !edge.goes_on;
}

bool Step::is_consistent(Structure& structure, const Changed& changed) const {
  return !(are_coerced_ ? constraints_.coerce(structure, changed) : constraints_.coerce(structure));
}

std::vector<Structure> Step::focused(const Structure& structure) const {
  std::vector<Structure> out{structure};
  if (moves_ && structure.row(system_.runnable).must == 0) {
    Row& runnable = out.front().row(system_.runnable);
    runnable = {structure.row(system_.is_thread).may & structure.row(system_.ready).may, 0};
  }
  for (std::size_t f = 0; f < focus_.size(); ++f) {
    std::vector<Structure> next;
    for (const Structure& each : out) {
      std::vector<Structure> made = focus_[f].apply(each);
      const bool is_same = made.size() == 1;  // it was definite
      for (Structure& it : made) {
        if (!are_coerced_ || is_same || is_consistent(it, focus_changes_[f])) next.push_back(std::move(it));
      }
    }
    out = std::move(next);
  }
  return out;
}

Successors Step::apply(const Structure& structure) const {
  Successors out;
  for (Structure& it : focused(structure)) {
    if (!are_coerced_ && constraints_.coerce(it)) continue;  // it represents nothing
    if (!precondition_) {
      take(it, {}, out);
      continue;
    }
    if (bound_.empty()) {
      if (precondition_->value(it) != Kleene::kFalse) take(it, {}, out);
      continue;
    }
    for_each_choice(bound_.size() - 1, it.size(), [&](const std::vector<int>& choice) {
      for_each_bit(precondition_->row(it, choice).may & it.universe(), [&](int last) {
        std::vector<int> bound = choice;
        bound.push_back(last);
        take(it, bound, out);
      });
      return true;
    });
  }
  return out;
}

void Step::take(const Structure& structure, const std::vector<int>& bound, Successors& out) const {
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const Kleene value = messages_[m].value(structure, bound);
    if (value != Kleene::kFalse) out.alarms.push_back({static_cast<int>(m), value, mover(bound)});
  }
  if (goes_on_ && goes_on_->value(structure, bound) == Kleene::kFalse) return;
  if (halts_ && halts_->value(structure, bound) == Kleene::kTrue) return;
  for (const Structure& it : with_new(structure, bound)) update(structure, it, bound, out);
}

int Step::mover(const std::vector<int>& bound) const {
  const auto found = moves_ ? std::find(bound_.begin(), bound_.end(), kThread) : bound_.end();
  return found == bound_.end() ? -1 : bound[static_cast<std::size_t>(found - bound_.begin())];
}

namespace {

std::vector<int> with(int individual, std::vector<int> bound) {
  bound.push_back(individual);
  return bound;
}

}  // namespace

// Where it is not known whether there is a new individual, both: with one, and without.
std::vector<Structure> Step::with_new(const Structure& structure, const std::vector<int>& bound) const {
  std::vector<Structure> out{structure};
  if (action_.creates && !created_for_) out.front().set(system_.is_new, out.front().add(), Kleene::kTrue);
  for (int i = 0; created_for_ && i < structure.size(); ++i) {
    const Kleene value = created_for_->value(structure, with(i, bound));
    if (value == Kleene::kFalse) continue;
    const std::vector<Structure> without = value == Kleene::kUnknown ? out : std::vector<Structure>();
    for (Structure& it : out) {
      const int added = it.add();
      it.set(system_.is_new, added, Kleene::kTrue);
      it.set(system_.instance, added, i, structure.is_summary(i) ? Kleene::kUnknown : Kleene::kTrue);
      if (structure.is_summary(i)) it.set(system_.sm, added, Kleene::kUnknown);
    }
    out.insert(out.end(), without.begin(), without.end());
  }
  return out;
}

Row Step::updated_row(const Assignment& assignment, const Structure& before, const std::vector<int>& individuals,
                      const Row& old, Touched* touched) {
  // Without an argument of its own a value is the same for all individuals.
  const auto row = [&](const Evaluation& it) {
    if (assignment.arguments > 0) return it.row(before, individuals);
    const Kleene value = it.value(before, individuals);
    return Row{value == Kleene::kFalse ? 0 : ~Bits{0}, value == Kleene::kTrue ? ~Bits{0} : 0};
  };
  if (assignment.value) {
    if (touched != nullptr) touched->comes.push_back(before.universe()), touched->goes.push_back(before.universe());
    return row(*assignment.value);
  }
  const Row adds = assignment.adds ? row(*assignment.adds) : Row();
  const Row removes = assignment.removes ? row(*assignment.removes) : Row();
  if (touched != nullptr) {
    touched->comes.push_back(adds.may & ~old.must);
    touched->goes.push_back(removes.may & old.may & ~adds.must);
  }
  return {(old.may & ~removes.must) | adds.may, (old.must & ~removes.may) | adds.must};
}

// `before` is the structure with new individuals.
void Step::update(const Structure& structure, const Structure& before, const std::vector<int>& bound,
                  Successors& out) const {
  Structure after = before;
  const bool settles = !settled_.empty() || !closures_.empty() || !reached_.empty() || !ordered_.empty();
  std::vector<Touched> touched(settles ? updates_.size() : 0);
  for (std::size_t u = 0; u < updates_.size(); ++u) {
    const Assignment& it = updates_[u];
    Touched* changes = touched.empty() ? nullptr : &touched[u];
    std::vector<int> individuals = bound;
    if (it.arguments == 0) {
      // A row of one.
      after.row(it.predicate) = updated_row(it, before, individuals, before.row(it.predicate), nullptr);
      after.row(it.predicate).may &= 1U, after.row(it.predicate).must &= 1U;
    }
    if (it.arguments == 1)
      after.row(it.predicate) = updated_row(it, before, individuals, before.row(it.predicate), nullptr);
    if (it.arguments != 2) continue;
    individuals.push_back(0);
    for (int first = 0; first < before.size(); ++first) {
      individuals.back() = first;
      after.row(it.predicate, first) = updated_row(it, before, individuals, before.row(it.predicate, first), changes);
    }
  }
  if (settles) settle_all(touched, before, after);
  if (lets_others_run_)
    after.row(system_.runnable) = {before.row(system_.is_thread).may & before.row(system_.ready).may, 0};
  after.row(system_.is_new) = {};
  for (int i = 0; created_for_ && i < after.size(); ++i) after.row(system_.instance, i) = {};
  for (Structure& it : without_gone(structure, std::move(after), bound)) {
    const auto breach = are_coerced_ ? constraints_.coerce(it, update_changes_) : constraints_.coerce(it);
    if (breach) {
      out.breaches.push_back({breach->constraint, mover(bound)});
    } else {
      out.after.push_back(std::move(it));
    }
  }
}

// `touched`: by update.
void Step::settle_all(const std::vector<Touched>& touched, const Structure& before, Structure& after) const {
  const auto place_of = [&](int predicate) {
    return predicate < 0 ? -1 : places_[static_cast<std::size_t>(predicate)];
  };
  const auto changes_of = [&](int predicate) -> const Touched* {
    const int place = place_of(predicate);
    return place < 0 ? nullptr : &touched[static_cast<std::size_t>(place)];
  };
  for (const auto& [predicate, definition] : settled_)
    settle(definition, predicate, changes_of(definition.relation), changes_of(definition.other), before, after);
  std::map<int, Touched> closures;
  for (const Closure& it : closures_)
    closures.emplace(it.predicate, settle(it, *changes_of(it.relation), before, after));
  const auto changes_of_closure = [&](int predicate) {
    const auto closure = closures.find(predicate);
    return closure == closures.end() ? changes_of(predicate) : &closure->second;
  };
  for (const Reached& it : reached_) {
    settle(it, place_of(it.from) >= 0, it.is_from_relation ? changes_of(it.from) : nullptr,
           changes_of_closure(it.closure), before, after);
  }
  for (const Ordered& it : ordered_)
    settle(it, changes_of(it.first), changes_of(it.second), changes_of_closure(it.closure), before, after);
}

// Where it is not known whether an individual stays, both. One that stands for several is gone if all of these are.
std::vector<Structure> Step::without_gone(const Structure& structure, Structure after,
                                          const std::vector<int>& bound) const {
  std::vector<Structure> out;
  out.push_back(std::move(after));
  for (int i = structure.size(); retained_ && i-- > 0;) {
    const Kleene stays = retained_->value(structure, with(i, bound));
    if (stays == Kleene::kTrue) continue;
    const std::vector<Structure> with_it = stays == Kleene::kUnknown ? out : std::vector<Structure>();
    for (Structure& it : out) it.remove(i);
    out.insert(out.end(), with_it.begin(), with_it.end());
  }
  return out;
}

}  // namespace concord::engine::shape
