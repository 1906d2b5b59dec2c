// Garbage: individuals that nothing refers to any more are forgotten, and so are threads that have ended.
#pragma once

#include <map>

#include "engine/shape/evaluate.h"
#include "engine/shape/source/lower.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape::source {

class Collector {
 public:
  explicit Collector(const Lowered& lowered);

  void collect(Structure& structure) const;
  // Without this one, whatever refers to it.
  void forget(Structure& structure, int individual) const;

 private:
  bool is_garbage(const Structure& structure, int individual) const;

  const Lowered& lowered_;
  std::map<int, Evaluation> definitions_;  // by predicate
};

}  // namespace concord::engine::shape::source
