#include "plato/copy.h"

#include <optional>
#include <utility>

#include "base/overloaded.h"

namespace concord::plato {

namespace {

ExprPtr one(const ExprPtr& it) { return it ? copy(*it) : nullptr; }
StmtPtr one(const StmtPtr& it) { return it ? copy(*it) : nullptr; }

std::optional<std::vector<ExprPtr>> maybe(const std::optional<std::vector<ExprPtr>>& list) {
  if (!list) return std::nullopt;
  return copy(*list);
}

}  // namespace

ExprPtr copy(const Expr& expr) {
  auto out = std::make_unique<Expr>();
  out->range = expr.range;
  out->type = expr.type;
  std::visit(base::Overloaded{
                 [&](const FieldExpr& it) {
                   out->node = FieldExpr{one(it.object), it.field, it.primed, it.field_range, it.kind, it.index};
                 },
                 [&](const IndexExpr& it) {
                   out->node = IndexExpr{one(it.base), one(it.index), it.primed};
                 },
                 [&](const UnaryExpr& it) {
                   out->node = UnaryExpr{it.op, one(it.operand)};
                 },
                 [&](const BinaryExpr& it) {
                   out->node = BinaryExpr{it.op, one(it.left), one(it.right)};
                 },
                 [&](const ConditionalExpr& it) {
                   out->node = ConditionalExpr{one(it.condition), one(it.then), one(it.otherwise)};
                 },
                 [&](const OldExpr& it) { out->node = OldExpr{one(it.operand)}; },
                 [&](const QuantifierExpr& it) {
                   out->node = QuantifierExpr{it.is_forall, it.variables, one(it.body)};
                 },
                 [&](const SumExpr& it) {
                   out->node = SumExpr{it.variable, one(it.range), one(it.body)};
                 },
                 [&](const SetLit& it) { out->node = SetLit{copy(it.elements)}; },
                 [&](const MapConst& it) { out->node = MapConst{one(it.value)}; },
                 [&](const MapUpdate& it) {
                   out->node = MapUpdate{one(it.map), one(it.key), one(it.value)};
                 },
                 [&](const SizeExpr& it) { out->node = SizeExpr{one(it.set)}; },
                 [&](const InstanceOf& it) {
                   out->node = InstanceOf{one(it.thread), it.procedure, it.procedure_range, it.index, it.class_index};
                 },
                 [&](const CastExpr& it) {
                   out->node = CastExpr{one(it.operand), it.class_name, it.class_range, it.class_index};
                 },
                 [&](const WrapExpr& it) {
                   out->node = WrapExpr{one(it.operand), it.bits, it.is_signed};
                 },
                 [&](const FloatExpr& it) {
                   out->node = FloatExpr{it.op, one(it.left), one(it.right)};
                 },
                 [&](const HoldsExpr& it) { out->node = HoldsExpr{one(it.lock)}; },
                 [&](const ShapeExpr& it) {
                   out->node = ShapeExpr{it.kind, one(it.from), it.field, it.field_range, one(it.to), it.index};
                 },
                 [&](const auto& leaf) { out->node = leaf; },
             },
             expr.node);
  return out;
}

std::vector<ExprPtr> copy(const std::vector<ExprPtr>& list) {
  std::vector<ExprPtr> out;
  out.reserve(list.size());
  for (const ExprPtr& it : list) out.push_back(one(it));
  return out;
}

Contract copy(const Contract& contract) {
  Contract out;
  out.requires_ = copy(contract.requires_);
  out.ensures = copy(contract.ensures);
  out.signals = copy(contract.signals);
  if (contract.modifies) out.modifies = copy(*contract.modifies);
  for (const Action& it : contract.actions) {
    out.actions.push_back({it.name, copy(it.also_modifies), copy(*it.ensures), it.uses_old, it.range});
  }
  out.is_inline = contract.is_inline;
  return out;
}

TwoState copy(const TwoState& predicate) {
  return {one(predicate.predicate), maybe(predicate.frame), predicate.uses_old, predicate.range};
}

// ----------------------------------------------------------------------------------------------------------- statements

namespace {

CallTarget copied(const CallTarget& it) {
  CallTarget out;
  out.procedure = it.procedure;
  out.procedure_range = it.procedure_range;
  out.arguments = copy(it.arguments);
  out.range = it.range;
  out.index = it.index;
  out.catches = it.catches;
  out.catch_range = it.catch_range;
  out.catch_slot = it.catch_slot;
  out.is_within_requires = it.is_within_requires;
  return out;
}

Rhs copied_value(const Rhs& value) {
  return std::visit(base::Overloaded{
                        [](const ExprPtr& it) -> Rhs { return one(it); },
                        [](const NewObject& it) -> Rhs {
                          NewObject out;
                          out.class_name = it.class_name;
                          out.class_range = it.class_range;
                          for (const NewObject::Init& init : it.inits) {
                            out.inits.push_back({init.field, init.range, one(init.value), init.index});
                          }
                          out.class_index = it.class_index;
                          return Rhs(std::move(out));
                        },
                        [](const NewArray& it) -> Rhs {
                          return NewArray{it.element, one(it.size)};
                        },
                        [](const CasExpr& it) -> Rhs {
                          return CasExpr{one(it.location), one(it.expected), one(it.value)};
                        },
                        [](const CallExpr& it) -> Rhs { return CallExpr{copied(it.target)}; },
                        [](const StartExpr& it) -> Rhs { return StartExpr{copied(it.target)}; },
                    },
                    value);
}

LoopSpec copied(const LoopSpec& it) { return {copy(it.invariants), maybe(it.modifies)}; }

GhostSet copied(const GhostSet& it) { return {one(it.target), one(it.value), it.range}; }

std::vector<StmtPtr> copied(const std::vector<StmtPtr>& list) {
  std::vector<StmtPtr> out;
  out.reserve(list.size());
  for (const StmtPtr& it : list) out.push_back(one(it));
  return out;
}

Stmt::Node copied_node(const Stmt::Node& node) {
  using Node = Stmt::Node;
  return std::visit(base::Overloaded{
                        [](const Block& it) -> Node { return Block{copied(it.statements)}; },
                        [](const LocalDecl& it) -> Node {
                          LocalDecl out{it.name, it.name_range, it.type, std::nullopt, it.slot};
                          if (it.init) out.init = copied_value(*it.init);
                          return Node(std::move(out));
                        },
                        [](const Assign& it) -> Node {
                          return Assign{one(it.target), copied_value(it.value)};
                        },
                        [](const If& it) -> Node {
                          return If{one(it.condition), one(it.then), one(it.otherwise)};
                        },
                        [](const While& it) -> Node {
                          return While{one(it.condition), copied(it.spec), one(it.body)};
                        },
                        [](const Choose& it) -> Node { return Choose{copied(it.branches)}; },
                        [](const Loop& it) -> Node {
                          return Loop{copied(it.spec), one(it.body)};
                        },
                        [](const Labeled& it) -> Node {
                          return Labeled{it.label, it.label_range, one(it.body)};
                        },
                        [](const Break& it) -> Node { return it; },
                        [](const Continue& it) -> Node { return it; },
                        [](const Return& it) -> Node { return Return{one(it.value)}; },
                        [](const Throw& it) -> Node { return Throw{one(it.value)}; },
                        [](const Assert& it) -> Node {
                          return Assert{one(it.condition), it.kind, it.kind_range};
                        },
                        [](const Assume& it) -> Node {
                          return Assume{one(it.condition), it.is_await};
                        },
                        [](const Havoc& it) -> Node {
                          return Havoc{copy(it.targets), one(it.low), one(it.high)};
                        },
                        [](const CasSwap& it) -> Node {
                          return CasSwap{one(it.location), one(it.expected), one(it.value)};
                        },
                        [](const Acquire& it) -> Node { return Acquire{one(it.lock)}; },
                        [](const Release& it) -> Node { return Release{one(it.lock)}; },
                        [](const Wait& it) -> Node { return Wait{one(it.lock)}; },
                        [](const Notify& it) -> Node {
                          return Notify{one(it.lock), it.all};
                        },
                        [](const Start& it) -> Node { return Start{copied(it.target)}; },
                        [](const Join& it) -> Node { return Join{one(it.thread)}; },
                        [](const Call& it) -> Node { return Call{copied(it.target)}; },
                        [](const Atomic& it) -> Node {
                          return Atomic{one(it.body), it.trusted};
                        },
                        [](const Exclusive& it) -> Node {
                          return Exclusive{it.region, it.region_range, one(it.body)};
                        },
                        [](const Skip& it) -> Node { return it; },
                        [](const Initialised& it) -> Node { return it; },
                        [](const Direct& it) -> Node {
                          return Direct{one(it.wrong_unless), copy(it.action)};
                        },
                        [](const Unsupported& it) -> Node {
                          return Unsupported{it.reason, it.reason_range, copy(it.targets)};
                        },
                        [](const SetStmt& it) -> Node { return SetStmt{copied(it.set)}; },
                    },
                    node);
}

}  // namespace

StmtPtr copy(const Stmt& statement) {
  auto out = std::make_unique<Stmt>();
  out->node = copied_node(statement.node);
  out->range = statement.range;
  for (const GhostSet& it : statement.sets) out->sets.push_back(copied(it));
  out->witness = statement.witness;
  out->witness_range = statement.witness_range;
  out->may_block = statement.may_block;
  out->waivers = statement.waivers;
  out->is_assertion_waived = statement.is_assertion_waived;
  return out;
}

// --------------------------------------------------------------------------------------------------------- declarations

namespace {

Variable copied(const Variable& it) {
  Variable out;
  out.name = it.name;
  out.type = it.type;
  out.init = one(it.init);
  out.is_ghost = it.is_ghost;
  out.is_abstract = it.is_abstract;
  out.is_volatile = it.is_volatile;
  out.is_thread_local = it.is_thread_local;
  out.is_unraced = it.is_unraced;
  out.is_final = it.is_final;
  for (const FieldClause& clause : it.clauses) {
    out.clauses.push_back({clause.kind, clause.bound, one(clause.expr), clause.range});
  }
  out.waivers = it.waivers;
  out.range = it.range;
  out.name_range = it.name_range;
  out.module = it.module;
  return out;
}

Class copied(const Class& it) {
  Class out;
  out.name = it.name;
  out.extends = it.extends;
  out.extends_range = it.extends_range;
  out.base = it.base;
  for (const Variable& field : it.fields) out.fields.push_back(copied(field));
  out.clauses = it.clauses;
  out.range = it.range;
  out.name_range = it.name_range;
  out.module = it.module;
  return out;
}

Procedure copied(const Procedure& it) {
  Procedure out;
  out.name = it.name;
  out.parameters = it.parameters;
  out.result = it.result;
  out.throws = it.throws;
  out.contract = copy(it.contract);
  out.abstracted = it.abstracted;
  out.body = one(it.body);
  out.locals = it.locals;
  out.waivers = it.waivers;
  out.range = it.range;
  out.name_range = it.name_range;
  out.end_range = it.end_range;
  out.module = it.module;
  return out;
}

Thread copied(const Thread& it) {
  Thread out;
  out.count = it.count;
  out.number = it.number;
  out.has_brackets = it.has_brackets;
  out.symbol = it.symbol;
  out.symbol_range = it.symbol_range;
  out.const_index = it.const_index;
  out.name = it.name;
  out.target = copied(it.target);
  out.abstracted = it.abstracted;
  out.waivers = it.waivers;
  out.range = it.range;
  out.module = it.module;
  return out;
}

AbstractThread copied(const AbstractThread& it) {
  AbstractThread out;
  out.name = it.name;
  out.idle = it.idle;
  for (const AbstractThread::Node& node : it.nodes) {
    out.nodes.push_back({node.name, node.initial, one(node.assertion), node.range});
  }
  for (const AbstractThread::Edge& edge : it.edges) {
    out.edges.push_back({edge.from, edge.to, edge.from_range, edge.to_range, copy(edge.step), edge.from_index,
                         edge.to_index, edge.range});
  }
  out.range = it.range;
  out.name_range = it.name_range;
  out.module = it.module;
  return out;
}

}  // namespace

Program copy(const Program& program) {
  Program out;
  out.modules = program.modules;
  out.enums = program.enums;
  for (const Class& it : program.classes) out.classes.push_back(copied(it));
  for (const Const& it : program.consts) {
    out.consts.push_back({it.name, it.type, one(it.value), it.range, it.name_range, it.module});
  }
  for (const Variable& it : program.variables) out.variables.push_back(copied(it));
  for (const Clause& it : program.clauses) {
    out.clauses.push_back({it.kind, copy(it.predicate), it.class_index, it.waivers, it.range, it.module});
  }
  for (const LockOrder& it : program.lock_orders) {
    out.lock_orders.push_back({one(it.before), one(it.after), one(it.when), it.bound, it.waivers, it.range, it.module});
  }
  for (const Procedure& it : program.procedures) out.procedures.push_back(copied(it));
  for (const Thread& it : program.threads) out.threads.push_back(copied(it));
  for (const AbstractThread& it : program.abstract_threads) out.abstract_threads.push_back(copied(it));
  out.checks = program.checks;
  out.initialiser = program.initialiser;
  return out;
}

}  // namespace concord::plato
