// Partial-order reduction: where the steps of one thread are enough.
//
// If what a thread does next has nothing to do with anything that the others may ever do before it moves (footprints.h), then every run
// of the others leads to the same with that step at its end as with that step at its beginning. So only the beginning is looked
// at: no verdict, no race, no final state and no deadlock is lost. Nor is a circle of waiting threads, or one in a wait set with a lock that
// another waits for: whoever can move is none of them, and its step neither gives back their locks nor notifies. It must have a step, or it would be waiting for the others; none that goes wrong, since the
// others may go on while it has not; none that changes what a claim about all states speaks of. And at the head of a loop all
// threads move, so that none is left out for ever.
#pragma once

#include <optional>
#include <vector>

#include "explore/footprints.h"
#include "explore/pair_table.h"
#include "explore/parts.h"
#include "explore/step_table.h"

namespace concord::explore {

class Ample {
 public:
  Ample(const Machine& machine, const Parts& parts, Defect defect);

  // The column of the row with a thread whose steps are enough; 0: there is none. Nothing: it is not known yet, and `may_compute` is
  // false; then nothing changes.
  std::optional<std::size_t> column(const Row& row, StepTable& table, bool may_compute);

 private:
  struct Next {
    bool is_known = false;
    std::optional<Footprint> footprint;
  };
  const Next* next(Number thread, bool may_compute);
  const Footprint* later(Number thread, Number other, Number shared, bool may_compute);
  bool is_plain(const StepTable::Step& step, const StepTable& table) const;
  Scalar waits_for(Number thread, Number shared) const;
  Locks held(Number thread, Number shared) const;

  const Parts& parts_;
  const Defect defect_;
  Footprints footprints_;
  const Footprint at_monitor_;
  std::vector<Next> next_;         // by thread
  PairTable<std::uint32_t> held_;  // by thread and shared part: the number of a set in all_held_
  std::vector<Locks> all_held_;
  PairTable<Footprint> later_;   // by thread and, from 1, the set that another one holds
  PairTable<Scalar> waits_for_;  // by thread and shared part: who holds the monitor it needs, or 0
};

}  // namespace concord::explore
