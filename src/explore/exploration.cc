#include "explore/exploration.h"

#include <algorithm>

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

void Exploration::visit_all() {
  for (std::uint32_t i = 0; i < initial_.size(); ++i) {
    State& state = initial_[i];
    std::vector<Breach> breaches = rules_.machine().initial_breaches(state);
    rules_.monitor().check_state(state, breaches);
    const auto number = static_cast<std::uint32_t>(origins_.size());
    add_state(state, {0, i, 0});
    for (const Breach& breach : breaches) record(breach, {{breach, false, breach.claim, {}, {}}, number, {}});
  }
  for (std::uint64_t round = 0; !frontier_.empty(); ++round) {
    if (round % 64 == 0) {
      patience_.check_time();
      if (round % 1024 == 0) patience_.check_memory();
      if (control_.on_progress) control_.on_progress({"exploring", origins_.size(), std::nullopt});
    }
    const auto [number, state] = std::move(frontier_.front());
    frontier_.pop_front();
    expand(number, state);
    if (found_all_sought()) throw Stopped{Outcome::kFound};
  }
}

bool Exploration::found_all_sought() const {
  return !task_.sought.empty() && found_.size() >= task_.sought.size() &&
         std::all_of(task_.sought.begin(), task_.sought.end(),
                     [&](const std::string& it) { return found_.contains(it); });
}

void Exploration::add_state(State state, Origin origin) {
  const auto number = static_cast<std::uint32_t>(origins_.size());
  if (!seen_.emplace(to_bytes(state), number).second) return;
  origins_.push_back(origin);
  frontier_.emplace_back(number, std::move(state));
}

void Exploration::expand(std::uint32_t id, const State& state) {
  for (Rules::Met& it : rules_.met(state)) {
    record(it.breach, {{it.breach, false, it.where, std::move(it.threads), {}}, id, {}});
  }
  bool can_move = false;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    std::vector<Transition> steps = rules_.checked_steps(state, self);
    for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
      Transition& step = steps[ordinal];
      const Run::Leg leg{self, ordinal};
      can_move = can_move || !step.spurious;
      const int declaration = state.threads[self - 1].declaration;
      if (declaration >= 0) moved_[declaration] = true;
      for (const Breach& breach : step.breaches)
        record(breach, {{breach, false, rules_.where(step), {}, {}}, id, {leg}});
      if (step.failure) {
        const Breach breach{step.failure->kind, step.failure->claim, step.failure->message};
        record(breach, {{breach, true, step.failure->claim, {}, {}}, id, {leg}});
        if (const auto it = rules_.uncovered(state, self))
          record(*it, {{*it, true, step.failure->claim, {}, {}}, id, {leg}});
        continue;
      }
      if (step.cut) continue;
      ++transitions_;
      if (rules_.checks_races()) check_races(id, leg, step);
      add_state(std::move(step.after), {id, ordinal, self});
    }
  }
  if (!can_move) look_at_end(id, state);
}

void Exploration::record(const Breach& breach, Found found) { found_.emplace(rules_.id(breach), std::move(found)); }

// A state in which no thread can move.
void Exploration::look_at_end(std::uint32_t id, const State& state) {
  const Rules::Stuck end = rules_.stuck(state);
  if (end.threads.empty()) {
    std::string bytes;
    append_to(bytes, state.store);
    final_stores_.insert(std::move(bytes));
  }
  for (const Breach& it : rules_.breaches_at_end(state, end)) {
    record(it, {{it, false, end.threads.empty() ? it.claim : end.where, end.threads, {}}, id, {}});
  }
}

void Exploration::check_races(std::uint32_t id, Run::Leg leg, const Transition& step) {
  for (Scalar other = 1; other <= std::ssize(step.after.threads); ++other) {
    if (other == leg.thread) continue;
    const std::vector<Transition> next = rules_.machine().steps(step.after, other);
    for (std::uint32_t ordinal = 0; ordinal < next.size(); ++ordinal) {
      const auto it = rules_.race(step.after, leg.thread, step, other, next[ordinal]);
      if (it) record(*it, {{*it, false, rules_.where(next[ordinal]), {}, {}}, id, {leg, {other, ordinal}}});
    }
  }
}

std::map<std::string, Finding> Exploration::told() {
  std::map<std::string, Finding> out;
  for (auto& [id, it] : found_) {
    std::uint32_t at = it.state;
    std::vector<Run::Leg>& legs = it.finding.run.legs;
    for (; origins_[at].thread != 0; at = origins_[at].parent) {
      legs.push_back({origins_[at].thread, origins_[at].step});
    }
    std::reverse(legs.begin(), legs.end());
    legs.insert(legs.end(), it.more.begin(), it.more.end());
    it.finding.run.initial = origins_[at].step;
    out.emplace(id, std::move(it.finding));
  }
  return out;
}

}  // namespace concord::explore
