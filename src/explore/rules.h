// What a step is, and what the specification says about it: the machine, the monitor and the race detector together, in the
// words of properties. Every search goes by it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "explore/machine.h"
#include "explore/monitor.h"
#include "explore/race.h"

namespace concord::explore {

class Rules {
 public:
  Rules(const engine::Task& task, Patience& patience);

  // The steps of a thread, with everything the specification says about them.
  std::vector<Transition> checked_steps(const State& state, Scalar self);
  // What a thread that is monitored against its abstract thread breaches by going wrong: some possible node must, too. Those
  // that do are not monitored any more.
  std::optional<Breach> uncovered(const State& state, Scalar self) const;
  base::SourceRange where(const Transition& step) const;
  std::optional<Breach> race(const State& between, Scalar first, const Transition& step, Scalar second,
                             const Transition& next) const;

  // Of a state in which no thread can move.
  struct Stuck {
    std::vector<engine::StuckThread> threads;  // empty: all have finished
    bool is_intended = true;
    base::SourceRange where;  // the place to show: the first that waits without meaning to
  };
  Stuck stuck(const State& state);
  // What that says: `where` of a breach that names no step is its claim.
  std::vector<Breach> breaches_at_end(const State& state, const Stuck& end);

  // What a state says by where its threads stand, as far as it is asked for.
  struct Met {
    Breach breach;
    base::SourceRange where;
    std::vector<engine::StuckThread> threads;
  };
  std::vector<Met> met(const State& state);
  std::vector<Meeting> asked_meetings(const std::vector<Standing>& threads) const;
  Breach breach_of(const Meeting& meeting) const;
  bool checks_meetings() const { return checks_meetings_; }

  std::string id(const Breach& breach) const;
  bool checks_races() const { return checks_races_; }
  const plato::Program& program() const { return *task_.program; }
  const engine::Settings& settings() const { return task_.settings; }
  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  Monitor& monitor() { return monitor_; }
  const Monitor& monitor() const { return monitor_; }

 private:
  bool is_asked(diag::Kind kind) const;
  std::vector<engine::StuckThread> stuck_threads(const State& state, Scalar self);

  const engine::Task& task_;
  Machine machine_;
  Monitor monitor_;
  RaceDetector races_;
  const bool checks_races_;
  const bool checks_deadlock_;
  const bool checks_termination_;
  const bool checks_meetings_;
};

}  // namespace concord::explore
