#include "plato/sums.h"

#include "plato/walk.h"

namespace concord::plato {

namespace {

bool is_variable(const Expr& expr, int depth) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kBound && name->ref.index == depth;
}

bool mentions(const Expr& expr, int depth) {
  bool out = false;
  for_each_expr(expr, [&](const Expr& part) { out = out || is_variable(part, depth); });
  return out;
}

}  // namespace

std::optional<SumBounds> sum_bounds(const SumExpr& sum, int depth) {
  const auto* both = std::get_if<BinaryExpr>(&sum.range->node);
  if (both == nullptr || both->op != BinaryOp::kAnd) return std::nullopt;
  SumBounds out;
  for (const Expr* half : {both->left.get(), both->right.get()}) {
    const auto* it = std::get_if<BinaryExpr>(&half->node);
    if (it == nullptr) return std::nullopt;
    const bool is_upwards = it->op == BinaryOp::kLt || it->op == BinaryOp::kLe;
    if (!is_upwards && it->op != BinaryOp::kGt && it->op != BinaryOp::kGe) return std::nullopt;
    const bool is_strict = it->op == BinaryOp::kLt || it->op == BinaryOp::kGt;
    const Expr& less = is_upwards ? *it->left : *it->right;
    const Expr& more = is_upwards ? *it->right : *it->left;
    const bool bounds_high = is_variable(less, depth);
    if (bounds_high == is_variable(more, depth)) return std::nullopt;
    const Expr& end = bounds_high ? more : less;
    if (mentions(end, depth)) return std::nullopt;
    (bounds_high ? out.high : out.low) = &end;
    (bounds_high ? out.has_high : out.has_low) = !is_strict;
  }
  if (out.low == nullptr || out.high == nullptr) return std::nullopt;
  return out;
}

}  // namespace concord::plato
