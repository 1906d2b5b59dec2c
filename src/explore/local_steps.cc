#include "explore/local_steps.h"

#include <algorithm>

#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

LocalSteps::LocalSteps(const Machine& machine, bool are_joined, Defect defect)
    : machine_(machine),
      program_(machine.program()),
      are_joined_(are_joined && defect != Defect::kPastEnd),
      defect_(defect) {
  for (int p = 0; p < std::ssize(program_.procedures); ++p) is_recursive_.push_back(is_recursive(program_, p));
  for (int p = 0; p < std::ssize(program_.procedures); ++p) {
    const Flow& flow = machine.flow(p);
    std::vector<Where>& nodes = where_.emplace_back();
    for (int n = 0; n < std::ssize(flow.nodes); ++n) nodes.push_back(at(flow, n));
  }
}

bool LocalSteps::is_plain(const Transition& step) const {
  return (!step.failure || defect_ == Defect::kPastWrong) && !step.cut && step.breaches.empty() &&
         step.accesses.empty();
}

bool LocalSteps::are_next(const ThreadState& thread) const {
  if (thread.finished) return false;
  const bool is_watched = !thread.nodes.empty() || std::any_of(thread.frames.begin(), thread.frames.end(),
                                                               [](const Frame& it) { return !it.places.empty(); });
  if (is_watched && defect_ != Defect::kPastWatched) return false;
  if (machine_.is_in_region(thread) && defect_ != Defect::kInsideUnseen) return false;
  const Frame& frame = thread.frames.back();
  const Where where = where_[frame.procedure][frame.node];
  return where == Where::kAnywhere || (where == Where::kInside && thread.frames.size() > 1);
}

LocalSteps::Where LocalSteps::at(const Flow& flow, int node) const {
  Where out = Where::kAnywhere;
  for (const int at : nodes_at_once(flow, node)) {
    if (flow.nodes[at].loop != nullptr && defect_ != Defect::kPastRounds) return Where::kNowhere;
    for (const FlowEdge& edge : flow.nodes[at].edges) {
      if (edge.operation.kind != Operation::Kind::kSilent) out = std::min(out, of(flow, edge));
    }
  }
  return out;
}

LocalSteps::Where LocalSteps::of(const Flow& flow, const FlowEdge& edge) const {
  const Operation& operation = edge.operation;
  const Stmt* statement = operation.statement;
  const auto when = [](bool is_local) { return is_local ? Where::kAnywhere : Where::kNowhere; };
  const bool has_none = operation.kind == Operation::Kind::kCondition || operation.kind == Operation::Kind::kReturn;
  if (statement == nullptr && !has_none) return Where::kNowhere;
  if (statement != nullptr && !statement->sets.empty()) return Where::kNowhere;
  switch (operation.kind) {
    case Operation::Kind::kCondition: return when(is_local(*operation.condition));
    case Operation::Kind::kStatement: return when(is_local(*statement));
    case Operation::Kind::kCall: {
      const CallTarget& target = *called(*statement);
      return when(!target.is_within_requires && !is_recursive_[target.index] && are_local(target.arguments) &&
                  may_be_called(program_.procedures[target.index]));
    }
    case Operation::Kind::kReturn: {
      const ExprPtr* value = statement == nullptr ? nullptr : &std::get<Return>(statement->node).value;
      const bool is_local_result = value == nullptr || *value == nullptr || is_local(**value);
      if (!is_local_result || !may_be_left(*flow.procedure)) return Where::kNowhere;
      return are_joined_ ? Where::kInside : Where::kAnywhere;
    }
    default: return Where::kNowhere;
  }
}

// Its value depends on local variables and on nothing else.
bool LocalSteps::is_local(const Expr& expr) const {
  bool out = true;
  for_each_expr(expr, [&](const Expr& part) {
    const auto* name = std::get_if<NameExpr>(&part.node);
    const auto* index = std::get_if<IndexExpr>(&part.node);
    if (name != nullptr) {
      const bool is_fixed = name->ref.kind == Ref::Kind::kConst && program_.consts[name->ref.index].value != nullptr;
      out = out && (is_fixed || name->ref.kind == Ref::Kind::kLocal || name->ref.kind == Ref::Kind::kEnumConst);
    }
    out = out && (index == nullptr || index->base->type.kind != Type::Kind::kArray);
    out = out && !std::holds_alternative<FieldExpr>(part.node) && !std::holds_alternative<ThisExpr>(part.node) &&
          !std::holds_alternative<InstanceOf>(part.node) && !std::holds_alternative<CastExpr>(part.node) &&
          !std::holds_alternative<HoldsExpr>(part.node) && !std::holds_alternative<ShapeExpr>(part.node) &&
          !std::holds_alternative<QuantifierExpr>(part.node) && !std::holds_alternative<OldExpr>(part.node);
  });
  return out;
}

bool LocalSteps::are_local(const std::vector<ExprPtr>& list) const {
  return std::all_of(list.begin(), list.end(), [&](const ExprPtr& it) { return is_local(*it); });
}

bool LocalSteps::is_local(const Stmt& statement) const {
  const auto is_value = [&](const Rhs& it) {
    const auto* value = std::get_if<ExprPtr>(&it);
    return value != nullptr && is_local(**value);
  };
  if (const auto* it = std::get_if<LocalDecl>(&statement.node)) return !it->init || is_value(*it->init);
  if (const auto* it = std::get_if<Assign>(&statement.node)) return is_local(*it->target) && is_value(it->value);
  if (const auto* it = std::get_if<Assert>(&statement.node)) return is_local(*it->condition);
  if (const auto* it = std::get_if<Assume>(&statement.node)) return is_local(*it->condition);
  return std::holds_alternative<Skip>(statement.node);
}

bool LocalSteps::may_be_called(const Procedure& procedure) const {
  const Contract& contract = procedure.contract;
  return !contract.has_abstraction() && are_local(contract.requires_) && may_be_left(procedure);
}

// A postcondition with \old looks at the state that the procedure was called in.
bool LocalSteps::may_be_left(const Procedure& procedure) const {
  return are_local(procedure.contract.ensures) && are_local(procedure.contract.signals);
}

}  // namespace concord::explore
