// A run of one thread that its abstract thread does not allow, if the others do whatever they like: conformance is a question about
// the thread alone, so this is what a failed proof of it means. Others may change any variable, and any field that the abstract thread
// speaks of, at any time, but keep the invariants.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "plato/syntax.h"

namespace concord::engine::threads {

// The text of a step that others are imagined to take: it is nowhere in the source.
inline constexpr std::string_view kSomething = "something";

// Of a thread with this clause, declared there or else started; `also`: integers that are worth trying. Nothing: none was found soon.
std::optional<Trace> imagined_run(const plato::Program& program, const plato::Abstracted& claim,
                                  std::optional<std::size_t> declaration, const Task& task,
                                  const std::vector<std::int64_t>& also, Control& control);

}  // namespace concord::engine::threads
