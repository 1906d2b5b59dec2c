// The beginning of all runs: up to the initial states or, if the program initialises something first, up to where that is done.
//
// Until then only one thread moves, so there is nothing to spare: states are kept whole, as the referee does.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "explore/search.h"

namespace concord::explore {

class Prelude {
 public:
  Prelude(Rules& rules, Patience& patience) : rules_(rules), patience_(patience) {}

  // Where all threads may move.
  struct Root {
    State state;
    Run run;
    std::size_t until_initialised = 0;  // so many legs of the run
  };

  // Judges the initial states, and may end the monitoring of abstract threads in them.
  void run(std::vector<State>& initial);

  std::vector<Root> roots;
  std::map<std::string, Finding> found;
  std::set<std::string> final_stores;
  std::vector<bool> moved;  // by thread declaration
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;

 private:
  void initialise(const State& initial, std::uint32_t number);
  bool expand(const Root& at, std::vector<Root>& next);
  void look_for_races(const Root& at, Run::Leg leg, const Transition& step);
  void look_at_end(const Root& at);
  void note(const Breach& breach, bool goes_wrong, base::SourceRange where, const Run& run,
            const std::vector<Run::Leg>& more);

  Rules& rules_;
  Patience& patience_;
};

}  // namespace concord::explore
