// Blur (canonical abstraction, section 4 of the paper): individuals with the same values of all abstraction predicates become one.
//
// They are then in the order of these values, their canonical names, so that two structures that differ only in the numbers of
// individuals are equal bit by bit.
#pragma once

#include <vector>

#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Blur {
 public:
  explicit Blur(const System& system);

  Structure apply(const Structure& structure) const;
  // A number for the set of canonical names and the values of abstraction predicates without arguments: structures with the same are
  // joined by a partial join.
  std::vector<Kleene> names(const Structure& blurred) const;

 private:
  std::vector<Kleene> name(const Structure& structure, int individual) const;

  std::vector<int> unary_;
  std::vector<int> nullary_;
  const Defect defect_;
};

// Of two structures with the same names, in the same order: what is known of both.
Structure joined(const Structure& a, const Structure& b);

}  // namespace concord::engine::shape
