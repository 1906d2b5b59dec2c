#include "step.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "engine/property.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::agree {

using namespace plato;
using base::Overloaded;
using diag::Kind;

namespace {

const Procedure& procedure_at(const Program& program, int index) {
  return program.procedures[static_cast<std::size_t>(index)];
}

template <class Node>
bool mentions(const Expr& expr) {
  bool found = false;
  for_each_expr(expr, [&](const Expr& part) { found = found || std::holds_alternative<Node>(part.node); });
  return found;
}

bool is_star(const Expr& expr) { return std::holds_alternative<Star>(expr.node); }

bool is_plain_local(const Expr& expr) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kLocal;
}

const CallTarget& call_in(const Stmt& statement) {
  if (const auto* it = std::get_if<Call>(&statement.node)) return it->target;
  if (const auto* it = std::get_if<Assign>(&statement.node)) return std::get<CallExpr>(it->value).target;
  return std::get<CallExpr>(*std::get<LocalDecl>(statement.node).init).target;
}

// The label of a `break` or `continue`, perhaps empty; null for other statements.
const std::string* jump_label(const Stmt& statement) {
  if (const auto* it = std::get_if<Break>(&statement.node)) return &it->label;
  if (const auto* it = std::get_if<Continue>(&statement.node)) return &it->label;
  return nullptr;
}

Location local_location(int slot) { return {Location::Root::kLocal, 0, static_cast<std::size_t>(slot), {}}; }

}  // namespace

std::vector<bool> concerned_modules(const Program& program) {
  std::vector<bool> concerned(program.modules.size(), false);
  const auto add = [&](int module) {
    const Module& it = program.modules[static_cast<std::size_t>(module)];
    for (std::size_t i = 0; i < concerned.size(); ++i) concerned[i] = concerned[i] || it.sees[i];
  };
  for (const Thread& thread : program.threads) {
    add(thread.module);
    add(procedure_at(program, thread.target.index).module);
  }
  return concerned;
}

Stepper::Stepper(const base::SourceMap& sources, const Program& program, const Limits& limits, Results& results)
    : sources_(sources), program_(program), limits_(limits), concerned_(concerned_modules(program)), results_(results) {
  const auto look_at = [&](const Variable& variable) {
    if (variable.is_thread_local) watch_accesses_ = true;
    for (const FieldClause& it : variable.clauses)
      watch_accesses_ = watch_accesses_ || it.kind == FieldClause::Kind::kGuardedBy;
  };
  for (const Variable& it : program.variables) look_at(it);
  for (const Class& it : program.classes) std::for_each(it.fields.begin(), it.fields.end(), look_at);
}

std::string Stepper::id(Kind kind, base::SourceRange range) const { return engine::property_id(sources_, kind, range); }

Moves Stepper::moves(const State& state, std::size_t thread) {
  Moves moves;
  if (state.threads[thread].finished()) return moves;
  thread_ = thread;
  before_ = &state.store;
  blocked_.clear();
  holder_ = joined_ = 0;
  const std::vector<Head> ways = heads(state.threads[thread].stack.back().tasks);
  for (const Head& head : ways) perform({state, {}}, head, moves.steps);
  const bool wants_one = std::all_of(ways.begin(), ways.end(), [&](const Head& it) {
    return it.tasks == ways.front().tasks && !it.tasks.empty() &&
           !std::holds_alternative<Atomic>(it.tasks.back().statement->node);
  });
  if (wants_one) {
    moves.holder = holder_;
    moves.joined = joined_;
    moves.is_in_wait_set = state.threads[thread].waits_for && !state.threads[thread].notified;
  }
  for (Step& step : moves.steps) {
    if (step.wrong || step.after.threads[thread].finished()) continue;
    std::vector<Task>& tasks = step.after.threads[thread].stack.back().tasks;
    const auto is_over = [](const Task& task) {
      const auto* block = std::get_if<Block>(&task.statement->node);
      const bool is_left = std::holds_alternative<Labeled>(task.statement->node) && task.progress > 0;
      return is_left || (block != nullptr && task.progress == block->statements.size());
    };
    while (!tasks.empty() && is_over(tasks.back())) tasks.pop_back();
  }
  moves.can_move = std::any_of(moves.steps.begin(), moves.steps.end(), [](const Step& it) { return !it.spurious; });
  moves.waits_as_intended =
      !moves.can_move && std::all_of(blocked_.begin(), blocked_.end(), [](bool may_block) { return may_block; });
  return moves;
}

bool Stepper::looks_back(int procedure) const {
  const Contract& contract = procedure_at(program_, procedure).contract;
  const auto looks = [](const ExprPtr& it) { return mentions<OldExpr>(*it); };
  return std::any_of(contract.ensures.begin(), contract.ensures.end(), looks) ||
         std::any_of(contract.signals.begin(), contract.signals.end(), looks);
}

bool Stepper::looks_ahead(int procedure) const {
  const auto& actions = procedure_at(program_, procedure).contract.actions;
  return std::any_of(actions.begin(), actions.end(),
                     [](const Action& it) { return mentions<ResultExpr>(*it.ensures); });
}

Activation Stepper::activation(int procedure, const std::vector<Value>& arguments, const Store& store) {
  const Procedure& declared = procedure_at(program_, procedure);
  Activation it;
  it.procedure = procedure;
  for (const Local& local : declared.locals) it.locals.push_back(default_value(local.type));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    it.locals[i] = normalised(arguments[i], declared.parameters[i].type, program_);
  }
  it.tasks.push_back({declared.body.get(), 0});
  if (!declared.contract.has_abstraction()) return it;
  it.old_objects = store.heap.size();
  if (looks_ahead(procedure)) {
    const bool was_bounded = bounded_;
    for (const Value& result : domain(declared.result, Store{})) it.positions[result] = {1};
    for (const Value& result : results_[procedure]) it.positions[result] = {1};
    bounded_ = was_bounded;
  } else {
    it.positions[Value{}] = {1};
  }
  return it;
}

std::vector<Value> Stepper::domain(const Type& type, const Store& store) {
  std::vector<Value> values;
  const auto add = [&](std::int64_t low, std::int64_t high) {
    for (std::int64_t i = low; i <= high; ++i) values.push_back(number(i));
  };
  switch (type.kind) {
    case Type::Kind::kBool: add(0, 1); break;
    case Type::Kind::kEnum:
      add(0, std::ssize(program_.enums[static_cast<std::size_t>(type.decl)].constants) - 1);
      break;
    case Type::Kind::kTid: add(0, std::ssize(store.entered)); break;
    case Type::Kind::kInt:
      bounded_ = true;
      add(limits_.int_low, limits_.int_high);
      break;
    case Type::Kind::kClass:
    case Type::Kind::kArray:
      add(0, 0);
      for (std::int64_t i = 1; i <= std::ssize(store.heap); ++i) {
        const Object& object = store.heap[static_cast<std::size_t>(i - 1)];
        const bool fits = type.kind == Type::Kind::kClass
                              ? object.class_index >= 0 && is_subclass(program_, object.class_index, type.decl)
                              : object.element != nullptr && *object.element == *type.first;
        if (fits) add(i, i);
      }
      break;
    default: bounded_ = true; values.push_back(default_value(type));
  }
  return values;
}

// ---------------------------------------------------------------------------------------------- what is next, and the end

namespace {

// A jump at the end of the tasks, to the one before `at`: if it leaves a region, that is next, and the jump comes after it.
bool leaves_region(std::vector<Task>& tasks, std::size_t at) {
  for (std::size_t i = tasks.size(); i-- > at;) {
    if (!std::holds_alternative<Exclusive>(tasks[i].statement->node) || tasks[i].progress != 1) continue;
    const Task jump = tasks.back();
    tasks.resize(i + 1);
    tasks.insert(tasks.begin() + static_cast<std::ptrdiff_t>(i), jump);
    return true;
  }
  return false;
}

}  // namespace

// `choose`, `loop`, `break`, `continue`, labels and blocks have no operation of their own: look through them. The last task of a
// head is the statement to perform; no tasks at all is the return at the end of the body.
std::vector<Stepper::Head> Stepper::heads(const std::vector<Task>& tasks) const {
  std::vector<Head> result;
  std::set<std::pair<std::vector<Task>, std::set<const Loop*>>> seen;
  std::vector<Head> todo{{tasks, {}}};
  while (!todo.empty()) {
    Head head = std::move(todo.back());
    todo.pop_back();
    if (!seen.emplace(head.tasks, head.passed).second) continue;
    if (head.tasks.empty()) {
      result.push_back(std::move(head));
      continue;
    }
    const Stmt& statement = *head.tasks.back().statement;
    const auto continue_with = [&](Head next, const StmtPtr& inner) {
      next.tasks.push_back({inner.get(), 0});
      todo.push_back(std::move(next));
    };
    if (const auto* block = std::get_if<Block>(&statement.node)) {
      const std::size_t next = head.tasks.back().progress++;
      if (next < block->statements.size()) {
        continue_with(std::move(head), block->statements[next]);
      } else {
        head.tasks.pop_back();
        todo.push_back(std::move(head));
      }
    } else if (const auto* choose = std::get_if<Choose>(&statement.node)) {
      head.tasks.pop_back();
      for (const StmtPtr& branch : choose->branches) continue_with(head, branch);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      head.passed.insert(loop);
      continue_with(head, loop->body);
      head.tasks.pop_back();
      todo.push_back(std::move(head));
    } else if (const auto* labeled = std::get_if<Labeled>(&statement.node)) {
      // Its task stays below that of its body, so that a jump finds it.
      if (head.tasks.back().progress++ == 0) {
        continue_with(std::move(head), labeled->body);
      } else {
        head.tasks.pop_back();
        todo.push_back(std::move(head));
      }
    } else if (const std::string* label = jump_label(statement); label != nullptr && !label->empty()) {
      const auto is_target = [&](const Task& it) {
        const auto* target = std::get_if<Labeled>(&it.statement->node);
        return target != nullptr && target->label == *label;
      };
      std::size_t at = head.tasks.size();
      while (!is_target(head.tasks[at - 1])) --at;
      if (leaves_region(head.tasks, at)) {
        result.push_back(std::move(head));
        continue;
      }
      // Behind the label is what it is before: for `continue` the loop itself, with its condition to come.
      head.tasks.resize(std::holds_alternative<Break>(statement.node) ? at - 1 : at + 1);
      todo.push_back(std::move(head));
    } else if (label != nullptr) {
      const auto is_loop = [](const Task& it) {
        return std::holds_alternative<While>(it.statement->node) || std::holds_alternative<Loop>(it.statement->node);
      };
      std::size_t at = head.tasks.size();
      while (!is_loop(head.tasks[at - 1])) --at;
      if (leaves_region(head.tasks, at)) {
        result.push_back(std::move(head));
        continue;
      }
      head.tasks.resize(at);
      if (std::holds_alternative<Break>(statement.node)) head.tasks.pop_back();
      todo.push_back(std::move(head));
    } else {
      result.push_back(std::move(head));
    }
  }
  return result;
}

Scene Stepper::scene(const Path& path) const {
  return one_state(program_, path.state.store, path.state.threads[thread_].stack.back().locals, tid());
}

Scene Stepper::code(const Path& path) {
  Scene it = scene(path);
  it.accesses = &accesses_;
  return it;
}

void Stepper::store_value(Path& path, const Location& at, const Value& value) const {
  Store& store = path.state.store;
  Activation& activation = top(path);
  write(store, activation.locals, at, value);
  if (at.root == Location::Root::kLocal) {
    const Type& type = procedure_at(program_, activation.procedure).locals[at.index].type;
    activation.locals[at.index] = normalised(activation.locals[at.index], type, program_);
  } else {
    normalise(store, program_);
  }
}

void Stepper::done(Path path, const Stmt& statement, std::vector<Step>& out) {
  for (const GhostSet& set : statement.sets) {
    const Location target = locate(*set.target, scene(path));
    store_value(path, target, evaluate(*set.value, scene(path)));
  }
  top(path).tasks.pop_back();
  out.push_back({std::move(path.state), false, false, std::move(path.findings), std::nullopt});
}

void Stepper::goes_wrong(Path path, Kind kind, base::SourceRange range, std::vector<Step>& out) const {
  path.findings.insert(id(kind, range));
  out.push_back({{}, true, false, std::move(path.findings), std::nullopt});
}

void Stepper::check_loop(const LoopSpec& spec, Path& path) const {
  for (const ExprPtr& invariant : spec.invariants) {
    if (!holds(*invariant, scene(path))) path.findings.insert(id(Kind::kLoopInvariant, invariant->range));
  }
}

void Stepper::perform(Path path, const Head& head, std::vector<Step>& out) {
  for (const Loop* loop : head.passed) check_loop(loop->spec, path);
  top(path).tasks = head.tasks;
  if (!head.tasks.empty()) {
    const auto* loop = std::get_if<While>(&head.tasks.back().statement->node);
    if (loop != nullptr) check_loop(loop->spec, path);
  }
  const Findings findings = path.findings;
  const std::size_t first = out.size();
  const bool is_atomic = !head.tasks.empty() && std::holds_alternative<Atomic>(head.tasks.back().statement->node);
  const bool watch = watch_accesses_ && !is_atomic;  // inside `atomic` each statement is watched
  const State before = watch ? path.state : State{};
  accesses_.clear();
  try {
    dispatch(std::move(path), out);
  } catch (const Undefined& undefined) { goes_wrong({{}, findings}, undefined.kind, undefined.range, out); }
  for (std::size_t i = first; watch && i < out.size(); ++i) {
    if (!out[i].wrong) check_accesses(before, before.threads[thread_].stack.back().locals, out[i]);
  }
}

// What the statement read and wrote, against guarded_by and thread_local. `before` is the state just before the statement.
void Stepper::check_accesses(const State& before, const Locals& locals, Step& step) const {
  for (const Location& at : accesses_) {
    const Variable* variable = nullptr;
    if (at.root == Location::Root::kVariable) variable = &program_.variables[at.index];
    if (at.root == Location::Root::kSlot) {
      const int class_index = static_cast<std::size_t>(at.object) <= before.store.heap.size()
                                  ? before.store.heap[static_cast<std::size_t>(at.object - 1)].class_index
                                  : -1;
      if (class_index >= 0) variable = &field_of(program_, class_index, static_cast<int>(at.index));
    }
    if (variable == nullptr || variable->is_ghost || !concerned_[static_cast<std::size_t>(variable->module)]) continue;
    for (const FieldClause& clause : variable->clauses) {
      if (clause.kind != FieldClause::Kind::kGuardedBy) continue;
      Scene now = one_state(program_, before.store, locals, tid());
      now.self = at.object;
      bool held = false;
      try {
        held = holder(before.store, locate_lock(*clause.expr, now)) == tid();
      } catch (const Undefined&) { held = false; }
      if (!held) step.findings.insert(id(Kind::kGuardedBy, clause.range));
    }
    if (!variable->is_thread_local) continue;
    const std::pair place{at.object, at.index};
    const auto owner = before.owners.find(place);
    if (owner != before.owners.end() && owner->second != tid()) {
      step.findings.insert(id(Kind::kConfinement, variable->name_range));
    }
    step.after.owners.emplace(place, tid());
  }
}

// ---------------------------------------------------------------------------------------------------------- statements

void Stepper::dispatch(Path path, std::vector<Step>& out) {
  if (top(path).tasks.empty()) {
    const Type& result = procedure_at(program_, top(path).procedure).result;
    return leave(std::move(path), default_value(result), false, out);
  }
  const Stmt& statement = *top(path).tasks.back().statement;
  const std::size_t progress = top(path).tasks.back().progress;
  const auto unexpected = [] { throw base::InternalError("this statement has no operation of its own"); };
  std::visit(
      Overloaded{
          [&](const LocalDecl& it) {
            const Location target = local_location(it.slot);
            if (!it.init) {
              store_value(path, target, default_value(it.type));
              return done(std::move(path), statement, out);
            }
            const auto* init = std::get_if<ExprPtr>(&*it.init);
            if (init != nullptr && is_star(**init)) {
              std::vector<Value> values = domain(it.type, path.state.store);
              return havoc(std::move(path), statement, {target}, {it.type}, {std::move(values)}, out);
            }
            assign(std::move(path), statement, target, it.type, *it.init, out);
          },
          [&](const Assign& it) {
            if (progress == 0 && std::holds_alternative<CallExpr>(it.value)) {
              return call(std::move(path), std::get<CallExpr>(it.value).target, out);
            }
            const Location target = locate(*it.target, code(path));
            if (progress == 2) {
              accesses_.push_back(target);
              store_value(path, target, std::exchange(top(path).pending, Value{}));
              return done(std::move(path), statement, out);
            }
            assign(std::move(path), statement, target, it.target->type, it.value, out);
          },
          [&](const If& it) { branch(std::move(path), *it.condition, it.then.get(), it.otherwise.get(), false, out); },
          [&](const While& it) { branch(std::move(path), *it.condition, it.body.get(), nullptr, true, out); },
          [&](const Return& it) {
            const Value result = it.value ? evaluate(*it.value, code(path)) : Value{};
            leave(std::move(path), result, false, out);
          },
          [&](const Throw& it) {
            const Value exception = evaluate(*it.value, code(path));
            if (exception.number == 0) {
              return goes_wrong(std::move(path), Kind::kNullDereference, statement.range, out);
            }
            leave(std::move(path), exception, true, out);
          },
          [&](const Assert& it) {
            if (evaluate(*it.condition, scene(path)).number != 0) return done(std::move(path), statement, out);
            goes_wrong(std::move(path), Kind::kAssertion, statement.range, out);
          },
          [&](const Assume& it) {
            if (evaluate(*it.condition, code(path)).number != 0) return done(std::move(path), statement, out);
            blocked(statement);
          },
          [&](const Havoc& it) {
            std::vector<Location> targets;
            std::vector<Type> types;
            std::vector<std::vector<Value>> choices;
            for (const ExprPtr& target : it.targets) {
              targets.push_back(locate(*target, code(path)));
              types.push_back(target->type);
            }
            for (const Type& type : types) {
              std::vector<Value> values;
              if (it.low) {
                const std::int64_t low = evaluate(*it.low, code(path)).number;
                const std::int64_t high = evaluate(*it.high, code(path)).number;
                for (std::int64_t i = low; i <= high; ++i) values.push_back(number(i));
              } else {
                values = domain(type, path.state.store);
              }
              choices.push_back(std::move(values));
            }
            havoc(std::move(path), statement, targets, types, choices, out);
          },
          [&](const CasSwap& it) {
            const Location location = locate(*it.location, code(path));
            const Value expected = evaluate(*it.expected, code(path));
            const Location other = locate(*it.value, code(path));
            accesses_.push_back(location);
            const Value old = read(path.state.store, top(path).locals, location);
            const Value swapped = read(path.state.store, top(path).locals, other);
            if (old == normalised(expected, it.location->type, program_)) {
              accesses_.push_back(other);
              store_value(path, location, swapped);
              store_value(path, other, old);
            }
            done(std::move(path), statement, out);
          },
          [&](const Acquire& it) { acquire(std::move(path), statement, *it.lock, out); },
          [&](const Release& it) { release(std::move(path), statement, *it.lock, out); },
          [&](const Wait& it) { wait(std::move(path), statement, *it.lock, out); },
          [&](const Notify& it) { notify(std::move(path), statement, it, out); },
          [&](const Start& it) {
            if (start(path, it.target) != 0) done(std::move(path), statement, out);
          },
          [&](const Join& it) { join(std::move(path), statement, *it.thread, out); },
          [&](const Call& it) { call(std::move(path), it.target, out); },
          [&](const Atomic& it) { atomic(std::move(path), statement, it, out); },
          [&](const Exclusive& it) {
            if (!it.body) {
              std::vector<Task>& tasks = top(path).tasks;
              const auto is_left = [&](const Task& task) {
                const auto* region = std::get_if<Exclusive>(&task.statement->node);
                return region != nullptr && task.progress == 1 && region->region == it.region;
              };
              std::find_if(tasks.rbegin(), tasks.rend(), is_left)->progress = 2;
              return done(std::move(path), statement, out);
            }
            if (top(path).tasks.back().progress++ == 1) return done(std::move(path), statement, out);
            top(path).tasks.push_back({it.body.get(), 0});
            out.push_back({std::move(path.state), false, false, std::move(path.findings), std::nullopt});
          },
          [&](const Skip&) { done(std::move(path), statement, out); },
          [&](const Initialised&) {
            path.state.is_initialised = true;
            done(std::move(path), statement, out);
          },
          [&](const Direct& it) { direct(std::move(path), statement, it, out); },
          [&](const SetStmt& it) {
            const Location target = locate(*it.set.target, scene(path));
            store_value(path, target, evaluate(*it.set.value, scene(path)));
            done(std::move(path), statement, out);
          },
          // What it does is not known: the run is not followed.
          [&](const Unsupported&) { bounded_ = true; },
          [&](const Block&) { unexpected(); },
          [&](const Choose&) { unexpected(); },
          [&](const Loop&) { unexpected(); },
          [&](const Labeled&) { unexpected(); },
          [&](const Break&) { unexpected(); },
          [&](const Continue&) { unexpected(); },
      },
      statement.node);
}

void Stepper::assign(Path path, const Stmt& statement, const Location& target, const Type& type, const Rhs& rhs,
                     std::vector<Step>& out) {
  const auto finish = [&](const Value& value) {
    accesses_.push_back(target);
    store_value(path, target, value);
    done(std::move(path), statement, out);
  };
  const auto room_for_object = [&] {
    const bool room = path.state.store.heap.size() < limits_.max_objects;
    bounded_ = bounded_ || !room;
    return room;
  };
  std::visit(Overloaded{
                 [&](const ExprPtr& it) { finish(normalised(evaluate(*it, code(path)), type, program_)); },
                 [&](const NewObject& it) {
                   Object object;
                   object.class_index = it.class_index;
                   for (int f = 0; f < field_count(program_, it.class_index); ++f) {
                     const Variable& field = field_of(program_, it.class_index, f);
                     object.slots.push_back(field.init
                                                ? normalised(evaluate(*field.init, code(path)), field.type, program_)
                                                : default_value(field.type));
                   }
                   for (const NewObject::Init& init : it.inits) {
                     const auto index = static_cast<std::size_t>(init.index);
                     object.slots[index] = normalised(evaluate(*init.value, code(path)),
                                                      field_of(program_, it.class_index, init.index).type, program_);
                   }
                   if (!room_for_object()) return;
                   path.state.store.heap.push_back(std::move(object));
                   finish(number(std::ssize(path.state.store.heap)));
                 },
                 [&](const NewArray& it) {
                   const std::int64_t size = evaluate(*it.size, code(path)).number;
                   if (size < 0) return goes_wrong(std::move(path), Kind::kNegativeArraySize, statement.range, out);
                   if (!room_for_object()) return;
                   Object array;
                   array.element = &it.element;
                   array.slots.assign(static_cast<std::size_t>(size), default_value(it.element));
                   path.state.store.heap.push_back(std::move(array));
                   finish(number(std::ssize(path.state.store.heap)));
                 },
                 [&](const CasExpr& it) {
                   const Location location = locate(*it.location, code(path));
                   const Value expected = normalised(evaluate(*it.expected, code(path)), it.location->type, program_);
                   const Value value = normalised(evaluate(*it.value, code(path)), it.location->type, program_);
                   accesses_.push_back(location);
                   const bool success = read(path.state.store, top(path).locals, location) == expected;
                   if (success) store_value(path, location, value);
                   finish(number(success ? 1 : 0));
                 },
                 [&](const CallExpr& it) { call(std::move(path), it.target, out); },
                 [&](const StartExpr& it) {
                   const std::int64_t thread = start(path, it.target);
                   if (thread != 0) finish(number(thread));
                 },
             },
             rhs);
}

void Stepper::call(Path path, const CallTarget& target, std::vector<Step>& out) {
  std::vector<Value> arguments;
  for (const ExprPtr& argument : target.arguments) arguments.push_back(evaluate(*argument, code(path)));
  top(path).tasks.back().progress = 1;
  const Contract& contract = procedure_at(program_, target.index).contract;
  Activation callee = activation(target.index, arguments, path.state.store);
  if (looks_back(target.index)) callee.entry = std::make_shared<const Store>(path.state.store);
  path.state.threads[thread_].stack.push_back(std::move(callee));
  for (const ExprPtr& condition : contract.requires_) {
    if (!holds(*condition, scene(path))) path.findings.insert(id(Kind::kPrecondition, condition->range));
  }
  out.push_back({std::move(path.state), false, false, std::move(path.findings), std::nullopt});
}

void Stepper::leave(Path path, const Value& result, bool throws, std::vector<Step>& out) {
  const Activation left = std::move(top(path));
  const Procedure& procedure = procedure_at(program_, left.procedure);
  const Value value = throws ? result : normalised(result, procedure.result, program_);
  if (!throws && looks_ahead(left.procedure)) results_[left.procedure].insert(value);
  Scene at_return = one_state(program_, path.state.store, left.locals, tid());
  at_return.result = &value;
  if (left.entry) at_return.old.store = left.entry.get();
  for (const ExprPtr& condition : throws ? procedure.contract.signals : procedure.contract.ensures) {
    if (!holds(*condition, at_return)) path.findings.insert(id(Kind::kPostcondition, condition->range));
  }
  ThreadState& thread = path.state.threads[thread_];
  thread.stack.pop_back();
  if (!thread.stack.empty()) {
    Task& caller = thread.stack.back().tasks.back();
    const auto* assigned = std::get_if<Assign>(&caller.statement->node);
    const auto* local = std::get_if<LocalDecl>(&caller.statement->node);
    const CallTarget& call = call_in(*caller.statement);
    if (call.catch_slot >= 0) store_value(path, local_location(call.catch_slot), throws ? value : number(0));
    if (throws) {
      thread.stack.back().tasks.pop_back();
    } else if (assigned != nullptr && !is_plain_local(*assigned->target)) {
      thread.stack.back().pending = value;
      caller.progress = 2;
    } else {
      if (local != nullptr) store_value(path, local_location(local->slot), value);
      if (assigned != nullptr) store_value(path, locate(*assigned->target, scene(path)), value);
      thread.stack.back().tasks.pop_back();
    }
  }
  out.push_back({std::move(path.state), false, false, std::move(path.findings), value, throws});
}

// The precondition of a thread's procedure is looked at when the operation is over (monitor.cc).
std::int64_t Stepper::start(Path& path, const CallTarget& target) {
  std::vector<Value> arguments;
  for (const ExprPtr& argument : target.arguments) arguments.push_back(evaluate(*argument, code(path)));
  const auto started = std::count_if(path.state.threads.begin(), path.state.threads.end(),
                                     [](const ThreadState& it) { return it.declaration < 0; });
  if (started >= static_cast<std::ptrdiff_t>(limits_.max_started)) {
    bounded_ = true;
    return 0;
  }
  ThreadState thread;
  thread.stack.push_back(activation(target.index, arguments, path.state.store));
  thread.nodes = initial_nodes(program_.procedures[static_cast<std::size_t>(target.index)].abstracted);
  path.state.threads.push_back(std::move(thread));
  path.state.store.entered.push_back(target.index);
  return std::ssize(path.state.threads);
}

std::set<int> Stepper::initial_nodes(const Abstracted& claim) const {
  std::set<int> nodes;
  if (claim.index < 0) return nodes;
  const auto& all = program_.abstract_threads[static_cast<std::size_t>(claim.index)].nodes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].initial) nodes.insert(static_cast<int>(i));
  }
  return nodes;
}

void Stepper::branch(Path path, const Expr& condition, const Stmt* yes, const Stmt* no, bool again,
                     std::vector<Step>& out) {
  const auto go = [&](bool chosen) {
    Path branch = path;
    std::vector<Task>& tasks = top(branch).tasks;
    const Stmt* next = chosen ? yes : no;
    if (!again || !chosen) tasks.pop_back();
    if (next != nullptr) tasks.push_back({next, 0});
    out.push_back({std::move(branch.state), false, false, std::move(branch.findings), std::nullopt});
  };
  if (is_star(condition)) {
    go(true);
    go(false);
  } else {
    go(evaluate(condition, code(path)).number != 0);
  }
}

void Stepper::havoc(Path path, const Stmt& statement, const std::vector<Location>& targets,
                    const std::vector<Type>& types, const std::vector<std::vector<Value>>& choices,
                    std::vector<Step>& out) {
  accesses_.insert(accesses_.end(), targets.begin(), targets.end());
  std::vector<Path> paths{std::move(path)};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    std::vector<Path> next;
    for (const Path& it : paths) {
      for (const Value& value : choices[i]) {
        next.push_back(it);
        store_value(next.back(), targets[i], normalised(value, types[i], program_));
      }
    }
    paths = std::move(next);
  }
  if (paths.empty()) blocked(statement);
  for (Path& it : paths) done(std::move(it), statement, out);
}

// ---------------------------------------------------------------------------------------------------- direct operations

namespace {

void conjuncts(const Expr& expr, std::vector<const Expr*>& list) {
  const auto* binary = std::get_if<BinaryExpr>(&expr.node);
  if (binary == nullptr || binary->op != BinaryOp::kAnd) return list.push_back(&expr);
  conjuncts(*binary->left, list);
  conjuncts(*binary->right, list);
}

// Does the expression speak of the state after the step? With \old style every plain variable does.
bool speaks_of_after(const Expr& expr, bool uses_old) {
  if (uses_old && std::holds_alternative<OldExpr>(expr.node)) return false;
  const auto* name = std::get_if<NameExpr>(&expr.node);
  const auto* field = std::get_if<FieldExpr>(&expr.node);
  const auto* index = std::get_if<IndexExpr>(&expr.node);
  const bool varies = name != nullptr && (name->ref.kind == Ref::Kind::kShared || name->ref.kind == Ref::Kind::kLocal);
  if (uses_old && (varies || field != nullptr || index != nullptr)) return true;
  if ((name != nullptr && name->primed) || (field != nullptr && field->primed) || (index != nullptr && index->primed))
    return true;
  bool found = false;
  for_each_child(expr, [&](const Expr& part) { found = found || speaks_of_after(part, uses_old); });
  return found;
}

// Does it depend on the step of which object, element or entry the expression speaks?
bool moves_with_step(const Expr& expr, bool uses_old) {
  if (const auto* field = std::get_if<FieldExpr>(&expr.node)) return speaks_of_after(*field->object, uses_old);
  const auto* index = std::get_if<IndexExpr>(&expr.node);
  if (index == nullptr) return false;
  if (speaks_of_after(*index->index, uses_old)) return true;
  const bool of_map = index->base->type.kind == Type::Kind::kMap;
  return of_map ? moves_with_step(*index->base, uses_old) : speaks_of_after(*index->base, uses_old);
}

// Is it this very location, after the step?
bool is_after(const Expr& expr, const Location& location, bool uses_old, const Scene& before) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  const auto* field = std::get_if<FieldExpr>(&expr.node);
  const auto* index = std::get_if<IndexExpr>(&expr.node);
  const bool primed =
      (name != nullptr && name->primed) || (field != nullptr && field->primed) || (index != nullptr && index->primed);
  const bool plain_name =
      name != nullptr && (name->ref.kind == Ref::Kind::kShared || name->ref.kind == Ref::Kind::kLocal);
  return (uses_old ? plain_name : primed) && !moves_with_step(expr, uses_old) && locate(expr, before) == location;
}

}  // namespace

// The values an integer of the frame can get: those that conjuncts `x' == e`, `x' in {…}` or both a lower and an upper bound
// leave, else those within the limits. Values that do not satisfy the predicate do no harm here. A conjunct without a value
// leaves all: whether it is evaluated at all depends on those before it.
std::vector<Value> Stepper::solutions(const TwoState& predicate, std::size_t item, const Path& path) {
  const Expr& target = *(*predicate.frame)[item];
  const Scene before = scene(path);
  const Location location = locate(target, before);
  std::vector<const Expr*> parts;
  conjuncts(*predicate.predicate, parts);
  std::optional<std::int64_t> low, high;
  for (const Expr* part : parts) {
    const auto* binary = std::get_if<BinaryExpr>(&part->node);
    if (binary == nullptr) continue;
    bool left = false;
    Value value;
    try {
      left = is_after(*binary->left, location, predicate.uses_old, before);
      if (!left && !is_after(*binary->right, location, predicate.uses_old, before)) continue;
      const Expr& other = left ? *binary->right : *binary->left;
      if (speaks_of_after(other, predicate.uses_old)) continue;
      value = evaluate(other, before);
    } catch (const Undefined&) { continue; }
    const std::int64_t bound = value.number;
    switch (binary->op) {
      case BinaryOp::kEq: return {normalised(value, target.type, program_)};
      case BinaryOp::kIn:
        if (left) return value.keys;
        break;
      case BinaryOp::kLt: (left ? high : low) = left ? bound - 1 : bound + 1; break;
      case BinaryOp::kLe: (left ? high : low) = bound; break;
      case BinaryOp::kGt: (left ? low : high) = left ? bound + 1 : bound - 1; break;
      case BinaryOp::kGe: (left ? low : high) = bound; break;
      default: break;
    }
  }
  if (target.type.kind != Type::Kind::kInt || !low || !high) return domain(target.type, path.state.store);
  std::vector<Value> values;
  for (std::int64_t i = *low; i <= *high; ++i) values.push_back(number(i));
  return values;
}

void Stepper::direct(Path path, const Stmt& statement, const Direct& direct, std::vector<Step>& out) {
  if (direct.wrong_unless && evaluate(*direct.wrong_unless, scene(path)).number == 0) {
    return goes_wrong(std::move(path), Kind::kAssertion, direct.wrong_unless->range, out);
  }
  std::vector<Path> candidates{path};
  const std::size_t count = direct.action.frame ? direct.action.frame->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Location location = locate(*(*direct.action.frame)[i], code(path));
    accesses_.push_back(location);
    const std::vector<Value> values = solutions(direct.action, i, path);
    std::vector<Path> next;
    for (const Path& candidate : candidates) {
      for (const Value& value : values) {
        next.push_back(candidate);
        store_value(next.back(), location, value);
      }
    }
    candidates = std::move(next);
  }
  bool possible = false;
  for (Path& candidate : candidates) {
    const World before{&path.state.store, &top(path).locals};
    const World after{&candidate.state.store, &top(candidate).locals};
    Scene both = two_states(program_, before, after, direct.action.uses_old, tid());
    both.accesses = &accesses_;
    try {
      if (evaluate(*direct.action.predicate, both).number == 0) continue;
    } catch (const Undefined& undefined) {
      possible = true;
      goes_wrong(path, undefined.kind, undefined.range, out);
      continue;
    }
    possible = true;
    done(std::move(candidate), statement, out);
  }
  if (!possible) blocked(statement);
}

// ------------------------------------------------------------------------------------------------------ locks, threads

// Did the thread hold the lock when the operation began? What `atomic` takes at once it does not take while holding.
bool Stepper::held_before(const Location& lock) const {
  const bool is_new = lock.object > std::ssize(before_->heap);
  return !is_new && holder(*before_, lock) == tid();
}

// Orders between locks without an index follow from each other. A breach is reported at the order that ends with the lock held.
void Stepper::check_lock_order(const Location& acquired, Path& path) const {
  std::vector<Location> reached{acquired};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Location from = reached[i];
    for (const LockOrder& order : program_.lock_orders) {
      if (!order.bound.empty() && i > 0) continue;
      for (const Location& after : locks_after(order, from, path)) {
        if (held_before(after)) path.findings.insert(id(Kind::kLockOrder, order.range));
        const bool is_new = std::find(reached.begin(), reached.end(), after) == reached.end();
        if (is_new && order.bound.empty()) reached.push_back(after);
      }
    }
  }
}

// The locks that `order` puts after `lock`.
std::vector<Location> Stepper::locks_after(const LockOrder& order, const Location& lock, const Path& path) const {
  if (!concerned_[static_cast<std::size_t>(order.module)]) return {};
  std::vector<std::vector<Value>> bindings{{}};
  for (std::size_t i = 0; i < order.bound.size(); ++i) {
    std::vector<std::vector<Value>> next;
    for (const std::vector<Value>& binding : bindings) {
      for (std::int64_t value = kQuantifiedLow; value <= kQuantifiedHigh; ++value) {
        next.push_back(binding);
        next.back().push_back(number(value));
      }
    }
    bindings = std::move(next);
  }
  std::vector<Location> found;
  for (const std::vector<Value>& binding : bindings) {
    Scene now = scene(path);
    now.bound = binding;
    try {
      const bool applies = !order.when || evaluate(*order.when, now).number != 0;
      if (applies && locate_lock(*order.before, now) == lock) found.push_back(locate_lock(*order.after, now));
    } catch (const Undefined&) {
      continue;  // there is no such lock
    }
  }
  return found;
}

void Stepper::acquire(Path path, const Stmt& statement, const Expr& lock, std::vector<Step>& out) {
  const Location location = locate_lock(lock, code(path));
  Value value = read(path.state.store, {}, location);
  const bool plain = lock.type.kind == Type::Kind::kTid;
  if (value.number != 0 && (plain || value.number != tid())) {
    holder_ = value.number;
    return blocked(statement);
  }
  if (value.number == 0) check_lock_order(location, path);
  value.number = tid();
  if (!plain) ++value.depth;
  store_value(path, location, value);
  done(std::move(path), statement, out);
}

void Stepper::release(Path path, const Stmt& statement, const Expr& lock, std::vector<Step>& out) {
  const Location location = locate_lock(lock, code(path));
  Value value = read(path.state.store, {}, location);
  if (value.number != tid()) return goes_wrong(std::move(path), Kind::kMonitorState, statement.range, out);
  if (lock.type.kind != Type::Kind::kTid) --value.depth;
  if (value.depth == 0) value.number = 0;
  store_value(path, location, value);
  done(std::move(path), statement, out);
}

void Stepper::wait(Path path, const Stmt& statement, const Expr& lock, std::vector<Step>& out) {
  ThreadState& thread = path.state.threads[thread_];
  if (top(path).tasks.back().progress == 0) {
    const Location location = locate_lock(lock, code(path));
    const Value value = read(path.state.store, {}, location);
    if (value.number != tid()) return goes_wrong(std::move(path), Kind::kMonitorState, statement.range, out);
    thread.waits_for = location;
    thread.levels = value.depth;
    thread.notified = false;
    store_value(path, location, Value{});
    top(path).tasks.back().progress = 1;
    out.push_back({std::move(path.state), false, false, std::move(path.findings), std::nullopt});
    return;
  }
  const bool free = read(path.state.store, {}, *thread.waits_for).number == 0;
  const bool spurious = !thread.notified;
  if (!free || spurious) blocked(statement);
  if (!free && !spurious) holder_ = read(path.state.store, {}, *thread.waits_for).number;
  if (!free) return;
  check_lock_order(*thread.waits_for, path);
  store_value(path, *thread.waits_for, Value{tid(), thread.levels, {}, {}});
  thread.waits_for.reset();
  thread.levels = 0;
  thread.notified = false;
  done(std::move(path), statement, out);
  out.back().spurious = spurious;
}

void Stepper::notify(Path path, const Stmt& statement, const Notify& notify, std::vector<Step>& out) {
  const Location location = locate_lock(*notify.lock, code(path));
  if (holder(path.state.store, location) != tid()) {
    return goes_wrong(std::move(path), Kind::kMonitorState, statement.range, out);
  }
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < path.state.threads.size(); ++i) {
    const ThreadState& it = path.state.threads[i];
    if (it.waits_for == location && !it.notified) waiting.push_back(i);
  }
  if (waiting.empty()) path.findings.insert(id(Kind::kIgnoredNotify, statement.range));
  if (notify.all || waiting.empty()) {
    for (const std::size_t i : waiting) path.state.threads[i].notified = true;
    return done(std::move(path), statement, out);
  }
  for (const std::size_t i : waiting) {
    Path chosen = path;
    chosen.state.threads[i].notified = true;
    done(std::move(chosen), statement, out);
  }
}

void Stepper::join(Path path, const Stmt& statement, const Expr& thread, std::vector<Step>& out) {
  const std::int64_t joined = evaluate(thread, code(path)).number;
  if (joined == 0) return goes_wrong(std::move(path), Kind::kThreadState, statement.range, out);
  if (!path.state.threads[static_cast<std::size_t>(joined - 1)].finished()) {
    joined_ = joined;
    return blocked(statement);
  }
  done(std::move(path), statement, out);
}

// ---------------------------------------------------------------------------------------------------------------- atomic

// Everything inside, in every way it can go; what blocks inside leads nowhere, and a round that changes nothing ends there.
void Stepper::atomic(Path path, const Stmt& statement, const Atomic& atomic, std::vector<Step>& out) {
  const std::size_t depth = path.state.threads[thread_].stack.size();
  const std::size_t blocked_before = blocked_.size();
  const std::size_t steps_before = out.size();
  top(path).tasks.back().progress = 1;
  top(path).tasks.push_back({atomic.body.get(), 0});
  std::set<std::string> seen;
  std::deque<Path> todo{std::move(path)};
  while (!todo.empty()) {
    const Path now = std::move(todo.front());
    todo.pop_front();
    const ThreadState& thread = now.state.threads[thread_];
    std::string key = print(now.state);
    for (const std::string& finding : now.findings) key += "\n" + finding;
    if (!seen.insert(std::move(key)).second) continue;
    if (seen.size() > limits_.max_states) {
      bounded_ = true;
      return;
    }
    for (const Head& head : heads(thread.stack.back().tasks)) {
      if (thread.stack.size() == depth && !head.tasks.empty() && head.tasks.back() == Task{&statement, 1}) {
        Path end = now;
        for (const Loop* loop : head.passed) check_loop(loop->spec, end);
        top(end).tasks = head.tasks;
        done(std::move(end), statement, out);
        continue;
      }
      std::vector<Step> inner;
      perform(now, head, inner);
      for (Step& step : inner) {
        if (step.wrong) {
          out.push_back(std::move(step));
        } else {
          todo.push_back({std::move(step.after), std::move(step.findings)});
        }
      }
    }
  }
  if (out.size() == steps_before && blocked_.size() == blocked_before) blocked(statement);  // it goes round for ever
  if (statement.may_block)
    std::fill(blocked_.begin() + static_cast<std::ptrdiff_t>(blocked_before), blocked_.end(), true);
}

}  // namespace concord::agree
