// The condition of an `#if`: integers, comparisons, `defined`, `!`, `&&` and `||`. A name that is no macro is 0.
#pragma once

#include "diag/diagnostic.h"
#include "engine/shape/tvla/macros.h"
#include "engine/shape/tvla/text.h"

namespace concord::engine::shape::tvla {

bool condition_holds(const Text& text, Macros& macros, diag::Sink& sink);

}  // namespace concord::engine::shape::tvla
