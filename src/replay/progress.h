// PROGRESS: every run comes to a configuration in which all threads have finished. Shown of the code: no thread goes round for ever (rounds.h), and whoever waits for a
// lock holds none, so whoever holds one can move, and if nobody holds any, everybody can.
#pragma once

#include <optional>

#include "replay/atomicity.h"

namespace concord::replay {

// Why the threads of this code may not all finish, and where; nothing: they do.
std::optional<NotKnown> may_get_stuck(const plato::Program& program, const Code& code, const Atomicity& atomicity,
                                      bool has_java_ints);

}  // namespace concord::replay
