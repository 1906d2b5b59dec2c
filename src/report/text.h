// The report a person reads in a terminal: findings in compiler style, then the summary.
//
//     a.plato:13:3: violated: the assertion can fail: x == 2 [assertion]
//        13 |   assert x == 2;
//           |   ^~~~~~~~~~~~~~
//       the interleaving, as in interleaving.h
//
// The text is the same for every run with the same answers, except for the time.
#pragma once

#include <string>

#include "base/source.h"
#include "check/check.h"

namespace concord::report {

struct TextOptions {
  int width = 100;  // of the terminal, in characters
  bool color = false;
  bool lines = false;    // between columns, in Unicode
  bool quiet = false;    // the summary line only
  bool verbose = false;  // every property, verified and unknown ones too; every assumption
};

std::string text(const base::SourceMap& sources, const check::CheckResult& result, const TextOptions& options);

}  // namespace concord::report
