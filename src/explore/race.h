// Races: two steps of different threads, next to each other in a run, that access the same location, one of them writing,
// with nothing between them that orders them.
//
// Looking only at neighbours is enough: if two conflicting accesses are unordered in some run, the steps between them that
// do not depend on the first can be moved before it and the others after the second, which gives a run where they are
// neighbours. And neighbours can be ordered only directly, by what the two steps themselves do.
#pragma once

#include <optional>
#include <string>

#include "explore/machine.h"
#include "plato/synchronising.h"

namespace concord::explore {

class RaceDetector {
 public:
  explicit RaceDetector(const plato::Program& program);

  // A race between a step of `first` and, right after it, a step of `second`; null if there is none.
  std::optional<Breach> check(const Machine& machine, const State& between, Scalar first, const Transition& first_step,
                              Scalar second, const Transition& second_step) const;

 private:
  bool synchronises(const Store& store, const Location& location) const;
  bool ordered(const Store& store, Scalar first, const Transition& first_step, Scalar second,
               const Transition& second_step) const;
  const plato::Variable* behind(const Store& store, const Location& location) const;

  const plato::Program& program_;
  const plato::Synchronising synchronising_;
};

}  // namespace concord::explore
