// Makes a program that fails a test smaller, as long as it still fails.
#pragma once

#include <functional>
#include <string>

namespace concord::agree {

// Deletes declarations, statements and clauses (lines), takes bodies out of their braces, and replaces expressions by their
// parts or by literals. `still_fails` is asked about each attempt and answers false for text that is no program.
std::string shrink(std::string text, const std::function<bool(const std::string&)>& still_fails);

}  // namespace concord::agree
