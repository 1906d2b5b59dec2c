// Walking the tree without writing a visitor: the children of an expression, the parts of a statement.
//
// A new node kind must be added here or the code does not compile; users of the walkers then see it for free.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/overloaded.h"
#include "plato/syntax.h"

namespace concord::plato {

// Calls visit(const Expr&) for each direct child, in source order.
template <class Visit>
void for_each_child(const Expr& expr, Visit&& visit) {
  const auto one = [&](const ExprPtr& child) {
    if (child) visit(std::as_const(*child));
  };
  std::visit(base::Overloaded{
                 [](const IntLit&) {},
                 [](const BoolLit&) {},
                 [](const NullLit&) {},
                 [](const NoneLit&) {},
                 [](const TidExpr&) {},
                 [](const ThisExpr&) {},
                 [](const ResultExpr&) {},
                 [](const ThreadIndex&) {},
                 [](const Star&) {},
                 [](const NameExpr&) {},
                 [&](const FieldExpr& it) { one(it.object); },
                 [&](const IndexExpr& it) { one(it.base), one(it.index); },
                 [&](const UnaryExpr& it) { one(it.operand); },
                 [&](const BinaryExpr& it) { one(it.left), one(it.right); },
                 [&](const ConditionalExpr& it) { one(it.condition), one(it.then), one(it.otherwise); },
                 [&](const OldExpr& it) { one(it.operand); },
                 [&](const QuantifierExpr& it) { one(it.body); },
                 [&](const SumExpr& it) { one(it.range), one(it.body); },
                 [&](const SetLit& it) {
                   for (const ExprPtr& element : it.elements) one(element);
                 },
                 [&](const MapConst& it) { one(it.value); },
                 [&](const MapUpdate& it) { one(it.map), one(it.key), one(it.value); },
                 [&](const SizeExpr& it) { one(it.set); },
                 [&](const InstanceOf& it) { one(it.thread); },
                 [&](const HoldsExpr& it) { one(it.lock); },
                 [&](const ShapeExpr& it) { one(it.from), one(it.to); },
                 [&](const WrapExpr& it) { one(it.operand); },
                 [&](const CastExpr& it) { one(it.operand); },
                 [](const FloatLit&) {},
                 [&](const FloatExpr& it) { one(it.left), one(it.right); },
             },
             expr.node);
}

// Calls visit(const Expr&) for the expression and everything below it, parents first.
template <class Visit>
void for_each_expr(const Expr& expr, Visit&& visit) {
  visit(expr);
  for_each_child(expr, [&](const Expr& child) { for_each_expr(child, visit); });
}

// The conjuncts of `a && b && …`, in order; the expression itself if it is no conjunction.
inline void collect_conjuncts(const Expr& expr, std::vector<const Expr*>& out) {
  const auto* binary = std::get_if<BinaryExpr>(&expr.node);
  if (binary == nullptr || binary->op != BinaryOp::kAnd) return out.push_back(&expr);
  collect_conjuncts(*binary->left, out);
  collect_conjuncts(*binary->right, out);
}

inline bool mentions_result(const Expr& expr) {
  bool out = false;
  for_each_expr(expr, [&](const Expr& part) { out = out || std::holds_alternative<ResultExpr>(part.node); });
  return out;
}

// The local variable that the expression is, or -1.
inline int local_slot(const Expr& expr) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kLocal ? name->ref.index : -1;
}

// What the parts of a statement are to it.
template <class OnExpr, class OnStmt, class OnCall>
void for_each_part(const Stmt& statement, OnExpr&& on_expr, OnStmt&& on_stmt, OnCall&& on_call) {
  const auto expr = [&](const ExprPtr& it) {
    if (it) on_expr(std::as_const(*it));
  };
  const auto exprs = [&](const std::vector<ExprPtr>& list) {
    for (const ExprPtr& it : list) expr(it);
  };
  const auto stmt = [&](const StmtPtr& it) {
    if (it) on_stmt(std::as_const(*it));
  };
  const auto call = [&](const CallTarget& it) {
    exprs(it.arguments);
    on_call(it);
  };
  const auto rhs = [&](const Rhs& it) {
    std::visit(base::Overloaded{
                   [&](const ExprPtr& value) { expr(value); },
                   [&](const NewObject& value) {
                     for (const NewObject::Init& init : value.inits) expr(init.value);
                   },
                   [&](const NewArray& value) { expr(value.size); },
                   [&](const CasExpr& value) { expr(value.location), expr(value.expected), expr(value.value); },
                   [&](const CallExpr& value) { call(value.target); },
                   [&](const StartExpr& value) { call(value.target); },
               },
               it);
  };
  std::visit(base::Overloaded{
                 [&](const Block& it) {
                   for (const StmtPtr& inner : it.statements) stmt(inner);
                 },
                 [&](const LocalDecl& it) {
                   if (it.init) rhs(*it.init);
                 },
                 [&](const Assign& it) { expr(it.target), rhs(it.value); },
                 [&](const If& it) { expr(it.condition), stmt(it.then), stmt(it.otherwise); },
                 [&](const While& it) { expr(it.condition), stmt(it.body); },
                 [&](const Choose& it) {
                   for (const StmtPtr& branch : it.branches) stmt(branch);
                 },
                 [&](const Loop& it) { stmt(it.body); },
                 [&](const Labeled& it) { stmt(it.body); },
                 [](const Break&) {},
                 [](const Continue&) {},
                 [&](const Return& it) { expr(it.value); },
                 [&](const Throw& it) { expr(it.value); },
                 [&](const Assert& it) { expr(it.condition); },
                 [&](const Assume& it) { expr(it.condition); },
                 [&](const Havoc& it) { exprs(it.targets), expr(it.low), expr(it.high); },
                 [&](const CasSwap& it) { expr(it.location), expr(it.expected), expr(it.value); },
                 [&](const Acquire& it) { expr(it.lock); },
                 [&](const Release& it) { expr(it.lock); },
                 [&](const Wait& it) { expr(it.lock); },
                 [&](const Notify& it) { expr(it.lock); },
                 [&](const Start& it) { call(it.target); },
                 [&](const Join& it) { expr(it.thread); },
                 [&](const Call& it) { call(it.target); },
                 [&](const Atomic& it) { stmt(it.body); },
                 [&](const Exclusive& it) { stmt(it.body); },
                 [](const Skip&) {},
                 [](const Initialised&) {},
                 [&](const Direct& it) {
                   expr(it.wrong_unless), expr(it.action.predicate);
                   if (it.action.frame) exprs(*it.action.frame);
                 },
                 [&](const Unsupported& it) { exprs(it.targets); },
                 [&](const SetStmt& it) { expr(it.set.target), expr(it.set.value); },
             },
             statement.node);
  for (const GhostSet& set : statement.sets) expr(set.target), expr(set.value);
}

// What stands right of `=` in the statement, or null.
inline const Rhs* right_side(const Stmt& statement) {
  const auto* declared = std::get_if<LocalDecl>(&statement.node);
  if (declared != nullptr) return declared->init ? &*declared->init : nullptr;
  const auto* assigned = std::get_if<Assign>(&statement.node);
  return assigned == nullptr ? nullptr : &assigned->value;
}

// Calls visit(const Expr&) for what the statement may assign to, without statements below it, the local variable that it
// declares, and the one that catches an exception.
template <class Visit>
void for_each_target(const Stmt& statement, Visit&& visit) {
  const auto all = [&](const std::vector<ExprPtr>& targets) {
    for (const ExprPtr& it : targets) visit(std::as_const(*it));
  };
  if (const auto* it = std::get_if<Assign>(&statement.node)) visit(std::as_const(*it->target));
  if (const Rhs* value = right_side(statement); value != nullptr) {
    if (const auto* it = std::get_if<CasExpr>(value)) visit(std::as_const(*it->location));
  }
  if (const auto* it = std::get_if<Havoc>(&statement.node)) all(it->targets);
  if (const auto* it = std::get_if<CasSwap>(&statement.node)) {  // which swaps
    visit(std::as_const(*it->location));
    visit(std::as_const(*it->value));
  }
  if (const auto* it = std::get_if<Direct>(&statement.node); it != nullptr && it->action.frame) all(*it->action.frame);
  if (const auto* it = std::get_if<Unsupported>(&statement.node)) all(it->targets);
  if (const auto* it = std::get_if<SetStmt>(&statement.node)) visit(std::as_const(*it->set.target));
  for (const GhostSet& it : statement.sets) visit(std::as_const(*it.target));
}

// Nothing is known of what happens here.
inline bool may_do_anything(const Stmt& statement) {
  const auto* it = std::get_if<Unsupported>(&statement.node);
  return it != nullptr && it->targets.empty();
}

// Where in its body, on the outermost level, a procedure has `initialised`.
inline std::optional<std::size_t> initialised_at(const Procedure& procedure) {
  const auto* body = std::get_if<Block>(&procedure.body->node);
  for (std::size_t i = 0; body != nullptr && i < body->statements.size(); ++i) {
    if (std::holds_alternative<Initialised>(body->statements[i]->node)) return i;
  }
  return {};
}

// `a = new T[n]`.
inline bool makes_array(const Stmt& statement) {
  const auto* declared = std::get_if<LocalDecl>(&statement.node);
  const auto* assigned = std::get_if<Assign>(&statement.node);
  return (assigned != nullptr && std::holds_alternative<NewArray>(assigned->value)) ||
         (declared != nullptr && declared->init && std::holds_alternative<NewArray>(*declared->init));
}

// Calls visit(const Stmt&) for the statement and everything below it, parents first.
template <class Visit>
void for_each_stmt(const Stmt& statement, Visit&& visit) {
  visit(statement);
  for_each_part(
      statement, [](const Expr&) {}, [&](const Stmt& inner) { for_each_stmt(inner, visit); }, [](const CallTarget&) {});
}

// Calls visit(const Expr&, int) for every expression of the program that is not part of another, with the class whose `this` it
// speaks of, or -1: in declarations, clauses, contracts and statements.
template <class Visit>
void for_each_whole_expr(const Program& program, Visit&& visit) {
  const auto one = [&](const ExprPtr& it, int owner) {
    if (it) visit(std::as_const(*it), owner);
  };
  const auto all = [&](const std::vector<ExprPtr>& list, int owner) {
    for (const ExprPtr& it : list) one(it, owner);
  };
  const auto variable = [&](const Variable& it, int owner) {
    one(it.init, owner);
    for (const FieldClause& clause : it.clauses) one(clause.expr, owner);
  };
  const auto loop = [&](const LoopSpec& it) {
    all(it.invariants, -1);
    if (it.modifies) all(*it.modifies, -1);
  };
  for (const Variable& it : program.variables) variable(it, -1);
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    for (const Variable& it : program.classes[c].fields) variable(it, static_cast<int>(c));
  }
  for (const Clause& it : program.clauses) {
    one(it.predicate.predicate, it.class_index);
    if (it.predicate.frame) all(*it.predicate.frame, it.class_index);
  }
  for (const LockOrder& it : program.lock_orders) one(it.before, -1), one(it.after, -1), one(it.when, -1);
  for (const Thread& it : program.threads) all(it.target.arguments, -1);
  for (const Procedure& procedure : program.procedures) {
    const Contract& contract = procedure.contract;
    all(contract.requires_, -1), all(contract.ensures, -1), all(contract.signals, -1);
    if (contract.modifies) all(*contract.modifies, -1);
    for (const Action& it : contract.actions) all(it.also_modifies, -1), one(it.ensures, -1);
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      for_each_part(
          statement, [&](const Expr& expr) { visit(expr, -1); }, [](const Stmt&) {}, [](const CallTarget&) {});
      if (const auto* it = std::get_if<While>(&statement.node)) loop(it->spec);
      if (const auto* it = std::get_if<Loop>(&statement.node)) loop(it->spec);
    });
  }
}

}  // namespace concord::plato
