// Integers that matter: those that a clause says never decrease, and what is assigned to them.
//
// Their values are individuals, in an order (`le`): a copy is the same individual, and adding a constant makes a new one, of which the order
// tells where it stands. All other integers are unknown values. With 32 bits a sum may wrap around, so it is unknown too.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "engine/shape/source/code.h"
#include "plato/syntax.h"

namespace concord::engine::shape::source {

struct Numbers {
  std::set<int> shared;                  // variables
  std::set<std::pair<int, int>> fields;  // by class that declares it, and place there
  std::set<LocalName> locals;
  // A clause that says `\old(x) <= x` of a variable or of a field.
  struct Rising {
    const plato::Clause* clause = nullptr;
    int shared = -1;
    std::pair<int, int> field = {-1, -1};
  };
  std::vector<Rising> rising;

  bool empty() const { return rising.empty(); }
};

Numbers find_numbers(const plato::Program& program);

// Constants that are added up without care.
inline bool is_small(std::int64_t constant) { return constant > INT32_MIN && constant < INT32_MAX; }

// x, or x plus a small constant.
struct Sum {
  const plato::Expr* term = nullptr;  // null: it is something else
  std::int64_t constant = 0;
};
Sum as_sum(const plato::Expr& expr);

}  // namespace concord::engine::shape::source
