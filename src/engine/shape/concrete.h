// Runs of a system on structures without unknown values, from those that the given ones represent: what goes wrong there does so in
// earnest, and is no effect of abstraction. Nothing is blurred, so the search ends where structures become large or many: it finds, and never proves.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/shape/action.h"
#include "engine/shape/coerce.h"
#include "engine/shape/instances.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Concrete {
 public:
  explicit Concrete(const System& system);

  // A message of an action that is raised, or a constraint that an action breaks; by its number the other is -1.
  struct Find {
    int action = -1;
    int message = -1;
    int constraint = -1;
    int state = -1;   // in which it is
    int thread = -1;  // that moves, if one does
  };
  struct State {
    Structure structure;
    int location = 0;
    int parent = -1;
    int edge = -1;  // that led here
  };
  using Messages = std::set<std::pair<int, int>>;  // by action

  // Until all these messages and breaches, by action, are found, or enough was tried. `initial` are of our layout.
  void run(const std::vector<Structure>& initial, Messages messages, std::set<int> breaches, const Control& control);
  const std::vector<Find>& finds() const { return finds_; }  // one for each that was found
  const std::vector<State>& states() const { return states_; }
  const Layout& layout() const { return layout_; }

 private:
  void add(const Structure& structure, int location, int parent, int edge);
  void expand(int state);
  void apply(const Step& step, int action, int edge, int target, int state);

  const System& system_;
  const Layout layout_;
  const Constraints constraints_;
  const Instances instances_;
  std::vector<Step> claims_;
  std::vector<Step> steps_;  // by edge
  std::vector<State> states_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<int, Structure>>> known_;  // by hash: location, sorted
  std::deque<int> todo_;  // breadth first: the run to a find is a shortest one
  int most_individuals_ = 0;
  Messages messages_;
  std::set<int> breaches_;
  std::vector<Find> finds_;
};

}  // namespace concord::engine::shape
