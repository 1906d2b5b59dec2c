// The parts that a state consists of: what is shared, and one part a thread. Each is kept once and known by a number, so that
// a state is a row of numbers: that of the shared part, then those of the threads. Number 0 is none.
//
// In a row the threads may stand in any order if nobody can tell one from another (`are_alike`): then rows are sorted, which is
// all there is to symmetry. Otherwise the part of a thread knows which thread it is of, and that thread's column is its number.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/machine.h"

namespace concord::explore {

// How the reductions are broken on purpose, one way at a time, to see that the tests notice. kNone outside tests.
enum class Defect {
  kNone,
  kAlwaysAlike,      // threads are taken for alike although somebody knows one by its number
  kCallersDead,      // what is looked at only after a call is taken for dead
  kPastWrong,        // a step that goes wrong is taken together with the one before
  kPastRounds,       // so is a round of a loop
  kPastEnd,          // so is the end of a thread that somebody waits for
  kPastWatched,      // so is a step that an abstraction or an abstract thread watches
  kIdlingUnchecked,  // whether idling breaks a rely is not looked at
  kSettledOnce,      // the abstract threads of others do not look at a new state
  kAloneForEver,     // a thread may go round a loop alone
  kAloneVisibly,     // a thread may change alone what claims speak of
  kAloneWhileFree,   // other threads are thought to stop at locks that nobody holds
  kAloneWrongly,     // a thread may go wrong alone
  kAloneBesideAny,   // who waits for the monitor of one thread is thought to wait for every other
  kInsideUnseen,     // nobody stops inside a region
  kRenamedHalf,      // threads change their numbers, but not in what is shared
};

using Number = std::uint32_t;
using Row = std::vector<Number>;

class Parts {
 public:
  Parts(const Machine& machine, const engine::Reductions& reductions, Defect defect);

  bool are_alike() const { return are_alike_; }
  // Threads are known by their numbers, but these can be exchanged (normal_form.h).
  bool may_be_renamed() const { return may_be_renamed_; }
  // Whether a thread has finished is part of what is shared, since somebody may wait for it.
  bool are_joined() const { return are_joined_; }
  // What a step means depends on the references that other threads have.
  bool asks_who_knows() const { return keeps_references_; }

  Number shared(const State& state);
  Number thread(const ThreadState& thread, Scalar self);
  Row row(const State& state);

  // The state, of whose threads only the outside is known: nothing of where they are, nor of their variables.
  const State& outside(Number shared) const { return shared_[shared]; }
  const ThreadState& thread(Number number) const { return threads_[number]; }
  // Which thread of that state it is of; if threads are alike, the first that it may be of.
  Scalar self(const State& outside, Number thread) const;
  State state(const Row& row) const;

  // With the most different values, if these are many: "x", "C.f", or "y of B" for a local one; else empty.
  std::string variable_with_most_values() const;

  std::size_t shared_count() const { return shared_.size() - 1; }
  std::size_t thread_count() const { return threads_.size() - 1; }

 private:
  bool is_live(const Frame& frame, const Frame* callee, int slot) const;
  void clear_dead_locals(ThreadState& thread) const;

  const plato::Program& program_;
  const bool clears_dead_locals_;
  const Defect defect_;
  const bool are_alike_;
  const bool may_be_renamed_;
  const bool are_joined_;
  const bool keeps_references_;
  std::vector<std::vector<std::set<int>>> live_;  // by procedure and node
  std::vector<State> shared_{1};
  std::vector<ThreadState> threads_{1};
  std::vector<Scalar> self_{0};
  std::unordered_map<std::string, Number> shared_numbers_;
  std::unordered_map<std::string, Number> thread_numbers_;
};

}  // namespace concord::explore
