// Definitions of instrumentation predicates that are so common that they are worth code of their own.
#pragma once

#include <optional>
#include <vector>

#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

struct CommonDefinition {
  enum class Kind {
    kHasTarget,  // p(u) = ∃v r(u, v)
    kIsTarget,   // p(v) = ∃u r(u, v)
    kIsShared,   // p(v) = ∃u, w: u != w & r(u, v) & r(w, v)
    kIsMutual,   // p(u) = ∃v r(u, v) & q(v, u), of a function r
    kIsSame,     // p(u) = ∃v r(u, v) & q(u, v), of functions r and q
  };
  Kind kind;
  int relation = -1;
  int other = -1;  // kIsMutual, kIsSame: q
};

// The definition of the predicate, if it is one of these.
std::optional<CommonDefinition> common_definition(const System& system, const Predicate& predicate);

// For each individual those that make the definition hold of it.
void lines(const Structure& structure, const CommonDefinition& definition, Row* out);
// What the lines say by themselves.
inline Kleene said_by(CommonDefinition::Kind kind, const Row& line, Bits summaries) {
  if (kind != CommonDefinition::Kind::kIsShared)
    return line.must != 0 ? Kleene::kTrue : line.may == 0 ? Kleene::kFalse : Kleene::kUnknown;
  if ((line.must & (line.must - 1)) != 0) return Kleene::kTrue;
  const bool is_one = (line.may & (line.may - 1)) == 0 && (line.may & summaries) == 0;
  return is_one ? Kleene::kFalse : Kleene::kUnknown;
}

// What an update may have changed of a relation: by first argument, the second ones for which it may have come to hold, or ceased to.
// (That a value is unknown before and after does not mean that it is the same.)
struct Touched {
  std::vector<Bits> comes;
  std::vector<Bits> goes;
};

// The defined predicate after the relations have changed: what was known of it stays known where nothing changed, or changed only in its
// favour. `relation` and `other` may be null: unchanged. Both structures have the same individuals.
void settle(const CommonDefinition& definition, int predicate, const Touched* relation, const Touched* other,
            const Structure& before, Structure& after);

}  // namespace concord::engine::shape
