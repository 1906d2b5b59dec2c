// Pieces of syntax trees that are made; names and types in them are resolved afterwards.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plato/syntax.h"

namespace concord::engine::dynamic {

inline plato::ExprPtr make(plato::Expr::Node node, base::SourceRange range) {
  auto out = std::make_unique<plato::Expr>();
  out->node = std::move(node);
  out->range = range;
  return out;
}
inline plato::ExprPtr make_name(std::string name, base::SourceRange range) {
  return make(plato::NameExpr{std::move(name), false, {}}, range);
}
inline plato::ExprPtr make_number(std::int64_t value, base::SourceRange range) {
  return make(plato::IntLit{value}, range);
}
inline plato::ExprPtr make_truth(bool value, base::SourceRange range) { return make(plato::BoolLit{value}, range); }
inline const bool* truth_of(const plato::Expr& expr) {
  const auto* literal = std::get_if<plato::BoolLit>(&expr.node);
  return literal == nullptr ? nullptr : &literal->value;
}
inline plato::ExprPtr make_binary(plato::BinaryOp op, plato::ExprPtr left, plato::ExprPtr right,
                                  base::SourceRange range) {
  return make(plato::BinaryExpr{op, std::move(left), std::move(right)}, range);
}
// With truth values that are known left out.
plato::ExprPtr make_not(plato::ExprPtr operand, base::SourceRange range);
plato::ExprPtr make_connective(plato::BinaryOp op, plato::ExprPtr left, plato::ExprPtr right, base::SourceRange range);
plato::ExprPtr make_all(std::vector<plato::ExprPtr> parts, base::SourceRange range);
inline plato::ExprPtr make_element(plato::ExprPtr map, plato::ExprPtr index, base::SourceRange range) {
  return make(plato::IndexExpr{std::move(map), std::move(index), false}, range);
}
// low <= value && value < high
plato::ExprPtr make_within(plato::ExprPtr low, const plato::Expr& value, plato::ExprPtr high, base::SourceRange range);

inline plato::StmtPtr make_statement(plato::Stmt::Node node, base::SourceRange range) {
  auto out = std::make_unique<plato::Stmt>();
  out->node = std::move(node);
  out->range = range;
  return out;
}
inline plato::StmtPtr make_block(std::vector<plato::StmtPtr> statements, base::SourceRange range) {
  return make_statement(plato::Block{std::move(statements)}, range);
}
inline plato::StmtPtr make_local(std::string name, plato::Type type, plato::ExprPtr value, base::SourceRange range) {
  plato::LocalDecl out;
  out.name = std::move(name);
  out.name_range = range;
  out.type = std::move(type);
  if (value) out.init = plato::Rhs(std::move(value));
  return make_statement(std::move(out), range);
}
inline plato::StmtPtr make_assignment(plato::ExprPtr target, plato::ExprPtr value, base::SourceRange range) {
  return make_statement(plato::Assign{std::move(target), plato::Rhs(std::move(value))}, range);
}
inline plato::StmtPtr make_assert(plato::ExprPtr condition, std::string kind, base::SourceRange range) {
  return make_statement(plato::Assert{std::move(condition), std::move(kind), range}, range);
}

inline plato::Type type_of_lengths() { return plato::type_of_kind(plato::Type::Kind::kInt); }
plato::Type type_of_elements(const plato::Type& element);

}  // namespace concord::engine::dynamic
