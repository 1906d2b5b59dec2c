// Kleene's three values: false, true, and unknown between them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace concord::engine::shape {

enum class Kleene : std::uint8_t { kFalse, kUnknown, kTrue };

inline Kleene operator!(Kleene it) { return static_cast<Kleene>(2 - static_cast<int>(it)); }
inline Kleene both(Kleene a, Kleene b) { return std::min(a, b); }
inline Kleene either(Kleene a, Kleene b) { return std::max(a, b); }
// What is known of a value that is one of the two.
inline Kleene join(Kleene a, Kleene b) { return a == b ? a : Kleene::kUnknown; }

}  // namespace concord::engine::shape
