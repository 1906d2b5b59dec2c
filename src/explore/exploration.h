// The search behind the referee: every reachable state, breadth first, kept whole.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/search.h"

namespace concord::explore {

class Exploration : public Search {
 public:
  using Search::Search;
  std::uint64_t state_count() const override { return origins_.size(); }

 private:
  // How a state was first reached: from which state, by whose step, and which of its steps. Initial states: thread 0.
  struct Origin {
    std::uint32_t parent = 0;
    std::uint32_t step = 0;
    Scalar thread = 0;
  };
  struct Found {
    Finding finding;  // but for its run
    std::uint32_t state = 0;
    std::vector<Run::Leg> more;  // from that state on
  };

  void visit_all() override;
  std::map<std::string, Finding> told() override;
  bool found_all_sought() const;
  void add_state(State state, Origin origin);
  void expand(std::uint32_t id, const State& state);
  void record(const Breach& breach, Found found);
  void look_at_end(std::uint32_t id, const State& state);
  void check_races(std::uint32_t id, Run::Leg leg, const Transition& step);

  std::unordered_map<std::string, std::uint32_t> seen_;
  std::vector<Origin> origins_;
  std::deque<std::pair<std::uint32_t, State>> frontier_;
  std::map<std::string, Found> found_;
};

}  // namespace concord::explore
