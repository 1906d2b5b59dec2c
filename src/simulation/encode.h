// Plato expressions as terms.
//
// An expression may have no value (null.f, a[9], x / 0): the encoder collects, beside the term, under which conditions it
// has one. In program code these are the implicit assertions; a clause holds if it has a value and that is true.
// It also collects facts: what is true of the parts that were read because the language guarantees it (a reference is null
// or exists, a length is not negative, a 32-bit integer is in its range).
#pragma once

#include <string>
#include <vector>

#include "diag/kinds.h"
#include "simulation/world.h"

namespace concord::simulation {

// A construct that this engine cannot put into logic; named to the user.
struct Unsupported {
  base::SourceRange range;
  std::string what;
};

// Makes terms of sums over the integers from `low` up to but without `high`.
class Summing {
 public:
  virtual ~Summing() = default;
  virtual Term sum(Term bound, Term low, Term high, Term body) = 0;
};

// What the names in an expression mean.
struct Scene {
  bool two_state = false;      // else everything is about the current state
  bool uses_old = false;       // two states: plain is after and \old before; else plain is before and primed after
  std::vector<Term> entry;     // for \old in a postcondition: the parts at entry, by number; empty: the step's `before`
  bool now_is_before = false;  // one state: that before the step
  const std::vector<Term>* locals = nullptr;
  const std::vector<Term>* locals_before = nullptr;  // direct operations: before the step
  Term tid = nullptr;
  Term self = nullptr;  // `this`
  int self_class = -1;  // the class that the clause is in
  Term result = nullptr;
  Term thread_index = nullptr;
  std::vector<Term> bound;  // of the clause itself, outermost
  Summing* sums = nullptr;  // null: sums are not supported
};

// An implicit assertion.
struct Check {
  Term holds = nullptr;
  diag::Kind kind = diag::Kind::kNullDereference;
  base::SourceRange range;
  bool is_independent = false;  // of the other checks of a quantifier: its elements may come in any order
};

// A read or write of a variable, field or element by program code, for guarded_by and races.
struct Access {
  const plato::Variable* variable = nullptr;  // null: an element of an array
  Term object = nullptr;                      // of a field; the array
  int owner = -1;                             // the class that declares the field
  Term when = nullptr;                        // only then
  std::vector<Term> bound = {};               // in a quantifier: for all of these
  Term key = nullptr;                         // of the entry of a map, or the index; null: all of it
  bool is_write = false;
};

// A shared location or local variable.
struct Place {
  bool is_local = false;
  int index = -1;          // part, or slot
  std::vector<Term> keys;  // object, array and index, map keys
};

class Encoder {
 public:
  Encoder(World& world, Scene scene);

  Term value(const plato::Expr& expr);
  Term holds(const plato::Expr& expr) { return value(expr); }
  // The value, of the type that the place it goes to has: `null`, `{}` and `map(e)` take their type from there.
  Term value_as(const plato::Expr& expr, const plato::Type& type);
  Place place(const plato::Expr& expr);
  // The same, of what is written.
  Place target(const plato::Expr& expr);
  Term read(const Place& place, bool after) const;
  // The holder (a term of sort Thread) or the depth of a lock: `l` of acquire and release.
  Place lock_part(const plato::Expr& lock, World::Half half, bool& is_monitor) {
    return lock_part(lock, half, is_monitor, lock.range);
  }
  // `at` is where dereferencing null counts.
  Place lock_part(const plato::Expr& lock, World::Half half, bool& is_monitor, base::SourceRange at);

  // What has been collected.
  std::vector<Check> checks;
  std::vector<Term> facts;
  std::vector<Term> bound_facts;  // that speak of a quantified variable from outside; whoever binds it quantifies them
  std::vector<Access> accesses;   // only if `log_accesses`
  bool log_accesses = false;

  // Everything a clause needs: it has a value, which is true.
  Term clause(const plato::Expr& expr);
  Term all_checks() const;
  // Those that must hold if evaluating came to an end; of the elements of a quantifier some may not have been looked at.
  Term definite_checks() const;
  Term all_facts() const;

 private:
  Pool& pool() const { return world_.pool(); }
  Term part(int index, bool after) const;
  bool is_after(bool primed) const { return !scene_.two_state || (scene_.uses_old ? !in_old_ : primed); }

  int own_class() const;
  Term instance_of(const plato::InstanceOf& it);
  Term cast(const plato::Expr& expr, const plato::CastExpr& it);
  Term name(const plato::Expr& expr, const plato::NameExpr& it);
  Term field(const plato::Expr& expr, const plato::FieldExpr& it);
  Term binary(const plato::Expr& expr, const plato::BinaryExpr& it);
  Term arithmetic(const plato::Expr& expr, const plato::BinaryExpr& it);
  Term set_operation(const plato::BinaryExpr& it);
  Term quantifier(const plato::QuantifierExpr& it);
  Term sum(const plato::Expr& expr, const plato::SumExpr& it);
  Term wrapped(Term value);
  Term wrapped_to(const plato::WrapExpr& it);
  Term floating(const plato::FloatExpr& it, const plato::Type& type);
  Term bits(const plato::BinaryExpr& it);
  void bits_facts(plato::BinaryOp op, Term a, Term b, Term out);
  Term divided(Term a, Term b);
  Term remainder(Term a, Term b);

  void check(Term holds, diag::Kind kind, base::SourceRange range);
  void check_object(Term object, const plato::Type& type, bool after, base::SourceRange range);
  void fact(Term fact, bool even_if_bound = false);
  // `exists`: the object that has the field or element does; of others nothing is known.
  void type_facts(Term value, const plato::Type& type, bool after, Term exists);
  void length_facts(Term length);
  void monitor_facts(Term holder, Term depth, Term exists);
  Term read_place(const plato::Expr& expr, bool after);
  Term owner_exists(const Place& place, bool after);
  Term is_allocated(const plato::Type& type, Term object, bool after);
  void log(Access access);
  Term under_guard(Term formula);

  World& world_;
  Scene scene_;
  bool in_old_ = false;
  std::vector<Term> guards_;
  bool is_target_ = false;     // the place that is looked for next is written
  std::size_t last_root_ = 0;  // the access to the variable, field or element that the last place is in
};

// m with the entry at the end of the keys changed.
Term with_value(Pool& pool, Term whole, const std::vector<Term>& keys, Term value, std::size_t from = 0);

}  // namespace concord::simulation
