// What threads can do, worked out once: for each part of a thread and shared part, the steps, as numbers of parts.
//
// The referee's own machine and monitor compute them. Looking up changes nothing, so that many may do it at once; whoever finds
// nothing asks to compute, alone. Where the meaning of a step depends on other threads' local variables (`guarded_by` of a
// field: who knows the object), nothing is ever found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/local_steps.h"
#include "explore/pair_table.h"
#include "explore/parts.h"
#include "explore/rules.h"

namespace concord::explore {

// A local step would break what others rely on: thrown.
struct NoIdling {};

class StepTable {
 public:
  struct Step {
    Number shared = 0;
    Number thread = 0;
    std::uint32_t remark = 0;  // 0: nothing to say
  };
  // What is said about a step besides where it leads.
  struct Remark {
    std::vector<std::uint32_t> found;  // properties that it breaches
    std::vector<Number> started;       // the parts of new threads
    bool is_spurious = false;
    bool ends = false;  // goes wrong, or is not followed: it leads nowhere
    Transition access;  // what a race detector looks at; only if races are looked for
  };
  struct Steps {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  // The part of a thread after a step of another one, and what its abstract thread says to it.
  struct Settled {
    Number thread = 0;
    std::vector<std::uint32_t> found;
  };

  // `moves_one_alone`: some steps are left out because idling in their place means nothing.
  StepTable(Rules& rules, Parts& parts, const LocalSteps& local_steps, bool takes_local_steps, bool moves_one_alone,
            Defect defect);

  // Null, or nothing: not known yet.
  const Steps* steps(Number thread, Number shared) const { return steps_.find(thread, shared); }
  const Settled* settled(Number thread, Number shared) const { return settled_.find(thread, shared); }
  // The races between a step and the next ones of a thread, of which there is at least one.
  const std::vector<std::uint32_t>* races(std::uint32_t remark, const Steps& next) const {
    return races_.find(remark, next.begin + 1);
  }

  const Standing* standing(Number thread, Number shared) const { return standings_.find(thread, shared); }

  // Those of the thread in that column of the row.
  Steps compute_steps(const Row& row, std::size_t column);
  void compute_settled(Number thread, Number shared);
  void compute_standing(Number thread, Number shared);
  // `next` are the steps of the second thread in the shared part between them; at least one.
  std::vector<std::uint32_t> compute_races(std::uint32_t remark, Number first, Number second, Number shared,
                                           const Steps& next);

  std::span<const Step> of(const Steps& steps) const { return std::span(all_).subspan(steps.begin, steps.count); }
  const Remark& remark(const Step& step) const { return remarks_[step.remark]; }
  const std::string& property(std::uint32_t number) const { return properties_[number]; }
  bool knows_all() const { return knows_all_; }
  // Forgets the steps that were computed since there were so many, with knows_all().
  std::pair<std::size_t, std::size_t> size() const { return {all_.size(), remarks_.size()}; }
  void forget_after(std::pair<std::size_t, std::size_t> size) { all_.resize(size.first), remarks_.resize(size.second); }
  // Of the property that is broken.
  std::uint32_t number_of(const Breach& breach);
  // The number of the shared part; throws NoIdling.
  Number shared(const State& state);
  // By thread declaration: whether a step of one was ever computed.
  const std::vector<bool>& moved() const { return moved_; }

 private:
  void add(const State& before, Scalar self, const Transition& step);
  std::vector<ThreadState> after_local_steps(const State& state, Scalar self);

  Rules& rules_;
  Parts& parts_;
  const LocalSteps& local_steps_;
  const bool takes_local_steps_;
  const bool moves_one_alone_;
  const bool knows_all_;
  const Defect defect_;
  std::vector<Step> all_;
  std::vector<Remark> remarks_{1};
  PairTable<Steps> steps_;
  PairTable<Settled> settled_;
  PairTable<Standing> standings_;
  PairTable<std::vector<std::uint32_t>> races_;  // by remark and begin of the next steps, from 1
  std::vector<std::string> properties_;
  std::vector<bool> moved_;
};

}  // namespace concord::explore
