#include "engine/shape/concrete.h"

#include <algorithm>
#include <numeric>

namespace concord::engine::shape {

namespace {

// What is tried: small structures show most of what can go wrong.
constexpr int kMoreIndividuals = 3;        // for those that stand for several
constexpr std::size_t kMostInitial = 500;  // of each given structure
constexpr int kMoreOnTheWay = 4;
constexpr std::size_t kMostStates = 10'000;
constexpr std::size_t kMostChoices = 16;  // where an update leaves something open

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t out = (a ^ b) * 0x9E3779B97F4A7C15U;
  return out ^ out >> 29U;
}

// What holds of an individual, and how it is related to which others, as a number.
std::vector<std::uint64_t> colours(const Structure& structure) {
  const Layout& layout = structure.layout();
  const auto n = static_cast<std::size_t>(structure.size());
  std::vector<std::uint64_t> out(n);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::uint64_t> next(n);
    for (int a = 0; a < structure.size(); ++a) {
      std::uint64_t& it = next[static_cast<std::size_t>(a)];
      it = out[static_cast<std::size_t>(a)];
      for (int p = 0; p < layout.predicates(); ++p) {
        if (layout.arity(p) == 1) it = mixed(it, static_cast<std::uint64_t>(structure.get(p, a)));
        if (layout.arity(p) != 2) continue;
        std::uint64_t others = 0;  // a sum: their order does not matter
        for (int b = 0; b < structure.size(); ++b) {
          const auto values = static_cast<std::uint64_t>(structure.get(p, a, b)) << 2U |
                              static_cast<std::uint64_t>(structure.get(p, b, a));
          if (values != 0) others += mixed(mixed(values, out[static_cast<std::size_t>(b)]), a == b ? 1 : 2);
        }
        it = mixed(it, others);
      }
    }
    out = std::move(next);
  }
  return out;
}

// Structures that differ in the numbers of individuals are mostly equal then.
Structure sorted(const Structure& structure) {
  const std::vector<std::uint64_t> by = colours(structure);
  std::vector<int> order(by.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return by[static_cast<std::size_t>(a)] < by[static_cast<std::size_t>(b)]; });
  return structure.reordered(order);
}

}  // namespace

Concrete::Concrete(const System& system)
    : system_(system), layout_(system), constraints_(system), instances_(system, constraints_) {
  for (const Edge& it : system.edges)
    steps_.emplace_back(system, constraints_, system.actions[static_cast<std::size_t>(it.action)], &it);
  for (const int it : system.claims)
    claims_.emplace_back(system, constraints_, system.actions[static_cast<std::size_t>(it)], nullptr);
}

void Concrete::run(const std::vector<Structure>& initial, Messages messages, std::set<int> breaches,
                   const Control& control) {
  messages_ = std::move(messages);
  breaches_ = std::move(breaches);
  for (const Structure& given : initial) {
    for (const Structure& it : instances_.of(given, kMoreIndividuals, kMostInitial)) {
      most_individuals_ = std::max(most_individuals_, it.size() + kMoreOnTheWay);
      add(it, system_.has_threads ? 0 : system_.entry, -1, -1);
    }
  }
  while (!todo_.empty() && !(messages_.empty() && breaches_.empty()) && !control.should_stop()) {
    const int next = todo_.front();
    todo_.pop_front();
    expand(next);
  }
}

void Concrete::add(const Structure& structure, int location, int parent, int edge) {
  if (structure.size() > most_individuals_ || states_.size() >= kMostStates) return;
  Structure normal = sorted(structure);
  auto& same = known_[normal.hash()];
  for (const auto& [where, it] : same) {
    if (where == location && it == normal) return;
  }
  same.emplace_back(location, std::move(normal));
  todo_.push_back(static_cast<int>(states_.size()));
  states_.push_back({structure, location, parent, edge});
}

void Concrete::expand(int state) {
  for (std::size_t c = 0; c < claims_.size(); ++c) apply(claims_[c], system_.claims[c], -1, 0, state);
  for (std::size_t e = 0; e < steps_.size(); ++e) {
    const Edge& edge = system_.edges[e];
    if (!system_.has_threads && states_[static_cast<std::size_t>(state)].location != edge.from) continue;
    apply(steps_[e], edge.action, static_cast<int>(e), system_.has_threads ? 0 : edge.to, state);
  }
}

void Concrete::apply(const Step& step, int action, int edge, int target, int state) {
  const Successors out = step.apply(states_[static_cast<std::size_t>(state)].structure);
  for (const Successors::Alarm& it : out.alarms) {
    if (it.value == Kleene::kTrue && messages_.erase({action, it.message}) > 0)
      finds_.push_back({action, it.message, -1, state, it.thread});
  }
  for (const Successors::Breach& it : out.breaches) {
    if (breaches_.erase(action) > 0) finds_.push_back({action, -1, it.constraint, state, it.thread});
  }
  if (edge < 0) return;
  for (const Structure& it : out.after) {
    if (instances_.is_instance(it)) {
      add(it, target, state, edge);
    } else {
      for (const Structure& chosen : instances_.of(it, 0, kMostChoices)) add(chosen, target, state, edge);
    }
  }
}

}  // namespace concord::engine::shape
