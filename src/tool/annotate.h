// Checks a program, and what cannot be proved of it once more with annotations that are found for it (src/infer).
#pragma once

#include "check/check.h"
#include "tool/input.h"
#include "tool/options.h"

namespace concord::tool {

// What the options and the front end ask for together.
check::CheckOptions asked_for(const Options& options, const Input& input, cache::Store* proofs);

// `texts`: of which `input` was read.
check::CheckResult check_or_infer(const Options& options, const Texts& texts, const Input& input, cache::Store* proofs,
                                  engine::Control& control);

}  // namespace concord::tool
