// What the JSON report and the page have in common: a result as values of JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/source.h"
#include "check/check.h"

namespace concord::report {

using Json = nlohmann::ordered_json;

double milliseconds(double time);  // to a thousandth
Json location(const base::SourceMap& sources, base::SourceRange range);
// As docs/report.schema.json says.
Json report(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version);
// Bytes that are no text are replaced.
std::string dump(const Json& json, int indent);

}  // namespace concord::report
