// A search through the runs of a program, and what it found.
//
// Two do it: the naive exploration (exploration.h), which is the referee's, and the explorer's (table_search.h). How a
// finding is told is the same for both, and here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/rules.h"

namespace concord::explore {

// A run: an initial state, and which of whose steps was taken.
struct Run {
  struct Leg {
    Scalar thread = 0;
    std::uint32_t step = 0;
  };
  std::uint32_t initial = 0;
  std::vector<Leg> legs;
};

struct Finding {
  Breach breach;
  bool goes_wrong = false;     // the last step of the run does
  base::SourceRange location;  // where it breaks
  std::vector<engine::StuckThread> ending;
  Run run;
};

class Search {
 public:
  Search(const engine::Task& task, engine::Control& control, std::int64_t thread_count);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  virtual ~Search() = default;

  Outcome run();                                                                // once
  const std::map<std::string, Finding>& findings() const { return findings_; }  // by property id
  engine::Trace trace(const Finding& finding);
  const std::set<std::string>& bounds() { return rules_.machine().bounds(); }
  const std::vector<const plato::Stmt*>& unsupported() const { return rules_.machine().unsupported(); }
  const Monitor& monitor() const { return rules_.monitor(); }
  virtual std::uint64_t state_count() const = 0;
  // What the states take, if that is known.
  virtual std::optional<std::uint64_t> state_bytes() const { return std::nullopt; }
  // The variable with the most values, if there are very many; empty: none stands out.
  virtual std::string growing_variable() const { return ""; }
  std::uint64_t transition_count() const { return transitions_; }
  bool has_initial_state() const { return !initial_.empty(); }
  // Thread declarations none of whose threads ever took a step.
  bool ever_moved(int declaration) const { return moved_[declaration]; }
  // The final shared stores, as bytes: those of states in which every thread has finished.
  const std::set<std::string>& final_stores() const { return final_stores_; }

 protected:
  // Visits every state; time, memory and what is sought may end it with Stopped.
  virtual void visit_all() = 0;
  // Afterwards: what was found, each with its run.
  virtual std::map<std::string, Finding> told() = 0;

  const engine::Task& task_;
  engine::Control& control_;
  const std::int64_t thread_count_;
  Patience patience_;
  Rules rules_;
  std::vector<State> initial_;
  std::vector<bool> moved_;
  std::set<std::string> final_stores_;
  std::uint64_t transitions_ = 0;

 private:
  std::string preempted(const State& state, Scalar before, Scalar self);

  std::map<std::string, Finding> findings_;
};

}  // namespace concord::explore
