// A proof that was found, as text that a checker can read which knows nothing of this engine (docs/proofs.md).
#pragma once

#include <string>

#include "engine/dynamic/invariant.h"

namespace concord::engine::dynamic {

struct Saved {
  std::string text;     // empty: it cannot be written
  std::string trouble;  // why, if something is proved
};

// Of what `results` says is verified.
Saved save_proof(const Task& task, System& system, const Invariant& invariant,
                 const std::vector<PropertyResult>& results);

}  // namespace concord::engine::dynamic
