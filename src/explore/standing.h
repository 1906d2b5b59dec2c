// What a state says by where its threads stand: who waits for whom, and who is inside which region.
//
// Three kinds of finding are about that, and about nothing that a single thread does:
//
//   cyclic-deadlock   a circle of threads each of which waits for the next one, while others may still move
//   nested-monitor    a thread is in a wait set, and another one waits for a lock that it holds
//   mutual-exclusion  two threads are inside regions of one name
//
// The first two are wait_for and nested monitors of the paper about 3VMC (Tables III and IV). There the lock must contain the monitor,
// so that nobody else gets at the latter; here that somebody waits for the lock is what shows that it is in the way.
#pragma once

#include <vector>

#include "base/source.h"
#include "diag/kinds.h"
#include "explore/value.h"
#include "plato/syntax.h"

namespace concord::explore {

struct Standing {
  Scalar waits_for = 0;         // the thread without which it does not go on; 0: none
  bool is_for_lock = false;     // which holds the lock that it is to take next; else its end is waited for
  bool is_in_wait_set = false;  // and not notified
  bool is_intended = false;     // it stands at a `may_block`
  std::vector<const plato::Stmt*> regions;
};

struct Meeting {
  diag::Kind kind = diag::Kind::kMutualExclusion;
  const plato::Stmt* region = nullptr;  // of mutual-exclusion: the one that the first thread is inside
  const plato::Stmt* other = nullptr;   // and the second
  std::vector<Scalar> threads;
};

// `threads`: thread t is threads[t - 1].
std::vector<Meeting> meetings(const std::vector<Standing>& threads);

}  // namespace concord::explore
