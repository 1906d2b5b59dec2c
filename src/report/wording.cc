#include "report/wording.h"

#include "diag/kinds.h"

namespace concord::report {

std::string message(const engine::PropertyResult& result) {
  const diag::KindPage& page = diag::page(result.property.kind);
  const bool says_it_holds = result.message.empty() || result.message == page.holds;
  std::string what = result.message;
  switch (result.verdict) {
    case engine::Verdict::kVerified:
      if (what.empty()) what = page.holds;
      break;
    case engine::Verdict::kUnknown: what.clear(); break;
    case engine::Verdict::kUnproved:
      if (says_it_holds) what = result.reason.empty() ? std::string(page.may_fail) : "";
      break;
    case engine::Verdict::kViolated:
      if (what.empty()) what = page.may_fail;
      break;
  }
  return what.empty() || result.reason.empty() ? what + result.reason : what + ": " + result.reason;
}

}  // namespace concord::report
