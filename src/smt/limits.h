// What every solver says in the same words.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "formula/term.h"

namespace concord::smt {

inline constexpr const char* kInterrupted = "interrupted";
inline constexpr const char* kIncomplete = "incomplete";

// "time limit of 0.5 s"
std::string time_limit(std::chrono::milliseconds limit);

// "incomplete: quantifiers" from what Z3 ("(incomplete quantifiers)") or cvc5 ("incomplete") says.
std::string incomplete(const std::string& reason);

// Assumptions are Boolean constants, their negations, true or false.
void check_literals(const std::vector<formula::Term>& assumptions);

}  // namespace concord::smt
