// What the user knows by name, and what a front end made for itself.
#pragma once

#include <set>
#include <string>

namespace concord::engine {

// A variable that a front end made, or an element of one; `names` are the variables that the user knows.
inline bool is_made(const std::string& location, const std::set<std::string>& names) {
  const std::size_t end = location.find_first_of(".[@' ");
  const bool is_of_object = end != std::string::npos && location[end] != '[';
  return !is_of_object && !names.contains(location.substr(0, end));
}

}  // namespace concord::engine
