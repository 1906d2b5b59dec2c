// Re-checks a saved proof: works out from the program which premises its rules need, and shows each of them again.
//
// Nothing is believed but the text of the program. The steps, their path conditions and updates are derived anew, a premise that the proof
// does not have makes it wrong, and each leaf is the sequent that the rule demands, given to another solver than the one that found it.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/verdict.h"
#include "replay/proof.h"

namespace concord::replay {

struct Options {
  bool trusts = false;  // what the other solver does not know is believed if the first one shows it, and listed
  std::chrono::milliseconds solver_timeout{10000};
};

// What is wrong with a step of the proof, or could not be decided.
struct Finding {
  base::SourceRange at;  // in the proof
  std::string what;
};

struct Answer {
  engine::Verdict verdict = engine::Verdict::kUnknown;
  std::vector<Finding> findings;    // why it is not verified
  std::string malformed;            // the proof is not well-formed: for stderr
  std::vector<std::string> proved;  // ids of properties
  std::vector<std::string> left;    // ids of those that a final condition and the like has, and the proof not
  std::vector<Finding> trusted;     // leaves that one solver alone has shown
  std::vector<std::string> assumptions;
  std::string solver;                              // that re-checks
  std::map<std::string, std::int64_t> statistics;  // "steps", "branches", "leaves"
};

// Throws smt::CannotRun.
Answer check(const Proof& proof, const Options& options, engine::Control& control);

}  // namespace concord::replay
