#include "engine/dynamic/made.h"

#include "plato/copy.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

ExprPtr make_not(ExprPtr operand, SourceRange range) {
  if (const bool* known = truth_of(*operand)) return make_truth(!*known, range);
  return make(UnaryExpr{UnaryOp::kNot, std::move(operand)}, range);
}

ExprPtr make_connective(BinaryOp op, ExprPtr left, ExprPtr right, SourceRange range) {
  const bool* first = truth_of(*left);
  const bool* second = truth_of(*right);
  if (op == BinaryOp::kAnd) {
    if (first != nullptr) return *first ? std::move(right) : std::move(left);
    if (second != nullptr && *second) return left;
  } else if (op == BinaryOp::kOr) {
    if (first != nullptr) return *first ? std::move(left) : std::move(right);
    if (second != nullptr && !*second) return left;
  } else if (op == BinaryOp::kImplies) {
    if (first != nullptr) return *first ? std::move(right) : make_truth(true, range);
    if (second != nullptr && *second) return right;
  }
  return make_binary(op, std::move(left), std::move(right), range);
}

ExprPtr make_all(std::vector<ExprPtr> parts, SourceRange range) {
  ExprPtr out = make_truth(true, range);
  for (ExprPtr& it : parts) out = make_connective(BinaryOp::kAnd, std::move(out), std::move(it), range);
  return out;
}

ExprPtr make_within(ExprPtr low, const Expr& value, ExprPtr high, SourceRange range) {
  return make_connective(BinaryOp::kAnd, make_binary(BinaryOp::kLe, std::move(low), copy(value), range),
                         make_binary(BinaryOp::kLt, copy(value), std::move(high), range), range);
}

Type type_of_elements(const Type& element) {
  Type out = type_of_kind(Type::Kind::kMap);
  out.first = std::make_shared<const Type>(type_of_kind(Type::Kind::kInt));
  out.second = std::make_shared<const Type>(element);
  return out;
}

}  // namespace concord::engine::dynamic
