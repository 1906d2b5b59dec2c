// Statements: what may stand where, and which locals are in scope.
#include <algorithm>
#include <utility>

#include "base/overloaded.h"
#include "diag/kinds.h"
#include "plato/checker.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::plato {

using base::Overloaded;

namespace {

const Type kBool = simple_type(Type::Kind::kBool);
const Type kInt = simple_type(Type::Kind::kInt);
const Type kTid = simple_type(Type::Kind::kTid);

bool is_jump(const Stmt& statement) {
  return std::holds_alternative<Break>(statement.node) || std::holds_alternative<Continue>(statement.node) ||
         std::holds_alternative<Return>(statement.node) || std::holds_alternative<Throw>(statement.node);
}

bool is_leave(const Stmt& statement) {
  const auto* it = std::get_if<Exclusive>(&statement.node);
  return it != nullptr && !it->body;
}

bool is_monitor(const Type& type) { return type.kind == Type::Kind::kMonitor; }

}  // namespace

struct Checker::Body {
  Procedure& procedure;
  int loops = 0;                                // enclosing loops that break and continue may mean
  std::vector<const Labeled*> labels = {};      // around the statement at hand, innermost last
  std::size_t first_label = 0;                  // those before it are outside the `atomic` at hand
  std::vector<std::string> regions = {};        // that the statement at hand is inside, innermost last
  std::vector<std::size_t> label_regions = {};  // by label: how many are around it
  std::size_t loop_regions = 0;                 // and around the innermost loop
  bool in_atomic = false;
  bool initialises = false;  // `initialised` comes later
};

ExprContext Checker::code_context(const Body& body) const {
  ExprContext context;
  context.module = body.procedure.module;
  return context;
}

ExprContext Checker::spec_context(const Body& body) const {
  ExprContext context = code_context(body);
  context.is_spec = true;
  return context;
}

// As findings are (check/waivers.h), assertions are waived by their place.
void Checker::find_waived_assertions() {
  const auto add = [&](const std::vector<Waiver>& waivers, SourceRange range) {
    for (const Waiver& it : waivers) {
      if (it.kind == diag::name(diag::Kind::kAssertion)) waived_assertions_.push_back(it.covers.value_or(range));
    }
  };
  for (const Procedure& procedure : program_.procedures) {
    add(procedure.waivers, procedure.range);
    for_each_stmt(*procedure.body, [&](const Stmt& it) { add(it.waivers, it.range); });
  }
}

void Checker::check_body(Procedure& procedure) {
  Body body{procedure};
  body.initialises = initialised_at(procedure).has_value();
  check_statement(*procedure.body, body);
}

void Checker::check_statement(Stmt& statement, Body& body) {
  const SourceRange range = statement.range;
  statement.is_assertion_waived = std::any_of(
      waived_assertions_.begin(), waived_assertions_.end(),
      [&](const SourceRange& it) { return it.file == range.file && it.begin <= range.begin && range.end <= it.end; });
  check_node(statement, body);
}

void Checker::check_node(Stmt& statement, Body& body) {
  if (sink_.is_full()) return;
  check_waivers(statement.waivers);
  check_may_block(statement, body);
  const auto condition_of_code = [&](Expr& expr, const char* what) {
    ExprContext context = code_context(body);
    check_bool(expr, context, what);
  };
  const auto lock = [&](Expr& expr) {
    ExprContext context = code_context(body);
    check_lock(expr, context);
  };
  const auto monitor_lock = [&](Expr& expr, const char* what) {
    lock(expr);
    if (expr.type.kind == Type::Kind::kTid) {
      sink_.error(expr.range, std::string("`") + what + "` needs a monitor or an object; a plain lock has no wait set");
    }
  };
  const auto scoped = [&](StmtPtr& inner) {
    const std::size_t scope = local_scope_.size();
    const std::vector<std::string> regions = body.regions;
    if (inner) check_statement(*inner, body);
    if (inner && is_leave(*inner)) jump_missing(*inner);
    body.regions = regions;
    local_scope_.resize(scope);
  };
  const auto looped = [&](StmtPtr& inner) {
    ++body.loops;
    const std::size_t outer = std::exchange(body.loop_regions, body.regions.size());
    scoped(inner);
    body.loop_regions = outer;
    --body.loops;
  };
  const auto comes_back = [&](std::size_t regions) {
    if (body.regions.size() < regions) sink_.error(statement.range, "this jumps back into a region that was left");
  };
  const auto not_in_atomic = [&](const char* what) {
    if (body.in_atomic) sink_.error(statement.range, std::string("`") + what + "` cannot stand in `atomic`");
  };
  const auto outside_loop = [&](const char* what) {
    sink_.error(statement.range,
                std::string("`") + what + (body.in_atomic ? "` cannot leave `atomic`" : "` outside a loop"));
  };
  std::visit(Overloaded{
                 [&](Block& it) { check_block(it, body); },
                 [&](LocalDecl& it) { check_local(statement, it, body); },
                 [&](Assign& it) {
                   check_assignable(*it.target, false, body);
                   check_rhs(it.value, it.target->type, statement.range, body);
                   check_catch_differs(*it.target, it.value);
                 },
                 [&](If& it) {
                   check_condition(*it.condition, body);
                   scoped(it.then);
                   scoped(it.otherwise);
                 },
                 [&](While& it) {
                   check_condition(*it.condition, body);
                   check_loop_spec(it.spec, body);
                   looped(it.body);
                 },
                 [&](Choose& it) {
                   for (StmtPtr& branch : it.branches) scoped(branch);
                 },
                 [&](Loop& it) {
                   check_loop_spec(it.spec, body);
                   looped(it.body);
                 },
                 [&](Labeled& it) {
                   check_label(it, body);
                   body.labels.push_back(&it);
                   body.label_regions.push_back(body.regions.size());
                   scoped(it.body);
                   body.label_regions.pop_back();
                   body.labels.pop_back();
                 },
                 [&](Break& it) {
                   if (it.label.empty() && body.loops == 0) outside_loop("break");
                   if (!it.label.empty()) check_jump("break", it.label, it.label_range, body);
                   comes_back(regions_around(it.label, body));
                 },
                 [&](Continue& it) {
                   if (it.label.empty() && body.loops == 0) outside_loop("continue");
                   if (!it.label.empty()) check_jump("continue", it.label, it.label_range, body);
                   comes_back(regions_around(it.label, body));
                 },
                 [&](Return& it) {
                   not_in_atomic("return");
                   check_return(it, statement.range, body);
                 },
                 [&](Throw& it) {
                   not_in_atomic("throw");
                   check_throw(it, statement.range, body);
                 },
                 [&](Assert& it) {
                   ExprContext context = spec_context(body);
                   check_bool(*it.condition, context, "the assertion");
                   if (!it.kind.empty()) check_kind(it.kind, it.kind_range);
                 },
                 [&](Assume& it) { condition_of_code(*it.condition, "the condition"); },
                 [&](Havoc& it) { check_havoc(it, body); },
                 [&](CasSwap& it) {
                   check_assignable(*it.value, false, body);
                   check_cas(*it.location, *it.expected, *it.value, body);
                   if (fits(it.value->type, it.location->type)) {  // it may get what was there
                     expect(*it.location, it.location->type, it.value->type, "what is swapped");
                   }
                 },
                 [&](Acquire& it) { lock(*it.lock); },
                 [&](Release& it) { lock(*it.lock); },
                 [&](Wait& it) {
                   not_in_atomic("wait");
                   monitor_lock(*it.lock, "wait");
                 },
                 [&](Notify& it) { monitor_lock(*it.lock, it.all ? "notifyall" : "notify"); },
                 [&](Start& it) { check_arguments(it.target, body); },
                 [&](Join& it) {
                   ExprContext context = code_context(body);
                   expect(*it.thread, check(*it.thread, context), kTid, "the argument of `join`");
                 },
                 [&](Call& it) {
                   check_arguments(it.target, body);
                   check_catch(it.target, body);
                 },
                 [&](Atomic& it) {
                   if (body.in_atomic)
                     sink_.error(statement.range, "`atomic` inside `atomic`", "leave out the inner one");
                   const int loops = std::exchange(body.loops, 0);
                   const bool outer = std::exchange(body.in_atomic, true);
                   const std::size_t first_label = std::exchange(body.first_label, body.labels.size());
                   scoped(it.body);
                   body.first_label = first_label;
                   body.in_atomic = outer;
                   body.loops = loops;
                 },
                 [&](Exclusive& it) {
                   not_in_atomic(it.body ? "exclusive" : "leave");
                   if (!it.body) return check_leave(it, body);
                   body.regions.push_back(it.region);
                   scoped(it.body);
                   body.regions.pop_back();
                 },
                 [&](Skip&) {},
                 [&](Initialised&) { body.initialises = false; },
                 [&](Direct& it) { check_direct(it, body); },
                 [&](Unsupported& it) { check_unsupported(it, body); },
                 [&](SetStmt& it) { check_set(it.set, body); },
             },
             statement.node);
  check_sets(statement, body);
}

void Checker::check_block(Block& block, Body& body) {
  const std::size_t scope = local_scope_.size();
  const std::vector<std::string> regions = body.regions;
  const Stmt* left = nullptr;  // a region, and nothing jumps out of it yet
  for (StmtPtr& statement : block.statements) {
    check_statement(*statement, body);
    if (is_leave(*statement)) left = statement.get();
    if (is_jump(*statement)) left = nullptr;
  }
  if (left != nullptr) jump_missing(*left);
  body.regions = regions;
  local_scope_.resize(scope);
}

void Checker::jump_missing(const Stmt& leave) {
  sink_.error(leave.range, "behind `leave` the block must jump out of the region",
              "by `break`, `continue`, `return` or `throw`; at its end a region is left by itself");
}

// What follows in the block is outside.
void Checker::check_leave(const Exclusive& leave, Body& body) {
  if (!body.regions.empty() && body.regions.back() == leave.region) return body.regions.pop_back();
  sink_.error(leave.region_range, "`" + leave.region + "` is not the innermost region around this");
}

void Checker::check_local(Stmt& statement, LocalDecl& local, Body& body) {
  resolve(local.type, body.procedure.module);
  if (is_monitor(local.type)) sink_.error(statement.range, "a monitor is shared; it cannot be local");
  if (local.init) check_rhs(*local.init, local.type, statement.range, body);
  const auto clash = names_.find(local.name);
  const auto outer =
      std::find_if(local_scope_.begin(), local_scope_.end(), [&](const auto& it) { return it.first == local.name; });
  if (clash != names_.end() || outer != local_scope_.end()) {
    const SourceRange first = clash != names_.end() ? clash->second.range : body.procedure.locals[outer->second].range;
    diag::Diagnostic& error = sink_.error(local.name_range, "`" + local.name + "` is declared twice",
                                          "a local variable needs a name of its own");
    error.notes.push_back({first, "the first declaration"});
  }
  local.slot = static_cast<int>(body.procedure.locals.size());
  body.procedure.locals.push_back({local.name, local.type, local.name_range});
  local_scope_.emplace_back(local.name, local.slot);
}

// ----------------------------------------------------------------------------------------------------------- assignment

Type Checker::check_rhs(Rhs& rhs, const Type& target, SourceRange at, Body& body) {
  const auto expect_type = [&](const Type& actual, SourceRange where, const std::string& what) {
    if (!fits(actual, target)) {
      sink_.error(where, what + " is " + to_string(actual) + ", but " + to_string(target) + " is needed");
    }
    return actual;
  };
  return std::visit(Overloaded{
                        [&](ExprPtr& it) {
                          ExprContext context = code_context(body);
                          return expect_type(check(*it, context), it->range, "this value");
                        },
                        [&](NewObject& it) { return expect_type(check_new_object(it, body), at, "the new object"); },
                        [&](NewArray& it) {
                          resolve(it.element, body.procedure.module);
                          ExprContext context = code_context(body);
                          expect(*it.size, check(*it.size, context), kInt, "the size");
                          if (is_monitor(it.element))
                            sink_.error(at, "there are no arrays of monitors", "make an array of objects");
                          Type type = simple_type(Type::Kind::kArray);
                          type.first = std::make_shared<const Type>(it.element);
                          return expect_type(type, at, "the new array");
                        },
                        [&](CasExpr& it) {
                          check_cas(*it.location, *it.expected, *it.value, body);
                          return expect_type(kBool, at, "the result of CAS");
                        },
                        [&](CallExpr& it) {
                          check_arguments(it.target, body);
                          check_catch(it.target, body);
                          if (it.target.index < 0) return simple_type(Type::Kind::kError);
                          const Procedure& callee = program_.procedures[it.target.index];
                          if (callee.result.kind == Type::Kind::kNone) {
                            diag::Diagnostic& error = sink_.error(at, "`" + callee.name + "` has no result");
                            error.notes.push_back({callee.name_range, "declared here"});
                            return simple_type(Type::Kind::kError);
                          }
                          return expect_type(callee.result, at, "the result of `" + callee.name + "`");
                        },
                        [&](StartExpr& it) {
                          check_arguments(it.target, body);
                          return expect_type(kTid, at, "the started thread");
                        },
                    },
                    rhs);
}

Type Checker::check_new_object(NewObject& object, Body& body) {
  Type type = simple_type(Type::Kind::kNamed);
  type.name = object.class_name;
  type.range = object.class_range;
  resolve(type, body.procedure.module);
  if (type.kind == Type::Kind::kEnum) {
    sink_.error(object.class_range, "`" + object.class_name + "` is an enum; only classes have objects");
    return simple_type(Type::Kind::kError);
  }
  if (type.kind != Type::Kind::kClass) return type;
  object.class_index = type.decl;
  const Class& owner = program_.classes[type.decl];
  for (NewObject::Init& init : object.inits) {
    init.index = field_named(program_, type.decl, init.field);
    ExprContext context = code_context(body);
    if (init.index >= 0) context.is_spec = field_of(program_, type.decl, init.index).is_ghost;
    const Type value = check(*init.value, context);
    if (init.index < 0) {
      const int count = field_count(program_, type.decl);
      std::vector<std::string> candidates;
      candidates.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) candidates.push_back(field_of(program_, type.decl, i).name);
      const std::string near = diag::nearest(init.field, candidates);
      sink_.error(init.range, "class `" + owner.name + "` has no field `" + init.field + "`",
                  near.empty() ? "" : "did you mean `" + near + "`?");
      continue;
    }
    expect(*init.value, value, field_of(program_, type.decl, init.index).type, "field `" + init.field + "`");
    for (const NewObject::Init& other : object.inits) {
      if (&other == &init) break;
      if (other.index == init.index) sink_.error(init.range, "field `" + init.field + "` is given twice");
    }
  }
  return type;
}

// The keys, indices and objects on the way to what program code assigns are read by it.
void Checker::check_path_has_no_ghost(const Expr& target) {
  const auto refuse_ghosts = [&](const Expr& expr) {
    for_each_expr(expr, [&](const Expr& part) {
      const ExprContext code;
      const auto* name = std::get_if<NameExpr>(&part.node);
      const auto* field = std::get_if<FieldExpr>(&part.node);
      if (name != nullptr && name->ref.kind == Ref::Kind::kShared) {
        check_ghost_read(program_.variables[name->ref.index], part, code);
      } else if (field != nullptr && field->kind == FieldExpr::Kind::kField) {
        check_ghost_read(field_of(program_, field->object->type.decl, field->index), part, code);
      }
    });
  };
  if (const auto* field = std::get_if<FieldExpr>(&target.node)) return refuse_ghosts(*field->object);
  const auto* index = std::get_if<IndexExpr>(&target.node);
  if (index == nullptr) return;
  refuse_ghosts(*index->index);
  if (index->base->type.kind == Type::Kind::kArray) return refuse_ghosts(*index->base);
  check_path_has_no_ghost(*index->base);
}

// A place to write: a shared variable, a local that is no parameter, a field, an entry or an element.
void Checker::check_assignable(Expr& target, bool ghost, Body& body) {
  ExprContext context = spec_context(body);
  const Type type = check(target, context);
  if (type.kind == Type::Kind::kError) return;
  if (!ghost) check_path_has_no_ghost(target);
  if (is_monitor(type)) {
    sink_.error(target.range, "a monitor cannot be assigned", "use `acquire` and `release`");
    return;
  }
  const Expr* root = &target;
  while (const auto* index = std::get_if<IndexExpr>(&root->node)) {
    if (index->base->type.kind == Type::Kind::kArray) {
      if (ghost) sink_.error(target.range, "`set` assigns ghosts only, and array elements are none");
      return;
    }
    root = index->base.get();
  }
  const Variable* variable = nullptr;
  if (const auto* name = std::get_if<NameExpr>(&root->node)) {
    if (name->ref.kind == Ref::Kind::kLocal) {
      if (name->ref.index < std::ssize(body.procedure.parameters)) {
        sink_.error(target.range, "parameter `" + name->name + "` cannot be assigned",
                    "copy it: `var copy: " + to_string(root->type) + " = " + name->name + ";`");
      }
      if (ghost) sink_.error(target.range, "`set` assigns ghosts only; `" + name->name + "` is a local variable");
      return;
    }
    if (name->ref.kind == Ref::Kind::kShared) variable = &program_.variables[name->ref.index];
  } else if (const auto* field = std::get_if<FieldExpr>(&root->node)) {
    if (field->kind == FieldExpr::Kind::kField) {
      variable = &field_of(program_, field->object->type.decl, field->index);
    }
  }
  if (variable == nullptr) {
    sink_.error(target.range, "this cannot be assigned");
    return;
  }
  const bool is_given_now =
      body.initialises && variable->is_final && !variable->init && std::holds_alternative<NameExpr>(root->node);
  if (!is_given_now && !check_not_final(target)) return;
  if (variable->is_ghost == ghost) return;
  diag::Diagnostic& error =
      ghost ? sink_.error(target.range, "`set` assigns ghosts only; `" + variable->name + "` is an ordinary variable",
                          "leave out `set`")
            : sink_.error(target.range, "`" + variable->name + "` is a ghost; program code cannot assign it",
                          "write `set " + variable->name + " = …;` after the statement it belongs to");
  error.notes.push_back({variable->name_range, "declared here"});
}

void Checker::check_havoc(Havoc& havoc, Body& body) {
  for (ExprPtr& target : havoc.targets) {
    check_assignable(*target, false, body);
    const Type::Kind kind = target->type.kind;
    if (havoc.low && kind != Type::Kind::kInt && kind != Type::Kind::kError) {
      sink_.error(target->range, "`in lo .. hi` is for integers; `" + std::string(sources_.text(target->range)) +
                                     "` is " + to_string(target->type));
    }
    if (kind == Type::Kind::kSet || kind == Type::Kind::kMap) {
      sink_.error(target->range, "havoc of " + to_string(target->type) + " is not supported", "havoc its entries");
    }
  }
  for (ExprPtr* bound : {&havoc.low, &havoc.high}) {
    if (!*bound) continue;
    ExprContext context = code_context(body);
    const Type type = check(**bound, context);
    if (!expect(**bound, type, kInt, "the bound")) continue;
    for (const ExprPtr& target : havoc.targets) {
      if (target->type.kind == Type::Kind::kInt) expect(**bound, type, target->type, "the bound");
    }
  }
}

// The shared state is not for it: others would see what happens to it, and when.
void Checker::check_unsupported(Unsupported& unsupported, Body& body) {
  for (ExprPtr& target : unsupported.targets) {
    check_assignable(*target, false, body);
    if (target->type.kind == Type::Kind::kError) continue;
    const auto* name = std::get_if<NameExpr>(&target->node);
    if (name == nullptr || name->ref.kind != Ref::Kind::kLocal) {
      sink_.error(target->range, "what is not supported can be limited to local variables only",
                  "leave out `havoc`: then nothing is known of what happens here");
    } else if (target->type.kind == Type::Kind::kSet || target->type.kind == Type::Kind::kMap) {
      sink_.error(target->range, "havoc of " + to_string(target->type) + " is not supported");
    }
  }
}

void Checker::check_cas(Expr& location, Expr& expected, Expr& value, Body& body) {
  check_assignable(location, false, body);
  for (Expr* part : {&expected, &value}) {
    ExprContext context = code_context(body);
    expect(*part, check(*part, context), location.type, "the argument");
  }
}

// ----------------------------------------------------------------------------------------------------------------- calls

void Checker::check_arguments(CallTarget& target, Body& body) {
  if (find_procedure(target, body.procedure.module) == nullptr) {
    for (ExprPtr& argument : target.arguments) {
      ExprContext context = code_context(body);
      check(*argument, context);
    }
    return;
  }
  const Procedure& callee = program_.procedures[target.index];
  if (!check_argument_count(target, callee)) return;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    ExprContext context = code_context(body);
    expect(*target.arguments[i], check(*target.arguments[i], context), callee.parameters[i].type,
           "argument `" + callee.parameters[i].name + "`");
  }
}

// Where an exception goes: said if and only if the callee throws.
void Checker::check_catch(CallTarget& target, const Body& body) {
  if (target.index < 0) return;
  const Procedure& callee = program_.procedures[target.index];
  const bool throws = callee.throws.kind != Type::Kind::kNone;
  if (target.catches.empty() || !throws) {
    if (target.catches.empty() == !throws) return;
    diag::Diagnostic& error =
        throws ? sink_.error(target.range, "`" + callee.name + "` may throw, and nothing says where the exception goes",
                             "write `" + callee.name + "(…) catch v` with a local variable v of type " +
                                 to_string(callee.throws))
               : sink_.error(target.catch_range, "`" + callee.name + "` throws nothing", "leave out `catch`");
    error.notes.push_back({callee.name_range, "declared here"});
    return;
  }
  const auto found = std::find_if(local_scope_.rbegin(), local_scope_.rend(),
                                  [&](const auto& it) { return it.first == target.catches; });
  if (found == local_scope_.rend()) {
    sink_.error(target.catch_range, "there is no local variable `" + target.catches + "`",
                "declare it: `var " + target.catches + ": " + to_string(callee.throws) + ";`");
    return;
  }
  const Local& local = body.procedure.locals[found->second];
  if (found->second < std::ssize(body.procedure.parameters)) {
    sink_.error(target.catch_range, "parameter `" + local.name + "` cannot be assigned");
    return;
  }
  if (!(local.type == callee.throws)) {
    diag::Diagnostic& error =
        sink_.error(target.catch_range, "`" + local.name + "` is " + to_string(local.type) + ", but `" + callee.name +
                                            "` throws " + to_string(callee.throws));
    error.notes.push_back({local.range, "declared here"});
    return;
  }
  target.catch_slot = found->second;
}

void Checker::check_catch_differs(const Expr& target, const Rhs& value) {
  const auto* call = std::get_if<CallExpr>(&value);
  const auto* name = std::get_if<NameExpr>(&target.node);
  if (call == nullptr || name == nullptr || call->target.catch_slot < 0) return;
  if (name->ref.kind != Ref::Kind::kLocal || name->ref.index != call->target.catch_slot) return;
  sink_.error(call->target.catch_range, "the result and the exception go to the same variable");
}

void Checker::check_throw(Throw& statement, SourceRange at, Body& body) {
  ExprContext context = code_context(body);
  const Type type = check(*statement.value, context);
  const Type& throws = body.procedure.throws;
  if (throws.kind == Type::Kind::kNone) {
    sink_.error(at, "`" + body.procedure.name + "` does not say that it throws",
                "declare it: `proc " + body.procedure.name + "(…) throws " +
                    (type.kind == Type::Kind::kClass ? to_string(type) : "C") + "`");
    return;
  }
  expect(*statement.value, type, throws, "the exception");
}

void Checker::check_return(Return& statement, SourceRange at, Body& body) {
  const Type& result = body.procedure.result;
  if (!statement.value) {
    if (result.kind != Type::Kind::kNone) {
      sink_.error(at, "`" + body.procedure.name + "` returns " + to_string(result), "write `return e;`");
    }
    return;
  }
  ExprContext context = code_context(body);
  const Type type = check(*statement.value, context);
  if (result.kind == Type::Kind::kNone) {
    sink_.error(statement.value->range, "`" + body.procedure.name + "` has no result",
                "declare it: `proc " + body.procedure.name + "(…): " + to_string(type) + "`");
    return;
  }
  expect(*statement.value, type, result, "the result");
}

// ---------------------------------------------------------------------------------------------- conditions, loops, sets

void Checker::check_condition(Expr& condition, Body& body) {
  if (std::holds_alternative<Star>(condition.node)) {
    condition.type = kBool;
    return;
  }
  ExprContext context = code_context(body);
  check_bool(condition, context, "the condition");
}

void Checker::check_label(const Labeled& labeled, const Body& body) {
  for (const Labeled* outer : body.labels) {
    if (outer->label != labeled.label) continue;
    diag::Diagnostic& error = sink_.error(
        labeled.label_range, "label `" + labeled.label + "` is around this statement already", "rename one of them");
    error.notes.push_back({outer->label_range, "the outer one"});
    return;
  }
}

// Where the jump goes: the label, or the innermost loop.
std::size_t Checker::regions_around(const std::string& label, const Body& body) {
  for (std::size_t i = body.labels.size(); i-- > 0 && !label.empty();) {
    if (body.labels[i]->label == label) return body.label_regions[i];
  }
  return label.empty() ? body.loop_regions : 0;
}

// `break L` and `continue L`.
void Checker::check_jump(const std::string& word, const std::string& label, SourceRange at, const Body& body) {
  for (std::size_t i = body.labels.size(); i-- > 0;) {
    const Labeled& labeled = *body.labels[i];
    if (labeled.label != label) continue;
    if (i < body.first_label) sink_.error(at, "`" + word + " " + label + "` cannot leave `atomic`");
    const bool is_loop =
        std::holds_alternative<While>(labeled.body->node) || std::holds_alternative<Loop>(labeled.body->node);
    if (word == "continue" && !is_loop) {
      diag::Diagnostic& error = sink_.error(at, "`" + label + "` is no loop to go on with",
                                            "`break " + label + ";` leaves any labelled statement");
      error.notes.push_back({labeled.label_range, "the label"});
    }
    return;
  }
  std::vector<std::string> candidates;
  for (const Labeled* outer : body.labels) candidates.push_back(outer->label);
  const std::string near = diag::nearest(label, candidates);
  sink_.error(
      at, "there is no label `" + label + "` around this statement",
      near.empty() ? "write `label " + label + ":` before the statement to leave" : "did you mean `" + near + "`?");
}

void Checker::check_loop_spec(LoopSpec& spec, Body& body) {
  for (ExprPtr& invariant : spec.invariants) {
    ExprContext context = spec_context(body);
    check_bool(*invariant, context, "the loop invariant");
  }
  if (!spec.modifies) return;
  ExprContext context = spec_context(body);
  context.locals_change = true;
  check_frame(*spec.modifies, context);
}

void Checker::check_direct(Direct& direct, Body& body) {
  if (direct.wrong_unless) {
    ExprContext context = spec_context(body);
    check_bool(*direct.wrong_unless, context, "the condition before `?`");
  }
  ExprContext context = code_context(body);
  context.locals_change = true;
  check_two_state(direct.action, context, "a direct operation");
  if (!direct.action.frame) return;
  for (const ExprPtr& item : *direct.action.frame) {
    const Type::Kind kind = item->type.kind;
    if (kind == Type::Kind::kMonitor || (std::holds_alternative<FieldExpr>(item->node) &&
                                         std::get<FieldExpr>(item->node).kind == FieldExpr::Kind::kHolder)) {
      sink_.error(item->range, "a direct operation cannot change a monitor", "use `acquire` and `release`");
      continue;
    }
    check_assignable(*item, false, body);
    if (item->type.kind == Type::Kind::kInt && item->type.values) {
      sink_.error(item->range, "a direct operation changes integers of type int only, not " + to_string(item->type));
    }
  }
}

void Checker::check_set(GhostSet& set, Body& body) {
  check_assignable(*set.target, true, body);
  ExprContext context = spec_context(body);
  expect(*set.value, check(*set.value, context), set.target->type, "the value");
  const auto refuse_division = [&](const Expr& part) {
    const auto* binary = std::get_if<BinaryExpr>(&part.node);
    if (binary == nullptr || (binary->op != BinaryOp::kDiv && binary->op != BinaryOp::kMod)) return;
    sink_.error(part.range, "a `set` cannot divide: it must always have a value");
  };
  for_each_expr(*set.target, refuse_division);
  for_each_expr(*set.value, refuse_division);
}

// A hint for the reader of a program: it must name an action of the procedure, and nothing depends on it.
void Checker::check_witness(const Stmt& statement, const Body& body) {
  if (statement.witness.empty()) return;
  std::vector<std::string> names;
  for (const Action& action : body.procedure.contract.actions) {
    if (action.name == statement.witness) return;
    if (!action.name.empty()) names.push_back(action.name);
  }
  const std::string near = diag::nearest(statement.witness, names);
  sink_.error(statement.witness_range, "`" + body.procedure.name + "` has no action \"" + statement.witness + "\"",
              near.empty() ? "" : "did you mean \"" + near + "\"?");
}

void Checker::check_sets(Stmt& statement, Body& body) {
  check_witness(statement, body);
  if (statement.sets.empty()) return;
  const bool attaches =
      std::visit(Overloaded{
                     [](const Assign& it) { return !std::holds_alternative<CallExpr>(it.value); },
                     [](const LocalDecl& it) { return !it.init || !std::holds_alternative<CallExpr>(*it.init); },
                     [](const Block&) { return false; },
                     [](const If&) { return false; },
                     [](const While&) { return false; },
                     [](const Choose&) { return false; },
                     [](const Loop&) { return false; },
                     [](const Labeled&) { return false; },
                     [](const Break&) { return false; },
                     [](const Continue&) { return false; },
                     [](const Return&) { return false; },
                     [](const Throw&) { return false; },
                     [](const Wait&) { return false; },
                     [](const Call&) { return false; },
                     [](const Atomic&) { return true; },
                     [](const Exclusive&) { return false; },
                     [](const Unsupported&) { return false; },
                     [](const SetStmt&) { return true; },
                     [](const Assert&) { return true; },
                     [](const Assume&) { return true; },
                     [](const Havoc&) { return true; },
                     [](const CasSwap&) { return true; },
                     [](const Acquire&) { return true; },
                     [](const Release&) { return true; },
                     [](const Notify&) { return true; },
                     [](const Start&) { return true; },
                     [](const Join&) { return true; },
                     [](const Skip&) { return true; },
                     [](const Initialised&) { return false; },
                     [](const Direct&) { return true; },
                 },
                 statement.node);
  if (!attaches) {
    sink_.error(statement.sets.front().range, "`set` must follow a statement that is one atomic operation",
                "put both into `atomic { … }`, or let `set` follow the statement it belongs to");
  }
  for (GhostSet& set : statement.sets) check_set(set, body);
}

void Checker::check_may_block(const Stmt& statement, const Body& body) {
  if (!statement.may_block || !body.in_atomic) return;
  sink_.error(statement.range, "`may_block` cannot stand in `atomic`: the block waits as a whole",
              "write `may_block atomic { … }`");
}

}  // namespace concord::plato
