// The program as the rules see it: the classes of threads with their positions, every step that a thread may take, the first states.
#pragma once

#include <deque>
#include <memory>

#include "replay/atomicity.h"
#include "replay/formulas.h"
#include "replay/proof.h"
#include "replay/update.h"

namespace concord::replay {

// A step, as STEP has it: of any one thread of the class, from any configuration in which it stands there.
struct Step {
  const ThreadClass* of = nullptr;
  const Item* item = nullptr;  // in the proof
  Way way;
  Seen seen;
  int from = 0;  // positions
  int to = 0;
  std::vector<Term> locals;  // before
  Update update;
  formula::Substitution after;  // what the state and the numbers of those that have passed are afterwards
};

class System {
 public:
  // Throws Malformed and NotKnown.
  System(const Proof& proof);

  Terms& terms() { return terms_; }
  const std::vector<ThreadClass>& classes() const { return classes_; }
  const Atomicity& atomicity() const { return *atomicity_; }
  // Those of the proof, and how threads may go on that no step of the proof is about.
  const std::deque<Step>& steps() const { return steps_; }
  const std::vector<std::string>& missing() const { return missing_; }
  Formulas& formulas() { return *formulas_; }
  const State& now() const { return now_; }

  // What is known without any invariant: of the first state, and of numbers of threads.
  const std::vector<Term>& given() const { return given_; }
  // The thread stands there: position choice.
  std::vector<Term> stands(const ThreadClass& of, int stop, Term thread);
  // It is the next one to pass the positions that the step passes.
  std::vector<Term> passes(const Step& step);
  // The local variables of a thread of the class that stands at the stop; those that are not given have names that begin so.
  std::vector<Term> locals_at(const ThreadClass& of, int stop, Term thread, const std::string& prefix);
  // The first and the last configuration, as what replaces the one at hand.
  formula::Substitution first();
  formula::Substitution last() const;
  // What a clause says of the state at hand.
  Term clause(const plato::Expr& expr);

 private:
  Pool& pool() { return terms_.pool(); }
  void find_classes(const Proof& proof);
  void find_stops(ThreadClass& of, const Item& item);
  void name_threads(ThreadClass& of, std::optional<std::int64_t> fixed);
  void find_steps(const Item& invariant);
  void find_missing();
  Way way_of(const ThreadClass& of, const Item& item) const;
  Step step_of(const ThreadClass& of, Way way);
  void find_given();
  void say_types(const State& state);
  void say_first(std::size_t variable);

  const plato::Program& program_;
  Terms terms_;
  std::vector<ThreadClass> classes_;
  std::optional<Atomicity> atomicity_;
  State now_;
  State first_;  // what nothing writes has its value of now
  std::unique_ptr<Formulas> formulas_;
  std::deque<Step> steps_;
  std::vector<std::string> missing_;
  std::vector<Term> given_;
};

}  // namespace concord::replay
