#include "simulation/monitors.h"

#include <algorithm>
#include <set>

#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

class Finder {
 public:
  explicit Finder(const Program& program) {
    for_each_whole_expr(program, [&](const Expr& expr, int owner) { look_at(expr, owner); });
    for (const Variable& it : program.variables) look_at(it);
    for (const Class& it : program.classes) {
      for (const Variable& field : it.fields) look_at(field);
    }
    for (const LockOrder& it : program.lock_orders) is_lock(it.before), is_lock(it.after);
    for (const Procedure& it : program.procedures) {
      for_each_stmt(*it.body, [&](const Stmt& statement) { look_at(statement); });
    }
    for (std::size_t c = 0; c < program.classes.size() && may_lock_all_; ++c) used.insert(static_cast<int>(c));
    // An invariant that holds while a monitor is free.
    for (const Clause& it : program.clauses) {
      if (it.kind != Clause::Kind::kMonitorInvariant) continue;
      if (std::any_of(used.begin(), used.end(), [&](int c) { return is_subclass(program, c, it.class_index); }))
        used.insert(it.class_index);
    }
  }

  std::set<int> used;  // classes

 private:
  void is_lock(const ExprPtr& lock) {
    if (lock && lock->type.kind == Type::Kind::kClass) used.insert(lock->type.decl);
  }

  // `owner`: whose clause it is; the monitor that has no other name is that of its objects.
  void look_at(const Expr& expr, int owner) {
    for_each_expr(expr, [&](const Expr& part) {
      if (const auto* it = std::get_if<HoldsExpr>(&part.node)) is_lock(it->lock);
      const auto* field = std::get_if<FieldExpr>(&part.node);
      if (field != nullptr && (field->kind == FieldExpr::Kind::kHolder || field->kind == FieldExpr::Kind::kDepth))
        is_lock(field->object);
      const auto* name = std::get_if<NameExpr>(&part.node);
      if (name != nullptr &&
          (name->ref.kind == Ref::Kind::kMonitorHolder || name->ref.kind == Ref::Kind::kMonitorDepth))
        used.insert(owner);
    });
  }

  void look_at(const Variable& variable) {
    for (const FieldClause& it : variable.clauses) {
      if (it.kind == FieldClause::Kind::kGuardedBy) is_lock(it.expr);
    }
  }

  bool may_lock_all_ = false;

  void look_at(const Stmt& statement) {
    may_lock_all_ = may_lock_all_ || may_do_anything(statement);
    if (const auto* it = std::get_if<Acquire>(&statement.node)) is_lock(it->lock);
    if (const auto* it = std::get_if<Release>(&statement.node)) is_lock(it->lock);
    if (const auto* it = std::get_if<Wait>(&statement.node)) is_lock(it->lock);
    if (const auto* it = std::get_if<Notify>(&statement.node)) is_lock(it->lock);
  }
};

}  // namespace

std::vector<int> monitor_classes(const Program& program) {
  const std::set<int> used = Finder(program).used;
  std::vector<int> out(program.classes.size(), -1);
  for (std::size_t c = 0; c < out.size(); ++c) {
    for (int at = static_cast<int>(c); at >= 0; at = program.classes[static_cast<std::size_t>(at)].base) {
      if (used.contains(at)) out[c] = at;
    }
  }
  return out;
}

}  // namespace concord::simulation
