// A program as a system of first-order transitions: an action for each operation, what may go wrong at it as its messages, and what
// must hold in every state as claims.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/shape/source/vocabulary.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape::source {

// What a thread does at a label.
enum class Stop {
  kAll,      // it stops there, and any thread may move
  kPerhaps,  // likewise, unless it deals with objects only that nobody else knows
  kItself,   // it stops there, and moves on alone
  kNever,    // it goes on at once: what it does there concerns nobody else
};

// Broken where the formula holds, in states between steps.
struct Claim {
  FormulaPtr is_broken;
  int property = -1;
  bool is_at_start = false;  // only in the step that starts a thread
};

// An order of monitors that excludes deadlocks in which every thread waits for a monitor of an object: what is found out as properties with
// numbers behind those of the task.
struct LockOrders {
  struct Order {
    int is_broken = -1;  // the property: somebody may wait for a monitor that does not come behind those that he holds
    std::string text;
  };
  std::vector<Order> orders;
  int deadlock = -1;         // of the task: nobody can move; -1: not asked
  int cyclic_deadlock = -1;  // of the task, where threads wait for nothing else
  // Nobody can move, and somebody waits for something else than the monitor of an object that somebody may give back.
  int other_deadlock = -1;
  int count() const { return static_cast<int>(orders.size()) + (other_deadlock >= 0 ? 1 : 0); }
  // An order may do so.
  bool excludes(int property) const { return property >= 0 && (property == deadlock || property == cyclic_deadlock); }
};

// What a move has to do with other threads.
struct Concern {
  bool is_shared = false;           // it looks at or changes something that they may know
  std::vector<FormulaPtr> touched;  // else fields of these objects only: of `o`, for the thread `tr`
  bool may_block = false;
};

struct Lowered {
  Code code;
  std::unique_ptr<Vocabulary> vocabulary;  // has the system; edge e of it is transition e
  std::vector<Stop> stops;                 // by label
  std::vector<int> moves;                  // by edge: of the code
  std::vector<Concern> concerns;           // by move
  std::vector<Claim> claims;
  LockOrders lock_orders;
  std::vector<int> named_threads;  // predicates of threads that have a name
  std::vector<bool> is_decided;    // by property of the task
  std::vector<std::string> assumptions;
  bool may_forget_threads = true;
  bool may_collect = true;  // objects and threads that nothing refers to may be forgotten, other than:
  std::vector<int>
      watched;  // individuals that claims speak of whether something refers to them or not: these predicates hold of them
  bool by_views = false;
  std::string refused;  // why this program has no such system, or empty
};

// Message::property of what is not translated: nothing is known behind it.
inline constexpr int kUnsupported = -2;

// It is claimed of states: always, or whenever the object's monitor is free.
bool is_invariant(const plato::Clause& clause);
// The kinds that the engine judges.
bool is_judged(diag::Kind kind);

// `by_views`: for configurations as single threads know them (views.h).
Lowered lower(const Task& task, bool by_views = false, Defect defect = Defect::kNone);
// There may be threads of this declaration.
bool may_run(const plato::Thread& thread, const Task& task);
// The states that the program may begin in.
std::vector<Structure> initial_structures(const Lowered& lowered, const Task& task, const Layout& layout);

}  // namespace concord::engine::shape::source
