// What an expression means in a state: a term, and under which conditions it has a value (docs/plato.md, section 4).
#pragma once

#include <string>
#include <vector>

#include "diag/kinds.h"
#include "replay/terms.h"

namespace concord::replay {

// Where an expression is evaluated.
struct View {
  const State* state = nullptr;
  const Term* locals = nullptr;  // of the procedure, its first
  Term tid = nullptr;            // in code
  Term index = nullptr;          // in the arguments of a thread declaration
};

// An implicit assertion: an expression has no value unless it holds.
struct Condition {
  Term holds = nullptr;
  diag::Kind kind = diag::Kind::kDivisionByZero;
  base::SourceRange at;
  bool is_quantified = false;  // about elements that may be looked at in any order
};

// Something that has a value: a local or shared variable, or an entry of a map.
struct Place {
  bool is_local = false;
  int index = -1;
  Half half = Half::kValue;
  std::vector<Term> keys;
};

class Meaning {
 public:
  Meaning(Terms& terms, View view) : terms_(terms), view_(view) {}

  Term value(const plato::Expr& expr);
  // As what goes to a place of that type.
  Term value_as(const plato::Expr& expr, const plato::Type& type);
  Place place(const plato::Expr& expr);
  Place lock(const plato::Expr& expr, Half half);
  Term read(const Place& place) const;
  // It has a value, which is true.
  Term clause(const plato::Expr& expr);

  std::vector<Condition> conditions;
  std::vector<Term> facts;  // what types say of what was read

 private:
  Pool& pool() const { return terms_.pool(); }
  void require(Term holds, diag::Kind kind, base::SourceRange at);
  Term guarded(Term formula) { return pool().implies(pool().and_(guards_), formula); }
  Term under(Term guard, const plato::Expr& expr);
  Term typed(Term value, const plato::Type& type);
  Term name(const plato::Expr& expr, const plato::NameExpr& it);
  Term binary(const plato::Expr& expr, const plato::BinaryExpr& it);
  Term equal(const plato::Expr& expr, const plato::BinaryExpr& it);
  Term quotient(const plato::Expr& expr, const plato::BinaryExpr& it);
  Term quantified(const plato::QuantifierExpr& it);
  Term sum(const plato::SumExpr& it);
  Term wrapped(Term value, plato::Range range, bool is_near = false);
  Term as_int(Term value) { return terms_.has_java_ints() ? wrapped(value, kJavaInts) : value; }
  Term fixed_width(const plato::Expr& expr, const plato::WrapExpr& it);
  void bind_conditions(std::size_t from, const std::vector<Term>& bound, Term range);

  Terms& terms_;
  const View view_;
  std::vector<Term> bound_;
  std::vector<Term> guards_;
};

// The map with the entry at the end of the keys changed.
Term with_entry(Pool& pool, Term whole, const std::vector<Term>& keys, Term value, std::size_t from = 0);

}  // namespace concord::replay
