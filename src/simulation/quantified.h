// What a program says of objects that nobody has to know for that: by quantifiers over a class, and in the clauses of one.
#pragma once

#include <vector>

#include "plato/syntax.h"

namespace concord::simulation {

struct Quantified {
  // That there is an object such that …: not only what holds of each one by itself.
  bool asks_for_some = false;
  std::vector<plato::Type> arrays;  // the types of those whose elements it looks at
};

Quantified quantified(const plato::Program& program);

}  // namespace concord::simulation
