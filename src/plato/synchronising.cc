#include "plato/synchronising.h"

#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::plato {

namespace {

// The variable or field that a lock expression is rooted in.
const Variable* root_of(const Program& program, const Expr& expr) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    return name->ref.kind == Ref::Kind::kShared ? &program.variables[name->ref.index] : nullptr;
  }
  if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
    return field->kind == FieldExpr::Kind::kField ? &field_of(program, field->object->type.decl, field->index)
                                                  : nullptr;
  }
  if (const auto* index = std::get_if<IndexExpr>(&expr.node)) return root_of(program, *index->base);
  return nullptr;
}

bool is_element(const Expr& expr) {
  const auto* index = std::get_if<IndexExpr>(&expr.node);
  return index != nullptr && (index->base->type.kind == Type::Kind::kArray || is_element(*index->base));
}

}  // namespace

Synchronising synchronising_locations(const Program& program) {
  Synchronising out;
  const auto add_location = [&](const Expr& expr) {
    (is_element(expr) ? out.elements : out.variables).insert(root_of(program, expr));
  };
  const auto add = [&](const Expr& expr) {
    if (expr.type.kind != Type::Kind::kClass) add_location(expr);
  };
  const auto add_cas = [&](const Rhs& rhs) {
    if (const auto* cas = std::get_if<CasExpr>(&rhs)) add_location(*cas->location);
  };
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const auto* it = std::get_if<Acquire>(&statement.node)) add(*it->lock);
      if (const auto* it = std::get_if<Release>(&statement.node)) add(*it->lock);
      if (const auto* it = std::get_if<CasSwap>(&statement.node)) add_location(*it->location);
      if (const auto* it = std::get_if<Assign>(&statement.node)) add_cas(it->value);
      if (const auto* it = std::get_if<LocalDecl>(&statement.node); it != nullptr && it->init) add_cas(*it->init);
    });
  }
  out.variables.erase(nullptr);
  out.elements.erase(nullptr);
  return out;
}

}  // namespace concord::plato
