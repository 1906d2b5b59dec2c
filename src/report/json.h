// The report a program reads: one JSON object, as docs/report.schema.json says.
#pragma once

#include <string>
#include <string_view>

#include "base/source.h"
#include "check/check.h"

namespace concord::report {

// Ends with a newline.
std::string json(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version);

// The JSON Schema of that object; docs/report.schema.json is a copy, made by scripts/generate-docs.
std::string_view json_schema();

}  // namespace concord::report
