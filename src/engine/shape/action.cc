#include "engine/shape/action.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/shape/build.h"

namespace concord::engine::shape {

namespace {

const Variable kThread = "tr";

// Calls visit(individuals) for each choice of so many.
template <class Visit>
void for_each_choice(std::size_t count, int size, Visit&& visit) {
  if (count > 0 && size == 0) return;
  std::vector<int> choice(count, 0);
  while (true) {
    visit(choice);
    std::size_t digit = count;
    while (digit > 0 && ++choice[digit - 1] == size) choice[--digit] = 0;
    if (digit == 0) return;
  }
}

}  // namespace

Step::Step(const System& system, const Constraints& constraints, const Action& action, const Edge* edge)
    : system_(system), constraints_(constraints), action_(action) {
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
    if (!is_moved) add_update(it.predicate, it.variables, it.value);
  }
  moves_ = moves;
  if (moves) move_thread(*edge);
  if (action.created_for) {
    std::vector<Variable> free = free_variables(*action.created_for);
    std::erase_if(free,
                  [&](const Variable& it) { return std::find(bound_.begin(), bound_.end(), it) != bound_.end(); });
    free.insert(free.end(), bound_.begin(), bound_.end());
    created_for_.emplace(action.created_for, free);
  }
  if (action.retained) {
    std::vector<Variable> free = free_variables(*action.retained);
    std::erase_if(free,
                  [&](const Variable& it) { return std::find(bound_.begin(), bound_.end(), it) != bound_.end(); });
    free.insert(free.end(), bound_.begin(), bound_.end());
    retained_.emplace(action.retained, free);
  }
  if (action.halts) halts_.emplace(action.halts, bound_);
}

void Step::add_update(int predicate, const std::vector<Variable>& variables, const FormulaPtr& value) {
  std::vector<Variable> free = variables;
  free.insert(free.end(), bound_.begin(), bound_.end());
  updates_.push_back({Evaluation(value, free), predicate, variables.size()});
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
    add_update(from, {v}, conjunction({updated(from, v), negation(equal(v, kThread))}));
    add_update(to, {v}, disjunction({updated(to, v), equal(v, kThread)}));
  } else if (std::any_of(action_.updates.begin(), action_.updates.end(),
                         [&](const Update& it) { return it.predicate == to; })) {
    add_update(to, {v}, disjunction({updated(to, v), equal(v, kThread)}));
  }
  lets_others_run_ = !edge.goes_on;
}

Successors Step::apply(const Structure& structure) const {
  std::vector<Structure> focused{structure};
  if (moves_ && structure.row(system_.runnable).must == 0) {
    Row& runnable = focused.front().row(system_.runnable);
    runnable = {structure.row(system_.is_thread).may & structure.row(system_.ready).may, 0};
  }
  for (const Focus& it : focus_) {
    std::vector<Structure> next;
    for (const Structure& each : focused) {
      for (Structure& made : it.apply(each)) next.push_back(std::move(made));
    }
    focused = std::move(next);
  }
  Successors out;
  for (Structure& it : focused) {
    if (constraints_.coerce(it)) continue;  // it represents nothing
    if (!precondition_) {
      take(it, {}, out);
      continue;
    }
    const Table holds = precondition_->table(it);
    for_each_choice(bound_.size(), it.size(), [&](const std::vector<int>& bound) {
      if (entry(holds, bound, it.size()) != Kleene::kFalse) take(it, bound, out);
    });
  }
  return out;
}

void Step::take(const Structure& structure, const std::vector<int>& bound, Successors& out) const {
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const Kleene value = messages_[m].value(structure, bound);
    if (value != Kleene::kFalse) out.alarms.push_back({static_cast<int>(m), value});
  }
  if (halts_ && halts_->value(structure, bound) == Kleene::kTrue) return;
  Structure before = structure;
  if (action_.creates && !created_for_) before.set(system_.is_new, before.add(), Kleene::kTrue);
  if (created_for_) {
    for (int i = 0; i < structure.size(); ++i) {
      std::vector<int> individuals{i};
      individuals.insert(individuals.end(), bound.begin(), bound.end());
      const Kleene value = created_for_->value(structure, individuals);
      if (value == Kleene::kFalse) continue;
      const int added = before.add();
      before.set(system_.is_new, added, Kleene::kTrue);
      before.set(system_.instance, added, i, value);
      if (structure.is_summary(i)) before.set(system_.sm, added, Kleene::kUnknown);
    }
  }
  Structure after = before;
  for (const Assignment& it : updates_) {
    const Table values = it.value.table(before);
    for_each_choice(it.arguments, before.size(), [&](const std::vector<int>& arguments) {
      std::vector<int> individuals = arguments;
      individuals.insert(individuals.end(), bound.begin(), bound.end());
      const Kleene value = entry(values, individuals, before.size());
      if (arguments.empty()) after.set(it.predicate, value);
      if (arguments.size() == 1) after.set(it.predicate, arguments[0], value);
      if (arguments.size() == 2) after.set(it.predicate, arguments[0], arguments[1], value);
    });
  }
  if (retained_) {
    for (int i = structure.size(); i-- > 0;) {
      std::vector<int> individuals{i};
      individuals.insert(individuals.end(), bound.begin(), bound.end());
      if (retained_->value(structure, individuals) == Kleene::kFalse) after.remove(i);
    }
  }
  for (int i = 0; i < after.size(); ++i) after.set(system_.is_new, i, Kleene::kFalse);
  if (created_for_) {
    for (int i = 0; i < after.size(); ++i) after.row(system_.instance, i) = {};
  }
  if (lets_others_run_) {
    Row& runnable = after.row(system_.runnable);
    runnable = {before.row(system_.is_thread).may & before.row(system_.ready).may, 0};
  }
  if (const auto breach = constraints_.coerce(after)) {
    out.breaches.push_back({breach->constraint});
    return;
  }
  out.after.push_back(std::move(after));
}

}  // namespace concord::engine::shape
