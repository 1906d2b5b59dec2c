#include "explore/exploration.h"

#include <algorithm>

#include "explore/describe.h"

namespace concord::explore {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Exploration::Exploration(const engine::Task& task, engine::Control& control, std::int64_t thread_count)
    : task_(task),
      control_(control),
      thread_count_(thread_count),
      patience_(control),
      machine_(*task.program, task.settings, patience_),
      monitor_(machine_),
      races_(*task.program),
      moved_(task.program->threads.size(), false),
      check_races_(is_asked(Kind::kRace)),
      check_deadlock_(is_asked(Kind::kDeadlock)) {}

bool Exploration::is_asked(Kind kind) const {
  return std::any_of(task_.properties.begin(), task_.properties.end(),
                     [&](const engine::Property& it) { return it.kind == kind; });
}

Outcome Exploration::run() {
  Outcome outcome = Outcome::kComplete;
  try {
    visit_all();
  } catch (const Stopped& stopped) { outcome = stopped.why; }
  patience_.waive();
  return outcome;
}

void Exploration::visit_all() {
  initial_ = machine_.initial_states(thread_count_);
  initial_count_ = initial_.size();
  for (std::uint32_t i = 0; i < initial_.size(); ++i) {
    State& state = initial_[i];
    std::vector<Breach> breaches = machine_.initial_breaches(state);
    monitor_.check_state(state, breaches);
    const auto id = static_cast<std::uint32_t>(origins_.size());
    add_state(state, {0, i, 0});
    for (const Breach& breach : breaches) record(breach, {breach, false, id, 0, 0, 0, 0, breach.claim, {}});
  }
  for (std::uint64_t round = 0; !frontier_.empty(); ++round) {
    if (round % 64 == 0) {
      patience_.check_time();
      if (round % 1024 == 0) patience_.check_memory();
      if (control_.on_progress) control_.on_progress({"exploring", origins_.size(), std::nullopt});
    }
    const auto [id, state] = std::move(frontier_.front());
    frontier_.pop_front();
    expand(id, state);
    if (found_all_sought()) throw Stopped{Outcome::kFound};
  }
}

bool Exploration::found_all_sought() const {
  return !task_.sought.empty() && findings_.size() >= task_.sought.size() &&
         std::all_of(task_.sought.begin(), task_.sought.end(),
                     [&](const std::string& id) { return findings_.contains(id); });
}

void Exploration::add_state(State state, Origin origin) {
  const auto id = static_cast<std::uint32_t>(origins_.size());
  if (!seen_.emplace(to_bytes(state), id).second) return;
  origins_.push_back(origin);
  frontier_.emplace_back(id, std::move(state));
}

// The steps of a thread, with everything the specification says about them.
std::vector<Transition> Exploration::checked_steps(const State& state, Scalar self) {
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

void Exploration::expand(std::uint32_t id, const State& state) {
  bool can_move = false;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    std::vector<Transition> steps = checked_steps(state, self);
    for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
      Transition& step = steps[ordinal];
      can_move = can_move || !step.spurious;
      const int declaration = state.threads[self - 1].declaration;
      if (declaration >= 0) moved_[declaration] = true;
      const base::SourceRange where = range_of(*step.operation, task_.program->procedures[step.procedure]);
      for (const Breach& breach : step.breaches) {
        record(breach, {breach, false, id, self, ordinal, 0, 0, where, {}});
      }
      if (step.failure) {
        const Breach breach{step.failure->kind, step.failure->claim, step.failure->message};
        record(breach, {breach, true, id, self, ordinal, 0, 0, step.failure->claim, {}});
        // The concrete thread goes wrong, so some possible node must: but those that do are not monitored any more.
        if (!state.threads[self - 1].nodes.empty()) {
          const Breach uncovered{
              Kind::kConformance, task_.program->threads[declaration].abstracted_range,
              "the thread goes wrong here, and no node that is possible covers it with its assertion"};
          record(uncovered, {uncovered, true, id, self, ordinal, 0, 0, step.failure->claim, {}});
        }
        continue;
      }
      if (step.cut) continue;
      ++transitions_;
      if (check_races_) check_races(id, self, ordinal, step);
      add_state(std::move(step.after), {id, ordinal, self});
    }
  }
  if (!can_move) check_deadlock(id, state);
}

void Exploration::record(const Breach& breach, Finding finding) {
  findings_.emplace(engine::property_id(*task_.sources, breach.kind, breach.claim), std::move(finding));
}

void Exploration::check_deadlock(std::uint32_t id, const State& state) {
  std::vector<engine::StuckThread> ending;
  bool intended = true;
  base::SourceRange where;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    if (state.threads[self - 1].finished) continue;
    for (const Waiting& it : machine_.waiting(state, self)) {
      const base::SourceRange at = range_of(*it.operation, task_.program->procedures[it.procedure]);
      // The place to show: the first that waits without meaning to.
      if (intended) where = at;
      intended = intended && it.intended;
      ending.push_back({machine_.thread_name(state, self), it.text, it.detail, at});
    }
  }
  if (ending.empty()) {
    std::string bytes;
    append_to(bytes, state.store);
    final_stores_.insert(std::move(bytes));
    return;
  }
  if (intended || !check_deadlock_) return;
  const Breach breach{Kind::kDeadlock, task_.program->threads.front().range, "no thread can move"};
  record(breach, {breach, false, id, 0, 0, 0, 0, where, std::move(ending)});
}

void Exploration::check_races(std::uint32_t id, Scalar self, std::uint32_t ordinal, const Transition& step) {
  for (Scalar other = 1; other <= std::ssize(step.after.threads); ++other) {
    if (other == self) continue;
    const std::vector<Transition> next = machine_.steps(step.after, other);
    for (std::uint32_t next_ordinal = 0; next_ordinal < next.size(); ++next_ordinal) {
      const Transition& next_step = next[next_ordinal];
      if (next_step.failure || next_step.cut) continue;
      const auto race = races_.check(machine_, step.after, self, step, other, next_step);
      if (!race) continue;
      const base::SourceRange where = range_of(*next_step.operation, task_.program->procedures[next_step.procedure]);
      record(*race, {*race, false, id, self, ordinal, other, next_ordinal, where, {}});
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------- traces

engine::Trace Exploration::trace(const Finding& finding) {
  struct Leg {
    Scalar thread;
    std::uint32_t step;
  };
  std::vector<Leg> legs;
  std::uint32_t at = finding.state;
  while (origins_[at].thread != 0) {
    legs.push_back({origins_[at].thread, origins_[at].step});
    at = origins_[at].parent;
  }
  std::reverse(legs.begin(), legs.end());
  if (finding.thread != 0) legs.push_back({finding.thread, finding.step});
  if (finding.next_thread != 0) legs.push_back({finding.next_thread, finding.next_step});

  engine::Trace out;
  State state = initial_[origins_[at].step];
  out.initial = describe_initial(machine_, state);
  out.ending = finding.ending;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const auto [self, ordinal] = legs[i];
    std::vector<Transition> steps = checked_steps(state, self);
    const Transition& step = steps[ordinal];
    engine::TraceStep entry;
    entry.thread = machine_.thread_name(state, self);
    entry.location = range_of(*step.operation, task_.program->procedures[step.procedure]);
    entry.text = text_of(*step.operation);
    if (step.spurious) entry.note = "spurious wake-up";
    if (i + 1 == legs.size() && finding.goes_wrong) {
      entry.note = "goes wrong here";
      if (step.failure) entry.location = step.failure->claim;
    } else {
      entry.changes = describe_changes(machine_, state, step.after, self);
    }
    out.steps.push_back(std::move(entry));
    state = step.after;
  }
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self)
    out.threads.push_back(machine_.thread_name(state, self));
  return out;
}

}  // namespace concord::explore
