// The answer about an annotated program, told of the program as it was.
#pragma once

#include <vector>

#include "base/edits.h"
#include "base/source.h"
#include "check/check.h"
#include "infer/candidates.h"

namespace concord::infer {

// Places, also those in messages, are those of the text without the edits; the candidates are no properties of it, but inferred.
check::CheckResult told_of_original(check::CheckResult result, const base::SourceMap& original,
                                    const base::Edits& edits, const std::vector<Candidate>& candidates);

}  // namespace concord::infer
