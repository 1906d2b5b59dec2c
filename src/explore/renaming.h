// The same state with other numbers for its threads. Threads that begin alike differ in their numbers only: whatever can happen in
// a state can happen in the renamed one, with the names renamed. So of all the states that are renamings of each other one will do.
#pragma once

#include <string>
#include <vector>

#include "explore/state.h"

namespace concord::explore {

// No thread is started or known by a name, nor recorded as the owner of something, nor looked at in the order of numbers: all that a
// thread's number does is to be compared with others.
bool may_rename_threads(const plato::Program& program);

// Threads of this declaration begin alike: what can be reached stays the same if they are renamed.
bool begin_alike(const plato::Program& program, int declaration);

// If two threads see the same (seen_by), exchanging them changes nothing: only what is shared knows threads by number, and it does
// not relate one thread to another.
bool tells_all_that_is_seen(const plato::Program& program);

// By thread: its new number; [0] is that of none.
using Renaming = std::vector<Scalar>;

State renamed(const plato::Program& program, const State& state, const Renaming& renaming);
// What it contains; it does not know its own number.
ThreadState renamed(const plato::Program& program, const ThreadState& thread, const Renaming& renaming);
Store renamed(const plato::Program& program, const Store& store, const Renaming& renaming);

// What a thread sees of this, as bytes: itself, and of the others only that they are others.
std::string seen_by(const plato::Program& program, const State& outside, Scalar self);
std::string seen_by(const plato::Program& program, const ThreadState& thread, Scalar self, Scalar thread_count);

}  // namespace concord::explore
