// The answer of a whole run as bytes, for a later run with the same input. Only an answer of which every part is final: verified, or
// violated by a run that was executed. What is unproved or unknown may be so for lack of time, and is worked out again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "check/check.h"

namespace concord::check {

bool may_be_kept(const CheckResult& result);
std::string to_bytes(const CheckResult& result);
// None: these are no such bytes. Times are not kept: they are 0.
std::optional<CheckResult> from_bytes(std::string_view bytes);

}  // namespace concord::check
