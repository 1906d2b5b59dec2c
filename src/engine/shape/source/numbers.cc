#include "engine/shape/source/numbers.h"

#include <optional>

#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Sum as_sum(const Expr& expr) {
  const auto* it = std::get_if<BinaryExpr>(&expr.node);
  if (it == nullptr || (it->op != BinaryOp::kAdd && it->op != BinaryOp::kSub)) return {&expr, 0};
  const auto* right = std::get_if<IntLit>(&it->right->node);
  if (right != nullptr && is_small(right->value))
    return {it->left.get(), it->op == BinaryOp::kAdd ? right->value : -right->value};
  const auto* left = std::get_if<IntLit>(&it->left->node);
  if (left != nullptr && is_small(left->value) && it->op == BinaryOp::kAdd) return {it->right.get(), left->value};
  return {};
}

namespace {

class Finder {
 public:
  explicit Finder(const Program& program) : program_(program) {}

  Numbers run() {
    for (const Clause& it : program_.clauses) find_rising(it);
    std::size_t size = 0;
    do {
      size = count();
      for (std::size_t p = 0; p < program_.procedures.size(); ++p) follow(static_cast<int>(p));
    } while (count() != size);
    return std::move(out_);
  }

 private:
  std::size_t count() const { return out_.shared.size() + out_.fields.size() + out_.locals.size(); }

  // `\old(x) <= x`, `x <= x'`, or the same with the sides changed.
  void find_rising(const Clause& clause) {
    if (clause.kind != Clause::Kind::kEnvAssumption || clause.predicate.frame) return;
    const auto* it = std::get_if<BinaryExpr>(&clause.predicate.predicate->node);
    if (it == nullptr || (it->op != BinaryOp::kLe && it->op != BinaryOp::kGe)) return;
    const Expr* before = it->op == BinaryOp::kLe ? it->left.get() : it->right.get();
    const Expr* after = it->op == BinaryOp::kLe ? it->right.get() : it->left.get();
    const auto* old = std::get_if<OldExpr>(&before->node);
    const auto* name = std::get_if<NameExpr>(old != nullptr ? &old->operand->node : &before->node);
    const auto* same = std::get_if<NameExpr>(&after->node);
    if (name == nullptr || same == nullptr || name->primed || same->primed != (old == nullptr)) return;
    if (name->ref.kind != same->ref.kind || name->ref.index != same->ref.index) return;
    if (after->type.kind != Type::Kind::kInt) return;
    Numbers::Rising made;
    made.clause = &clause;
    if (name->ref.kind == Ref::Kind::kShared) {
      made.shared = name->ref.index;
      out_.shared.insert(made.shared);
    } else if (name->ref.kind == Ref::Kind::kField && clause.class_index >= 0) {
      const FieldHome home = field_home(program_, clause.class_index, name->ref.index);
      made.field = {home.class_index, home.place};
      out_.fields.insert(made.field);
    } else {
      return;
    }
    out_.rising.push_back(made);
  }

  bool is_kept(const Expr& target, int procedure) const {
    if (const int slot = local_slot(target); slot >= 0) return out_.locals.contains({procedure, slot});
    if (const auto* it = std::get_if<NameExpr>(&target.node))
      return it->ref.kind == Ref::Kind::kShared && out_.shared.contains(it->ref.index);
    if (const auto* it = std::get_if<FieldExpr>(&target.node); it != nullptr && it->kind == FieldExpr::Kind::kField) {
      const FieldHome home = field_home(program_, it->object->type.decl, it->index);
      return out_.fields.contains({home.class_index, home.place});
    }
    return false;
  }

  void keep(const Expr& value, int procedure) {
    const Expr* it = as_sum(value).term;
    if (it == nullptr || it->type.kind != Type::Kind::kInt) return;
    if (const int slot = local_slot(*it); slot >= 0) {
      out_.locals.emplace(procedure, slot);
    } else if (const auto* name = std::get_if<NameExpr>(&it->node);
               name != nullptr && name->ref.kind == Ref::Kind::kShared) {
      out_.shared.insert(name->ref.index);
    } else if (const auto* field = std::get_if<FieldExpr>(&it->node);
               field != nullptr && field->kind == FieldExpr::Kind::kField) {
      const FieldHome home = field_home(program_, field->object->type.decl, field->index);
      out_.fields.emplace(home.class_index, home.place);
    }
  }

  void follow(int procedure) {
    for_each_stmt(*program_.procedures[static_cast<std::size_t>(procedure)].body, [&](const Stmt& statement) {
      const Rhs* rhs = right_side(statement);
      bool is_wanted = false;
      if (const auto* it = std::get_if<LocalDecl>(&statement.node))
        is_wanted = out_.locals.contains({procedure, it->slot});
      if (const auto* it = std::get_if<Assign>(&statement.node)) is_wanted = is_kept(*it->target, procedure);
      if (is_wanted && rhs != nullptr) {
        if (const auto* value = std::get_if<ExprPtr>(rhs)) keep(**value, procedure);
        if (const auto* call = std::get_if<CallExpr>(rhs)) keep_returned(call->target.index);
      }
      const CallTarget* call = called(statement);
      for (std::size_t i = 0; call != nullptr && i < call->arguments.size(); ++i) {
        if (out_.locals.contains({call->index, static_cast<int>(i)})) keep(*call->arguments[i], procedure);
      }
    });
  }

  void keep_returned(int procedure) {
    for_each_stmt(*program_.procedures[static_cast<std::size_t>(procedure)].body, [&](const Stmt& statement) {
      const auto* it = std::get_if<Return>(&statement.node);
      if (it != nullptr && it->value) keep(*it->value, procedure);
    });
  }

  const Program& program_;
  Numbers out_;
};

}  // namespace

Numbers find_numbers(const Program& program) { return Finder(program).run(); }

}  // namespace concord::engine::shape::source
