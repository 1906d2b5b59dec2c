// States, threads, and the course of one step. What each operation does is in operations.cc.
#include "explore/machine.h"

#include <algorithm>
#include <unordered_set>

#include "base/check.h"
#include "explore/describe.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::explore {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostMicroSteps = 20'000;  // inside one atomic block
constexpr std::size_t kMostInitialStates = 100'000;
constexpr std::int64_t kMostThreads = 100;

void remember_entry(Frame& frame, const State& state) {
  frame.entry = std::make_shared<const Store>(state.store);
  frame.entry_threads = std::ssize(state.threads);
}

}  // namespace

Machine::Machine(const Program& program, const engine::Settings& settings, Patience& patience)
    : program_(program), settings_(settings), patience_(patience) {
  for (const Procedure& procedure : program.procedures) {
    flows_.push_back(make_flow(procedure));
    bool uses_old = false;
    for (const std::vector<ExprPtr>* list : {&procedure.contract.ensures, &procedure.contract.signals}) {
      for (const ExprPtr& expr : *list) {
        for_each_expr(*expr,
                      [&](const Expr& part) { uses_old = uses_old || std::holds_alternative<OldExpr>(part.node); });
      }
    }
    needs_entry_.push_back(uses_old);
  }
}

Scene Machine::scene(const State& state, Scalar self) {
  Scene out;
  out.program = &program_;
  out.settings = &settings_;
  out.patience = &patience_;
  out.consts = &state.consts;
  out.threads = &state.threads;
  out.before = &state.store;
  out.self = self;
  out.bounds = &bounds_;
  if (self > 0) {
    const ThreadState& thread = state.threads[self - 1];
    out.thread_index = thread.index;
    if (!thread.frames.empty()) out.locals = &thread.frames.back().locals;
  }
  return out;
}

bool clause_holds(Evaluator& evaluator, const Expr& expr, std::string& trouble) {
  evaluator.tolerate_untried();
  try {
    // A clause that fails only because not all integers were tried has not failed; that it is bounded is recorded.
    return evaluator.holds(expr) || evaluator.is_undecided();
  } catch (const Failure& failure) {
    trouble = "it has no value here: " + failure.message;
    return false;
  }
}

// ------------------------------------------------------------------------------------------------------- initial states

void Machine::add_threads(State& state, std::int64_t thread_count) {
  for (int d = 0; d < std::ssize(program_.threads); ++d) {
    const Thread& declaration = program_.threads[d];
    const std::int64_t count = declaration.count == Thread::Count::kNumber ? declaration.number
                               : declaration.count == Thread::Count::kUnbounded
                                   ? thread_count
                                   : state.consts[declaration.const_index].scalar;
    if (count > kMostThreads) throw Limit{"more than " + std::to_string(kMostThreads) + " threads"};
    for (std::int64_t i = 0; i < count; ++i) {
      ThreadState thread;
      thread.declaration = d;
      thread.entry = declaration.target.index;
      thread.index = static_cast<int>(i);
      state.threads.push_back(std::move(thread));
    }
  }
}

std::vector<State> Machine::initial_states(std::int64_t thread_count) {
  std::vector<State> partial = {State{}};
  for (int c = 0; c < std::ssize(program_.consts); ++c) {
    const Const& declared = program_.consts[c];
    const bool counts_threads = std::any_of(program_.threads.begin(), program_.threads.end(),
                                            [&](const Thread& it) { return it.const_index == c; });
    std::vector<State> next;
    for (State& state : partial) {
      std::vector<Value> values;
      if (declared.value) {
        const Scene where = scene(state, 0);
        values = {Evaluator(where).value(*declared.value)};
      } else if (counts_threads) {
        values = {Value(thread_count)};
      } else {
        values = domain(state, declared.type, "symbolic constants");
      }
      for (Value& value : values) {
        patience_.poll();
        next.push_back(state);
        next.back().consts.push_back(std::move(value));
      }
    }
    partial = std::move(next);
  }
  std::vector<State> out;
  for (State& state : partial) {
    add_threads(state, thread_count);
    initial_values(state, 0, out);
  }
  return out;
}

void Machine::initial_values(State& state, std::size_t next, std::vector<State>& out) {
  if (out.size() >= kMostInitialStates) {
    throw Limit{"more than " + std::to_string(kMostInitialStates) + " initial states"};
  }
  if (next < program_.variables.size()) {
    const Variable& variable = program_.variables[next];
    std::vector<Value> values = {default_value(variable.type)};
    if (variable.init && std::holds_alternative<Star>(variable.init->node)) {
      values = domain(state, variable.type, "initial values");
    } else if (variable.init) {
      const Scene where = scene(state, 0);
      values = {Evaluator(where).value(*variable.init)};
    }
    for (Value& value : values) {
      patience_.poll();
      state.store.variables.push_back(std::move(value));
      initial_values(state, next + 1, out);
      state.store.variables.pop_back();
    }
    return;
  }
  for (const Clause& clause : program_.clauses) {
    if (clause.kind != Clause::Kind::kInitially) continue;
    const Scene where = scene(state, 0);
    try {
      if (!Evaluator(where).holds(*clause.predicate.predicate)) return;
    } catch (const Failure&) { return; }
  }
  State complete = state;
  complete.is_initialised = program_.initialiser < 0;
  for (std::size_t t = 0; t < complete.threads.size(); ++t) {
    ThreadState& thread = complete.threads[t];
    const Thread& declaration = program_.threads[thread.declaration];
    Scene where = scene(complete, static_cast<Scalar>(t + 1));
    std::vector<Value> arguments;
    for (const ExprPtr& argument : declaration.target.arguments) arguments.push_back(Evaluator(where).value(*argument));
    thread.frames.push_back(make_frame(complete, thread.entry, std::move(arguments), Frame::kNowhere));
    thread.nodes = initial_nodes(declaration.abstracted);
  }
  out.push_back(std::move(complete));
}

std::vector<bool> Machine::initial_nodes(const Abstracted& it) const {
  std::vector<bool> out;
  if (it.index < 0) return out;
  for (const AbstractThread::Node& node : program_.abstract_threads[it.index].nodes) out.push_back(node.initial);
  return out;
}

std::vector<Breach> Machine::initial_breaches(const State& state) {
  std::vector<Breach> out;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    const ThreadState& thread = state.threads[self - 1];
    if (may_move(state, thread)) check_requires(state, self, thread.frames.back(), out);
  }
  return out;
}

bool Machine::may_move(const State& state, const ThreadState& thread) const {
  return !thread.finished && (state.is_initialised || thread.entry == program_.initialiser);
}

// The other declared threads enter their procedures when everything is initialised.
void Machine::enter_declared(Transition& step, Scalar except) {
  for (Scalar self = 1; self <= std::ssize(step.after.threads); ++self) {
    if (self == except) continue;
    Frame& frame = step.after.threads[self - 1].frames.back();
    if (needs_entry_[frame.procedure]) remember_entry(frame, step.after);
    if (!frame.places.empty()) frame.entry_objects = std::ssize(step.after.store.objects);
    check_requires(step.after, self, frame, step.breaches);
  }
}

Frame Machine::make_frame(const State& state, int procedure, std::vector<Value> arguments, int return_slot) const {
  const Procedure& it = program_.procedures[procedure];
  Frame frame;
  frame.procedure = procedure;
  frame.locals = std::move(arguments);
  for (std::size_t slot = frame.locals.size(); slot < it.locals.size(); ++slot) {
    frame.locals.push_back(default_value(it.locals[slot].type));
  }
  frame.return_slot = return_slot;
  if (needs_entry_[procedure]) remember_entry(frame, state);
  if (it.contract.has_abstraction()) {
    frame.places.emplace_back();
    frame.entry_objects = std::ssize(state.store.objects);
  }
  return frame;
}

std::string Machine::thread_name(const State& state, Scalar self) const {
  const ThreadState& thread = state.threads[self - 1];
  const std::string& procedure = program_.procedures[thread.entry].name;
  if (thread.declaration < 0) return procedure + "#" + std::to_string(self);
  const Thread& declaration = program_.threads[thread.declaration];
  if (!declaration.name.empty()) return declaration.name;
  const bool is_class = declaration.has_brackets;
  const auto same_entry = std::count_if(program_.threads.begin(), program_.threads.end(),
                                        [&](const Thread& it) { return it.target.index == thread.entry; });
  if (is_class && same_entry == 1) return procedure + "#" + std::to_string(thread.index);
  return same_entry == 1 ? procedure : procedure + "#" + std::to_string(self);
}

// ----------------------------------------------------------------------------------------------------------- one step

std::vector<Machine::Choice> Machine::choices(const Frame& frame) const {
  const Flow& flow = flows_[frame.procedure];
  using Heads = std::vector<const LoopSpec*>;  // of the loops passed on the way, in order
  std::vector<Choice> out;
  std::set<std::pair<int, Heads>> seen;  // by another way there may be other loop invariants to look at
  std::vector<std::pair<int, Heads>> todo = {{frame.node, {}}};
  while (!todo.empty()) {
    auto [node, heads] = std::move(todo.back());
    todo.pop_back();
    if (!seen.emplace(node, heads).second) continue;
    const FlowNode& at = flow.nodes[node];
    const bool passed = std::find(heads.begin(), heads.end(), at.loop) != heads.end();
    if (at.loop != nullptr && !passed) heads.push_back(at.loop);
    for (const FlowEdge& edge : at.edges) {
      if (edge.operation.kind == Operation::Kind::kSilent) {
        todo.emplace_back(edge.target, heads);
      } else {
        out.push_back({&edge, heads});
      }
    }
  }
  return out;
}

std::vector<Transition> Machine::steps(const State& state, Scalar self) {
  std::vector<Transition> out;
  const ThreadState& thread = state.threads[self - 1];
  if (!may_move(state, thread)) return out;
  const Frame& frame = thread.frames.back();
  std::vector<Transition> partial;
  for (const Choice& choice : choices(frame)) {
    Transition base;
    base.after = state;
    base.operation = &choice.edge->operation;
    base.procedure = frame.procedure;
    std::vector<Transition> results;
    perform(std::move(base), self, choice, results);
    for (Transition& it : results) (it.after.atomic_depth > 0 ? partial : out).push_back(std::move(it));
  }
  if (!partial.empty()) finish_atomic(std::move(partial), self, out);
  for (Transition& it : out) enter_started(state, it);
  return out;
}

// A started thread enters its procedure in the state after the whole step.
void Machine::enter_started(const State& before, Transition& step) {
  if (step.failure || step.cut) return;
  for (std::size_t t = before.threads.size(); t < step.after.threads.size(); ++t) {
    Frame& frame = step.after.threads[t].frames.back();
    if (needs_entry_[frame.procedure]) remember_entry(frame, step.after);
    check_requires(step.after, static_cast<Scalar>(t + 1), frame, step.breaches);
  }
}

// Runs an atomic block to its end, along all its paths.
void Machine::finish_atomic(std::vector<Transition> partial, Scalar self, std::vector<Transition>& out) {
  std::unordered_set<std::string> seen;
  std::size_t micro_steps = 0;
  while (!partial.empty()) {
    Transition base = std::move(partial.back());
    partial.pop_back();
    if (base.failure || base.cut) {
      base.after.atomic_depth = 0;
      out.push_back(std::move(base));
      continue;
    }
    if (++micro_steps > kMostMicroSteps) {
      bounds_.insert("an atomic block takes more than " + std::to_string(kMostMicroSteps) + " steps");
      base.cut = true;
      base.after.atomic_depth = 0;
      out.push_back(std::move(base));
      return;
    }
    std::sort(base.accesses.begin(), base.accesses.end());
    base.accesses.erase(std::unique(base.accesses.begin(), base.accesses.end()), base.accesses.end());
    std::string key = to_bytes(base.after);
    for (const Access& access : base.accesses) {
      append_to(key, static_cast<Scalar>(access.location.kind));
      append_to(key, access.location.object);
      append_to(key, Scalar{access.location.index});
      append_to(key, Scalar{access.location.has_key});
      append_to(key, access.location.key);
      append_to(key, Scalar{access.is_write});
    }
    append_to(key, static_cast<Scalar>(base.acquired.size()));
    for (const Lock& lock : base.acquired) append_to(key, lock);
    for (const std::set<Scalar>* threads : {&base.started, &base.joined}) {
      append_to(key, static_cast<Scalar>(threads->size()));
      for (const Scalar thread : *threads) append_to(key, thread);
    }
    std::set<std::pair<diag::Kind, std::uint32_t>> found;  // another way here may have found something else
    for (const Breach& breach : base.breaches) found.emplace(breach.kind, breach.claim.begin);
    for (const auto& [kind, claim] : found) {
      append_to(key, static_cast<Scalar>(kind));
      append_to(key, Scalar{claim});
    }
    if (!seen.insert(std::move(key)).second) continue;
    for (const Choice& choice : choices(base.after.threads[self - 1].frames.back())) {
      std::vector<Transition> results;
      perform(base, self, choice, results);
      for (Transition& it : results) {
        const bool done = it.after.atomic_depth == 0 && !it.failure && !it.cut;
        (done ? out : partial).push_back(std::move(it));
      }
    }
  }
}

void Machine::perform(Transition base, Scalar self, const Choice& choice, std::vector<Transition>& out) {
  check_loops(base, self, choice.loops);
  std::vector<Transition> results;
  try {
    perform_operation(base, self, *choice.edge, results);
    for (Transition& it : results) {
      if (on_operation) on_operation(base.after, self, it, base.accesses.size());
    }
  } catch (const Failure& failure) {
    base.failure = failure;
    results.clear();
    results.push_back(std::move(base));
  } catch (const Limit& limit) {
    bounds_.insert(limit.reason);
    base.cut = true;
    results.clear();
    results.push_back(std::move(base));
  } catch (const NotSupported&) {
    const Stmt* statement = choice.edge->operation.statement;
    if (std::find(unsupported_.begin(), unsupported_.end(), statement) == unsupported_.end()) {
      unsupported_.push_back(statement);
    }
    base.cut = true;
    base.breaches.clear();  // perhaps it blocks, and then nothing of this step happens
    results.clear();
    results.push_back(std::move(base));
  }
  // An operation that blocks has no results, and then its loop invariants were not due.
  for (Transition& it : results) out.push_back(std::move(it));
}

// ------------------------------------------------------------------------------------------------ clauses of operations

// What cannot be evaluated has not failed; the reason is kept, and the run goes on.
bool Machine::holds_or_unknown(const Scene& where, const Expr& clause, std::string& trouble) {
  Evaluator evaluator(where);
  try {
    return clause_holds(evaluator, clause, trouble);
  } catch (const Limit& limit) {
    bounds_.insert(limit.reason);
    return true;
  }
}

void Machine::check_loops(Transition& step, Scalar self, const std::vector<const LoopSpec*>& loops) {
  for (const LoopSpec* loop : loops) {
    for (const ExprPtr& invariant : loop->invariants) {
      const Scene where = scene(step.after, self);
      std::string trouble;
      if (holds_or_unknown(where, *invariant, trouble)) continue;
      step.breaches.push_back({Kind::kLoopInvariant, invariant->range,
                               "the loop invariant does not hold" + (trouble.empty() ? "" : "; " + trouble)});
    }
  }
}

void Machine::check_requires(const State& state, Scalar self, const Frame& frame, std::vector<Breach>& out) {
  const Procedure& procedure = program_.procedures[frame.procedure];
  for (const ExprPtr& expr : procedure.contract.requires_) {
    Scene where = scene(state, self);
    where.locals = &frame.locals;
    std::string trouble;
    if (holds_or_unknown(where, *expr, trouble)) continue;
    out.push_back({Kind::kPrecondition, expr->range,
                   "`" + procedure.name + "` is entered while its precondition does not hold" +
                       (trouble.empty() ? "" : "; " + trouble)});
  }
}

void Machine::check_return(Transition& step, Scalar self, const Frame& frame, const Value& result) {
  const Procedure& procedure = program_.procedures[frame.procedure];
  for (const ExprPtr& expr : step.thrown ? procedure.contract.signals : procedure.contract.ensures) {
    Scene where = scene(step.after, self);
    where.before = frame.entry ? frame.entry.get() : &step.after.store;
    if (frame.entry) where.thread_count = frame.entry_threads;
    where.after = &step.after.store;
    where.uses_old = true;
    where.locals = &frame.locals;
    where.result = &result;
    Evaluator evaluator(where);
    std::string trouble;
    if (clause_holds(evaluator, *expr, trouble)) continue;
    step.breaches.push_back({Kind::kPostcondition, expr->range,
                             "`" + procedure.name + (step.thrown ? "` throws" : "` returns") +
                                 " while its postcondition does not hold" + (trouble.empty() ? "" : "; " + trouble)});
  }
}

// ------------------------------------------------------------------------------------------------------------- waiting

std::vector<Waiting> Machine::waiting(const State& state, Scalar self) {
  std::vector<Waiting> out;
  const ThreadState& thread = state.threads[self - 1];
  if (thread.finished) return out;
  const Frame& frame = thread.frames.back();
  for (const Choice& choice : choices(frame)) {
    const Operation& operation = choice.edge->operation;
    const CallTarget* target = operation.statement != nullptr ? called(*operation.statement) : nullptr;
    const bool intended = operation.statement != nullptr &&
                          (operation.statement->may_block || (target != nullptr && target->is_within_requires));
    out.push_back({&operation, frame.procedure, "", "", intended});
    describe_wait(state, self, out.back());
  }
  return out;
}

bool Machine::is_in_region(const ThreadState& thread) const {
  return std::any_of(thread.frames.begin(), thread.frames.end(),
                     [&](const Frame& it) { return !flows_[it.procedure].nodes[it.node].regions.empty(); });
}

void Machine::describe_wait(const State& state, Scalar self, Waiting& waiting) {
  const auto without_semicolon = [](std::string it) {
    if (!it.empty() && it.back() == ';') it.pop_back();
    return it;
  };
  const Operation& operation = *waiting.operation;
  waiting.text = without_semicolon(text_of(operation));
  const auto held_by = [&](Scalar holder) {
    return holder == 0      ? std::string()
           : holder == self ? ", which it holds itself"
                            : ", which " + thread_name(state, holder) + " holds";
  };
  try {
    const Scene where = scene(state, self);
    if (operation.kind == Operation::Kind::kWaitAcquire && operation.statement != nullptr) {
      const Value monitor = read_lock(state, state.threads[self - 1].waiting);
      const bool notified = !monitor.composite->elements.contains(self);
      waiting.text = without_semicolon(print_head(*operation.statement));
      waiting.detail =
          notified ? " to take the monitor back" + held_by(monitor.composite->holder) : " for a notification";
    } else if (operation.kind == Operation::Kind::kStatement) {
      if (const auto* acquire = std::get_if<Acquire>(&operation.statement->node)) {
        const Lock lock = Evaluator(where).lock(*acquire->lock);
        const Value value = read_lock(state, lock);
        waiting.detail = " for " + describe_lock(*this, state, lock) +
                         held_by(lock.is_monitor ? value.composite->holder : value.scalar);
      }
      if (const auto* join = std::get_if<Join>(&operation.statement->node)) {
        const Scalar thread = Evaluator(where).scalar(*join->thread);
        if (thread > 0) waiting.detail = " for " + thread_name(state, thread) + " to finish";
      }
    }
  } catch (const Failure&) {  // then there is nothing more to tell
  } catch (const Limit&) {}
}

}  // namespace concord::explore
