// Just enough of S-expressions to read what a solver says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace concord::smt {

// The texts of the parts of a list: `(a (- 1) |b c|)` has three. None if it is no list.
std::vector<std::string> list_parts(std::string_view text);

}  // namespace concord::smt
