// The four verdicts (worst last in the sense of the command line: violated, unproved, unknown, verified).
#pragma once

#include <string>
#include <string_view>

namespace concord::engine {

enum class Verdict {
  kVerified,  // for every schedule and input, under the assumptions listed
  kUnknown,   // undecided: time, memory, bounds, unsupported construct; the reason says which
  kUnproved,  // no proof and no real run that breaks it; vacuous specifications too
  kViolated,  // a real run breaks it
};

std::string_view name(Verdict verdict);  // "verified", …
inline Verdict worst(Verdict a, Verdict b) { return a < b ? b : a; }

}  // namespace concord::engine
