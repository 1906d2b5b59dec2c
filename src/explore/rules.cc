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
      checks_deadlock_(is_asked(Kind::kDeadlock)),
      checks_termination_(is_asked(Kind::kTermination)),
      checks_meetings_(is_asked(Kind::kCyclicDeadlock) || is_asked(Kind::kNestedMonitor) ||
                       is_asked(Kind::kMutualExclusion)) {}

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
    std::erase_if(step.breaches,
                  [&](const Breach& it) { return it.kind == Kind::kIgnoredNotify && !is_asked(it.kind); });
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
    for (const Waiting& it : machine_.waiting(state, self)) {
      if (out.is_intended) out.where = range_of(*it.operation, task_.program->procedures[it.procedure]);
      out.is_intended = out.is_intended && it.intended;
    }
    for (engine::StuckThread& it : stuck_threads(state, self)) out.threads.push_back(std::move(it));
  }
  return out;
}

// Empty: it has finished.
std::vector<engine::StuckThread> Rules::stuck_threads(const State& state, Scalar self) {
  std::vector<engine::StuckThread> out;
  for (const Waiting& it : machine_.waiting(state, self)) {
    const base::SourceRange at = range_of(*it.operation, task_.program->procedures[it.procedure]);
    out.push_back({machine_.thread_name(state, self), it.text, it.detail, at});
  }
  return out;
}

std::vector<Breach> Rules::breaches_at_end(const State& state, const Stuck& end) {
  std::vector<Breach> out;
  if (end.threads.empty()) {
    try {
      monitor_.check_final(state, out);
    } catch (const Limit& limit) { machine_.bounds().insert(limit.reason); }
    return out;
  }
  const base::SourceRange first_thread = task_.program->threads.front().range;
  if (checks_deadlock_ && !end.is_intended) out.push_back({Kind::kDeadlock, first_thread, "no thread can move"});
  if (checks_termination_)
    out.push_back({Kind::kTermination, first_thread, "no thread can move, and not all have finished"});
  return out;
}

std::vector<Meeting> Rules::asked_meetings(const std::vector<Standing>& threads) const {
  std::vector<Meeting> out = meetings(threads);
  std::erase_if(out, [&](const Meeting& it) { return !is_asked(it.kind); });
  return out;
}

Breach Rules::breach_of(const Meeting& meeting) const {
  const base::SourceRange first_thread = task_.program->threads.front().range;
  if (meeting.kind == Kind::kNestedMonitor) {
    return {meeting.kind, first_thread,
            "a thread waits for a notification while it holds a lock that another one waits for"};
  }
  if (meeting.kind == Kind::kMutualExclusion) return {meeting.kind, meeting.region->range, ""};
  return {meeting.kind, first_thread,
          meeting.threads.size() == 1 ? "a thread waits for itself" : "threads wait for each other in a circle"};
}

std::vector<Rules::Met> Rules::met(const State& state) {
  if (!checks_meetings_) return {};
  std::vector<Standing> standings;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) standings.push_back(machine_.standing(state, self));
  std::vector<Met> out;
  for (const Meeting& it : asked_meetings(standings)) {
    Met met{breach_of(it), {}, {}};
    if (it.kind == Kind::kMutualExclusion) {
      const std::string& region = std::get<Exclusive>(it.region->node).region;
      met.where = it.other->range;
      met.breach.message = machine_.thread_name(state, it.threads[0]) + " and " +
                           machine_.thread_name(state, it.threads[1]) + " are inside `" + region + "` at the same time";
    } else {
      for (const Scalar thread : it.threads) {
        for (engine::StuckThread& stuck : stuck_threads(state, thread)) met.threads.push_back(std::move(stuck));
      }
      met.where = met.threads.front().location;
    }
    out.push_back(std::move(met));
  }
  return out;
}

}  // namespace concord::explore
