// A run to what the explorer found, as the referee's machine takes it: from the rows on the way, step by step.
//
// A row may stand for many states, and a step between rows for several steps of a thread; here each is one again. So what is told has
// been executed once more, and the explorer's tables are not trusted for it.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "explore/local_steps.h"
#include "explore/normal_form.h"
#include "explore/parts.h"
#include "explore/prelude.h"

namespace concord::explore {

class Retelling {
 public:
  // A step breaches the property, two steps race, threads stand where they must not at once, nobody can move.
  enum class What { kStep, kRace, kMeeting, kEnd };

  // `normal_form`: that of the rows, or null.
  Retelling(Rules& rules, Parts& parts, NormalForm* normal_form, const LocalSteps& local_steps, bool takes_local_steps,
            std::size_t columns, const std::vector<State>& initial)
      : rules_(rules),
        parts_(parts),
        normal_form_(normal_form),
        local_steps_(local_steps),
        takes_local_steps_(takes_local_steps),
        columns_(columns),
        initial_(initial) {}

  // `way`: the rows after the root, up to the one in which it was found.
  Finding tell(const std::string& id, What what, const Prelude::Root& root, const std::vector<Row>& way);

 private:
  State follow(const State& state, const Row& target, Run& run);
  std::optional<State> reached(const State& state, Scalar self, const Row& target, Run& run);
  std::optional<Finding> shown(const std::string& id, const State& state, Run::Leg leg, const Transition& step,
                               const Run& run);
  std::optional<Finding> next_step(const std::string& id, const State& state, const Run& run);
  std::optional<Finding> next_race(const std::string& id, const State& state, const Run& run);
  std::optional<Finding> met_at(const std::string& id, const State& state, const Run& run);
  std::optional<Finding> stuck_at(const std::string& id, const State& state, const Run& run);
  Finding shortened(const std::string& id, What what, Finding finding, std::size_t first);
  Finding straightened(const std::string& id, What what, Finding finding, std::size_t first);
  std::optional<Finding> shown_by(const std::string& id, What what, const Run& run);
  std::optional<Transition> taken(const State& state, const Run::Leg& leg);
  Row row_of(const State& state);
  void rename_as_in(const State& state);

  Rules& rules_;
  Parts& parts_;
  NormalForm* const normal_form_;
  const LocalSteps& local_steps_;
  const bool takes_local_steps_;
  const std::size_t columns_;
  const std::vector<State>& initial_;
  Renaming renaming_;                     // what the threads of the run are called in the rows; empty: as they are
  std::unordered_set<std::string> seen_;  // threads on the way of local steps
};

}  // namespace concord::explore
