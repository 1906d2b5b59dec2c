#include "report/json.h"

#include "report/values.h"

namespace concord::report {

std::string json(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version) {
  return dump(report(sources, result, version), 2) + "\n";
}

}  // namespace concord::report
