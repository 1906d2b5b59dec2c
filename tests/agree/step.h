// The atomic operations a thread can perform next, straight from the statements of docs/plato.md, section 5.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/source.h"
#include "evaluate.h"
#include "state.h"

namespace concord::agree {

struct Limits {
  std::int64_t int_low = -2;  // integers tried where any value is allowed
  std::int64_t int_high = 3;
  std::size_t max_objects = 8;
  std::size_t max_started = 8;
  std::size_t max_states = 20'000;
  double max_seconds = 20;
};

using Findings = std::set<std::string>;  // property ids

// One operation that was performed, or that went wrong.
struct Step {
  State after;  // of no meaning if wrong
  bool wrong = false;
  bool spurious = false;  // a wake-up that nobody asked for
  Findings findings;
  std::optional<Value> returned;  // set if the operation leaves the innermost activation of `before`
  bool thrown = false;            // … with an exception
};

struct Moves {
  std::vector<Step> steps;
  bool can_move = false;           // spurious wake-ups do not count
  bool waits_as_intended = false;  // cannot move, and every way on is at a `may_block`
  std::int64_t holder = 0;         // who has the lock without which it cannot go on, if that is all it wants
  std::int64_t joined = 0;         // likewise: whose end it waits for
  bool is_in_wait_set = false;
};

// Which modules' clauses concern the program: those its threads run in and what these use.
std::vector<bool> concerned_modules(const Program& program);

// What each procedure was seen to return; only kept where an action looks ahead to the result.
using Results = std::map<int, std::set<Value>>;

class Stepper {
 public:
  // `results` are the values that actions with \result try, besides those within the limits. When a run finds others it adds
  // them, and must be repeated.
  Stepper(const base::SourceMap& sources, const Program& program, const Limits& limits, Results& results);

  Moves moves(const State& state, std::size_t thread);
  std::set<int> initial_nodes(const plato::Abstracted& claim) const;
  Activation activation(int procedure, const std::vector<Value>& arguments, const Store& store);
  bool looks_back(int procedure) const;   // does it need the store at entry?
  bool looks_ahead(int procedure) const;  // does an action mention \result?
  // Every value of the type, in the store; integers within the limits.
  std::vector<Value> domain(const Type& type, const Store& store);
  std::string id(diag::Kind kind, base::SourceRange range) const;

  bool bounded() const { return bounded_; }  // some domain or number was cut off by the limits

 private:
  struct Path {
    State state;
    Findings findings;
  };  // inside an operation
  struct Head {
    std::vector<Task> tasks;
    std::set<const plato::Loop*> passed;
  };

  std::vector<Head> heads(const std::vector<Task>& tasks) const;
  void perform(Path path, const Head& head, std::vector<Step>& out);
  void dispatch(Path path, std::vector<Step>& out);
  void check_loop(const plato::LoopSpec& spec, Path& path) const;
  void check_accesses(const State& before, const Locals& locals, Step& step) const;
  void check_guards(const plato::Variable& variable, std::int64_t self, const State& before, Step& step) const;

  // Statements. Each gets the path with the statement on top of the tasks.
  void assign(Path path, const Stmt& statement, const Location& target, const Type& type, const plato::Rhs& rhs,
              std::vector<Step>& out);
  void call(Path path, const plato::CallTarget& target, std::vector<Step>& out);
  void leave(Path path, const Value& result, bool throws, std::vector<Step>& out);
  std::int64_t start(Path& path, const plato::CallTarget& target);
  void branch(Path path, const Expr& condition, const Stmt* yes, const Stmt* no, bool again, std::vector<Step>& out);
  void havoc(Path path, const Stmt& statement, const std::vector<Location>& targets, const std::vector<Type>& types,
             const std::vector<std::vector<Value>>& choices, std::vector<Step>& out);
  void direct(Path path, const Stmt& statement, const plato::Direct& direct, std::vector<Step>& out);
  void acquire(Path path, const Stmt& statement, const Expr& lock, std::vector<Step>& out);
  void release(Path path, const Stmt& statement, const Expr& lock, std::vector<Step>& out);
  void wait(Path path, const Stmt& statement, const Expr& lock, std::vector<Step>& out);
  void notify(Path path, const Stmt& statement, const plato::Notify& notify, std::vector<Step>& out);
  void join(Path path, const Stmt& statement, const Expr& thread, std::vector<Step>& out);
  void atomic(Path path, const Stmt& statement, const plato::Atomic& atomic, std::vector<Step>& out);

  std::vector<Value> solutions(const plato::TwoState& predicate, std::size_t item, const Path& path);
  void check_lock_order(const Location& acquired, Path& path) const;
  std::vector<Location> locks_after(const plato::LockOrder& order, const Location& lock, const Path& path) const;
  bool held_before(const Location& lock) const;

  // The end of a statement: off the tasks, the ghosts it sets, one more step.
  void done(Path path, const Stmt& statement, std::vector<Step>& out);
  void goes_wrong(Path path, diag::Kind kind, base::SourceRange range, std::vector<Step>& out) const;
  void blocked(const Stmt& statement) { blocked_.push_back(statement.may_block); }

  Activation& top(Path& path) const { return path.state.threads[thread_].stack.back(); }
  std::int64_t tid() const { return static_cast<std::int64_t>(thread_) + 1; }
  Scene scene(const Path& path) const;  // for clauses and ghosts
  Scene code(const Path& path);         // for program code: remembers what is read
  void store_value(Path& path, const Location& at, const Value& value) const;

  const base::SourceMap& sources_;
  const Program& program_;
  const Limits limits_;
  const std::vector<bool> concerned_;
  Results& results_;
  bool watch_accesses_ = false;  // some variable is guarded_by or thread_local
  bool bounded_ = false;
  std::size_t thread_ = 0;          // whose moves are computed
  const Store* before_ = nullptr;   // the operation
  std::vector<Location> accesses_;  // of the statement that is performed
  std::vector<bool> blocked_;       // one entry per way on that blocks: is it at a may_block?
  std::int64_t holder_ = 0;         // of the lock that was not free, outside `atomic`
  std::int64_t joined_ = 0;         // who has not ended, likewise
};

}  // namespace concord::agree
