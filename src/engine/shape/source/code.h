// The code of a program as the shape engine runs it: one graph of labels, procedures put in place of their calls.
//
// A thread stands at a label; a move is one operation of the flow (plato/flow.h) that leads from there to another. A procedure is
// active at most once in a thread (what calls itself is refused), so a local variable is known by procedure and slot.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plato/flow.h"
#include "plato/syntax.h"

namespace concord::engine::shape::source {

// Procedure and slot. Slot -1: what the procedure has returned, until it is assigned; -2: the lock that a thread in it waits for.
using LocalName = std::pair<int, int>;
inline constexpr int kResultSlot = -1;
inline constexpr int kWaitSlot = -2;

struct Move {
  int from = -1;
  int to = -1;
  plato::Operation operation;
  const plato::GhostSet* set = nullptr;  // a ghost assignment in the same step, instead of the operation
  int procedure = -1;                    // in whose body it stands
  const plato::Stmt* caller = nullptr;   // of a return or throw: the call that it comes back to; null: the thread ends
  int calling_procedure = -1;            // where that call stands
};

struct Label {
  int procedure = -1;
  int node = -1;
  bool is_inside = false;                   // in the middle of an atomic step
  bool is_alone = false;                    // before `initialised`: no other thread moves
  bool is_loop = false;                     // every way round comes by some such label
  std::vector<const plato::Stmt*> regions;  // the `exclusive` statements that a thread here is inside
  std::vector<int> moves;
  std::set<LocalName> live;  // what moves from here on may look at
};

struct Code {
  std::vector<Label> labels;
  std::vector<Move> moves;
  int done = -1;             // the label of threads that have ended
  std::map<int, int> entry;  // by procedure that threads begin at
  // By procedure and name of such an expression: a local variable that has its value whenever it has one.
  std::map<std::pair<int, std::string>, int> copies;
  std::string refused;  // why there is no such code, or empty
};

Code make_code(const plato::Program& program);

// The moves that happen once at most in every run: of a thread of which there is one, and on no way round.
std::set<int> moves_once(const plato::Program& program, const Code& code);

// What an expression refers to never changes while the procedure is active: a parameter, and final fields from there on. Then a name for
// it, else empty.
std::string constant_path(const plato::Program& program, int procedure, const plato::Expr& expr);

// The local variables of a move: those it looks at, and those that have new values (or none) after it.
struct LocalUse {
  std::set<LocalName> looked_at;
  std::set<LocalName> set;
};
LocalUse local_use(const plato::Program& program, const Move& move);

}  // namespace concord::engine::shape::source
