// Reachability: the closure of a function, as a predicate of its own, with code of its own.
//
// A closure is t(u, v) = TC(u, v) r: one step or more along the function r leads from u to v. What a step that changes r for one
// individual makes of it is known without looking at paths (Dong and Su, Maintaining transitive closure of graphs in SQL): edges that
// come are exact in any graph, and one that goes if its source is known to be on no cycle. Where more changes, or the source may be on
// one, the definition is evaluated anew for those that reach a source, which is sound and less precise; all others keep their values.
//
// From a closure follows what is reached from a variable: p(v) = ∃a: q(a) & (a == v | t(a, v)), and of a field or a local variable
// p(v) = ∃u, a: q(u, a) & (a == v | t(a, v)). And whether of two variables of one thread or object the first leads to the second:
// p(w) = ∃u, v: q(w, u) & r(w, v) & t(u, v).
#pragma once

#include <optional>

#include "engine/shape/definitions.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

struct Closure {
  int predicate = -1;
  int relation = -1;  // a function
  bool is_acyclic = false;
};

struct Reached {
  int predicate = -1;
  int from = -1;  // of one argument or of two
  bool is_from_relation = false;
  int closure = -1;
};

struct Ordered {
  int predicate = -1;
  int first = -1;  // functions
  int second = -1;
  int closure = -1;
};

// The predicate with this number, if its definition is such a one.
std::optional<Closure> closure_of(const System& system, int predicate);
std::optional<Reached> reached_of(const System& system, int predicate);
std::optional<Ordered> ordered_of(const System& system, int predicate);

// Their definitions.
FormulaPtr closure_definition(int relation, const Variable& from, const Variable& to);
FormulaPtr reached_definition(int from, bool is_from_relation, int closure, const Variable& whom);
FormulaPtr ordered_definition(int first, int second, int closure, const Variable& whose);

// The closure after its relation has changed so; what that may have changed of it. Both structures have the same individuals.
Touched settle(const Closure& closure, const Touched& relation, const Structure& before, Structure& after);
// Likewise; null: unchanged. Of a property `from` only its values count.
void settle(const Reached& reached, bool from_changes, const Touched* from, const Touched* closure,
            const Structure& before, Structure& after);
void settle(const Ordered& ordered, const Touched* first, const Touched* second, const Touched* closure,
            const Structure& before, Structure& after);

// What is known of the closure and what is known of the function sharpen each other.
struct Sharpened {
  bool is_broken = false;  // the structure represents nothing
  bool closure = false;    // something is known of it that was not
  bool relation = false;
};
Sharpened sharpen(const Closure& closure, Structure& structure);
// What is reached, and the closure from where it begins.
struct SharpenedReached {
  bool is_broken = false;
  bool reached = false;
  bool closure = false;
};
SharpenedReached sharpen(const Reached& reached, Structure& structure);
// What is ordered, the closure between the two, and who they are.
struct SharpenedOrdered {
  bool is_broken = false;
  bool ordered = false;
  bool closure = false;
  bool ends = false;
};
SharpenedOrdered sharpen(const Ordered& ordered, Structure& structure);

}  // namespace concord::engine::shape
