#include "simulation/quantified.h"

#include <algorithm>

#include "plato/walk.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// Over objects of a class, or arrays.
bool is_over_objects(const QuantifierExpr& it) {
  return std::any_of(it.variables.begin(), it.variables.end(), [](const BoundVariable& bound) {
    return bound.type.kind == Type::Kind::kClass || bound.type.kind == Type::Kind::kArray;
  });
}

class Finder {
 public:
  explicit Finder(const Program& program) {
    for_each_whole_expr(program, [&](const Expr& expr, int owner) {
      look_at(expr, owner >= 0);
      look_for_some(expr, true);
    });
  }

  Quantified out;

 private:
  // `is_of_all`: the expression speaks of every object of some class.
  void look_at(const Expr& expr, bool is_of_all) {
    if (const auto* it = std::get_if<QuantifierExpr>(&expr.node)) is_of_all = is_of_all || is_over_objects(*it);
    const auto* index = std::get_if<IndexExpr>(&expr.node);
    if (is_of_all && index != nullptr && index->base->type.kind == Type::Kind::kArray)
      out.arrays.push_back(index->base->type);
    for_each_child(expr, [&](const Expr& child) { look_at(child, is_of_all); });
  }

  // `is_positive`: the more often it is true the more often the whole is.
  void look_for_some(const Expr& expr, bool is_positive) {
    if (const auto* it = std::get_if<QuantifierExpr>(&expr.node)) {
      if (is_over_objects(*it) && it->is_forall != is_positive) out.asks_for_some = true;
      return look_for_some(*it->body, is_positive);
    }
    if (const auto* it = std::get_if<BinaryExpr>(&expr.node)) {
      if (it->op == BinaryOp::kAnd || it->op == BinaryOp::kOr || it->op == BinaryOp::kImplies) {
        look_for_some(*it->left, is_positive != (it->op == BinaryOp::kImplies));
        return look_for_some(*it->right, is_positive);
      }
    }
    if (const auto* it = std::get_if<UnaryExpr>(&expr.node); it != nullptr && it->op == UnaryOp::kNot)
      return look_for_some(*it->operand, !is_positive);
    // Whatever else a truth value is used for may ask either way.
    for_each_expr(expr, [&](const Expr& part) {
      const auto* it = std::get_if<QuantifierExpr>(&part.node);
      out.asks_for_some = out.asks_for_some || (it != nullptr && is_over_objects(*it));
    });
  }
};

}  // namespace

Quantified quantified(const Program& program) { return Finder(program).out; }

}  // namespace concord::simulation
