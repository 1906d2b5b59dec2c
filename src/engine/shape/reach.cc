#include "engine/shape/reach.h"

#include <algorithm>

namespace concord::engine::shape {

Reach::Reach(const System& system, Join join)
    : system_(system), join_(join), layout_(system), constraints_(system), blur_(system) {
  const std::size_t locations = system.has_threads ? 1 : system.labels.size();
  known_.resize(locations);
  joined_.resize(locations);
  leaving_.resize(system.labels.size());
  for (std::size_t e = 0; e < system.edges.size(); ++e) {
    const Edge& edge = system.edges[e];
    steps_.emplace_back(system, constraints_, system.actions[static_cast<std::size_t>(edge.action)], &edge);
    leaving_[static_cast<std::size_t>(edge.from)].push_back(static_cast<int>(e));
  }
  for (const int it : system.claims)
    claims_.emplace_back(system, constraints_, system.actions[static_cast<std::size_t>(it)], nullptr);
}

std::uint64_t Reach::kept() const {
  return static_cast<std::uint64_t>(
      std::count_if(states_.begin(), states_.end(), [](const State& it) { return it.is_current; }));
}

void Reach::run(const std::vector<Structure>& initial, const Control& control) {
  for (const Structure& it : initial) add(it, system_.has_threads ? 0 : system_.entry, -1, -1);
  while (!todo_.empty() && !control.should_stop()) {
    is_out_of_memory_ = control.memory_limit_bytes != 0 && bytes_ > control.memory_limit_bytes;
    if (is_out_of_memory_) return;
    const int next = todo_.front();
    todo_.pop_front();
    if (states_[static_cast<std::size_t>(next)].is_current) expand(next);
  }
}

void Reach::add(const Structure& structure, int location, int parent, int edge) {
  Structure blurred = blur_.apply(structure);
  const auto where = static_cast<std::size_t>(location);
  if (join_ == Join::kPartial) {
    const auto [found, is_new] = joined_[where].emplace(blur_.names(blurred), static_cast<int>(states_.size()));
    if (!is_new) {
      State& old = states_[static_cast<std::size_t>(found->second)];
      blurred = joined(old.structure, blurred);
      if (blurred == old.structure) return;
      old.is_current = false;
      found->second = static_cast<int>(states_.size());
    }
  } else {
    std::vector<int>& same = known_[where][blurred.hash()];
    for (const int it : same) {
      if (states_[static_cast<std::size_t>(it)].structure == blurred) return;
    }
    same.push_back(static_cast<int>(states_.size()));
  }
  ++configurations_;
  todo_.push_back(static_cast<int>(states_.size()));
  bytes_ += sizeof(State) + layout_.rows(blurred.size()) * sizeof(Row);
  states_.push_back({std::move(blurred), location, parent, edge, true});
}

void Reach::expand(int state) {
  const auto apply = [&](const Step& step, int action, int edge, int target) {
    const Successors out = step.apply(states_[static_cast<std::size_t>(state)].structure);
    for (const Successors::Alarm& it : out.alarms) alarms_.push_back({action, it.message, it.value, state});
    for (const Successors::Breach& it : out.breaches) breaches_.push_back({action, it.constraint, state});
    if (edge < 0) return;
    for (const Structure& it : out.after) add(it, target, state, edge);
  };
  for (std::size_t c = 0; c < claims_.size(); ++c) apply(claims_[c], system_.claims[c], -1, -1);
  const auto take = [&](int edge) {
    const Edge& it = system_.edges[static_cast<std::size_t>(edge)];
    apply(steps_[static_cast<std::size_t>(edge)], it.action, edge, system_.has_threads ? 0 : it.to);
  };
  if (!system_.has_threads) {
    for (const int it : leaving_[static_cast<std::size_t>(states_[static_cast<std::size_t>(state)].location)]) take(it);
    return;
  }
  for (std::size_t e = 0; e < steps_.size(); ++e) take(static_cast<int>(e));
}

}  // namespace concord::engine::shape
