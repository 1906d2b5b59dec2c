// Monitors the specification on real runs: what each state and each step says about the clauses of the program.
//
// A breach is a finding of that clause's kind, even if no assertion ever fails. The sets F (abstraction positions of active
// procedures, possible nodes of abstract threads) are part of the state and are moved here.
#pragma once

#include <vector>

#include "explore/machine.h"

namespace concord::explore {

class Monitor {
 public:
  explicit Monitor(Machine& machine);

  // Invariants, and assertions of abstract nodes. May end the monitoring of an abstract thread in `state`.
  void check_state(State& state, std::vector<Breach>& breaches);
  // What is claimed of states in which all threads have finished.
  void check_final(const State& state, std::vector<Breach>& breaches);
  // Everything about a step of `self`; moves F in `step.after` and then checks that state too.
  void check_step(const State& before, Scalar self, Transition& step);
  // What is found in a step that goes wrong: the locks that an `atomic` took until then.
  void check_wrong_step(const State& before, Scalar self, Transition& step) { check_lock_orders(before, self, step); }
  // Does a step that changes nothing surely keep all relies and guarantees here, whoever takes it?
  bool allows_idling(const State& state);
  // The modules whose clauses count: those the threads run in, and what these use.
  bool is_active(int module) const { return active_[module]; }

 private:
  using Objects = std::vector<Scalar>;
  Objects objects_of(const Store& store, int class_index) const;
  Scene step_scene(const State& before, const State& after, Scalar self, bool uses_old);
  bool step_satisfies(const State& before, const State& after, Scalar self, Scalar object,
                      const plato::TwoState& predicate, std::string& trouble);
  // Of the first `objects` objects, and of variables.
  bool changes_only(const Scene& before_scene, const std::vector<const plato::Expr*>& frame, const Store& before,
                    const Store& after, Scalar objects);

  void check_invariants(const State& state, std::vector<Breach>& breaches);
  void check_nodes(State& state, std::vector<Breach>& breaches);
  void check_nodes(State& state, Scalar self, std::vector<Breach>& breaches);
  bool keeps_all_by_idling(const State& state);
  void check_relies(const State& before, Scalar self, Transition& step);
  void check_guarantees(const State& before, Scalar self, Transition& step);
  void check_write_disciplines(const State& before, Scalar self, Transition& step);
  void check_field(const State& before, Scalar self, Transition& step, const plato::Variable& variable, Scalar object,
                   const Value& old_value, const Value& new_value);
  void check_elements(const State& before, Scalar self, Transition& step, const plato::Variable& variable,
                      Scalar object, const plato::FieldClause& clause, const Value& old_value, const Value& new_value);
  void check_accesses(const State& before, Scalar self, Transition& step, std::size_t first);
  void check_guarded(const State& before, Scalar self, Transition& step, const plato::Variable& variable,
                     Scalar object);
  std::vector<Lock> later_locks(const State& before, Scalar self, const plato::LockOrder& order, const Lock& lock);
  void check_lock_orders(const State& before, Scalar self, Transition& step);
  void move_places(const State& before, Scalar self, Transition& step);
  std::vector<AbstractPlace> after_action(const plato::Procedure& procedure, const AbstractPlace& place, Scene where);
  void check_all_performed(const Frame& frame, const std::vector<AbstractPlace>& places, Scalar self, Transition& step);
  void move_nodes(const State& before, Scalar self, Transition& step);

  bool has_escaped(const State& state, Scalar object, Scalar self) const;
  // The condition of a write discipline for thread `self`; without a value it counts as the breach.
  bool clause_for(const State& before, Scalar self, Scalar object, const plato::Expr& condition, const Scalar* bound,
                  bool if_no_value);

  Machine& machine_;
  const plato::Program& program_;
  std::vector<bool> active_;
};

// The declaration behind an accessed location, or null (array elements, monitors).
const plato::Variable* declaration_of(const plato::Program& program, const Store& store, const Location& location);

}  // namespace concord::explore
