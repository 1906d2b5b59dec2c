#include "engine/dynamic/flat.h"

#include <algorithm>
#include <utility>

#include "diag/diagnostic.h"
#include "engine/dynamic/flat_code.h"
#include "engine/dynamic/flat_copies.h"
#include "engine/dynamic/heap.h"
#include "plato/classes.h"
#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/walk.h"
#include "plato/wellformed.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

std::set<int> procedures_of_threads(const Program& program) {
  std::vector<int> entries;
  for (const Thread& it : program.threads) {
    if (it.target.index != program.initialiser) entries.push_back(it.target.index);
  }
  return run_from(program, entries, false);
}

class Flattening {
 public:
  Flattening(const Task& task, FirstStore first)
      : task_(task),
        program_(*task.program),
        first_(std::move(first)),
        procedures_(procedures_of_threads(program_)),
        targets_(program_, first_.store, procedures_),
        variables_(program_, first_.store, targets_) {}

  Flat run() {
    Program& made = out_.program;
    made.modules.emplace_back();
    made.enums = std::move(copy(program_).enums);
    made.consts = std::move(copy(program_).consts);
    flatten_code(variables_, procedures_, out_);
    for (const Clause& it : program_.clauses) clause(it);
    threads();
    variables_.declare(out_);
    list_items();
    diag::Sink sink;
    check_well_formed(*task_.sources, made, sink);
    if (sink.has_errors()) {
      const diag::Diagnostic& first = sink.errors().front();
      throw Refusal{first.range, "objects here (" + first.message + ")"};
    }
    for (const Procedure& it : made.procedures) choose_copies(*it.body);
    return std::move(out_);
  }

 private:
  void add(const Clause& like, Clause::Kind kind, ExprPtr predicate) {
    Clause made;
    made.kind = kind;
    made.predicate.predicate = std::move(predicate);
    made.predicate.range = like.predicate.range;
    made.range = like.range;
    made.waivers = like.waivers;
    out_.program.clauses.push_back(std::move(made));
  }

  void clause(const Clause& it) {
    switch (it.kind) {
      case Clause::Kind::kInitially: return initially(it);
      case Clause::Kind::kFinally:
        if (it.class_index >= 0) throw Refusal{it.range, "a final condition of every object"};
        return add(it, it.kind, FlatExpressions(variables_, -1).clause(*it.predicate.predicate));
      case Clause::Kind::kGlobalInvariant:
      case Clause::Kind::kMonitorInvariant: return invariant(it);
      case Clause::Kind::kEnvAssumption:
      case Clause::Kind::kGuarantee: return;  // of steps
    }
  }

  // It holds of the state before the initialisers; what they may have changed is left out: there are more states to begin in then.
  void initially(const Clause& it) {
    bool is_kept = it.class_index < 0;
    for_each_expr(*it.predicate.predicate, [&](const Expr& part) {
      if (refers_to_objects(part.type) || part.type.kind == Type::Kind::kNull) is_kept = false;
      const auto* name = std::get_if<NameExpr>(&part.node);
      if (name == nullptr || name->ref.kind != Ref::Kind::kShared || program_.initialiser < 0) return;
      const Variable& variable = program_.variables[static_cast<std::size_t>(name->ref.index)];
      is_kept = is_kept && variable.init && depends_on_free(program_, *variable.init);
    });
    if (is_kept) add(it, it.kind, copy(*it.predicate.predicate));
  }

  // One that cannot be said is not known; then nothing is said of it.
  void invariant(const Clause& it) {
    const std::size_t before = out_.program.clauses.size();
    try {
      if (it.class_index < 0) return add(it, it.kind, FlatExpressions(variables_, -1).clause(*it.predicate.predicate));
      for (const int made : targets_.classes_made()) {
        if (is_subclass(program_, made, it.class_index)) return;  // it speaks of those too
      }
      for (std::size_t o = 0; o < first_.store.objects.size(); ++o) {
        const explore::Object& object = first_.store.objects[o];
        if (object.class_index < 0 || !is_subclass(program_, object.class_index, it.class_index)) continue;
        const auto self = static_cast<Target>(o + 1);
        ExprPtr holds = FlatExpressions(variables_, -1, self).clause(*it.predicate.predicate);
        if (it.kind == Clause::Kind::kMonitorInvariant) {
          const SourceRange at = it.range;
          ExprPtr holder = make(FieldExpr{make_name(variables_.monitor(self), at), "holder", false, at}, at);
          ExprPtr is_held = make_binary(BinaryOp::kNe, std::move(holder), make(NoneLit{}, at), at);
          holds = make_connective(BinaryOp::kOr, std::move(is_held), std::move(holds), at);
        }
        add(it, Clause::Kind::kGlobalInvariant, std::move(holds));
      }
    } catch (const Refusal&) { out_.program.clauses.resize(before); }
  }

  void threads() {
    for (const Thread& it : program_.threads) {
      if (it.target.index == program_.initialiser) continue;
      Thread made;
      made.count = it.count;
      made.number = it.number;
      made.has_brackets = it.has_brackets;
      made.symbol = it.symbol;
      made.symbol_range = it.symbol_range;
      made.name = it.name;
      made.range = it.range;
      made.target.procedure = it.target.procedure;
      made.target.procedure_range = it.target.procedure_range;
      made.target.range = it.target.range;
      const Procedure& entered = program_.procedures[static_cast<std::size_t>(it.target.index)];
      for (std::size_t i = 0; i < it.target.arguments.size(); ++i) {
        if (!is_reference(entered.parameters[i].type)) made.target.arguments.push_back(copy(*it.target.arguments[i]));
      }
      out_.program.threads.push_back(std::move(made));
    }
  }

  // All in one module.
  void list_items() {
    Program& made = out_.program;
    std::vector<Item>& items = made.modules.front().items;
    const auto add = [&](auto& list, Item::Kind kind) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].module = 0;
        items.push_back({kind, static_cast<int>(i)});
      }
    };
    add(made.enums, Item::Kind::kEnum);
    add(made.consts, Item::Kind::kConst);
    add(made.variables, Item::Kind::kVariable);
    add(made.clauses, Item::Kind::kClause);
    add(made.procedures, Item::Kind::kProcedure);
    add(made.threads, Item::Kind::kThread);
  }

  const Task& task_;
  const Program& program_;
  const FirstStore first_;
  const std::set<int> procedures_;
  const Targets targets_;
  FlatVariables variables_;
  Flat out_;
};

}  // namespace

bool has_objects(const Program& program) { return program.initialiser >= 0 || !program.classes.empty(); }

Flat flatten(const Task& task, Control& control) {
  const std::set<int> procedures = procedures_of_threads(*task.program);
  if (procedures.empty()) throw Refusal{task.program->threads.front().range, "no thread but one that initialises"};
  if (task.settings.ints == IntMode::kJava)
    throw Refusal{task.program->threads.front().range, "objects and arrays with --int java"};
  return Flattening(task, first_store(task, control)).run();
}

}  // namespace concord::engine::dynamic
