// The transition relation: the initial states of a program, and the steps each thread can take from a state
// (docs/plato.md, section 5). What the specification says about a step is judged elsewhere (monitor.h), except for the
// clauses that belong to an operation: requires, ensures, loop invariants.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/evaluate.h"
#include "explore/standing.h"
#include "explore/state.h"
#include "plato/flow.h"

namespace concord::explore {

// A breach of a clause on a real run: the run goes on.
struct Breach {
  diag::Kind kind = diag::Kind::kAssertion;
  base::SourceRange claim;
  std::string message;
};

// One step of one thread.
struct Transition {
  State after;
  const plato::Operation* operation = nullptr;  // the (first) operation
  int procedure = 0;                            // whose code it is
  bool spurious = false;                        // a spurious wake-up
  bool cut = false;                             // not followed: see Machine::bounds and Machine::unsupported
  std::optional<Failure> failure;               // the run goes wrong; `after` is the state it was found in
  std::vector<Access> accesses;
  std::vector<Breach> breaches;
  std::vector<Lock> acquired;     // locks taken, for lock_order and guarded_by
  std::optional<Value> returned;  // the result or exception, if the step left the procedure it began in
  bool thrown = false;            // it is an exception
  std::set<Scalar> started;       // threads
  std::set<Scalar> joined;
};

// Why a thread cannot move.
struct Waiting {
  const plato::Operation* operation = nullptr;
  int procedure = 0;
  std::string text;       // "acquire(m)"
  std::string detail;     // " for m, which t2 holds"
  bool intended = false;  // may_block
};

class Machine {
 public:
  // Whatever takes long may end in Stopped, as `patience` says.
  Machine(const plato::Program& program, const engine::Settings& settings, Patience& patience);

  // Every initial state; `initially` restricts them. `thread_count` is the value of symbolic and unbounded counts.
  std::vector<State> initial_states(std::int64_t thread_count);
  // Checks of `requires` of the declared threads' procedures in an initial state.
  std::vector<Breach> initial_breaches(const State& state);
  // All steps of thread `self` (from 1).
  std::vector<Transition> steps(const State& state, Scalar self);
  // For each operation the thread stands before; only meaningful if it cannot move.
  std::vector<Waiting> waiting(const State& state, Scalar self);
  Standing standing(const State& state, Scalar self);  // standing.cc
  // Some frame of the thread is inside an `exclusive` region.
  bool is_in_region(const ThreadState& thread) const;

  std::string thread_name(const State& state, Scalar self) const;
  const plato::Flow& flow(int procedure) const { return flows_[procedure]; }
  // Called for each single operation, inside `atomic` too: the state before it, who, the step so far, and the number of
  // accesses that the step had before it.
  std::function<void(const State&, Scalar, Transition&, std::size_t)> on_operation;
  // The ranges that had to be chosen so far; empty: everything was exhaustive.
  std::set<std::string>& bounds() { return bounds_; }
  // The `unsupported` statements that a run came to, where it was not followed further; in the order they were met.
  const std::vector<const plato::Stmt*>& unsupported() const { return unsupported_; }
  const plato::Program& program() const { return program_; }
  const engine::Settings& settings() const { return settings_; }
  // Every value of the type, as far as they can be tried; integers are then bounded (`what` is tried).
  std::vector<Value> domain(const State& state, const plato::Type& type, const char* what);
  std::vector<Value> map_domain(const State& state, const plato::Type& type, const char* what);
  // The value of a lock: the holder, or a monitor.
  Value read_lock(const State& state, const Lock& lock) const;
  // The scene of thread `self` in one state, with the locals of its top frame if it has one.
  Scene scene(const State& state, Scalar self);

 private:
  struct NotSupported {};  // thrown where an `unsupported` statement is come to
  struct Choice {          // an operation a thread may perform now
    const plato::FlowEdge* edge;
    std::vector<const plato::LoopSpec*> loops;  // heads passed on the way
  };
  std::vector<Choice> choices(const Frame& frame) const;
  void finish_atomic(std::vector<Transition> partial, Scalar self, std::vector<Transition>& out);
  void perform(Transition base, Scalar self, const Choice& choice, std::vector<Transition>& out);
  void perform_operation(Transition step, Scalar self, const plato::FlowEdge& edge, std::vector<Transition>& out);
  void perform_statement(Transition step, Scalar self, const plato::Stmt& statement, std::vector<Transition>& out);
  void perform_condition(Transition step, Scalar self, const plato::Operation& operation, std::vector<Transition>& out);
  void perform_assignment(Transition step, Scalar self, const Place& target, const plato::Rhs& rhs,
                          const plato::Stmt& statement, std::vector<Transition>& out);
  void perform_havoc(Transition step, Scalar self, const plato::Havoc& havoc, std::size_t target,
                     std::vector<Transition>& out);
  void perform_cas_swap(Transition step, Scalar self, const plato::CasSwap& cas, std::vector<Transition>& out);
  void perform_acquire(Transition step, Scalar self, const plato::Expr& expr, std::vector<Transition>& out);
  void perform_release(Transition step, Scalar self, const plato::Stmt& statement, const plato::Expr& expr,
                       std::vector<Transition>& out);
  void perform_wait_release(Transition step, Scalar self, const plato::Stmt& statement, std::vector<Transition>& out);
  void perform_wait_acquire(Transition step, Scalar self, std::vector<Transition>& out);
  void perform_notify(Transition step, Scalar self, const plato::Stmt& statement, std::vector<Transition>& out);
  void perform_join(Transition step, Scalar self, const plato::Stmt& statement, std::vector<Transition>& out);
  void perform_direct(Transition step, Scalar self, const plato::Direct& direct, std::vector<Transition>& out);
  void perform_call(Transition step, Scalar self, const plato::FlowEdge& edge, std::vector<Transition>& out);
  void perform_return(Transition step, Scalar self, const plato::Operation& operation, std::vector<Transition>& out);
  void perform_throw(Transition step, Scalar self, const plato::Stmt& statement, std::vector<Transition>& out);
  void perform_sets(Transition& step, Scalar self, const std::vector<plato::GhostSet>& sets);

  Scene code_scene(Transition& step, Scalar self);
  void assign(Transition& step, Scalar self, const Place& place, Value value);
  void log_write(Transition& step, const Place& place);
  void write_lock(Transition& step, Scalar self, const Lock& lock, Value value);
  Scalar start_thread(Transition& step, Scalar self, const plato::CallTarget& target);
  Scalar allocate(Transition& step, Object object);
  Frame make_frame(const State& state, int procedure, std::vector<Value> arguments, int return_slot) const;
  std::vector<bool> initial_nodes(const plato::Abstracted& it) const;
  void check_requires(const State& state, Scalar self, const Frame& frame, std::vector<Breach>& out);
  void check_return(Transition& step, Scalar self, const Frame& frame, const Value& result);
  void enter_started(const State& before, Transition& step);
  bool holds_or_unknown(const Scene& where, const plato::Expr& clause, std::string& trouble);
  void check_loops(Transition& step, Scalar self, const std::vector<const plato::LoopSpec*>& loops);
  bool may_move(const State& state, const ThreadState& thread) const;
  void enter_declared(Transition& step, Scalar except);
  void describe_wait(const State& state, Scalar self, Waiting& waiting);
  void initial_values(State& state, std::size_t next, std::vector<State>& out);
  void add_threads(State& state, std::int64_t thread_count);

  const plato::Program& program_;
  const engine::Settings& settings_;
  Patience& patience_;
  std::vector<plato::Flow> flows_;
  std::vector<bool> needs_entry_;  // by procedure: an `ensures` or `signals` uses \old
  std::set<std::string> bounds_;
  std::vector<const plato::Stmt*> unsupported_;
};

// Evaluates a clause: true, or false with the reason why it has no value in `trouble`.
bool clause_holds(Evaluator& evaluator, const plato::Expr& expr, std::string& trouble);

// The solutions of a direct operation's predicate (solve.cc): each assigns the places of the frame.
struct Unknown {
  Place place;
  const plato::Type* type = nullptr;
};
using Solution = std::vector<Value>;
struct Solutions {
  std::vector<Solution> all;
  bool bounded = false;            // integers were tried, so there may be more
  std::optional<Failure> failure;  // for some values the predicate has no value
};
Solutions solve(const plato::TwoState& predicate, const std::vector<Unknown>& unknowns, const Scene& scene,
                const std::vector<std::vector<Value>>& domains);

}  // namespace concord::explore
