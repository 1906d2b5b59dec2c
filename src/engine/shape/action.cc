#include "engine/shape/action.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/shape/build.h"

namespace concord::engine::shape {

namespace {

const Variable kThread = "tr";

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
  if (action.created_for) created_for_.emplace(action.created_for, of_one(*action.created_for));
  if (action.retained) retained_.emplace(action.retained, of_one(*action.retained));
  if (action.halts) halts_.emplace(action.halts, bound_);
}

// The variable that a formula about one individual has besides those that are bound, then those.
std::vector<Variable> Step::of_one(const Formula& formula) const {
  std::vector<Variable> out = free_variables(formula);
  std::erase_if(out, [&](const Variable& it) { return std::find(bound_.begin(), bound_.end(), it) != bound_.end(); });
  if (out.empty()) out.emplace_back("v'");  // it says the same of all
  out.insert(out.end(), bound_.begin(), bound_.end());
  return out;
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
      return true;
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
  for (const Structure& it : with_new(structure, bound)) update(structure, it, bound, out);
}

namespace {

std::vector<int> with(int individual, const std::vector<int>& bound) {
  std::vector<int> out{individual};
  out.insert(out.end(), bound.begin(), bound.end());
  return out;
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

// `before` is the structure with new individuals.
void Step::update(const Structure& structure, const Structure& before, const std::vector<int>& bound,
                  Successors& out) const {
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
      return true;
    });
  }
  if (lets_others_run_)
    after.row(system_.runnable) = {before.row(system_.is_thread).may & before.row(system_.ready).may, 0};
  after.row(system_.is_new) = {};
  for (int i = 0; created_for_ && i < after.size(); ++i) after.row(system_.instance, i) = {};
  for (Structure& it : without_gone(structure, std::move(after), bound)) {
    if (const auto breach = constraints_.coerce(it)) {
      out.breaches.push_back({breach->constraint});
    } else {
      out.after.push_back(std::move(it));
    }
  }
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
