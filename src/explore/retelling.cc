#include "explore/retelling.h"

#include <algorithm>

#include "base/check.h"

namespace concord::explore {

namespace {

// A longer run is told as it is: making it easier to read would take too many repetitions.
constexpr std::size_t kMostLegs = 200;

// How many of a run show what was found, after it has come there.
std::size_t steps_at_end(Retelling::What what) {
  switch (what) {
    case Retelling::What::kStep: return 1;
    case Retelling::What::kRace: return 2;
    case Retelling::What::kMeeting:
    case Retelling::What::kEnd: return 0;
  }
  return 0;
}

}  // namespace

Finding Retelling::tell(const std::string& id, What what, const Prelude::Root& root, const std::vector<Row>& way) {
  State state = root.state;
  Run run = root.run;
  renaming_.clear();
  rename_as_in(state);
  for (const Row& it : way) state = follow(state, it, run);
  const std::optional<Finding> out = what == What::kEnd       ? stuck_at(id, state, run)
                                     : what == What::kMeeting ? met_at(id, state, run)
                                     : what == What::kRace    ? next_race(id, state, run)
                                                              : next_step(id, state, run);
  if (!out) base::internal_error(__FILE__, __LINE__, "what was found cannot be shown: " + id);
  if (out->run.legs.size() > kMostLegs) return *out;
  const std::size_t first = root.until_initialised;
  return straightened(id, what, shortened(id, what, *out, first), first);
}

Row Retelling::row_of(const State& state) {
  Row out = parts_.row(renaming_.empty() ? state : renamed(rules_.program(), state, renaming_));
  out.resize(columns_, 0);
  if (normal_form_ != nullptr) (void)normal_form_->bring(out, true);
  return out;
}

// From this state on, threads are called as they are in its row.
void Retelling::rename_as_in(const State& state) {
  if (normal_form_ == nullptr) return;
  const Renaming next =
      normal_form_->renaming(parts_.row(renaming_.empty() ? state : renamed(rules_.program(), state, renaming_)));
  if (next.empty()) return;
  if (renaming_.empty()) {
    renaming_ = next;
  } else {
    for (Scalar& it : renaming_) it = next[static_cast<std::size_t>(it)];
  }
}

// Takes the steps that lead from one row to the next.
State Retelling::follow(const State& state, const Row& target, Run& run) {
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    const std::vector<Transition> steps = rules_.checked_steps(state, self);
    for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
      if (steps[ordinal].failure || steps[ordinal].cut) continue;
      run.legs.push_back({self, ordinal});
      seen_.clear();
      if (auto out = reached(steps[ordinal].after, self, target, run)) {
        rename_as_in(*out);
        return std::move(*out);
      }
      run.legs.pop_back();
    }
  }
  base::internal_error(__FILE__, __LINE__, "a step that was found cannot be taken");
}

std::optional<State> Retelling::reached(const State& state, Scalar self, const Row& target, Run& run) {
  if (row_of(state) == target) return state;
  if (!takes_local_steps_ || !local_steps_.are_next(state.threads[self - 1])) return std::nullopt;
  std::string bytes;
  append_to(bytes, state.threads[self - 1]);
  if (seen_.size() > LocalSteps::kMost || !seen_.insert(std::move(bytes)).second) return std::nullopt;
  const std::vector<Transition> steps = rules_.checked_steps(state, self);
  for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
    if (steps[ordinal].failure || steps[ordinal].cut) continue;
    run.legs.push_back({self, ordinal});
    if (auto out = reached(steps[ordinal].after, self, target, run)) return out;
    run.legs.pop_back();
  }
  return std::nullopt;
}

// The breach of the property by the step, if that is one.
std::optional<Finding> Retelling::shown(const std::string& id, const State& state, Run::Leg leg, const Transition& step,
                                        const Run& run) {
  Finding out{{}, false, rules_.where(step), {}, run};
  out.run.legs.push_back(leg);
  for (const Breach& it : step.breaches) {
    if (rules_.id(it) != id) continue;
    out.breach = it;
    return out;
  }
  if (!step.failure) return std::nullopt;
  out.goes_wrong = true;
  out.location = step.failure->claim;
  out.breach = {step.failure->kind, step.failure->claim, step.failure->message};
  if (rules_.id(out.breach) == id) return out;
  const auto conformance = rules_.uncovered(state, leg.thread);
  if (!conformance || rules_.id(*conformance) != id) return std::nullopt;
  out.breach = *conformance;
  return out;
}

std::optional<Finding> Retelling::next_step(const std::string& id, const State& state, const Run& run) {
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    const std::vector<Transition> steps = rules_.checked_steps(state, self);
    for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
      if (auto out = shown(id, state, {self, ordinal}, steps[ordinal], run)) return out;
    }
  }
  return std::nullopt;
}

std::optional<Finding> Retelling::next_race(const std::string& id, const State& state, const Run& run) {
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    const std::vector<Transition> steps = rules_.machine().steps(state, self);
    for (std::uint32_t ordinal = 0; ordinal < steps.size(); ++ordinal) {
      const Transition& step = steps[ordinal];
      if (step.failure || step.cut) continue;
      for (Scalar other = 1; other <= std::ssize(step.after.threads); ++other) {
        if (other == self) continue;
        const std::vector<Transition> next = rules_.machine().steps(step.after, other);
        for (std::uint32_t n = 0; n < next.size(); ++n) {
          const auto found = rules_.race(step.after, self, step, other, next[n]);
          if (!found || rules_.id(*found) != id) continue;
          Finding out{*found, false, rules_.where(next[n]), {}, run};
          out.run.legs.push_back({self, ordinal});
          out.run.legs.push_back({other, n});
          return out;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<Finding> Retelling::met_at(const std::string& id, const State& state, const Run& run) {
  for (Rules::Met& it : rules_.met(state)) {
    if (rules_.id(it.breach) == id) return Finding{it.breach, false, it.where, std::move(it.threads), run};
  }
  return std::nullopt;
}

std::optional<Finding> Retelling::stuck_at(const std::string& id, const State& state, const Run& run) {
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    for (const Transition& it : rules_.machine().steps(state, self)) {
      if (!it.spurious) return std::nullopt;
    }
  }
  const Rules::Stuck end = rules_.stuck(state);
  for (const Breach& it : rules_.breaches_at_end(state, end)) {
    if (rules_.id(it) == id) return Finding{it, false, end.threads.empty() ? it.claim : end.where, end.threads, run};
  }
  return std::nullopt;
}

// Steps that what was found does not need are left out: others' local steps, which were taken at once.
Finding Retelling::shortened(const std::string& id, What what, Finding finding, std::size_t first) {
  if (!takes_local_steps_ || what == What::kEnd) return finding;
  for (std::size_t i = finding.run.legs.size() - steps_at_end(what); i-- > first;) {
    Run shorter = finding.run;
    shorter.legs.erase(shorter.legs.begin() + static_cast<std::ptrdiff_t>(i));
    if (const auto found = shown_by(id, what, shorter)) finding = *found;
  }
  return finding;
}

// Each thread goes on as long as it can: a run in which threads take turns for no reason is hard to read.
Finding Retelling::straightened(const std::string& id, What what, Finding finding, std::size_t first) {
  const auto at = [](std::vector<Run::Leg>& legs, std::size_t i) {
    return legs.begin() + static_cast<std::ptrdiff_t>(i);
  };
  for (std::size_t i = first + 1; i < finding.run.legs.size(); ++i) {
    Run straighter = finding.run;
    std::vector<Run::Leg>& legs = straighter.legs;
    const Scalar running = legs[i - 1].thread;
    if (legs[i].thread == running) continue;
    const auto next = std::find_if(at(legs, i), legs.end(), [&](const Run::Leg& it) { return it.thread == running; });
    if (next == legs.end()) continue;
    std::rotate(at(legs, i), next, next + 1);
    if (const auto found = shown_by(id, what, straighter)) finding = *found;
  }
  return finding;
}

// The finding at the end of the run, if that is a run of the program and shows it.
std::optional<Finding> Retelling::shown_by(const std::string& id, What what, const Run& run) {
  State state = initial_[run.initial];
  const std::size_t last = run.legs.size() - steps_at_end(what);
  Run before{run.initial, {run.legs.begin(), run.legs.begin() + static_cast<std::ptrdiff_t>(last)}};
  for (const Run::Leg& leg : before.legs) {
    std::optional<Transition> step = taken(state, leg);
    if (!step || step->failure || step->cut) return std::nullopt;
    state = std::move(step->after);
  }
  if (what == What::kEnd) return stuck_at(id, state, run);
  if (what == What::kMeeting) return met_at(id, state, run);
  const std::optional<Transition> step = taken(state, run.legs[last]);
  if (!step) return std::nullopt;
  if (what == What::kStep) return shown(id, state, run.legs[last], *step, before);
  if (step->failure || step->cut || run.legs[last].thread == run.legs[last + 1].thread) return std::nullopt;
  const std::optional<Transition> next = taken(step->after, run.legs[last + 1]);
  if (!next) return std::nullopt;
  const auto found = rules_.race(step->after, run.legs[last].thread, *step, run.legs[last + 1].thread, *next);
  if (!found || rules_.id(*found) != id) return std::nullopt;
  return Finding{*found, false, rules_.where(*next), {}, run};
}

// The step, if there is such a one.
std::optional<Transition> Retelling::taken(const State& state, const Run::Leg& leg) {
  if (leg.thread > std::ssize(state.threads)) return std::nullopt;
  std::vector<Transition> steps = rules_.checked_steps(state, leg.thread);
  if (leg.step >= steps.size()) return std::nullopt;
  return std::move(steps[leg.step]);
}

}  // namespace concord::explore
