#include "simulation/counters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "plato/walk.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

BinaryOp turned_around(BinaryOp op) {
  switch (op) {
    case BinaryOp::kLt: return BinaryOp::kGt;
    case BinaryOp::kLe: return BinaryOp::kGe;
    case BinaryOp::kGt: return BinaryOp::kLt;
    case BinaryOp::kGe: return BinaryOp::kLe;
    default: return op;
  }
}

class Finder {
 public:
  Finder(const Flow& flow, int head) : flow_(flow) {
    for (const int node : loop_nodes(flow, head)) {
      for (const FlowEdge& edge : flow_.nodes[static_cast<std::size_t>(node)].edges) look_at(edge.operation);
    }
  }

  std::vector<Counter> find() {
    std::vector<Counter> out;
    for (const auto& [slot, values] : assigned_) {
      if (flow_.procedure->locals[static_cast<std::size_t>(slot)].type.kind != Type::Kind::kInt) continue;
      bool grows = true;
      bool shrinks = true;
      for (const Expr* value : values) {
        const std::optional<int> by = change(slot, value);
        grows = grows && by && *by > 0;
        shrinks = shrinks && by && *by < 0;
      }
      if (!grows && !shrinks) continue;
      out.push_back({slot, grows, {}});
      for (const Expr* condition : conditions_) {
        for_each_expr(*condition, [&](const Expr& part) { add_limit(part, out.back()); });
      }
    }
    return out;
  }

 private:
  void look_at(const Operation& operation) {
    if (operation.kind == Operation::Kind::kCondition) {
      if (!std::holds_alternative<Star>(operation.condition->node)) conditions_.push_back(operation.condition);
      return;
    }
    if (operation.statement == nullptr) return;
    if (const auto* it = std::get_if<LocalDecl>(&operation.statement->node)) {
      assign(it->slot, it->init ? &*it->init : nullptr);
    } else if (const auto* assignment = std::get_if<Assign>(&operation.statement->node)) {
      assign(local_slot(*assignment->target), &assignment->value);
    }
  }

  void assign(int slot, const Rhs* value) {
    if (slot < 0) return;
    const auto* expr = value == nullptr ? nullptr : std::get_if<ExprPtr>(value);
    assigned_[slot].push_back(expr == nullptr ? nullptr : expr->get());
    if (expr != nullptr && (*expr)->type.kind == Type::Kind::kBool) conditions_.push_back(expr->get());
  }

  // By how much the value differs from that of the local variable.
  std::optional<int> change(int slot, const Expr* value) const {
    if (value == nullptr) return {};
    if (const auto* wrap = std::get_if<WrapExpr>(&value->node)) value = wrap->operand.get();
    const auto* sum = std::get_if<BinaryExpr>(&value->node);
    if (sum == nullptr || (sum->op != BinaryOp::kAdd && sum->op != BinaryOp::kSub)) return {};
    const auto* literal = std::get_if<IntLit>(&sum->right->node);
    constexpr int kMost = 1000;
    if (literal == nullptr || literal->value <= 0 || literal->value > kMost || !is_copy(slot, *sum->left)) return {};
    const auto by = static_cast<int>(literal->value);
    return sum->op == BinaryOp::kAdd ? by : -by;
  }

  bool is_copy(int slot, const Expr& expr) const {
    const int read = local_slot(expr);
    if (read == slot) return true;
    const auto found = assigned_.find(read);
    return read >= 0 && found != assigned_.end() &&
           std::all_of(found->second.begin(), found->second.end(),
                       [&](const Expr* it) { return it != nullptr && local_slot(*it) == slot; });
  }

  // A local variable that the loop does not assign, the length of such an array, or a number.
  bool stays(const Expr& expr) const {
    if (std::holds_alternative<IntLit>(expr.node)) return true;
    if (const int slot = local_slot(expr); slot >= 0) return !assigned_.contains(slot);
    const auto* field = std::get_if<FieldExpr>(&expr.node);
    return field != nullptr && field->kind == FieldExpr::Kind::kLength && stays(*field->object);
  }

  // The field that is read into this local variable, and nothing else is; null: that is not so.
  const Expr* field_read(const Expr& expr) const {
    const auto found = assigned_.find(local_slot(expr));
    if (found == assigned_.end() || found->second.size() != 1 || found->second.front() == nullptr) return nullptr;
    const auto* field = std::get_if<FieldExpr>(&found->second.front()->node);
    const bool is_field = field != nullptr && field->kind == FieldExpr::Kind::kField && stays(*field->object);
    return is_field ? found->second.front() : nullptr;
  }

  void add_limit(const Expr& expr, Counter& out) const {
    const auto* comparison = std::get_if<BinaryExpr>(&expr.node);
    if (comparison == nullptr) return;
    const bool is_left = is_copy(out.slot, *comparison->left);
    if (!is_left && !is_copy(out.slot, *comparison->right)) return;
    const Expr& other = is_left ? *comparison->right : *comparison->left;
    const Expr* field = stays(other) ? nullptr : field_read(other);
    if (!stays(other) && field == nullptr) return;
    int beyond = 0;
    switch (is_left ? comparison->op : turned_around(comparison->op)) {
      case BinaryOp::kEq:
      case BinaryOp::kNe: break;
      case BinaryOp::kLt:
      case BinaryOp::kGe: beyond = out.grows ? 0 : 1; break;
      case BinaryOp::kLe:
      case BinaryOp::kGt: beyond = out.grows ? 1 : 0; break;
      default: return;
    }
    out.limits.push_back({field == nullptr ? &other : field, field != nullptr, beyond});
  }

  const Flow& flow_;
  std::map<int, std::vector<const Expr*>> assigned_;  // by slot: what, null if that is no expression
  std::vector<const Expr*> conditions_;
};

}  // namespace

std::vector<Counter> counters(const Flow& flow, int head) { return Finder(flow, head).find(); }

}  // namespace concord::simulation
