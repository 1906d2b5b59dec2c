// Values of expressions, in one state or about a step (docs/plato.md, section 4).
#pragma once

#include <cstdint>
#include <vector>

#include "diag/kinds.h"
#include "state.h"

namespace concord::agree {

// Thrown by an expression without a value. In code the run goes wrong there; in a clause it counts as a breach.
struct Undefined {
  diag::Kind kind;
  base::SourceRange range;
};

// A store with the locals of the procedure at hand.
struct World {
  const Store* store = nullptr;
  const Locals* locals = nullptr;
};

// What an expression speaks of. Plain names are in `now`, primed ones in `primed`, those inside \old in `old`.
struct Scene {
  const Program* program = nullptr;
  World now;
  World primed;
  World old;
  std::int64_t tid = 0;
  std::int64_t self = 0;                      // `this`
  std::int64_t thread_index = 0;              // `index`
  const Value* result = nullptr;              // \result
  std::vector<Value> bound;                   // quantified variables, outermost first
  std::vector<Location>* accesses = nullptr;  // in code: the variables, fields and elements that are read
};

Scene one_state(const Program& program, const Store& store, const Locals& locals, std::int64_t tid);
// A predicate about a step: primes, or \old for before and plain for after.
Scene two_states(const Program& program, World before, World after, bool uses_old, std::int64_t tid);

Value evaluate(const Expr& expr, const Scene& scene);
// Of a clause: false too if the expression has no value.
bool holds(const Expr& expr, const Scene& scene);

// The place an assignable expression, a frame's item or a lock stands for. A lock that is an object is its monitor.
Location locate(const Expr& expr, const Scene& scene);
Location locate_lock(const Expr& expr, const Scene& scene);
// Whose is it? A plain lock is a tid, the others are monitors; both have the holder in Value::number.
std::int64_t holder(const Store& store, const Location& lock);

// Integers that a quantifier over int, or an implicitly bound integer of lock_order, tries.
inline constexpr std::int64_t kQuantifiedLow = -12;
inline constexpr std::int64_t kQuantifiedHigh = 12;

}  // namespace concord::agree
