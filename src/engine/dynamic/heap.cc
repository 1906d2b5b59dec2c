#include "engine/dynamic/heap.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diag/diagnostic.h"
#include "engine/dynamic/made.h"
#include "explore/machine.h"
#include "explore/patience.h"
#include "plato/classes.h"
#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/walk.h"
#include "plato/wellformed.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr int kMostSteps = 100000;
constexpr int kMostObjects = 10000;
constexpr const char* kFree = "an initialiser that depends on what is free";

bool is_free(const Variable& it) { return it.init && std::holds_alternative<Star>(it.init->node); }

// What is made there has initial values, and those of its fields may be free.
void refuse_free_fields(const Program& program, const NewObject& made, base::SourceRange at) {
  for (int f = 0; f < field_count(program, made.class_index); ++f) {
    const Variable& field = field_of(program, made.class_index, f);
    if (field.init && depends_on_free(program, *field.init)) throw Refusal{at, kFree};
  }
}

// What the initialiser must not look at: it is fixed to something here.
void refuse_free(const Program& program) {
  for (const int p : run_from(program, {program.initialiser}, false)) {
    for_each_stmt(*program.procedures[static_cast<std::size_t>(p)].body, [&](const Stmt& statement) {
      for_each_part(
          statement,
          [&](const Expr& expr) {
            for_each_expr(expr, [&](const Expr& part) {
              const bool is_name = std::holds_alternative<NameExpr>(part.node);
              if (is_name && depends_on_free(program, part)) throw Refusal{part.range, kFree};
            });
          },
          [](const Stmt&) {}, [](const CallTarget&) {});
      const Rhs* value = right_side(statement);
      const auto* made = value == nullptr ? nullptr : std::get_if<NewObject>(value);
      if (made != nullptr) refuse_free_fields(program, *made, statement.range);
    });
  }
}

// Code of which only what the initialiser runs is left: the rest may speak of threads, which are gone.
void keep_code(Program& program, const std::set<int>& kept) {
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    Procedure& it = program.procedures[p];
    it.contract = {};
    it.abstracted = {};
    if (!kept.contains(static_cast<int>(p))) it.body = make_block({}, it.range);
  }
}

// The initialiser alone.
Program only_initialiser(const Program& program, const base::SourceMap& sources) {
  Program out = copy(program);
  for (Variable& it : out.variables) {
    if (is_free(it)) it.init = nullptr;
  }
  for (Const& it : out.consts) {
    if (it.value || it.type.kind != Type::Kind::kInt) continue;
    it.value = std::make_unique<Expr>();
    it.value->node = IntLit{0};
    it.value->range = it.range;
  }
  keep_code(out, program.initialiser < 0 ? std::set<int>{} : run_from(program, {program.initialiser}, false));
  out.clauses.clear();
  for (Variable& it : out.variables) it.clauses.clear();
  for (Class& it : out.classes) {
    it.clauses.clear();
    for (Variable& field : it.fields) field.clauses.clear();
  }
  out.lock_orders.clear();
  out.checks.clear();
  std::vector<Thread> kept;
  for (Thread& it : out.threads) {
    if (it.target.index == program.initialiser) kept.push_back(std::move(it));
  }
  out.threads = std::move(kept);
  for (Module& module : out.modules) {
    std::vector<Item> items;
    for (const Item& it : module.items) {
      const bool is_gone = it.kind == Item::Kind::kClause || it.kind == Item::Kind::kLockOrder ||
                           it.kind == Item::Kind::kCheck || it.kind == Item::Kind::kThread;
      if (!is_gone) items.push_back(it);
    }
    module.items = std::move(items);
  }
  diag::Sink sink;
  check_well_formed(sources, out, sink);
  if (sink.has_errors()) throw Refusal{sink.errors().front().range, "an initialiser that speaks of threads"};
  return out;
}

bool is_kept(const explore::Value& lock) { return lock.composite != nullptr && lock.composite->depth != 0; }

// Behind `initialised` the threads run beside it: it must not do anything then that has to do with them.
void refuse_work_behind(const Procedure& initialiser) {
  const auto& all = std::get<Block>(initialiser.body->node).statements;
  const auto does_something = [](const StmtPtr& it) {
    const auto* back = std::get_if<Return>(&it->node);
    const bool is_nothing = std::holds_alternative<Skip>(it->node) || (back != nullptr && !back->value);
    return !is_nothing || !it->sets.empty();
  };
  const auto behind = all.begin() + static_cast<std::ptrdiff_t>(*initialised_at(initialiser)) + 1;
  const auto found = std::find_if(behind, all.end(), does_something);
  if (found != all.end()) throw Refusal{(*found)->range, "an initialiser that does something behind `initialised`"};
}

void refuse_kept_locks(const Program& program, base::SourceRange at, const FirstStore& out) {
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const bool is_lock = program.variables[v].type.kind == Type::Kind::kMonitor;
    if (is_lock && is_kept(out.store.variables[v])) throw Refusal{at, "a lock that an initialiser keeps"};
  }
}

}  // namespace

bool depends_on_free(const Program& program, const Expr& expr) {
  bool out = false;
  for_each_expr(expr, [&](const Expr& part) {
    out = out || std::holds_alternative<Star>(part.node);
    const auto* name = std::get_if<NameExpr>(&part.node);
    if (name == nullptr || out) return;
    const auto index = static_cast<std::size_t>(name->ref.index);
    if (name->ref.kind == Ref::Kind::kConst) {
      const ExprPtr& value = program.consts[index].value;
      out = !value || depends_on_free(program, *value);
    } else if (name->ref.kind == Ref::Kind::kShared) {
      const ExprPtr& init = program.variables[index].init;
      out = init && depends_on_free(program, *init);
    }
  });
  return out;
}

FirstStore first_store(const Task& task, Control& control) {
  const Program& given = *task.program;
  if (given.initialiser >= 0) {
    refuse_free(given);
    refuse_work_behind(given.procedures[static_cast<std::size_t>(given.initialiser)]);
  }
  FirstStore out;
  out.program = std::make_unique<const Program>(only_initialiser(given, *task.sources));
  const base::SourceRange at = given.initialiser >= 0
                                   ? given.procedures[static_cast<std::size_t>(given.initialiser)].name_range
                                   : base::SourceRange{};
  Settings settings = task.settings;
  settings.max_objects = kMostObjects;
  settings.threads.reset();
  explore::Patience patience(control);
  explore::Machine machine(*out.program, settings, patience);
  try {
    std::vector<explore::State> first = machine.initial_states(0);
    if (first.size() != 1) throw Refusal{at, "an initialiser that may begin in several ways"};
    explore::State state = std::move(first.front());
    for (int i = 0; !state.is_initialised; ++i) {
      patience.poll();
      std::vector<explore::Transition> steps = machine.steps(state, 1);
      const bool is_plain = steps.size() == 1 && !steps.front().failure && !steps.front().cut;
      if (!is_plain || i >= kMostSteps || !machine.bounds().empty())
        throw Refusal{at, "an initialiser that chooses, goes wrong, or goes on for too long"};
      state = std::move(steps.front().after);
    }
    out.store = std::move(state.store);
    refuse_kept_locks(given, at, out);
    return out;
  } catch (const explore::Stopped&) { throw Refusal{at, "an initialiser that goes on for too long"}; }
}

}  // namespace concord::engine::dynamic
