// Establishing atomicity (section 6.0.8): which operations of a thread may be looked at as one step.
//
// The paper shows with the invariant rule that at most one thread is between a lock and its release. Here this is read off the code, by
// Lipton's movers: taking a lock may be put off until the next operation of the thread, giving it back may be done at once after the one
// before, and what touches only local variables, or shared ones that are never touched without one and the same lock, may be done at any moment
// in between. So a sequence of operations (taking locks, one operation of any kind, giving locks back; the others anywhere) happens as if
// nobody were in between: every run in which all threads finish, or one goes wrong, has one with the same end in which each such
// sequence is one step. Behind the one operation of any kind nothing may wait, nor go wrong: others may have seen what it did.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/dynamic/code.h"

namespace concord::engine::dynamic {

enum class Mover { kBoth, kRight, kLeft, kNone };

struct Moves {
  Mover mover = Mover::kBoth;
  bool may_block = false;
  bool may_fail = false;  // the thread may go wrong there

  bool may_end() const { return may_block || may_fail; }
};

class Atomicity {
 public:
  // The code of each class of threads.
  // `is_blind`: as if nobody else touched anything (a defect).
  Atomicity(const plato::Program& program, const std::vector<Code>& codes, bool is_blind = false);

  // Of an operation that begins at the node.
  Moves of(std::size_t code, int node, const CodeEdge& edge) const;
  // Some code writes the variable.
  bool is_written(int variable) const { return written_.contains(variable); }
  // The locks that a thread surely holds there: how often.
  const std::map<int, int>& held(std::size_t code, int node) const {
    return held_[code][static_cast<std::size_t>(node)];
  }
  bool is_lock(int variable) const { return locks_.contains(variable); }
  // Variables that are touched only while this lock is held.
  const std::map<int, int>& protected_by() const { return protected_; }

 private:
  void find_locks();
  void find_held();
  void find_protected();
  Moves plain(std::size_t code, int node, const CodeEdge& edge) const;

  const plato::Program& program_;
  const std::vector<Code>& codes_;
  const bool is_blind_;
  std::set<int> written_;
  std::set<int> locks_;  // variables that are used as locks only
  std::vector<std::vector<std::map<int, int>>> held_;
  std::map<int, int> protected_;
};

// The shared variables that an operation touches, otherwise than by taking or giving back a lock.
struct Touched {
  std::set<int> reads;
  std::set<int> writes;
  int acquires = -1;  // a variable
  int releases = -1;
  bool may_block = false;
  bool may_fail = false;  // but for giving back a lock

  bool changes_something() const { return !writes.empty() || acquires >= 0 || releases >= 0; }
};

Touched touched(const plato::Operation& operation);

}  // namespace concord::engine::dynamic
