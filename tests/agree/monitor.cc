#include "monitor.h"

#include <algorithm>

#include "plato/classes.h"

namespace concord::agree {

using namespace plato;
using diag::Kind;

namespace {

const Locals kNoLocals;

// Nothing that existed before differs, except at the listed locations. Monitors are locations (their holder and depth);
// a new object or a new thread is no change.
// Of the first `old` objects.
bool same_except(const std::vector<Location>& allowed, const Store& before, const Store& after, const Program& program,
                 std::size_t old) {
  Store undone = after;
  Locals none;
  for (const Location& at : allowed) write(undone, none, at, read(before, none, at));
  normalise(undone, program);
  if (undone.variables != before.variables) return false;
  for (std::size_t i = 0; i < old; ++i) {
    if (undone.heap[i].slots != before.heap[i].slots || undone.heap[i].monitor != before.heap[i].monitor) return false;
  }
  return true;
}

// The locations of a frame are those before the step; one that does not exist allows nothing.
void add_locations(const std::vector<ExprPtr>& frame, const Scene& before, std::vector<Location>& list) {
  for (const ExprPtr& item : frame) {
    try {
      list.push_back(locate(*item, before));
    } catch (const Undefined&) { continue; }
  }
}

bool satisfies(const TwoState& predicate, Scene both, const Scene& before, const Store& after) {
  if (predicate.frame) {
    std::vector<Location> allowed;
    add_locations(*predicate.frame, before, allowed);
    if (!same_except(allowed, *before.now.store, after, *before.program, before.now.store->heap.size())) return false;
  }
  return holds(*predicate.predicate, both);
}

std::int64_t tid_of(std::size_t thread) { return static_cast<std::int64_t>(thread) + 1; }

}  // namespace

// For clauses of a module: once, with no `this`. For those of a class: its objects.
std::vector<std::int64_t> Monitor::objects(int class_index, const Store& store) const {
  if (class_index < 0) return {0};
  std::vector<std::int64_t> list;
  for (std::size_t i = 0; i < store.heap.size(); ++i) {
    const int own = store.heap[i].class_index;
    if (own >= 0 && is_subclass(program_, own, class_index)) list.push_back(static_cast<std::int64_t>(i) + 1);
  }
  return list;
}

Findings Monitor::start(State& state) const {
  Findings findings;
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const bool waits = !state.is_initialised && state.store.entered[i] != program_.initialiser;
    if (!waits) watch_new_thread(i, state, findings);
  }
  if (!state.is_initialised) return findings;
  watch_invariants(state.store, findings);
  watch_nodes(state, findings);
  return findings;
}

void Monitor::observe(const State& before, std::size_t thread, Step& step) const {
  if (!before.is_initialised) {
    if (step.wrong || !step.after.is_initialised) return;
    for (std::size_t i = 0; i < step.after.threads.size(); ++i) {
      if (i != thread) watch_new_thread(i, step.after, step.findings);
    }
    watch_invariants(step.after.store, step.findings);
    watch_nodes(step.after, step.findings);
    return;
  }
  watch_machine(before, thread, step);
  if (step.wrong) return;
  for (std::size_t i = before.threads.size(); i < step.after.threads.size(); ++i)
    watch_new_thread(i, step.after, step.findings);
  watch_invariants(step.after.store, step.findings);
  watch_environment(before, thread, step);
  watch_guarantees(before, thread, step);
  watch_abstractions(before, thread, step);
  watch_nodes(step.after, step.findings);
}

void Monitor::watch_new_thread(std::size_t thread, State& state, Findings& findings) const {
  Activation& entry = state.threads[thread].stack.back();
  if (stepper_.looks_back(entry.procedure)) entry.entry = std::make_shared<const Store>(state.store);
  for (const ExprPtr& condition : program_.procedures[static_cast<std::size_t>(entry.procedure)].contract.requires_) {
    const Scene scene = one_state(program_, state.store, entry.locals, tid_of(thread));
    if (!holds(*condition, scene)) findings.insert(stepper_.id(Kind::kPrecondition, condition->range));
  }
}

void Monitor::watch_invariants(const Store& store, Findings& findings) const {
  for (const Clause& clause : program_.clauses) {
    const bool global = clause.kind == Clause::Kind::kGlobalInvariant;
    if (!global && clause.kind != Clause::Kind::kMonitorInvariant) continue;
    if (!concerned_[static_cast<std::size_t>(clause.module)]) continue;
    for (const std::int64_t self : objects(clause.class_index, store)) {
      if (!global && store.heap[static_cast<std::size_t>(self - 1)].monitor.number != 0) continue;
      Scene scene = one_state(program_, store, kNoLocals, 0);
      scene.self = self;
      if (!holds(*clause.predicate.predicate, scene)) findings.insert(stepper_.id(Kind::kInvariant, clause.range));
    }
  }
}

// --------------------------------------------------------------------------------------------------------- other threads

void Monitor::watch_environment(const State& before, std::size_t thread, Step& step) const {
  const World was{&before.store, &kNoLocals};
  const World is{&step.after.store, &kNoLocals};
  for (std::size_t other = 0; other < before.threads.size(); ++other) {
    if (other == thread) continue;
    for (const Clause& clause : program_.clauses) {
      if (clause.kind != Clause::Kind::kEnvAssumption || !concerned_[static_cast<std::size_t>(clause.module)]) continue;
      for (const std::int64_t self : objects(clause.class_index, before.store)) {
        Scene both = two_states(program_, was, is, clause.predicate.uses_old, tid_of(other));
        Scene old = one_state(program_, before.store, kNoLocals, tid_of(other));
        both.self = old.self = self;
        if (!satisfies(clause.predicate, both, old, step.after.store)) breach(step, Kind::kEnvAssumption, clause.range);
      }
    }
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    watch_variable(program_.variables[i], {Location::Root::kVariable, 0, i, {}}, 0, before, thread, step);
  }
  for (std::size_t o = 0; o < before.store.heap.size(); ++o) {
    const int class_index = before.store.heap[o].class_index;
    if (class_index < 0) continue;
    for (std::size_t f = 0; f < before.store.heap[o].slots.size(); ++f) {
      const Variable& field = field_of(program_, class_index, static_cast<int>(f));
      const std::int64_t self = static_cast<std::int64_t>(o) + 1;
      watch_variable(field, {Location::Root::kSlot, self, f, {}}, self, before, thread, step);
    }
  }
}

// unwritable_by_env_if, writable_if and elems_unwritable_by_env_if of one variable or field. Their conditions are looked at
// only when the location changes.
void Monitor::watch_variable(const Variable& variable, const Location& at, std::int64_t self, const State& before,
                             std::size_t thread, Step& step) const {
  if (!concerned_[static_cast<std::size_t>(variable.module)]) return;
  const Value old = read(before.store, kNoLocals, at);
  const Value now = read(step.after.store, kNoLocals, at);
  const auto condition = [&](const FieldClause& clause, std::size_t who, std::vector<Value> bound, bool if_undefined) {
    Scene scene = one_state(program_, before.store, kNoLocals, tid_of(who));
    scene.self = self;
    scene.bound = std::move(bound);
    try {
      return evaluate(*clause.expr, scene).number != 0;
    } catch (const Undefined&) { return if_undefined; }
  };
  const auto changed_by_environment = [&](const FieldClause& clause, const std::vector<Value>& bound) {
    for (std::size_t other = 0; other < before.threads.size(); ++other) {
      if (other != thread && condition(clause, other, bound, true)) breach(step, Kind::kEnvAssumption, clause.range);
    }
  };
  for (const FieldClause& clause : variable.clauses) {
    switch (clause.kind) {
      case FieldClause::Kind::kGuardedBy: break;
      case FieldClause::Kind::kWritableIf:
        if (old != now && !condition(clause, thread, {}, false)) breach(step, Kind::kEnvAssumption, clause.range);
        break;
      case FieldClause::Kind::kUnwritableByEnvIf:
        if (old != now) changed_by_environment(clause, {});
        break;
      case FieldClause::Kind::kElemsUnwritableByEnvIf:
        if (variable.type.kind == Type::Kind::kMap) {
          std::set<Value> keys(old.keys.begin(), old.keys.end());
          keys.insert(now.keys.begin(), now.keys.end());
          const bool is_int = variable.type.first->kind == Type::Kind::kInt;
          for (std::int64_t i = kQuantifiedLow; is_int && i <= kQuantifiedHigh; ++i) keys.insert(number(i));
          if (!is_int) {
            for (const Value& key : stepper_.domain(*variable.type.first, before.store)) keys.insert(key);
          }
          for (const Value& key : keys) {
            if (look_up(old, key) != look_up(now, key)) changed_by_environment(clause, {key});
          }
        } else if (old.number != 0) {
          const auto array = static_cast<std::size_t>(old.number - 1);
          const auto& slots = before.store.heap[array].slots;
          for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i] == step.after.store.heap[array].slots[i]) continue;
            changed_by_environment(clause, {number(static_cast<std::int64_t>(i))});
          }
        }
        break;
    }
  }
}

// ------------------------------------------------------------------------------------------------------ the thread itself

// A step belongs to the procedure that is running when it begins: a call to the caller, a return to the callee.
void Monitor::watch_guarantees(const State& before, std::size_t thread, Step& step) const {
  const int running = before.threads[thread].stack.back().procedure;
  const int module = program_.procedures[static_cast<std::size_t>(running)].module;
  for (const Clause& clause : program_.clauses) {
    if (clause.kind != Clause::Kind::kGuarantee || clause.module != module) continue;
    for (const std::int64_t self : objects(clause.class_index, before.store)) {
      Scene both = two_states(program_, {&before.store, &kNoLocals}, {&step.after.store, &kNoLocals},
                              clause.predicate.uses_old, tid_of(thread));
      Scene old = one_state(program_, before.store, kNoLocals, tid_of(thread));
      both.self = old.self = self;
      if (!satisfies(clause.predicate, both, old, step.after.store)) breach(step, Kind::kGuarantee, clause.range);
    }
  }
}

// Position i: actions before the i-th have happened. Every activation on the stack sees every step of the thread.
void Monitor::watch_abstractions(const State& before, std::size_t thread, Step& step) const {
  const auto& stack = before.threads[thread].stack;
  auto& stack_after = step.after.threads[thread].stack;
  for (std::size_t depth = 0; depth < stack.size(); ++depth) {
    const Activation& activation = stack[depth];
    if (activation.positions.empty()) continue;
    const Procedure& procedure = program_.procedures[static_cast<std::size_t>(activation.procedure)];
    const std::vector<Action>& actions = procedure.contract.actions;
    const Scene old = one_state(program_, before.store, activation.locals, tid_of(thread));
    std::vector<Location> frame;
    if (procedure.contract.modifies) add_locations(*procedure.contract.modifies, old, frame);
    const bool stutters = same_except(frame, before.store, step.after.store, program_, activation.old_objects);

    std::map<Value, std::set<int>> next;
    int furthest = 0;
    for (const auto& [result, positions] : activation.positions) {
      furthest = std::max(furthest, *positions.rbegin());
      for (const int position : positions) {
        if (stutters) next[result].insert(position);
        if (position > std::ssize(actions)) continue;
        const Action& action = actions[static_cast<std::size_t>(position - 1)];
        std::vector<Location> allowed = frame;
        add_locations(action.also_modifies, old, allowed);
        Scene both = two_states(program_, {&before.store, &activation.locals}, {&step.after.store, &activation.locals},
                                action.uses_old, tid_of(thread));
        both.result = &result;
        if (same_except(allowed, before.store, step.after.store, program_, activation.old_objects) &&
            holds(*action.ensures, both)) {
          next[result].insert(position + 1);
        }
      }
    }
    // The claim that fails: the action that is due, the last one if all have happened, the procedure if there is none.
    const auto claim = [&](int due) {
      if (actions.empty()) return procedure.name_range;
      return actions[std::min(static_cast<std::size_t>(due), actions.size()) - 1].range;
    };
    if (next.empty()) breach(step, Kind::kAbstractionStep, claim(furthest));
    if (depth < stack_after.size()) {
      stack_after[depth].positions = std::move(next);
    } else if (!next.empty()) {
      // With an exception there is no result: any will do.
      const auto furthest_end = [](const auto& a, const auto& b) { return *a.second.rbegin() < *b.second.rbegin(); };
      const auto end = step.thrown ? std::max_element(next.begin(), next.end(), furthest_end)
                                   : next.find(stepper_.looks_ahead(activation.procedure) ? *step.returned : Value{});
      int reached = 0;
      for (const auto& [result, positions] : next) reached = std::max(reached, *positions.rbegin());
      if (end != next.end()) reached = *end->second.rbegin();
      const bool complete = end != next.end() && reached > std::ssize(actions);
      if (!complete) breach(step, Kind::kAbstractionStep, claim(reached));
    }
  }
}

const Abstracted& Monitor::claim_about(const State& state, std::size_t thread) const {
  const int declaration = state.threads[thread].declaration;
  if (declaration >= 0) return program_.threads[static_cast<std::size_t>(declaration)].abstracted;
  return program_.procedures[static_cast<std::size_t>(state.store.entered[thread])].abstracted;
}

void Monitor::watch_machine(const State& before, std::size_t thread, Step& step) const {
  const ThreadState& watched = before.threads[thread];
  if (watched.nodes.empty()) return;
  const Abstracted& claim = claim_about(before, thread);
  const AbstractThread& machine = program_.abstract_threads[static_cast<std::size_t>(claim.index)];
  const Scene old = one_state(program_, before.store, kNoLocals, tid_of(thread));
  // As long as nodes are watched their assertions hold (watch_nodes): nothing covers a thread that goes wrong here.
  if (step.wrong) return breach(step, Kind::kConformance, claim.range);
  std::set<int> next;
  if (machine.idle && same_except({}, before.store, step.after.store, program_, before.store.heap.size()))
    next = watched.nodes;
  for (const AbstractThread::Edge& edge : machine.edges) {
    if (!watched.nodes.contains(edge.from_index)) continue;
    const Scene both = two_states(program_, {&before.store, &kNoLocals}, {&step.after.store, &kNoLocals},
                                  edge.step.uses_old, tid_of(thread));
    if (satisfies(edge.step, both, old, step.after.store)) next.insert(edge.to_index);
  }
  if (next.empty()) breach(step, Kind::kConformance, claim.range);
  step.after.threads[thread].nodes = std::move(next);
}

// In every state, for every thread, blocked and finished ones too. A machine that may have gone wrong is watched no more.
void Monitor::watch_nodes(State& state, Findings& findings) const {
  for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
    ThreadState& watched = state.threads[thread];
    if (watched.nodes.empty()) continue;
    const AbstractThread& machine =
        program_.abstract_threads[static_cast<std::size_t>(claim_about(state, thread).index)];
    const Scene now = one_state(program_, state.store, kNoLocals, tid_of(thread));
    bool fails = false;
    for (const int node : watched.nodes) {
      const ExprPtr& assertion = machine.nodes[static_cast<std::size_t>(node)].assertion;
      if (!assertion || holds(*assertion, now)) continue;
      findings.insert(stepper_.id(Kind::kAssertion, assertion->range));
      fails = true;
    }
    if (fails) watched.nodes.clear();
  }
}

}  // namespace concord::agree
