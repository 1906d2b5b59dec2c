#include "engine/verdict.h"

namespace concord::engine {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified: return "verified";
    case Verdict::kUnknown: return "unknown";
    case Verdict::kUnproved: return "unproved";
    case Verdict::kViolated: return "violated";
  }
  return "unknown";
}

}  // namespace concord::engine
