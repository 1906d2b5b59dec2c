#include "plato/observed.h"

#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::plato {

Observed::Observed(const Program& program) : program_(program) {
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    const int number = static_cast<int>(p);
    const Procedure& procedure = program.procedures[p];
    for_each_stmt(*procedure.body, [&](const Stmt& it) { visit(it, number); });
    const Contract& contract = procedure.contract;
    if (contract.requires_.empty() && contract.ensures.empty() && contract.signals.empty() &&
        !contract.has_abstraction())
      continue;
    for (std::size_t slot = 0; slot < procedure.locals.size(); ++slot)
      places_.insert({Kind::kLocal, {number, static_cast<int>(slot)}});
    places_.insert({Kind::kResult, {number, 0}});
  }
  for_each_whole_expr(program, [&](const Expr& whole, int owner) {
    if (!in_code_.contains(&whole)) look(whole, -1, owner);
  });
  propagate();
}

bool Observed::find(const Expr& expr, int procedure, int owner, Place& place) const {
  if (const auto* it = std::get_if<NameExpr>(&expr.node)) {
    if (it->ref.kind == Ref::Kind::kShared) place = {Kind::kShared, {it->ref.index, 0}};
    if (it->ref.kind == Ref::Kind::kLocal) place = {Kind::kLocal, {procedure, it->ref.index}};
    if (it->ref.kind == Ref::Kind::kField && owner >= 0) {
      const FieldHome home = field_home(program_, owner, it->ref.index);
      place = {Kind::kField, {home.class_index, home.place}};
    }
    return it->ref.kind == Ref::Kind::kShared || it->ref.kind == Ref::Kind::kLocal || it->ref.kind == Ref::Kind::kField;
  }
  const auto* it = std::get_if<FieldExpr>(&expr.node);
  if (it == nullptr || it->kind != FieldExpr::Kind::kField) return false;
  const FieldHome home = field_home(program_, it->object->type.decl, it->index);
  place = {Kind::kField, {home.class_index, home.place}};
  return true;
}

void Observed::look(const Expr& expr, int procedure, int owner) {
  for_each_expr(expr, [&](const Expr& part) {
    Place place;
    if (find(part, procedure, owner, place)) places_.insert(place);
    if (const auto* it = std::get_if<ShapeExpr>(&part.node)) {
      const FieldHome home = field_home(program_, it->from->type.decl, it->index);
      places_.insert({Kind::kField, {home.class_index, home.place}});
    }
  });
}

// Only what the value is a field of is looked at.
void Observed::move(const Expr& from, int procedure, const Place& to) {
  Place place;
  if (!find(from, procedure, -1, place)) return;
  comes_from_[to].push_back(place);
  moved_.insert(&from);
}

void Observed::pass(const CallTarget& call, int procedure) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    move(*call.arguments[i], procedure, {Kind::kLocal, {call.index, static_cast<int>(i)}});
}

// `target`: an expression, or null.
void Observed::move(const Rhs& from, int procedure, const Expr* target, const Place& to) {
  if (const auto* value = std::get_if<ExprPtr>(&from)) move(**value, procedure, to);
  if (const auto* made = std::get_if<NewObject>(&from)) {
    for (const NewObject::Init& it : made->inits) {
      const FieldHome home = field_home(program_, made->class_index, it.index);
      move(*it.value, procedure, {Kind::kField, {home.class_index, home.place}});
    }
  }
  if (const auto* call = std::get_if<CallExpr>(&from)) {
    pass(call->target, procedure);
    comes_from_[to].push_back({Kind::kResult, {call->target.index, 0}});
  }
  if (const auto* started = std::get_if<StartExpr>(&from)) pass(started->target, procedure);
  if (target != nullptr) moved_.insert(target);
}

void Observed::visit(const Stmt& statement, int procedure) {
  Place to;
  if (const auto* it = std::get_if<LocalDecl>(&statement.node); it != nullptr && it->init)
    move(*it->init, procedure, nullptr, {Kind::kLocal, {procedure, it->slot}});
  if (const auto* it = std::get_if<Assign>(&statement.node); it != nullptr && find(*it->target, procedure, -1, to))
    move(it->value, procedure, it->target.get(), to);
  if (const auto* it = std::get_if<SetStmt>(&statement.node);
      it != nullptr && find(*it->set.target, procedure, -1, to)) {
    move(*it->set.value, procedure, to);
    moved_.insert(it->set.target.get());
  }
  if (const auto* it = std::get_if<Return>(&statement.node); it != nullptr && it->value)
    move(*it->value, procedure, {Kind::kResult, {procedure, 0}});
  if (const auto* it = std::get_if<Call>(&statement.node)) pass(it->target, procedure);
  if (const auto* it = std::get_if<Start>(&statement.node)) pass(it->target, procedure);
  for_each_part(
      statement,
      [&](const Expr& whole) {
        in_code_.insert(&whole);
        if (!moved_.contains(&whole)) return look(whole, procedure, -1);
        for_each_child(whole, [&](const Expr& part) { look(part, procedure, -1); });
      },
      [](const Stmt&) {}, [](const CallTarget&) {});
}

void Observed::propagate() {
  std::vector<Place> todo(places_.begin(), places_.end());
  while (!todo.empty()) {
    const Place at = todo.back();
    todo.pop_back();
    for (const Place& from : comes_from_[at]) {
      if (places_.insert(from).second) todo.push_back(from);
    }
  }
}

}  // namespace concord::plato
