// The making of a Lowered (lower.h): one class, a file for each thing that it has to say.
//
//   lower.cc       properties, and what is done in which order
//   operations.cc  an action for each operation: calls, returns, conditions
//   writes.cc      what is assigned to, and what others rely on when it is
//   statements.cc  assignments, new objects and threads, and the rest
//   locks.cc       acquire, release, wait and notify
//   races.cc       who may be about to access what
//   orders.cc      in which order locks are taken
//   lock_orders.cc orders that nobody declared, and what they exclude
//   states.cc      where threads stop; invariants, entries of threads, deadlock
//   known.cc       which claims single threads know enough for
//   meetings.cc    circles of waiting threads, nested monitors, regions
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/shape/build.h"
#include "engine/shape/source/action_builder.h"
#include "engine/shape/source/lower.h"
#include "engine/shape/source/terms.h"
#include "plato/synchronising.h"

namespace concord::engine::shape::source {

inline const shape::Variable kThread = "tr";  // that moves
inline const shape::Variable kOther = "t2";   // another one

inline FormulaPtr maybe() { return constant(Kleene::kUnknown); }

class Lowering {
 public:
  Lowering(const Task& task, bool by_views, Defect defect)
      : task_(task),
        by_views_(by_views),
        defect_(defect),
        program_(*task.program),
        synchronising_(synchronising_locations(program_)) {}

  Lowered run();

 private:
  // properties
  // As in its id: the place where it begins.
  using Claimed = std::tuple<diag::Kind, std::uint32_t, std::uint32_t>;
  Vocabulary& vocabulary() { return *out_.vocabulary; }
  const Vocabulary& vocabulary() const { return *out_.vocabulary; }
  System& system() { return vocabulary().system(); }
  static Claimed claimed(diag::Kind kind, base::SourceRange at) { return {kind, at.file, at.begin}; }
  void find_properties();
  void find_clauses();
  int find(diag::Kind kind, base::SourceRange at) const;
  void say(ActionBuilder& builder, const FormulaPtr& broken, diag::Kind kind, base::SourceRange claim,
           base::SourceRange at) const;
  std::string refusal() const;
  void find_watched();

  // races
  // What a thread that stands at a label is about to access.
  struct Standing {
    int label = -1;
    Terms::Access access;
  };
  bool may_race(const Terms::Access& access) const;
  void find_accesses();
  bool is_about_elements(const Property& property) const;
  std::set<int> beginnings(int inside) const;
  bool keeps_locals(int begin, const Move& move) const;
  void say_races(ActionBuilder& builder, const Terms& terms, const Move& move, base::SourceRange at);

  // operations
  void collect(Terms& terms, const Move& move);
  void lower(int number);
  Concern concern(const Terms& terms, const Move& move) const;
  void perform(Terms& terms, const Move& move, ActionBuilder& builder, std::vector<ActionBuilder>& more);
  Term of_local(const Terms& terms, const LocalName& name, const plato::Type& type);
  static FormulaPtr broken(Terms& terms, const plato::Expr& clause);
  void perform_call(Terms& terms, const Move& move, ActionBuilder& builder);
  static void adopt(Terms& terms, const Terms& clause);
  void say_at_end(Terms& terms, const std::vector<plato::ExprPtr>& clauses, const Term& result, const Move& move,
                  ActionBuilder& builder);
  void perform_return(Terms& terms, const Move& move, ActionBuilder& builder);
  static Term nothing();
  void perform_throw(Terms& terms, const Move& move, ActionBuilder& builder);

  // writes
  // The target of an assignment as it is found; then the assignment.
  using Target = std::function<void(ActionBuilder&, const Term&)>;
  void clear_dead(ActionBuilder& builder, const Move& move, const LocalUse& use);
  static ActionBuilder::First of_thread() {
    return [](const shape::Variable& it) { return equal(it, kThread); };
  }
  void focus_local(ActionBuilder& builder, const Place& place);
  void set_local(ActionBuilder& builder, const Move& move, const LocalName& name, const Term& value);
  static Term fitting(const Terms& terms, const Term& value, const plato::Type& type);
  void say_written(ActionBuilder& builder, Terms& step, const Move& move, const plato::Variable& variable,
                   const Term* object, int class_index);
  FormulaPtr broken_meaning(const Term* object, int class_index, const plato::Expr& clause);
  void say_rising(ActionBuilder& builder, Terms& terms, const Move& move, const Numbers::Rising& rising,
                  const Term& old, const Term& value);
  Target target(Terms& terms, const Move& move, const plato::Expr& expr);

  // locks
  static Lock lock_of(Terms& terms, const plato::Expr& expr) { return terms.lock(expr, expr.range); }
  static FormulaPtr of_object(const Lock& lock, const shape::Variable& it);
  static FormulaPtr is_thread(const shape::Variable& it, const shape::Variable& thread) { return equal(it, thread); }
  void change_holder(ActionBuilder& builder, const Lock& lock, const shape::Variable& thread, bool takes);
  void focus_holder(Terms& terms, const Lock& lock);
  void perform_acquire(Terms& terms, const Move& move, const plato::Expr& expr, ActionBuilder& builder,
                       std::vector<ActionBuilder>& more);
  void perform_release(Terms& terms, const Move& move, const plato::Stmt& statement, const plato::Expr& expr,
                       ActionBuilder& builder, std::vector<ActionBuilder>& more);
  void perform_wait(Terms& terms, const Move& move, ActionBuilder& builder);
  Lock waited_for(const shape::Variable& thread, int procedure);
  void perform_wake_up(const Move& move, ActionBuilder& builder);
  void perform_notify(Terms& terms, const Move& move, const plato::Notify& notify, ActionBuilder& builder,
                      std::vector<ActionBuilder>& more);

  // lock orders
  bool is_followed(const plato::LockOrder& order) const;
  FormulaPtr is_same(Terms& terms, const plato::Expr& a, const Lock& lock_a, const plato::Expr& b, const Lock& lock_b);
  void say_orders(ActionBuilder& builder, Terms& terms, const Move& move, const plato::Expr& expr, const Lock& taken);

  // Orders that nobody declared.
  bool needs_lock_orders() const { return !by_views_ || deadlock_ >= 0 || cyclic_ >= 0; }
  void find_lock_orders();
  bool may_wait_for_else() const;
  void say_precedences(ActionBuilder& builder, Terms& terms, const Move& move, const Lock& wanted);
  FormulaPtr waits_for_object(const shape::Variable& thread) const;
  bool is_wait_for_object(const Label& label) const;
  void add_other_deadlock(const FormulaPtr& deadlock);
  void add_stuck_for_else(const std::vector<FormulaPtr>& stuck);
  FormulaPtr has_ended_with_monitor(const shape::Variable& thread) const;

  // statements
  Term created();
  Term zero();
  Term create_object(Terms& terms, const Move& move, const plato::NewObject& it, ActionBuilder& builder);
  Term start(Terms& terms, const plato::CallTarget& call, ActionBuilder& builder);
  void perform_rhs(Terms& terms, const Move& move, const plato::Rhs& rhs, const plato::Type& type, const Target& to,
                   ActionBuilder& builder, std::vector<ActionBuilder>& more);
  void perform_statement(Terms& terms, const Move& move, ActionBuilder& builder, std::vector<ActionBuilder>& more);
  Term default_of(const Terms& terms, const plato::Type& type);
  FormulaPtr has_ended(const Term& thread);

  // states
  void find_stops();
  Stop stop(int label) const;
  std::set<int> moves_inside(int begin) const;
  void add_invariants();
  void add_entries();
  void add_deadlock();
  FormulaPtr is_blocked(int number);
  bool may_block_inside(int begin) const;

  // known
  bool speaks_of_known(const plato::Expr& whole) const;
  bool is_made_once(int class_index) const;
  bool is_beyond_views(const plato::Clause& clause) const;
  std::string refusal_of_views() const;

  // meetings
  void add_meetings();
  FormulaPtr waits_for(const shape::Variable& waiter, const shape::Variable& other, bool only_for_locks);
  FormulaPtr is_intended(const shape::Variable& thread);
  FormulaPtr is_inside(const plato::Stmt& region, bool by_name, const shape::Variable& thread);

  const Task& task_;
  const bool by_views_;
  const Defect defect_;
  const plato::Program& program_;
  const plato::Synchronising synchronising_;
  std::map<Claimed, int> by_claim_;
  int deadlock_ = -1;
  int cyclic_ = -1;
  int nested_ = -1;
  bool tracks_waiting_ = false;
  std::vector<Standing> standing_;
  Lowered out_;
};

}  // namespace concord::engine::shape::source
