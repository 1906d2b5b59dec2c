// The range of a sum: where it begins and where it ends.
#pragma once

#include <optional>

#include "plato/syntax.h"

namespace concord::plato {

struct SumBounds {
  const Expr* low = nullptr;
  bool has_low = true;  // low itself is in it
  const Expr* high = nullptr;
  bool has_high = true;
};

// Of `lo <= k && k < hi` and the like, where k is bound at `depth` and occurs in neither end; nothing: it has another form.
std::optional<SumBounds> sum_bounds(const SumExpr& sum, int depth);

}  // namespace concord::plato
