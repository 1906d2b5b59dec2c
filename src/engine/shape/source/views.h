// What one thread knows of a configuration: a view. That is itself with its local variables, all objects that these or shared variables
// lead to, and one individual (`others`) for all other threads together, which keeps only what locks they hold. Objects that only other threads
// know are not in it.
//
// So there are as many views as there are threads in different states, and not as many as sets of such threads: where every thread may be
// in one of many states, configurations of all of them are too many to be looked at (Berdine, Lev-Ami, Manevich, Ramalingam and Sagiv,
// Thread Quantification for Concurrent Shape Analysis; Gotsman, Berdine, Cook and Sagiv, Thread-modular Shape Analysis). What is lost is
// how the local variables of two threads are related, unless shared objects tell (pairing.h).
//
// In a view what an object is to other objects (r_by, is, rt, is_escaped) is meant of the objects in the view; what it is to local
// variables, of those of the one thread.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/shape/source/collect.h"
#include "engine/shape/source/lower.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape::source {

class Views {
 public:
  Views(const Lowered& lowered, const Collector& collector);

  // A configuration of all threads that there are has nobody else yet.
  void add_others(Structure& structure) const;
  // As this thread knows it; not blurred.
  Structure of(const Structure& structure, int thread) const;
  // A view without the local variables that are not among these; with all objects that it has.
  Structure without_locals(const Structure& view, int thread, const std::set<LocalName>& kept) const;
  // Objects that shared variables or known objects lead to are known to others from now on.
  void escape(Structure& structure) const;
  // Those that a thread is not the only one to know of several threads in the structure.
  void share(Structure& structure) const;

  // Individuals by what they are.
  Bits threads(const Structure& structure) const { return structure.row(system_.is_thread).may; }
  Bits others(const Structure& structure) const { return structure.row(vocabulary_.others()).may; }
  Bits numbers(const Structure& structure) const;
  // Objects and numbers that shared variables are, or claims speak of in any case.
  Bits shared(const Structure& structure) const;
  // With all that they lead to, over what may be.
  Bits reached_from(const Structure& structure, Bits begin) const;
  // Likewise, over what must be.
  Bits surely_reached_from(const Structure& structure, Bits begin) const;
  Bits surely_shared(const Structure& structure) const;

 private:
  void merge_thread(Structure& structure, int thread, int others) const;
  void settle_others(Structure& structure, int others) const;

  const Lowered& lowered_;
  const Vocabulary& vocabulary_;
  const System& system_;
  const Collector& collector_;
  std::vector<int> to_threads_;            // relations and properties of whom a variable or a monitor refers to
  std::map<int, Evaluation> definitions_;  // of one argument
};

}  // namespace concord::engine::shape::source
