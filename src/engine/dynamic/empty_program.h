// EMPTY-PROGRAM under a diamond (section 3.4.4): where nothing is enabled any more, all threads are at the end.
//
// In the paper a deadlock counts as termination, with the final condition to be shown there as well. Here a diamond also says that all threads
// finish, and that is shown from the code: every loop counts (loops.h), and a thread that waits for a lock holds none. Then whoever holds a lock
// can move, and if nobody holds any, everybody can.
#pragma once

#include <optional>

#include "engine/dynamic/atomicity.h"
#include "engine/engine.h"

namespace concord::engine::dynamic {

// Why the threads of this code may not all finish, as far as the code shows; nothing: they do.
std::optional<Refusal> may_not_finish(const plato::Program& program, const Code& code, std::size_t number,
                                      const Atomicity& atomicity, IntMode ints);

}  // namespace concord::engine::dynamic
