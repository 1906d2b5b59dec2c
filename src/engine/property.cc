#include "engine/property.h"

#include <algorithm>

#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// The text of a range on one line.
std::string claim_text(const base::SourceMap& sources, base::SourceRange range) {
  std::string out;
  for (const char c : sources.text(range)) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

class Collector {
 public:
  Collector(const base::SourceMap& sources, const Program& program) : sources_(sources), program_(program) {}

  std::vector<Property> collect(const std::set<Kind>& on_request) {
    for (const Variable& variable : program_.variables) collect_variable(variable, on_request);
    for (const Class& it : program_.classes) {
      for (const Variable& field : it.fields) collect_variable(field, on_request);
    }
    for (const Clause& clause : program_.clauses) collect_clause(clause);
    for (const LockOrder& it : program_.lock_orders) add(Kind::kLockOrder, it.range, it.module);
    for (const AbstractThread& machine : program_.abstract_threads) {
      for (const AbstractThread::Node& node : machine.nodes) {
        if (node.assertion) add(Kind::kAssertion, node.assertion->range, machine.module);
      }
    }
    for (const Thread& thread : program_.threads) {
      if (thread.abstracted.index >= 0) add(Kind::kConformance, thread.abstracted.range, thread.module);
    }
    for (const Procedure& it : program_.procedures) {
      if (it.abstracted.index >= 0) add(Kind::kConformance, it.abstracted.range, it.module);
    }
    races_ = on_request.contains(Kind::kRace);
    ignored_ = on_request.contains(Kind::kIgnoredNotify);
    for (procedure_ = 0; procedure_ < std::ssize(program_.procedures); ++procedure_) collect_procedure();
    procedure_ = -1;
    for (const Kind kind : {Kind::kDeadlock, Kind::kCyclicDeadlock, Kind::kNestedMonitor, Kind::kTermination}) {
      if (on_request.contains(kind) && !program_.threads.empty())
        add(kind, program_.threads.front().range, program_.threads.front().module);
    }
    std::stable_sort(properties_.begin(), properties_.end(), [](const Property& a, const Property& b) {
      return std::tie(a.claim.file, a.claim.begin) < std::tie(b.claim.file, b.claim.begin);
    });
    return std::move(properties_);
  }

 private:
  void add(Kind kind, base::SourceRange claim, int module) {
    std::string id = property_id(sources_, kind, claim);
    if (!ids_.insert(id).second) return;
    properties_.push_back({std::move(id), kind, claim, claim_text(sources_, claim), procedure_, module});
  }

  void collect_variable(const Variable& variable, const std::set<Kind>& on_request) {
    for (const FieldClause& clause : variable.clauses) {
      const bool guarded = clause.kind == FieldClause::Kind::kGuardedBy;
      add(guarded ? Kind::kGuardedBy : Kind::kEnvAssumption, clause.range, variable.module);
    }
    if (variable.is_thread_local) add(Kind::kConfinement, variable.name_range, variable.module);
    if (on_request.contains(Kind::kRace) && may_race(variable)) add(Kind::kRace, variable.name_range, variable.module);
  }

  void collect_clause(const Clause& clause) {
    switch (clause.kind) {
      case Clause::Kind::kGlobalInvariant:
      case Clause::Kind::kMonitorInvariant: return add(Kind::kInvariant, clause.range, clause.module);
      case Clause::Kind::kEnvAssumption: return add(Kind::kEnvAssumption, clause.range, clause.module);
      case Clause::Kind::kGuarantee: return add(Kind::kGuarantee, clause.range, clause.module);
      case Clause::Kind::kFinally: return add(Kind::kFinalState, clause.range, clause.module);
      case Clause::Kind::kInitially: return;
    }
  }

  void collect_procedure() {
    const Procedure& procedure = program_.procedures[procedure_];
    module_ = procedure.module;
    for (const ExprPtr& it : procedure.contract.requires_) add(Kind::kPrecondition, it->range, module_);
    for (const ExprPtr& it : procedure.contract.ensures) add(Kind::kPostcondition, it->range, module_);
    for (const ExprPtr& it : procedure.contract.signals) add(Kind::kPostcondition, it->range, module_);
    for (const Action& it : procedure.contract.actions) add(Kind::kAbstractionStep, it.range, module_);
    if (procedure.contract.has_abstraction() && procedure.contract.actions.empty()) {
      add(Kind::kAbstractionStep, procedure.name_range, module_);
    }
    for_each_stmt(*procedure.body, [&](const Stmt& statement) { collect_statement(statement); });
  }

  void collect_statement(const Stmt& statement) {
    for_each_part(
        statement, [&](const Expr& expr) { for_each_expr(expr, [&](const Expr& part) { collect_implicit(part); }); },
        [](const Stmt&) {}, [](const CallTarget&) {});
    const auto lock = [&](const Expr& it) {
      if (it.type.kind == Type::Kind::kClass) add(Kind::kNullDereference, it.range, module_);
    };
    const auto loop = [&](const LoopSpec& spec) {
      for (const ExprPtr& it : spec.invariants) add(Kind::kLoopInvariant, it->range, module_);
    };
    if (const auto* it = std::get_if<Assert>(&statement.node)) add(kind_of(*it), statement.range, module_);
    if (const auto* it = std::get_if<Acquire>(&statement.node)) lock(*it->lock);
    if (const auto* it = std::get_if<Release>(&statement.node)) {
      lock(*it->lock);
      add(Kind::kMonitorState, statement.range, module_);
    }
    if (const auto* it = std::get_if<Wait>(&statement.node)) {
      lock(*it->lock);
      add(Kind::kMonitorState, statement.range, module_);
    }
    if (const auto* it = std::get_if<Notify>(&statement.node)) {
      lock(*it->lock);
      add(Kind::kMonitorState, statement.range, module_);
      if (ignored_) add(Kind::kIgnoredNotify, statement.range, module_);
    }
    if (const auto* it = std::get_if<Exclusive>(&statement.node); it != nullptr && it->body)
      add(Kind::kMutualExclusion, statement.range, module_);
    if (std::holds_alternative<Throw>(statement.node)) add(Kind::kNullDereference, statement.range, module_);
    if (std::holds_alternative<Join>(statement.node)) add(Kind::kThreadState, statement.range, module_);
    if (const auto* it = std::get_if<While>(&statement.node)) loop(it->spec);
    if (const auto* it = std::get_if<Loop>(&statement.node)) loop(it->spec);
    if (const auto* it = std::get_if<Direct>(&statement.node); it != nullptr && it->wrong_unless) {
      add(Kind::kAssertion, it->wrong_unless->range, module_);
    }
    if (!makes_array(statement)) return;
    add(Kind::kNegativeArraySize, statement.range, module_);
    if (races_) add(Kind::kRace, statement.range, module_);  // of elements that no variable leads to
  }

  // Expressions of program code that may have no value.
  void collect_implicit(const Expr& expr) {
    if (const auto* cast = std::get_if<CastExpr>(&expr.node)) {
      const Type& from = cast->operand->type;
      const bool may_fail = from.kind == Type::Kind::kClass && !is_subclass(program_, from.decl, cast->class_index);
      if (may_fail) add(Kind::kClassCast, expr.range, module_);
    }
    if (const auto* it = std::get_if<FieldExpr>(&expr.node)) {
      if (it->object->type.kind != Type::Kind::kMonitor) add(Kind::kNullDereference, expr.range, module_);
    } else if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
      if (index->base->type.kind != Type::Kind::kArray) return;
      add(Kind::kNullDereference, expr.range, module_);
      add(Kind::kArrayBounds, expr.range, module_);
    } else if (const auto* holds = std::get_if<HoldsExpr>(&expr.node)) {
      if (holds->lock->type.kind == Type::Kind::kClass) add(Kind::kNullDereference, expr.range, module_);
    } else if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) {
      if (unary->op == UnaryOp::kNonNull) add(Kind::kNullDereference, expr.range, module_);
    } else if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
      if (binary->op == BinaryOp::kDiv || binary->op == BinaryOp::kMod) add(Kind::kDivisionByZero, expr.range, module_);
    }
  }

  const base::SourceMap& sources_;
  const Program& program_;
  std::vector<Property> properties_;
  std::set<std::string> ids_;
  int procedure_ = -1;
  int module_ = 0;
  bool races_ = false;
  bool ignored_ = false;
};

std::set<Kind> asked_for(const Program& program, const std::set<Kind>& requested) {
  std::set<Kind> all = requested;
  for (const Check& check : program.checks) {
    for (const std::string& name : check.kinds) {
      if (const auto kind = diag::kind_named(name)) all.insert(*kind);
    }
  }
  return all;
}

}  // namespace

bool may_race(const Variable& variable) {
  if (variable.is_ghost || variable.is_unraced || variable.type.kind == Type::Kind::kMonitor) return false;
  const bool itself = !variable.is_volatile && !variable.is_final;
  return itself || variable.type.kind == Type::Kind::kArray;
}

Kind kind_of(const Assert& assertion) {
  return assertion.kind.empty() ? Kind::kAssertion : diag::kind_named(assertion.kind).value_or(Kind::kAssertion);
}

std::string property_id(const base::SourceMap& sources, Kind kind, base::SourceRange claim) {
  return std::string(diag::name(kind)) + "@" + sources.place(claim);
}

std::vector<Property> collect_properties(const base::SourceMap& sources, const Program& program,
                                         const std::set<Kind>& requested) {
  return Collector(sources, program).collect(asked_for(program, requested));
}

std::vector<Kind> kinds_not_checked(const Program& program, const std::set<Kind>& requested) {
  const std::set<Kind> all = asked_for(program, requested);
  std::vector<Kind> out;
  for (const diag::KindPage& page : diag::catalogue()) {
    if (page.on_request && page.is_missed && !all.contains(page.kind)) out.push_back(page.kind);
  }
  return out;
}

}  // namespace concord::engine
