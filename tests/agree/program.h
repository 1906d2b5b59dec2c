// A program from its text: read and checked.
#pragma once

#include <memory>
#include <string>

#include "base/source.h"
#include "plato/syntax.h"

namespace concord::agree {

struct Loaded {
  base::SourceMap sources;
  plato::Program program;
  std::string error;  // empty: well-formed
};

std::unique_ptr<Loaded> load(const std::string& text);

}  // namespace concord::agree
