// The steps of one thread, followed symbolically: calls are gone through, and what it does on local variables alone is part of the
// step before.
#pragma once

#include <optional>
#include <vector>

#include "infer/machine.h"
#include "plato/syntax.h"

namespace concord::infer {

// As machine_of, with a node for each place and each value of local variables.
std::optional<Machine> steps_of(const plato::Program& program, int procedure,
                                const std::vector<plato::ExprPtr>& arguments);

}  // namespace concord::infer
