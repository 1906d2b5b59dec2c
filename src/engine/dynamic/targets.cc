#include "engine/dynamic/targets.h"

#include <algorithm>

#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

bool is_reference(const Type& type) {
  return type.kind == Type::Kind::kClass || type.kind == Type::Kind::kArray || type.kind == Type::Kind::kNull;
}

namespace {

// Some way leads to the end of its body: then its result is what none is given to.
bool may_end_without_value(const Procedure& procedure) {
  const Flow flow = make_flow(procedure);
  std::set<int> seen{0};
  std::vector<int> todo{0};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    for (const FlowEdge& it : flow.nodes[static_cast<std::size_t>(at)].edges) {
      if (it.operation.kind == Operation::Kind::kReturn && it.operation.statement == nullptr) return true;
      for (const int next : {it.target, it.on_throw}) {
        if (next >= 0 && seen.insert(next).second) todo.push_back(next);
      }
    }
  }
  return false;
}

}  // namespace

Targets::Targets(const Program& program, const explore::Store& store, std::set<int> procedures)
    : program_(program), store_(store), procedures_(std::move(procedures)), variables_(program.variables.size()) {
  begin();
  for (const int p : procedures_) {
    const Procedure& it = program_.procedures[static_cast<std::size_t>(p)];
    if (is_reference(it.result) && may_end_without_value(it)) results_[p].insert(kNull);
  }
  do {
    has_changed_ = false;
    for (const int p : procedures_) {
      for_each_stmt(*program_.procedures[static_cast<std::size_t>(p)].body,
                    [&](const Stmt& statement) { look_at(p, statement); });
    }
  } while (has_changed_);
}

void Targets::begin() {
  const auto target = [](const explore::Value& value) { return static_cast<Target>(value.scalar); };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    if (is_reference(program_.variables[v].type)) variables_[v] = {target(store_.variables[v])};
  }
  for (std::size_t o = 0; o < store_.objects.size(); ++o) {
    const explore::Object& object = store_.objects[o];
    const auto self = static_cast<Target>(o + 1);
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      if (object.class_index < 0) {
        if (object.element != nullptr && is_reference(*object.element))
          elements_[self].insert(target(object.fields[f]));
      } else if (is_reference(field_of(program_, object.class_index, static_cast<int>(f)).type)) {
        fields_[{self, static_cast<int>(f)}] = {target(object.fields[f])};
      }
    }
  }
  for (const Thread& it : program_.threads) {
    if (it.target.index != program_.initialiser) call(-1, it.target);
  }
}

int Targets::class_of(Target object) const {
  if (object > 0) return store_.objects[static_cast<std::size_t>(object - 1)].class_index;
  return object == kAnything || object == kNull ? -1 : classes_[static_cast<std::size_t>(-object - 1)];
}

std::set<int> Targets::classes_made() const {
  std::set<int> out(classes_.begin(), classes_.end());
  out.erase(-1);
  return out;
}

std::set<Target> Targets::of_field(Target object, int field) const {
  if (object == kAnything) return {kAnything};
  const auto found = fields_.find({object, field});
  return found == fields_.end() ? Set{} : found->second;
}

std::set<Target> Targets::of(int procedure, const Expr& expr) const {
  if (std::holds_alternative<NullLit>(expr.node)) return {kNull};
  if (!is_reference(expr.type)) return {};
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    if (name->ref.kind == Ref::Kind::kShared) return of_variable(name->ref.index);
    if (name->ref.kind != Ref::Kind::kLocal) return {kAnything};
    const auto found = locals_.find({procedure, name->ref.index});
    return found == locals_.end() ? Set{} : found->second;
  }
  Set out;
  const auto add_all = [&](const Set& more) { out.insert(more.begin(), more.end()); };
  if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
    for (const Target it : of(procedure, *field->object)) {
      if (it != kNull) add_all(of_field(it, field->index));
    }
    return out;
  }
  if (const auto* index = std::get_if<IndexExpr>(&expr.node); index != nullptr && is_reference(index->base->type)) {
    for (const Target it : of(procedure, *index->base)) {
      const auto found = elements_.find(it);
      if (it == kAnything) out.insert(kAnything);
      if (found != elements_.end()) add_all(found->second);
    }
    return out;
  }
  if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) {
    out = of(procedure, *unary->operand);
    out.erase(kNull);
    return out;
  }
  if (const auto* choice = std::get_if<ConditionalExpr>(&expr.node)) {
    add_all(of(procedure, *choice->then));
    add_all(of(procedure, *choice->otherwise));
    return out;
  }
  if (const auto* cast = std::get_if<CastExpr>(&expr.node)) return of(procedure, *cast->operand);
  return {kAnything};
}

void Targets::add(Set& to, const Set& more) {
  for (const Target it : more) has_changed_ = to.insert(it).second || has_changed_;
}

Target Targets::made_at(const Stmt& statement, int class_index) {
  const auto [found, is_new] = sites_.emplace(&statement, 0);
  if (is_new) {
    classes_.push_back(class_index);
    statements_.push_back(&statement);
    found->second = -static_cast<Target>(classes_.size());
  }
  return found->second;
}

std::set<Target> Targets::value(int procedure, const Stmt& statement, const Rhs& rhs) {
  if (const auto* it = std::get_if<ExprPtr>(&rhs)) return of(procedure, **it);
  if (const auto* it = std::get_if<CallExpr>(&rhs)) return results_[it->target.index];
  if (const auto* it = std::get_if<CasExpr>(&rhs)) assign(procedure, *it->location, of(procedure, *it->value));
  if (const auto* it = std::get_if<NewArray>(&rhs)) {
    const Target self = made_at(statement, -1);
    if (is_reference(it->element)) add(elements_[self], {kNull});
    return {self};
  }
  const auto* made = std::get_if<NewObject>(&rhs);
  if (made == nullptr) return {};
  const Target self = made_at(statement, made->class_index);
  for (int f = 0; f < field_count(program_, made->class_index); ++f) {
    if (!is_reference(field_of(program_, made->class_index, f).type)) continue;
    const auto given =
        std::find_if(made->inits.begin(), made->inits.end(), [&](const NewObject::Init& it) { return it.index == f; });
    add(fields_[{self, f}], given == made->inits.end() ? Set{kNull} : of(procedure, *given->value));
  }
  return {self};
}

void Targets::assign(int procedure, const Expr& target, const Set& values) {
  if (!is_reference(target.type)) return;
  if (const auto* name = std::get_if<NameExpr>(&target.node)) {
    if (name->ref.kind == Ref::Kind::kShared) add(variables_[static_cast<std::size_t>(name->ref.index)], values);
    if (name->ref.kind == Ref::Kind::kLocal) add(locals_[{procedure, name->ref.index}], values);
  } else if (const auto* field = std::get_if<FieldExpr>(&target.node)) {
    for (const Target it : of(procedure, *field->object)) add(fields_[{it, field->index}], values);
  } else if (const auto* index = std::get_if<IndexExpr>(&target.node); index != nullptr) {
    for (const Target it : of(procedure, *index->base)) add(elements_[it], values);
  }
}

void Targets::call(int procedure, const CallTarget& target) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const Set values = of(procedure, *target.arguments[i]);
    if (!values.empty()) add(locals_[{target.index, static_cast<int>(i)}], values);
  }
  if (target.catch_slot >= 0) add(locals_[{procedure, target.catch_slot}], {kNull});
}

// An exception goes nowhere: where one would be thrown nothing is followed.
void Targets::look_at(int procedure, const Stmt& statement) {
  if (const CallTarget* target = called(statement)) call(procedure, *target);
  if (const auto* it = std::get_if<LocalDecl>(&statement.node)) {
    Set values = it->init ? value(procedure, statement, *it->init) : Set{kNull};
    if (is_reference(it->type)) add(locals_[{procedure, it->slot}], values);
  }
  if (const auto* it = std::get_if<Assign>(&statement.node)) {
    const Set values = value(procedure, statement, it->value);
    assign(procedure, *it->target, values);
  }
  if (const auto* it = std::get_if<CasSwap>(&statement.node)) {
    assign(procedure, *it->location, of(procedure, *it->value));
    assign(procedure, *it->value, of(procedure, *it->location));
  }
  if (const auto* it = std::get_if<Havoc>(&statement.node)) {
    for (const ExprPtr& target : it->targets) assign(procedure, *target, {kAnything});
  }
  if (const auto* it = std::get_if<plato::Unsupported>(&statement.node)) {
    for (const ExprPtr& target : it->targets) assign(procedure, *target, {kAnything});
  }
  if (const auto* it = std::get_if<Return>(&statement.node)) {
    if (it->value) add(results_[procedure], of(procedure, *it->value));
  }
  const auto set = [&](const GhostSet& it) { assign(procedure, *it.target, of(procedure, *it.value)); };
  if (const auto* it = std::get_if<SetStmt>(&statement.node)) set(it->set);
  for (const GhostSet& it : statement.sets) set(it);
}

}  // namespace concord::engine::dynamic
