// Prints the syntax tree as `.plato` text. What is printed reads back to the same program, and printing that gives the same
// text again. Parentheses only where they are needed.
#pragma once

#include <string>

#include "plato/syntax.h"

namespace concord::plato {

std::string print(const Program& program);
std::string print(const Expr& expr);
std::string print(const TwoState& predicate);
// One line, without nested bodies: "while (x > 0)", "x = x + 1;". Used in traces and messages.
std::string print_head(const Stmt& statement);

}  // namespace concord::plato
