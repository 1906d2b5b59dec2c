// The configurations that a program comes to, from those that it may begin in.
//
// Reductions, each of which can be switched off: a thread goes on at once over steps that concern nobody else (justified on concrete
// runs: such a step commutes with every step of another thread); configurations that are known are not looked at again, before they
// are kept; the thread that moves is chosen, and made single, once for all that it may do; what nothing refers to is forgotten. Several
// configurations are expanded at a time, on all cores (expansion.h); what comes of them is kept in their order, so that it is the same on any number of cores.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/shape/action.h"
#include "engine/shape/blur.h"
#include "engine/shape/coerce.h"
#include "engine/shape/reach.h"
#include "engine/shape/source/collect.h"
#include "engine/shape/source/lower.h"

namespace concord::engine::shape::source {

class Expansion;

class Search {
 public:
  // It gives up after so many configurations if something may go wrong, and in any case after `most`.
  Search(const Lowered& lowered, Join join, std::size_t most_after_alarm, std::size_t most = SIZE_MAX);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  virtual ~Search() = default;

  // Until everything is found, or `control` says to stop.
  void run(const Task& task, Control& control);

  struct State {
    Structure structure;
    int parent = -1;
    std::vector<int> edges;  // that led here from there
    bool is_current = true;  // not joined with another since
  };
  // Something that may be wrong: a message of an action, or a claim.
  struct Alarm {
    int property = -1;
    Kleene value = Kleene::kTrue;
    int state = -1;          // from which
    std::vector<int> edges;  // on this way
    std::string text;
    base::SourceRange at;  // of a message
  };
  // From a state over these edges.
  struct Way {
    int state = -1;
    std::vector<int> edges;
  };
  const Lowered& lowered() const { return lowered_; }
  const std::vector<State>& states() const { return states_; }
  const std::vector<Alarm>& alarms() const { return alarms_; }
  bool is_out_of_memory() const { return is_out_of_memory_; }
  bool is_given_up() const { return is_given_up_; }
  const Layout& layout() const { return layout_; }
  const Constraints& constraints() const { return constraints_; }

 protected:
  friend class Expansion;
  virtual void begin(const Task& task);
  virtual std::uint64_t expand(const std::vector<int>& states, std::size_t jobs);  // the work that it was
  void take(Expansion& expansion);
  void keep(Structure blurred, const Way& way);
  bool may_go_wrong() const;

  static constexpr std::size_t kAtOnce = 32;  // configurations, on however many cores

  const Lowered& lowered_;
  const System& system_;
  const Control* control_ = nullptr;
  const Layout layout_;
  const Constraints constraints_;
  const Blur blur_;
  const Collector collector_;
  std::vector<Step> steps_;                // by edge
  std::vector<std::vector<int>> leaving_;  // by label: edges
  std::vector<Evaluation> claims_;
  std::vector<std::vector<Evaluation>> touched_;    // by move
  std::vector<std::optional<Evaluation>> enabled_;  // by edge, of those that may block
  std::vector<bool> is_entry_;                      // by label
  const Join join_;
  const std::size_t most_after_alarm_;
  const std::size_t most_;
  std::unordered_map<std::string, int> joined_;  // by names: the state
  std::vector<State> states_;
  std::unordered_map<std::uint64_t, std::vector<int>> known_;  // states by hash
  std::deque<int> todo_;
  std::vector<Alarm> alarms_;
  std::vector<bool> is_told_;  // by property
  std::uint64_t bytes_ = 0;
  bool is_out_of_memory_ = false;
  bool is_given_up_ = false;
  bool has_too_many_choices_ = false;  // then it gives up
};

}  // namespace concord::engine::shape::source
