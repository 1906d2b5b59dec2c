// The report other tools read: a log as SARIF 2.1.0 (OASIS) says.
//
// A violated property is a result of level `error`, an unproved one a `warning`, one that is unproved only because of another a
// `note`; what is unknown is of kind `open`. An interleaving is a code flow with one thread flow per thread, whose steps are
// numbered across the threads. Findings that the user waived are there too, suppressed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "check/check.h"
#include "diag/diagnostic.h"

namespace concord::report {

struct Invocation {
  std::string_view version;
  std::vector<std::string> arguments;  // without the program's name
  int status = 0;                      // with which it exits
};

// `verbose`: what is verified is there as well, of kind `pass`. Ends with a newline.
std::string sarif(const base::SourceMap& sources, const check::CheckResult& result, const Invocation& invocation,
                  bool verbose);

// Of a run that came to no check: `diagnostics` say what is wrong with the input, or, if there are none, `errors` does, one a line.
std::string sarif(const base::SourceMap& sources, const std::vector<diag::Diagnostic>& diagnostics,
                  const std::string& errors, const Invocation& invocation);

}  // namespace concord::report
