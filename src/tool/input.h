// From the names on the command line to a well-formed program.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "plato/syntax.h"

namespace concord::tool {

struct Input {
  base::SourceMap sources;
  plato::Program program;  // well-formed if `errors` is empty
  std::string errors;      // for stderr: what is unreadable or malformed
};

// A folder stands for all sources below it, in the order of their names. A file named twice is read once.
Input load(const std::vector<std::string>& names);

}  // namespace concord::tool
