// What a page is made of: the JSON report, and besides it sources, evidence and the words that explain them.
#pragma once

#include <string>
#include <vector>

#include "report/values.h"

namespace concord::report {

// page/data.ts has the same as types.
Json page_data(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version,
               const std::vector<std::string>& arguments);

}  // namespace concord::report
