#include "plato/class_flow.h"

#include <algorithm>
#include <cstddef>

#include "base/overloaded.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::plato {

ClassFlow::ClassFlow(const Program& program) : program_(program) {
  int count = 0;
  const auto reserve = [&](std::size_t many) {
    const int first = count;
    count += static_cast<int>(many);
    return first;
  };
  anything_ = reserve(1);
  elements_ = reserve(1);
  shared_ = reserve(program.variables.size());
  for (const Class& it : program.classes) fields_.push_back(reserve(it.fields.size()));
  for (const Procedure& it : program.procedures) {
    locals_.push_back(reserve(it.locals.size()));
    results_.push_back(reserve(2));
  }
  contents_.resize(static_cast<std::size_t>(count));
  contents_[static_cast<std::size_t>(anything_)].is_anything = true;
  if (!program.abstract_threads.empty()) forget_all();

  for (std::size_t i = 0; i < program.variables.size(); ++i)
    look_at(program.variables[i], shared_ + static_cast<int>(i));
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    const std::vector<Variable>& fields = program.classes[c].fields;
    for (std::size_t i = 0; i < fields.size(); ++i) look_at(fields[i], fields_[c] + static_cast<int>(i));
  }
  for (const Thread& it : program.threads) pass(-1, it.target);
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    for_each_stmt(*program.procedures[p].body, [&](const Stmt& it) { look_at(static_cast<int>(p), it); });
  }
  propagate();
}

bool ClassFlow::may_be(int procedure, const Expr& object, int class_index) const {
  const Places places = places_of(procedure, object);
  return std::any_of(places.begin(), places.end(), [&](int place) { return has(place, class_index); });
}

bool ClassFlow::field_may_be(std::pair<int, int> field, int class_index) const {
  return has(fields_[static_cast<std::size_t>(field.first)] + field.second, class_index);
}

bool ClassFlow::variable_may_be(int variable, int class_index) const { return has(shared_ + variable, class_index); }

bool ClassFlow::has(int place, int class_index) const {
  const Contents& it = contents_[static_cast<std::size_t>(place)];
  return it.is_anything || std::any_of(it.classes.begin(), it.classes.end(),
                                       [&](int made) { return is_subclass(program_, made, class_index); });
}

// A map is the place of its values.
ClassFlow::Places ClassFlow::places_of(int procedure, const Expr& expr) const {
  const auto all = [&](const ExprPtr& one, const ExprPtr& other) {
    Places out = places_of(procedure, *one);
    for (const int it : places_of(procedure, *other)) out.push_back(it);
    return out;
  };
  return std::visit(base::Overloaded{
                        [&](const NullLit&) { return Places{}; },
                        [&](const NameExpr& it) {
                          if (it.ref.kind == Ref::Kind::kShared) return Places{shared_ + it.ref.index};
                          if (it.ref.kind == Ref::Kind::kLocal && procedure >= 0)
                            return Places{locals_[static_cast<std::size_t>(procedure)] + it.ref.index};
                          return Places{anything_};
                        },
                        [&](const FieldExpr& it) {
                          if (it.kind != FieldExpr::Kind::kField) return Places{anything_};
                          const FieldHome home = field_home(program_, it.object->type.decl, it.index);
                          return Places{fields_[static_cast<std::size_t>(home.class_index)] + home.place};
                        },
                        [&](const IndexExpr& it) {
                          return it.base->type.kind == Type::Kind::kArray ? Places{elements_}
                                                                          : places_of(procedure, *it.base);
                        },
                        [&](const UnaryExpr& it) { return places_of(procedure, *it.operand); },
                        [&](const CastExpr& it) { return places_of(procedure, *it.operand); },
                        [&](const ConditionalExpr& it) { return all(it.then, it.otherwise); },
                        [&](const MapConst& it) { return places_of(procedure, *it.value); },
                        [&](const MapUpdate& it) { return all(it.map, it.value); },
                        [&](const auto&) { return Places{anything_}; },
                    },
                    expr.node);
}

void ClassFlow::flow(const Places& from, const Places& to) {
  for (const int source : from) contents_[static_cast<std::size_t>(source)].flows_to.insert(to.begin(), to.end());
}

void ClassFlow::forget_all() {
  for (Contents& it : contents_) it.is_anything = true;
}

void ClassFlow::make(int class_index, const Places& to) {
  for (const int it : to) contents_[static_cast<std::size_t>(it)].classes.insert(class_index);
}

void ClassFlow::flow(int procedure, const Rhs& from, const Places& to) {
  std::visit(base::Overloaded{
                 [&](const ExprPtr& it) { flow(places_of(procedure, *it), to); },
                 [&](const NewObject& it) {
                   make(it.class_index, to);
                   for (const NewObject::Init& init : it.inits) {
                     const FieldHome home = field_home(program_, it.class_index, init.index);
                     flow(places_of(procedure, *init.value),
                          {fields_[static_cast<std::size_t>(home.class_index)] + home.place});
                   }
                 },
                 [&](const NewArray&) {},
                 [&](const CasExpr& it) { flow(places_of(procedure, *it.value), places_of(procedure, *it.location)); },
                 [&](const CallExpr& it) {
                   pass(procedure, it.target);
                   flow({results_[static_cast<std::size_t>(it.target.index)]}, to);
                 },
                 [&](const StartExpr& it) { pass(procedure, it.target); },
             },
             from);
}

void ClassFlow::pass(int procedure, const CallTarget& call) {
  const auto callee = static_cast<std::size_t>(call.index);
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    flow(places_of(procedure, *call.arguments[i]), {locals_[callee] + static_cast<int>(i)});
  if (call.catch_slot >= 0)
    flow({results_[callee] + 1}, {locals_[static_cast<std::size_t>(procedure)] + call.catch_slot});
}

void ClassFlow::look_at(const Variable& variable, int place) {
  if (variable.init) flow(places_of(-1, *variable.init), {place});
}

void ClassFlow::look_at(int procedure, const Stmt& statement) {
  const auto p = static_cast<std::size_t>(procedure);
  const auto to = [&](const ExprPtr& target) { return places_of(procedure, *target); };
  const auto any = [&](const std::vector<ExprPtr>& targets) {
    for (const ExprPtr& it : targets) flow({anything_}, to(it));
  };
  std::visit(base::Overloaded{
                 [&](const LocalDecl& it) {
                   if (it.init) flow(procedure, *it.init, {locals_[p] + it.slot});
                 },
                 [&](const Assign& it) { flow(procedure, it.value, to(it.target)); },
                 [&](const Return& it) {
                   if (it.value) flow(to(it.value), {results_[p]});
                 },
                 [&](const Throw& it) { flow(to(it.value), {results_[p] + 1}); },
                 [&](const Havoc& it) { any(it.targets); },
                 [&](const CasSwap& it) { flow(to(it.value), to(it.location)), flow(to(it.location), to(it.value)); },
                 [&](const Start& it) { pass(procedure, it.target); },
                 [&](const Call& it) { pass(procedure, it.target); },
                 [&](const Direct& it) {
                   if (it.action.frame) return any(*it.action.frame);
                   forget_all();
                 },
                 [&](const Unsupported& it) {
                   any(it.targets);
                   if (!may_do_anything(statement)) return;
                   forget_all();
                 },
                 [&](const SetStmt& it) { flow(to(it.set.value), to(it.set.target)); },
                 [](const auto&) {},
             },
             statement.node);
  for (const GhostSet& it : statement.sets) flow(to(it.value), to(it.target));
}

void ClassFlow::propagate() {
  std::vector<int> todo;
  for (std::size_t i = 0; i < contents_.size(); ++i) todo.push_back(static_cast<int>(i));
  while (!todo.empty()) {
    const Contents& from = contents_[static_cast<std::size_t>(todo.back())];
    todo.pop_back();
    for (const int next : from.flows_to) {
      Contents& into = contents_[static_cast<std::size_t>(next)];
      const std::size_t before = into.classes.size() + (into.is_anything ? 1 : 0);
      into.classes.insert(from.classes.begin(), from.classes.end());
      into.is_anything = into.is_anything || from.is_anything;
      if (into.classes.size() + (into.is_anything ? 1 : 0) > before) todo.push_back(next);
    }
  }
}

}  // namespace concord::plato
