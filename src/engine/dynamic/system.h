// A program of threads in terms: the classes with their code, every step that a thread may take, and the first states.
#pragma once

#include <deque>
#include <vector>

#include "engine/dynamic/leaf.h"
#include "engine/dynamic/step.h"

namespace concord::engine::dynamic {

// A step, as a rule of the calculus has it: of any one thread of the class, from any state.
struct Transition {
  const ThreadClass* of = nullptr;
  const Way* way = nullptr;
  Term thread = nullptr;  // its number
  std::size_t number = 0;
  int from = 0;  // positions
  int to = 0;
  Step step;  // over the state before; of the local variables as the thread entered where it begins there
  formula::Substitution
      after;  // what the parts of the state, the numbers of those that have passed and the locals are afterwards
};

// Something that is claimed of states, and what the language guarantees where it is evaluated.
struct Claim {
  Term holds = nullptr;
  Term facts = nullptr;
};

class System {
 public:
  // Throws Refusal and simulation::Unsupported.
  System(const Task& task, Control& control, Defect defect);

  World& world() { return world_; }
  Pool& pool() { return pool_; }
  Sums& sums() { return sums_; }
  const Configuration& configuration() const { return *configuration_; }
  const Atomicity& atomicity() const { return *atomicity_; }
  const plato::Program& program() const { return *task_.program; }
  const std::vector<ThreadClass>& classes() const { return classes_; }
  const std::deque<Transition>& transitions() const { return transitions_; }
  Leaves& leaves() { return *leaves_; }

  Claim claim(const plato::Expr& expr);
  // The value that the part has at first; itself if it never changes.
  Term first_value(const simulation::Part& part);
  bool is_constant(const simulation::Part& part) const;
  formula::Substitution first_values();
  // What is known of the first values.
  std::vector<Term> about_first();
  // The number of the class, and what a thread is given, for any of its threads: local variables that never change.
  formula::Substitution parameters(const ThreadClass& of, Term thread);
  Defect defect() const { return defect_; }
  std::string place_of(const ThreadClass& of, std::size_t position) const;

 private:
  void find_transitions();
  void refuse_references();
  std::vector<Term> initially();

  const Task& task_;
  const Defect defect_;
  Pool pool_;
  World world_;
  Sums sums_;
  std::vector<ThreadClass> classes_;
  std::optional<Atomicity> atomicity_;
  std::vector<Code> codes_;
  std::optional<Configuration> configuration_;
  std::unique_ptr<Leaves> leaves_;
  std::deque<Transition> transitions_;
};

}  // namespace concord::engine::dynamic
