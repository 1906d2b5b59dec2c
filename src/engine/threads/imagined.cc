#include "engine/threads/imagined.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "explore/explorer.h"
#include "plato/copy.h"

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

ExprPtr variable(const Program& program, std::size_t index) {
  auto out = std::make_unique<Expr>();
  NameExpr name;
  name.name = program.variables[index].name;
  name.ref = {Ref::Kind::kShared, static_cast<int>(index)};
  out->node = std::move(name);
  out->type = program.variables[index].type;
  return out;
}

bool may_be_anything(const Variable& it) {
  switch (it.type.kind) {
    case Type::Kind::kBool:
    case Type::Kind::kInt:
    case Type::Kind::kEnum:
    case Type::Kind::kTid: return !it.is_final;
    default: return false;
  }
}

// `loop choose { atomic { havoc x; assume I; } or … }`
StmtPtr anything(const Program& program) {
  Choose choose;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const Variable& it = program.variables[v];
    if (!may_be_anything(it)) continue;
    Block steps;
    Havoc havoc;
    havoc.targets.push_back(variable(program, v));
    steps.statements.push_back(statement(std::move(havoc), it.name_range));
    for (const Clause& clause : program.clauses) {
      if (clause.kind == Clause::Kind::kGlobalInvariant && clause.class_index < 0)
        steps.statements.push_back(statement(Assume{copy(*clause.predicate.predicate)}, it.name_range));
    }
    choose.branches.push_back(statement(Atomic{statement(std::move(steps), it.name_range)}, it.name_range));
  }
  if (choose.branches.empty()) choose.branches.push_back(statement(Skip{}, {}));
  Loop loop;
  loop.body = statement(std::move(choose), {});
  Block body;
  body.statements.push_back(statement(std::move(loop), {}));
  return statement(std::move(body), {});
}

}  // namespace

std::optional<Trace> imagined_run(const Program& program, std::size_t declaration, const Task& task,
                                  const std::vector<std::int64_t>& also, Control& control) {
  const bool has_names =
      std::any_of(program.threads.begin(), program.threads.end(), [](const Thread& it) { return !it.name.empty(); });
  if (has_names || program.initialiser >= 0) return std::nullopt;
  Program imagined = copy(program);
  Procedure others;
  others.name = kOthers;
  others.module = program.threads[declaration].module;
  others.body = anything(program);
  Thread thread = std::move(imagined.threads[declaration]);
  thread.count = Thread::Count::kNumber;
  thread.number = 1;
  Thread beside;
  beside.target.procedure = kOthers;
  beside.target.index = static_cast<int>(imagined.procedures.size());
  beside.module = others.module;
  imagined.procedures.push_back(std::move(others));
  imagined.threads.clear();
  imagined.threads.push_back(std::move(thread));
  imagined.threads.push_back(std::move(beside));
  for (Module& it : imagined.modules)
    std::erase_if(it.items, [](const Item& item) { return item.kind == Item::Kind::kThread; });

  const std::string id =
      property_id(*task.sources, diag::Kind::kConformance, program.threads[declaration].abstracted.range);
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
      if (step.thread == kOthers) step.text = "something";
    }
    return std::move(it.trace);
  }
  return std::nullopt;
}

}  // namespace concord::engine::threads
