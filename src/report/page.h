// The report a person looks at: one HTML page that has everything in it, opens from a disk and asks nobody for anything.
//
// The page itself is in page/ (TypeScript), bundled when Concord is built; here is what it is given. Engines must have kept their
// evidence (Settings::keeps_evidence).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "check/check.h"

namespace concord::report {

// Why this build cannot write pages, or empty.
std::string why_no_page();

std::string page(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version,
                 const std::vector<std::string>& arguments);

}  // namespace concord::report
