#include "engine/shape/source/search.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace concord::engine::shape::source {

Search::Search(const Lowered& lowered, Join join, std::size_t most_after_alarm, std::size_t most)
    : lowered_(lowered),
      system_(lowered.vocabulary->system()),
      layout_(system_),
      constraints_(system_),
      blur_(system_),
      collector_(lowered),
      join_(join),
      most_after_alarm_(most_after_alarm),
      most_(most) {
  leaving_.resize(system_.labels.size());
  steps_.reserve(system_.edges.size());
  for (std::size_t e = 0; e < system_.edges.size(); ++e) {
    const Edge& edge = system_.edges[e];
    steps_.emplace_back(system_, constraints_, system_.actions[static_cast<std::size_t>(edge.action)], &edge, true);
    leaving_[static_cast<std::size_t>(edge.from)].push_back(static_cast<int>(e));
  }
  for (const Edge& edge : system_.edges) {
    const Action& action = system_.actions[static_cast<std::size_t>(edge.action)];
    const int move = lowered.moves[static_cast<std::size_t>(&edge - system_.edges.data())];
    enabled_.emplace_back();
    if (lowered.concerns[static_cast<std::size_t>(move)].may_block && action.goes_on)
      enabled_.back().emplace(action.goes_on, std::vector<Variable>{"tr"});
  }
  for (const Concern& it : lowered.concerns) {
    std::vector<Evaluation>& all = touched_.emplace_back();
    for (const FormulaPtr& formula : it.touched) all.emplace_back(formula, std::vector<Variable>{"tr", "o"});
  }
  is_entry_.assign(system_.labels.size(), false);
  for (const auto& [procedure, label] : lowered.code.entry) is_entry_[static_cast<std::size_t>(label)] = true;
  for (const Claim& it : lowered.claims) claims_.emplace_back(it.is_broken, std::vector<Variable>());
}

void Search::run(const Task& task, const Control& control) {
  control_ = &control;
  is_told_.assign(task.properties.size() + static_cast<std::size_t>(lowered_.lock_orders.count()), false);
  for (const Structure& it : initial_structures(lowered_, task, layout_)) {
    const Way start;
    const bool is_alone = task.program->initialiser >= 0;
    if (!is_alone) check_claims(it, start, false);
    check_claims(it, start, true);
    Structure begun = it;
    begun.row(lowered_.vocabulary->fresh()) = {};
    CONCORD_CHECK(!constraints_.coerce(begun), "the program begins in a configuration that there is not");
    keep(std::move(begun), start);
  }
  while (!todo_.empty() && !control.should_stop()) {
    is_out_of_memory_ = control.memory_limit_bytes != 0 && bytes_ > control.memory_limit_bytes;
    is_given_up_ = states_.size() > (may_go_wrong() ? most_after_alarm_ : most_);
    if (is_out_of_memory_ || is_given_up_) return;
    const int next = todo_.front();
    todo_.pop_front();
    if (states_[static_cast<std::size_t>(next)].is_current) expand(next);
    if (control.on_progress) control.on_progress({"configurations", states_.size(), std::nullopt});
  }
}

int Search::label_of(const Structure& structure, int thread) const {
  for (std::size_t l = 0; l < system_.at.size(); ++l) {
    if (structure.get(system_.at[l], thread) == Kleene::kTrue) return static_cast<int>(l);
  }
  base::internal_error(__FILE__, __LINE__, "a thread that is nowhere");
}

void Search::expand(int state) {
  Structure structure = states_[static_cast<std::size_t>(state)].structure;
  if (constraints_.coerce(structure)) return;  // it represents nothing
  std::vector<std::pair<int, int>> movers;     // thread and label
  bool is_alone = false;
  for_each_bit(structure.row(system_.is_thread).may, [&](int thread) {
    const int label = label_of(structure, thread);
    if (label == lowered_.code.done) return;
    const bool alone = lowered_.stops[static_cast<std::size_t>(label)] == Stop::kItself ||
                       lowered_.code.labels[static_cast<std::size_t>(label)].is_inside ||
                       lowered_.code.labels[static_cast<std::size_t>(label)].is_alone;
    if (alone && !is_alone) movers.clear();
    if (alone || !is_alone) movers.emplace_back(thread, label);
    is_alone = is_alone || alone;
  });
  for (const auto& [thread, label] : movers) schedule(structure, thread, state);
}

// The thread moves: one that stands for several is split.
void Search::schedule(const Structure& structure, int thread, int state) {
  passed_.clear();
  const int label = label_of(structure, thread);
  const auto go = [&](Structure with, int one) {
    Changed changed(system_.predicates.size(), false);
    if (with.is_summary(one)) {
      with.set(system_.sm, one, Kleene::kFalse);
      changed[static_cast<std::size_t>(system_.sm)] = true;
    }
    with.row(system_.runnable) = {};
    with.set(system_.runnable, one, Kleene::kTrue);
    if (changed[static_cast<std::size_t>(system_.sm)] && constraints_.coerce(with, changed)) return;
    advance(with, label, {state, {}});
  };
  go(structure, thread);
  if (!structure.is_summary(thread)) return;
  Structure parted = structure;
  const int one = parted.duplicate(thread);
  go(std::move(parted), one);
}

void Search::tell(int property, Kleene value, const Way& way, const std::string& text, base::SourceRange at) {
  if (property >= 0) {
    if (is_told_[static_cast<std::size_t>(property)]) return;
    is_told_[static_cast<std::size_t>(property)] = true;
  }
  alarms_.push_back({property, value, way.state, way.edges, text, at});
}

// Something is told that no order of locks may yet exclude.
bool Search::may_go_wrong() const {
  const LockOrders& orders = lowered_.lock_orders;
  const auto is_told = [&](int property) { return is_told_[static_cast<std::size_t>(property)]; };
  const bool is_some_kept = std::any_of(orders.orders.begin(), orders.orders.end(),
                                        [&](const LockOrders::Order& it) { return !is_told(it.is_broken); });
  return std::any_of(alarms_.begin(), alarms_.end(), [&](const Alarm& it) {
    if (it.property < 0) return true;
    if (it.property + orders.count() >= std::ssize(is_told_)) return false;  // it is about an order
    return !is_some_kept || (it.property != orders.deadlock && it.property != orders.cyclic_deadlock);
  });
}

void Search::advance(const Structure& structure, int label, const Way& way) {
  if (control_->should_stop()) return;
  bool is_open = false;  // the thread may go wrong here, or be stuck
  const int thread = __builtin_ctzll(structure.row(system_.runnable).must);
  for (const int e : leaving_[static_cast<std::size_t>(label)]) {
    const Edge& edge = system_.edges[static_cast<std::size_t>(e)];
    const Action& action = system_.actions[static_cast<std::size_t>(edge.action)];
    Successors out = steps_[static_cast<std::size_t>(e)].apply(structure);
    // What breaks a constraint represents nothing; but a real configuration has a real successor.
    CONCORD_CHECK(
        out.breaches.empty() || !structure.is_definite(),
        "a step breaks a constraint: " + action.title + ": " + constraints_.name(out.breaches.front().constraint));
    Way further = way;
    further.edges.push_back(e);
    for (const Successors::Alarm& it : out.alarms) {
      const Message& message = action.messages[static_cast<std::size_t>(it.message)];
      is_open = true;
      tell(message.property, it.value, further, message.text, message.range);
    }
    const std::optional<Evaluation>& enabled = enabled_[static_cast<std::size_t>(e)];
    is_open = is_open || (enabled && enabled->value(structure, {thread}) != Kleene::kTrue);
    for (Structure& it : out.after) arrive(std::move(it), edge.to, further);
  }
  // A run that may end here goes on for the others, in whatever order.
  const bool is_between = !way.edges.empty() && !lowered_.code.labels[static_cast<std::size_t>(label)].is_inside;
  if (!is_open || !is_between) return;
  check_claims(structure, way, false);
  keep(structure, way);
}

// The thread has been at this label since it was chosen.
bool Search::has_passed(int label, const Way& way) const {
  return std::any_of(way.edges.begin(), way.edges.end(),
                     [&](int e) { return system_.edges[static_cast<std::size_t>(e)].from == label; });
}

// Ways that part and meet again with nothing changed are followed once.
bool Search::is_new_on_the_way(const Structure& structure, int label) {
  std::vector<std::pair<int, Structure>>& same = passed_[structure.hash() + static_cast<std::uint64_t>(label)];
  for (const auto& [there, known] : same) {
    if (there == label && known == structure) return false;
  }
  same.emplace_back(label, structure);
  return true;
}

// Nobody else knows the objects that the move touches.
bool Search::is_own(const Structure& structure, int move) const {
  const int thread = __builtin_ctzll(structure.row(system_.runnable).must);
  Bits touched = 0;
  for (const Evaluation& it : touched_[static_cast<std::size_t>(move)]) touched |= it.row(structure, {thread}).may;
  touched &= structure.universe();
  if (touched == 0) return true;
  if ((touched & structure.row(system_.sm).may) != 0) return false;
  for (const int it : lowered_.watched) {
    if ((touched & structure.row(it).may) != 0) return false;
  }
  if (lowered_.vocabulary->has_hidden_references()) return false;
  for (const Reference& it : lowered_.vocabulary->references()) {
    for (int a = 0; a < (it.arity == 2 ? structure.size() : 1); ++a) {
      const bool is_its_own = it.arity == 2 && a == thread;
      if (!is_its_own && (structure.row(it.relation, a).may & touched) != 0) return false;
    }
  }
  return true;
}

bool Search::step_alone(const Structure& structure, int label, const Way& way, std::vector<Arrival>& out) {
  for (const int e : leaving_[static_cast<std::size_t>(label)]) {
    const Edge& edge = system_.edges[static_cast<std::size_t>(e)];
    if (!is_own(structure, lowered_.moves[static_cast<std::size_t>(e)])) return false;
    Successors after = steps_[static_cast<std::size_t>(e)].apply(structure);
    if (!after.alarms.empty() || enabled_[static_cast<std::size_t>(e)]) return false;
    Way further = way;
    further.edges.push_back(e);
    for (Structure& it : after.after) {
      const Label& at = lowered_.code.labels[static_cast<std::size_t>(edge.to)];
      if (!at.is_inside) {
        out.push_back({std::move(it), edge.to, further});
      } else if (at.is_loop || !step_alone(it, edge.to, further, out)) {
        return false;
      }
    }
  }
  return true;
}

void Search::arrive(Structure structure, int label, const Way& way) {
  const Label& at = lowered_.code.labels[static_cast<std::size_t>(label)];
  const bool is_between_steps = !at.is_inside && !at.is_alone;
  if (is_between_steps && structure.row(lowered_.vocabulary->fresh()).may != 0) check_claims(structure, way, true);
  if (!at.is_inside) structure.row(lowered_.vocabulary->fresh()) = {};
  const Stop stop = lowered_.stops[static_cast<std::size_t>(label)];
  // Nobody goes on for ever without the others.
  const bool is_round = (at.is_loop && has_passed(label, way)) || way.edges.size() >= kLongestWay;
  if (stop == Stop::kNever && !is_round) {
    if (is_new_on_the_way(structure, label)) advance(structure, label, way);
    return;
  }
  if (stop == Stop::kPerhaps && !is_round) {
    std::vector<Arrival> arrivals;
    if (step_alone(structure, label, way, arrivals)) {
      for (Arrival& it : arrivals) arrive(std::move(it.structure), it.label, it.way);
      return;
    }
  }
  if (is_between_steps) check_claims(structure, way, false);
  if (is_between_steps && !is_round && go_on_elsewhere(structure, way)) return;
  keep(std::move(structure), way);
}

// A thread that was started goes at once to where it concerns others.
bool Search::go_on_elsewhere(const Structure& structure, const Way& way) {
  for (std::size_t l = 0; l < system_.at.size(); ++l) {
    const Row& there = structure.row(system_.at[l]);
    if (there.may == 0 || lowered_.stops[l] != Stop::kNever || lowered_.code.labels[l].is_alone) continue;
    const int thread = __builtin_ctzll(there.may);
    if (structure.is_summary(thread) || !is_entry_[l]) continue;
    Structure next = structure;
    next.row(system_.runnable) = {};
    next.set(system_.runnable, thread, Kleene::kTrue);
    advance(next, static_cast<int>(l), way);
    return true;
  }
  return false;
}

void Search::check_claims(const Structure& structure, const Way& way, bool is_at_start) {
  for (std::size_t c = 0; c < claims_.size(); ++c) {
    const Claim& it = lowered_.claims[c];
    if (it.is_at_start != is_at_start || is_told_[static_cast<std::size_t>(it.property)]) continue;
    const Kleene value = claims_[c].value(structure);
    if (value != Kleene::kFalse) tell(it.property, value, way, "", {});
  }
}

void Search::keep(Structure structure, const Way& way) {
  structure.row(system_.runnable) = {};
  collector_.collect(structure);
  Structure blurred = blur_.apply(structure);
  const int number = static_cast<int>(states_.size());
  if (join_ == Join::kPartial) {
    std::string names;
    for (const Kleene it : blur_.names(blurred)) names += static_cast<char>('0' + static_cast<int>(it));
    const auto [found, is_new] = joined_.emplace(std::move(names), number);
    if (!is_new) {
      State& old = states_[static_cast<std::size_t>(found->second)];
      blurred = joined(old.structure, blurred);
      if (blurred == old.structure) return;
      old.is_current = false;
      found->second = number;
    }
  } else {
    std::vector<int>& same = known_[blurred.hash()];
    for (const int it : same) {
      if (states_[static_cast<std::size_t>(it)].structure == blurred) return;
    }
    same.push_back(number);
  }
  todo_.push_back(number);
  bytes_ += sizeof(State) + layout_.rows(blurred.size()) * sizeof(Row) + way.edges.size() * sizeof(int);
  states_.push_back({std::move(blurred), way.state, way.edges, true});
}

}  // namespace concord::engine::shape::source
