#include "engine/shape/source/search.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "engine/shape/source/expansion.h"

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

void Search::run(const Task& task, Control& control) {
  control_ = &control;
  is_told_.assign(task.properties.size() + static_cast<std::size_t>(lowered_.lock_orders.count()), false);
  begin(task);
  while (!todo_.empty() && !control.should_stop()) {
    is_out_of_memory_ = control.memory_limit_bytes != 0 && bytes_ > control.memory_limit_bytes;
    is_given_up_ = has_too_many_choices_ || states_.size() > (may_go_wrong() ? most_after_alarm_ : most_);
    if (is_out_of_memory_ || is_given_up_) return;
    std::vector<int> next;
    while (!todo_.empty() && next.size() < kAtOnce) {
      if (states_[static_cast<std::size_t>(todo_.front())].is_current) next.push_back(todo_.front());
      todo_.pop_front();
    }
    control.work += expand(next, static_cast<std::size_t>(std::max(1, task.settings.jobs)));
    if (control.on_progress) control.on_progress({"configurations", states_.size(), std::nullopt});
  }
  is_given_up_ = is_given_up_ || has_too_many_choices_;  // in the last of them too
}

void Search::begin(const Task& task) {
  Expansion first(*this);
  first.begin(task);
  take(first);
}

std::uint64_t Search::expand(const std::vector<int>& states, std::size_t jobs) {
  std::vector<Expansion> all(states.size(), Expansion(*this));
  base::in_parallel(jobs, states.size(), [&](std::size_t i) { all[i].expand(states[i]); });
  std::uint64_t work = 0;
  for (Expansion& it : all) {
    take(it);
    work += it.work();
  }
  return work;
}

void Search::take(Expansion& expansion) {
  for (const Alarm& it : expansion.alarms()) {
    if (it.property >= 0) {
      if (is_told_[static_cast<std::size_t>(it.property)]) continue;
      is_told_[static_cast<std::size_t>(it.property)] = true;
    }
    alarms_.push_back(it);
  }
  for (Expansion::Kept& it : expansion.kept()) keep(std::move(it.structure), it.way);
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
    return !is_some_kept || !orders.excludes(it.property);
  });
}

void Search::keep(Structure blurred, const Way& way) {
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
