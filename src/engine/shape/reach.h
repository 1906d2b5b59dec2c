// Every structure that a system comes to, after blur: the state space (section 4.3 of the paper).
//
// Without threads each location has its own set of structures; with threads there is one set, and where a thread is is a part of
// the structure.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/shape/action.h"
#include "engine/shape/blur.h"
#include "engine/shape/coerce.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

enum class Join { kRelational, kPartial };

class Reach {
 public:
  Reach(const System& system, Join join);

  // Until everything is found, or `control` says to stop.
  void run(const std::vector<Structure>& initial, const Control& control);

  struct Alarm {
    int action = -1;
    int message = -1;
    Kleene value = Kleene::kTrue;
    int state = -1;  // in which it was raised
  };
  struct State {
    Structure structure;
    int location = 0;
    int parent = -1;
    int edge = -1;           // that led here
    bool is_current = true;  // not merged into another since
  };
  std::uint64_t configurations() const { return configurations_; }  // how often something new came
  std::uint64_t kept() const;
  bool is_out_of_memory() const { return is_out_of_memory_; }
  const std::vector<Alarm>& alarms() const { return alarms_; }
  const std::vector<State>& states() const { return states_; }
  struct Breach {
    int action = -1;
    int constraint = -1;
    int state = -1;
  };
  const std::vector<Breach>& breaches() const { return breaches_; }
  const Layout& layout() const { return layout_; }
  const Constraints& constraints() const { return constraints_; }

 private:
  void add(const Structure& structure, int location, int parent, int edge);
  void expand(int state);

  const System& system_;
  const Join join_;
  const Layout layout_;
  const Constraints constraints_;
  const Blur blur_;
  std::vector<Step> claims_;
  std::vector<Step> steps_;                // by edge
  std::vector<std::vector<int>> leaving_;  // by label: edges
  std::vector<State> states_;
  std::vector<std::unordered_map<std::uint64_t, std::vector<int>>> known_;  // by location: states by hash
  std::vector<std::map<std::vector<Kleene>, int>> joined_;                  // by location: the state with these names
  std::deque<int> todo_;  // first come, first served: the way to a state is a shortest one
  std::uint64_t configurations_ = 0;
  std::uint64_t bytes_ = 0;  // that structures take
  bool is_out_of_memory_ = false;
  std::vector<Alarm> alarms_;
  std::vector<Breach> breaches_;
};

}  // namespace concord::engine::shape
