// Models of TVLA's on the command line: a .tvp or .tvm file, and .tvs files with the structures it begins with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "check/check.h"
#include "diag/diagnostic.h"
#include "tool/options.h"

namespace concord::tool {

bool is_model(const std::vector<std::string>& files);

struct ModelAnswer {
  base::SourceMap sources;
  std::string errors;                         // for stderr: what is unreadable or malformed
  std::vector<diag::Diagnostic> diagnostics;  // of these, what has a place in the sources
  check::CheckResult result;
};
ModelAnswer verify_model(const Options& options, engine::Control& control);

// Every structure that is reached, as DOT.
struct ModelDrawing {
  std::string errors;
  std::string text;
  std::string why_not;  // these are not all
};
ModelDrawing draw_model(const Options& options, engine::Control& control);

}  // namespace concord::tool
