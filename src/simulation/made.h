// What is known of the values of final fields and variables because of how they are made: every object of the class gets a new
// object or array there, so the field is never null, and its length may be known too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "plato/syntax.h"

namespace concord::simulation {

struct Made {
  std::optional<std::int64_t> length;  // of the array, if it is always this
};

struct MadeValues {
  std::map<std::pair<int, int>, Made> fields;  // by class that declares it, and place there; those that are never null
  std::map<int, Made> variables;               // likewise, once everything is initialised
};

MadeValues made_values(const plato::Program& program);

}  // namespace concord::simulation
