// Formulas made by hand.
#pragma once

#include <utility>
#include <vector>

#include "engine/shape/formula.h"

namespace concord::engine::shape {

inline FormulaPtr make(Formula::Kind kind, std::vector<Variable> variables, std::vector<FormulaPtr> parts) {
  auto out = std::make_shared<Formula>();
  out->kind = kind;
  out->variables = std::move(variables);
  out->parts = std::move(parts);
  return out;
}

inline FormulaPtr constant(Kleene value) {
  auto out = std::make_shared<Formula>();
  out->value = value;
  return out;
}

inline FormulaPtr atom(int predicate, std::vector<Variable> variables) {
  auto out = std::make_shared<Formula>();
  out->kind = Formula::Kind::kAtom;
  out->predicate = predicate;
  out->variables = std::move(variables);
  return out;
}

inline FormulaPtr equal(Variable a, Variable b) {
  return make(Formula::Kind::kEqual, {std::move(a), std::move(b)}, {});
}

// Without two negations in a row.
inline FormulaPtr negation(const FormulaPtr& it) {
  return it->kind == Formula::Kind::kNot ? it->parts.front() : make(Formula::Kind::kNot, {}, {it});
}

inline FormulaPtr conjunction(std::vector<FormulaPtr> parts) {
  if (parts.empty()) return constant(Kleene::kTrue);
  return parts.size() == 1 ? parts.front() : make(Formula::Kind::kAnd, {}, std::move(parts));
}

inline FormulaPtr disjunction(std::vector<FormulaPtr> parts) {
  if (parts.empty()) return constant(Kleene::kFalse);
  return parts.size() == 1 ? parts.front() : make(Formula::Kind::kOr, {}, std::move(parts));
}

inline FormulaPtr exists(std::vector<Variable> variables, const FormulaPtr& body) {
  return variables.empty() ? body : make(Formula::Kind::kExists, std::move(variables), {body});
}

inline FormulaPtr forall(std::vector<Variable> variables, const FormulaPtr& body) {
  return variables.empty() ? body : make(Formula::Kind::kForall, std::move(variables), {body});
}

inline FormulaPtr conditional(const FormulaPtr& test, const FormulaPtr& then, const FormulaPtr& otherwise) {
  return make(Formula::Kind::kIf, {}, {test, then, otherwise});
}

}  // namespace concord::engine::shape
