#include "explore/rules.h"

#include <algorithm>

namespace concord::explore {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Rules::Rules(const engine::Task& task, Patience& patience)
    : task_(task),
      machine_(*task.program, task.settings, patience),
      monitor_(machine_),
      races_(*task.program),
      checks_races_(is_asked(Kind::kRace)),
      checks_deadlock_(is_asked(Kind::kDeadlock)) {}

bool Rules::is_asked(Kind kind) const {
  return std::any_of(task_.properties.begin(), task_.properties.end(),
                     [&](const engine::Property& it) { return it.kind == kind; });
}

std::string Rules::id(const Breach& breach) const {
  return engine::property_id(*task_.sources, breach.kind, breach.claim);
}

std::vector<Transition> Rules::checked_steps(const State& state, Scalar self) {
  std::vector<Transition> out = machine_.steps(state, self);
  for (Transition& step : out) {
    if (step.cut) continue;
    try {
      if (step.failure) {
        monitor_.check_wrong_step(state, self, step);
      } else {
        monitor_.check_step(state, self, step);
      }
    } catch (const Limit& limit) {
      machine_.bounds().insert(limit.reason);
      step.cut = true;  // F was not moved, so what follows would be judged wrongly
    }
  }
  return out;
}

std::optional<Breach> Rules::uncovered(const State& state, Scalar self) const {
  const ThreadState& thread = state.threads[self - 1];
  if (thread.nodes.empty()) return std::nullopt;
  return Breach{Kind::kConformance, plato::abstracted(*task_.program, thread.declaration, thread.entry).range,
                "the thread goes wrong here, and no node that is possible covers it with its assertion"};
}

base::SourceRange Rules::where(const Transition& step) const {
  return range_of(*step.operation, task_.program->procedures[step.procedure]);
}

std::optional<Breach> Rules::race(const State& between, Scalar first, const Transition& step, Scalar second,
                                  const Transition& next) const {
  if (next.failure || next.cut) return std::nullopt;
  return races_.check(machine_, between, first, step, second, next);
}

Rules::Stuck Rules::stuck(const State& state) {
  Stuck out;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    if (state.threads[self - 1].finished) continue;
    for (const Waiting& it : machine_.waiting(state, self)) {
      const base::SourceRange at = range_of(*it.operation, task_.program->procedures[it.procedure]);
      if (out.is_intended) out.where = at;
      out.is_intended = out.is_intended && it.intended;
      out.threads.push_back({machine_.thread_name(state, self), it.text, it.detail, at});
    }
  }
  return out;
}

Breach Rules::deadlock() const { return {Kind::kDeadlock, task_.program->threads.front().range, "no thread can move"}; }

}  // namespace concord::explore
