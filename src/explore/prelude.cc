#include "explore/prelude.h"

#include <deque>
#include <unordered_set>

namespace concord::explore {

void Prelude::note(const Breach& breach, bool goes_wrong, base::SourceRange where, const Run& run,
                   const std::vector<Run::Leg>& more) {
  Finding finding{breach, goes_wrong, where, {}, run};
  finding.run.legs.insert(finding.run.legs.end(), more.begin(), more.end());
  found.emplace(rules_.id(breach), std::move(finding));
}

void Prelude::run(std::vector<State>& initial) {
  moved.assign(rules_.program().threads.size(), false);
  for (std::uint32_t i = 0; i < initial.size(); ++i) {
    State& state = initial[i];
    std::vector<Breach> breaches = rules_.machine().initial_breaches(state);
    rules_.monitor().check_state(state, breaches);
    for (const Breach& breach : breaches) note(breach, false, breach.claim, {i, {}}, {});
    if (state.is_initialised) {
      roots.push_back({state, {i, {}}, 0});
    } else {
      initialise(state, i);
    }
  }
}

void Prelude::initialise(const State& initial, std::uint32_t number) {
  std::unordered_set<std::string> seen{to_bytes(initial)};
  std::deque<Root> todo{{initial, {number, {}}, 0}};
  while (!todo.empty()) {
    patience_.check_time();
    patience_.check_memory();
    const Root at = std::move(todo.front());
    todo.pop_front();
    ++states;
    std::vector<Root> next;
    if (!expand(at, next)) look_at_end(at);
    for (Root& it : next) {
      if (!seen.insert(to_bytes(it.state)).second) continue;
      if (it.state.is_initialised) {
        it.until_initialised = it.run.legs.size();
        roots.push_back(std::move(it));
      } else {
        todo.push_back(std::move(it));
      }
    }
  }
}

// Whether some thread can move.
bool Prelude::expand(const Root& at, std::vector<Root>& next) {
  bool can_move = false;
  for (Scalar self = 1; self <= std::ssize(at.state.threads); ++self) {
    const std::vector<Transition> steps = rules_.checked_steps(at.state, self);
    for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
      const Transition& step = steps[ordinal];
      const Run::Leg leg{self, ordinal};
      can_move = can_move || !step.spurious;
      const int declaration = at.state.threads[self - 1].declaration;
      if (declaration >= 0) moved[declaration] = true;
      for (const Breach& breach : step.breaches) note(breach, false, rules_.where(step), at.run, {leg});
      if (step.failure) {
        const Breach wrong{step.failure->kind, step.failure->claim, step.failure->message};
        note(wrong, true, step.failure->claim, at.run, {leg});
        if (const auto it = rules_.uncovered(at.state, self)) note(*it, true, step.failure->claim, at.run, {leg});
      }
      if (step.failure || step.cut) continue;
      ++transitions;
      if (rules_.checks_races()) look_for_races(at, leg, step);
      next.push_back({step.after, at.run, 0});
      next.back().run.legs.push_back(leg);
    }
  }
  return can_move;
}

void Prelude::look_for_races(const Root& at, Run::Leg leg, const Transition& step) {
  for (Scalar other = 1; other <= std::ssize(step.after.threads); ++other) {
    if (other == leg.thread) continue;
    const std::vector<Transition> next = rules_.machine().steps(step.after, other);
    for (std::uint32_t n = 0; n < next.size(); ++n) {
      const auto it = rules_.race(step.after, leg.thread, step, other, next[n]);
      if (it) note(*it, false, rules_.where(next[n]), at.run, {leg, {other, n}});
    }
  }
}

void Prelude::look_at_end(const Root& at) {
  const Rules::Stuck end = rules_.stuck(at.state);
  if (end.threads.empty()) {
    std::string bytes;
    append_to(bytes, at.state.store);
    final_stores.insert(std::move(bytes));
  }
  for (const Breach& it : rules_.breaches_at_end(at.state, end)) {
    const base::SourceRange where = end.threads.empty() ? it.claim : end.where;
    found.emplace(rules_.id(it), Finding{it, false, where, end.threads, at.run});
  }
}

}  // namespace concord::explore
