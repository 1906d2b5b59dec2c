// A run of one thread that its abstract thread does not allow, if the others do whatever they like: conformance is a question about
// the thread alone, so this is what a failed proof of it means. Others may change any variable at any time, but keep the invariants.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "plato/syntax.h"

namespace concord::engine::threads {

// Of the thread with this declaration; `also`: integers that are worth trying. Nothing: none was found in a second.
std::optional<Trace> imagined_run(const plato::Program& program, std::size_t declaration, const Task& task,
                                  const std::vector<std::int64_t>& also, Control& control);

}  // namespace concord::engine::threads
