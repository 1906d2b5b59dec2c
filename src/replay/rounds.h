// Whether threads go round for ever: not if each loop counts a local variable, always in one direction, up to (or down to) a bound that nobody
// changes while the loop goes on.
#pragma once

#include <optional>

#include "replay/atomicity.h"

namespace concord::replay {

// Where a thread may go round for ever; nothing: it does not.
std::optional<base::SourceRange> goes_round(const plato::Program& program, const Code& code, const Atomicity& atomicity,
                                            bool has_java_ints);

}  // namespace concord::replay
