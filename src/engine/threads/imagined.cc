#include "engine/threads/imagined.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "explore/explorer.h"
#include "plato/copy.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::engine::threads {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr const char* kOthers = "others";

StmtPtr statement(Stmt::Node node, SourceRange range) {
  auto out = std::make_unique<Stmt>();
  out->node = std::move(node);
  out->range = range;
  return out;
}

ExprPtr expression(Expr::Node node, Type type) {
  auto out = std::make_unique<Expr>();
  out->node = std::move(node);
  out->type = type;
  return out;
}

ExprPtr variable(const Program& program, std::size_t index) {
  NameExpr name;
  name.name = program.variables[index].name;
  name.ref = {Ref::Kind::kShared, static_cast<int>(index)};
  return expression(std::move(name), program.variables[index].type);
}

bool may_be_anything(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kBool:
    case Type::Kind::kInt:
    case Type::Kind::kEnum:
    case Type::Kind::kTid: return true;
    default: return false;
  }
}

// `x`, `x.f`, `x.f.g` for a shared variable x: the same before and after a step as before it; null: it is none of these.
ExprPtr place(const Expr& expr) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node); name != nullptr && name->ref.kind == Ref::Kind::kShared) {
    ExprPtr out = copy(expr);
    std::get<NameExpr>(out->node).primed = false;
    return out;
  }
  const auto* field = std::get_if<FieldExpr>(&expr.node);
  if (field == nullptr || field->kind != FieldExpr::Kind::kField) return nullptr;
  ExprPtr object = place(*field->object);
  if (object == nullptr) return nullptr;
  ExprPtr out = copy(expr);
  auto& made = std::get<FieldExpr>(out->node);
  made.primed = false;
  made.object = std::move(object);
  return out;
}

// The fields of objects that the machine speaks of.
std::vector<ExprPtr> fields_in(const AbstractThread& machine) {
  std::vector<ExprPtr> out;
  std::set<std::string> known;
  const auto collect = [&](const Expr& expr) {
    for_each_expr(expr, [&](const Expr& part) {
      if (!std::holds_alternative<FieldExpr>(part.node) || !may_be_anything(part.type)) return;
      ExprPtr found = place(part);
      if (found != nullptr && known.insert(print(*found)).second) out.push_back(std::move(found));
    });
  };
  for (const AbstractThread::Node& it : machine.nodes) {
    if (it.assertion) collect(*it.assertion);
  }
  for (const AbstractThread::Edge& it : machine.edges) {
    collect(*it.step.predicate);
    if (!it.step.frame) continue;
    for (const ExprPtr& location : *it.step.frame) collect(*location);
  }
  return out;
}

// The objects on the way to a field are there.
void assume_objects(const Expr& expr, Block& steps) {
  const auto* field = std::get_if<FieldExpr>(&expr.node);
  if (field == nullptr) return;
  assume_objects(*field->object, steps);
  Type boolean;
  boolean.kind = Type::Kind::kBool;
  ExprPtr null = expression(NullLit{}, field->object->type);
  BinaryExpr is_there{BinaryOp::kNe, copy(*field->object), std::move(null)};
  steps.statements.push_back(statement(Assume{expression(std::move(is_there), boolean)}, {}));
}

// `atomic { havoc x; assume I; }`
StmtPtr anything(const Program& program, ExprPtr target, SourceRange range) {
  Block steps;
  assume_objects(*target, steps);
  Havoc havoc;
  havoc.targets.push_back(std::move(target));
  steps.statements.push_back(statement(std::move(havoc), range));
  for (const Clause& clause : program.clauses) {
    if (clause.kind == Clause::Kind::kGlobalInvariant && clause.class_index < 0)
      steps.statements.push_back(statement(Assume{copy(*clause.predicate.predicate)}, range));
  }
  return statement(Atomic{statement(std::move(steps), range)}, range);
}

// `loop choose { … or … }`: any variable, any field that the machine speaks of.
StmtPtr anything(const Program& program, const AbstractThread& machine) {
  Choose choose;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const Variable& it = program.variables[v];
    if (may_be_anything(it.type) && !it.is_final)
      choose.branches.push_back(anything(program, variable(program, v), it.name_range));
  }
  for (ExprPtr& it : fields_in(machine))
    choose.branches.push_back(anything(program, std::move(it), machine.name_range));
  if (choose.branches.empty()) choose.branches.push_back(statement(Skip{}, {}));
  Loop loop;
  loop.body = statement(std::move(choose), {});
  Block body;
  body.statements.push_back(statement(std::move(loop), {}));
  return statement(std::move(body), {});
}

// One thread of that declaration, and nobody else.
void leave_alone(Program& program, std::size_t declaration) {
  Thread thread = std::move(program.threads[declaration]);
  thread.count = Thread::Count::kNumber;
  thread.number = 1;
  program.threads.clear();
  program.threads.push_back(std::move(thread));
  for (Module& it : program.modules)
    std::erase_if(it.items, [](const Item& item) { return item.kind == Item::Kind::kThread; });
}

}  // namespace

std::optional<Trace> imagined_run(const Program& program, const Abstracted& claim,
                                  std::optional<std::size_t> declaration, const Task& task,
                                  const std::vector<std::int64_t>& also, Control& control) {
  const bool has_names =
      std::any_of(program.threads.begin(), program.threads.end(), [](const Thread& it) { return !it.name.empty(); });
  const AbstractThread& machine = program.abstract_threads[static_cast<std::size_t>(claim.index)];
  Program imagined = copy(program);
  // Whoever starts a thread, is known by name, or does what is done before everything else has to be there.
  if (declaration && !has_names && program.initialiser < 0) leave_alone(imagined, *declaration);
  Procedure others;
  others.name = kOthers;
  others.module = machine.module;
  others.body = anything(program, machine);
  Thread beside;
  beside.target.procedure = kOthers;
  beside.target.index = static_cast<int>(imagined.procedures.size());
  beside.module = others.module;
  imagined.procedures.push_back(std::move(others));
  imagined.threads.push_back(std::move(beside));

  const std::string id = property_id(*task.sources, diag::Kind::kConformance, claim.range);
  Task search{task.sources, &imagined, collect_properties(*task.sources, imagined, {}), task.settings, {id}};
  search.settings.only.clear();
  search.settings.also_ints = also;
  Control limited;
  limited.parent = &control;
  limited.timeout = kPatience;
  limited.memory_limit_bytes = control.memory_limit_bytes;
  explore::Explorer explorer;
  EngineResult answer = explorer.run(search, limited);
  for (PropertyResult& it : answer.results) {
    if (it.property.id != id || it.verdict != Verdict::kViolated) continue;
    for (TraceStep& step : it.trace.steps) {
      if (step.thread == kOthers) step.text = kSomething;
    }
    return std::move(it.trace);
  }
  return std::nullopt;
}

}  // namespace concord::engine::threads
