// The structures without unknown values that a structure represents (definition 3.4 of the paper), the smallest first.
//
// Each individual that stands for several is replaced by one or more like it; then the unknown values of core predicates are chosen one after
// the other, and coerce says at once which choices are none. Instrumentation predicates follow from their definitions. Who is chosen
// to move next (`runnable`) stays open: a step chooses.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/shape/coerce.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Instances {
 public:
  Instances(const System& system, const Constraints& constraints);

  // Those with at most so many individuals more than the structure has; not all of them, if there are more than `most` or too much has to be
  // tried.
  std::vector<Structure> of(const Structure& structure, int more_individuals, std::size_t most) const;
  // Nothing is unknown but who moves next.
  bool is_instance(const Structure& structure) const;

 private:
  struct Choice;
  void enlarge(const Structure& structure, int from, int more, Choice& choice) const;
  void choose(Structure structure, Choice& choice) const;
  bool find_unknown(const Structure& structure, int& predicate, int& a, int& b) const;

  const Constraints& constraints_;
  std::vector<int> chosen_;   // core predicates
  std::vector<int> derived_;  // instrumentation predicates
};

}  // namespace concord::engine::shape
