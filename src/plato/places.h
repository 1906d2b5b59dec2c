// What a place belongs to that can be written, as one word: enough to see that two of them have nothing to do with each other.
#pragma once

#include <string>

#include "plato/syntax.h"

namespace concord::plato {

// A variable, a field of any object, or the elements of all arrays of a type; empty: a local variable.
std::string place_of(const Program& program, const Expr& target);

}  // namespace concord::plato
