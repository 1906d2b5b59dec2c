#include "explore/search.h"

#include <algorithm>

#include "explore/describe.h"
#include "plato/flow.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Search::Search(const engine::Task& task, engine::Control& control, std::int64_t thread_count)
    : task_(task),
      control_(control),
      thread_count_(thread_count),
      patience_(control),
      rules_(task, patience_),
      moved_(task.program->threads.size(), false) {}

Outcome Search::run() {
  Outcome outcome = Outcome::kComplete;
  try {
    initial_ = rules_.machine().initial_states(thread_count_);
    visit_all();
  } catch (const Stopped& stopped) { outcome = stopped.why; }
  patience_.waive();
  findings_ = told();
  return outcome;
}

namespace {

// Where its abstract thread may be after a step, if that is something else than before.
std::string possible_nodes(const plato::Program& program, const State& before, const State& after, Scalar self) {
  const ThreadState& thread = after.threads[self - 1];
  if (thread.nodes == before.threads[self - 1].nodes || thread.nodes.empty()) return "";
  const int which = plato::abstracted(program, thread.declaration, thread.entry).index;
  const plato::AbstractThread& machine = program.abstract_threads[which];
  std::string out;
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    if (thread.nodes[n]) out += (out.empty() ? "at " : ", ") + machine.nodes[n].name;
  }
  return out;
}

void add_new(std::vector<Lock>& locks, const std::vector<Lock>& acquired) {
  const auto bytes = [](const Lock& it) {
    std::string out;
    append_to(out, it);
    return out;
  };
  for (const Lock& it : acquired) {
    const auto is_it = [&](const Lock& known) { return bytes(known) == bytes(it); };
    if (std::none_of(locks.begin(), locks.end(), is_it)) locks.push_back(it);
  }
}

}  // namespace

// Who took the step before, and could go on instead of `self`; empty: nobody.
std::string Search::preempted(const State& state, Scalar before, Scalar self) {
  if (before == 0 || before == self) return "";
  const std::vector<Transition> steps = rules_.machine().steps(state, before);
  const bool goes_on = std::any_of(steps.begin(), steps.end(), [](const Transition& it) { return !it.spurious; });
  return goes_on ? rules_.machine().thread_name(state, before) : "";
}

engine::Trace Search::trace(const Finding& finding) {
  const std::vector<Run::Leg>& legs = finding.run.legs;
  const Machine& machine = rules_.machine();
  const bool keeps_evidence = task_.settings.keeps_evidence;
  engine::Trace out;
  State state = initial_[finding.run.initial];
  std::vector<Lock> locks;
  out.initial = describe_initial(machine, state);
  if (keeps_evidence) out.before = describe_situation(machine, state, locks);
  out.ending = finding.ending;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const auto [self, ordinal] = legs[i];
    std::vector<Transition> steps = rules_.checked_steps(state, self);
    const Transition& step = steps[ordinal];
    engine::TraceStep entry;
    entry.thread = machine.thread_name(state, self);
    entry.location = rules_.where(step);
    entry.text = text_of(*step.operation);
    if (step.spurious) entry.note = "spurious wake-up";
    if (i + 1 == legs.size() && finding.goes_wrong) {
      entry.note = "goes wrong here";
      if (step.failure) entry.location = step.failure->claim;
    } else {
      entry.changes = describe_changes(machine, state, step.after, self);
    }
    if (finding.breach.kind == diag::Kind::kConformance && self == legs.back().thread && entry.note.empty())
      entry.note = possible_nodes(machine.program(), state, step.after, self);
    if (keeps_evidence) {
      add_new(locks, step.acquired);
      entry.preempted = preempted(state, i == 0 ? 0 : legs[i - 1].thread, self);
      entry.after = describe_situation(machine, step.after, locks);
    }
    out.steps.push_back(std::move(entry));
    state = step.after;
  }
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self)
    out.threads.push_back(machine.thread_name(state, self));
  return out;
}

}  // namespace concord::explore
