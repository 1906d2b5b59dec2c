// The search behind the referee: visits every reachable state, collects findings, and tells a run that leads to each.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "explore/machine.h"
#include "explore/monitor.h"
#include "explore/race.h"

namespace concord::explore {

// How a state was first reached: from which state, by whose step, and which of its steps. Initial states: thread 0.
struct Origin {
  std::uint32_t parent = 0;
  std::uint32_t step = 0;
  Scalar thread = 0;
};

struct Finding {
  Breach breach;
  bool goes_wrong = false;
  std::uint32_t state = 0;  // the state it was found in, or from which the step was taken
  Scalar thread = 0;        // 0: the state itself
  std::uint32_t step = 0;
  Scalar next_thread = 0;  // race: the second thread and its step
  std::uint32_t next_step = 0;
  base::SourceRange location;  // where it breaks
  std::vector<engine::StuckThread> ending;
};

class Exploration {
 public:
  Exploration(const engine::Task& task, engine::Control& control, std::int64_t thread_count);

  Outcome run();                                                                // once
  const std::map<std::string, Finding>& findings() const { return findings_; }  // by property id
  engine::Trace trace(const Finding& finding);
  const std::set<std::string>& bounds() { return machine_.bounds(); }
  const std::vector<const plato::Stmt*>& unsupported() const { return machine_.unsupported(); }
  const Monitor& monitor() const { return monitor_; }
  std::uint64_t state_count() const { return origins_.size(); }
  std::uint64_t transition_count() const { return transitions_; }
  bool has_initial_state() const { return initial_count_ > 0; }
  // Thread declarations none of whose threads ever took a step.
  bool ever_moved(int declaration) const { return moved_[declaration]; }
  // The final shared stores, as bytes: those of states in which every thread has finished.
  const std::set<std::string>& final_stores() const { return final_stores_; }

 private:
  void visit_all();
  bool found_all_sought() const;
  void add_state(State state, Origin origin);
  void expand(std::uint32_t id, const State& state);
  std::vector<Transition> checked_steps(const State& state, Scalar self);
  void record(const Breach& breach, Finding finding);
  void check_deadlock(std::uint32_t id, const State& state);
  void check_races(std::uint32_t id, Scalar self, std::uint32_t ordinal, const Transition& step);
  bool is_asked(diag::Kind kind) const;

  const engine::Task& task_;
  engine::Control& control_;
  std::int64_t thread_count_;
  Patience patience_;
  Machine machine_;
  Monitor monitor_;
  RaceDetector races_;
  std::vector<State> initial_;
  std::uint64_t initial_count_ = 0;
  std::unordered_map<std::string, std::uint32_t> seen_;
  std::vector<Origin> origins_;
  std::deque<std::pair<std::uint32_t, State>> frontier_;
  std::map<std::string, Finding> findings_;
  std::vector<bool> moved_;
  std::set<std::string> final_stores_;
  std::uint64_t transitions_ = 0;
  bool check_races_ = false;
  bool check_deadlock_ = false;
};

}  // namespace concord::explore
