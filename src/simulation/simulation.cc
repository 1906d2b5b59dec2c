// The course of the construction: entry and control flow.
#include "simulation/simulation.h"

#include <algorithm>

#include "plato/liveness.h"
#include "plato/walk.h"
#include "sequential/cuts.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Command;
using sequential::Invariant;

namespace {

constexpr std::size_t kMostBlocks = 50'000;

}  // namespace

Claim claim_of(const spec::Rely& rely) {
  return {rely.kind == spec::Rely::Kind::kGuarded ? Kind::kGuardedBy : Kind::kEnvAssumption, rely.claim};
}

std::vector<Claim> claims_about_steps(const Program& program, bool races) {
  std::vector<Claim> out;
  const auto add_variable = [&](const Variable& variable) {
    for (const FieldClause& it : variable.clauses) {
      const bool guarded = it.kind == FieldClause::Kind::kGuardedBy;
      out.push_back({guarded ? Kind::kGuardedBy : Kind::kEnvAssumption, it.range});
    }
    if (races && engine::may_race(variable)) out.push_back({Kind::kRace, variable.name_range});
  };
  for (const Variable& it : program.variables) add_variable(it);
  for (const Class& it : program.classes) {
    for (const Variable& field : it.fields) add_variable(field);
  }
  for (const Clause& it : program.clauses) {
    switch (it.kind) {
      case Clause::Kind::kGlobalInvariant:
      case Clause::Kind::kMonitorInvariant: out.push_back({Kind::kInvariant, it.range}); break;
      case Clause::Kind::kEnvAssumption: out.push_back({Kind::kEnvAssumption, it.range}); break;
      case Clause::Kind::kGuarantee: out.push_back({Kind::kGuarantee, it.range}); break;
      case Clause::Kind::kInitially:
      case Clause::Kind::kFinally: break;
    }
  }
  for (const LockOrder& it : program.lock_orders) out.push_back({Kind::kLockOrder, it.range});
  for (const Procedure& procedure : program.procedures) {
    for (const ExprPtr& it : procedure.contract.requires_) out.push_back({Kind::kPrecondition, it->range});
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (races && makes_array(statement)) out.push_back({Kind::kRace, statement.range});
    });
  }
  return out;
}

Simulation simulate(Pool& pool, const SimulationInput& input) {
  World world(pool, *input.program, input.ints, input.procedure == input.program->initialiser);
  Learned learned;
  Simulator(world, input, learned).run();
  Simulation out = Simulator(world, input, learned).run();
  while (!learned.is_settled) out = Simulator(world, input, learned).run();
  return out;
}

Simulation simulate_start(Pool& pool, const SimulationInput& input) {
  World world(pool, *input.program, input.ints);
  Learned learned;
  Simulator(world, input, learned).run_start();
  return Simulator(world, input, learned).run_start();
}

Simulator::Simulator(World& world, const SimulationInput& input, Learned& learned)
    : world_(world),
      input_(input),
      learned_(learned),
      clauses_(world),
      picks_references_(picks_references(*input.program)),
      quantified_(quantified(*input.program)),
      initialised_(input.procedure < 0 || input.procedure != input.program->initialiser) {
  tid_ = pool().constant("tid", world_.tid());
  other_ = pool().constant("other", world_.tid());
  if (input_.procedure >= 0 && procedure(input_.procedure).result.kind != Type::Kind::kNone) {
    result_ = pool().constant("result", world_.sort(procedure(input_.procedure).result));
  }
  const auto formula = [&](const Claim& claim, auto make) -> std::optional<Formula> {
    try {
      return make();
    } catch (const Unsupported& why) {
      out_.lost.push_back({claim, why});
      return {};
    }
  };
  for (const Clause* it : specification().invariants) {
    invariants_.push_back(formula({Kind::kInvariant, it->range}, [&] { return clauses_.invariant(*it); }));
  }
  for (const spec::Rely& it : specification().relies) {
    relies_.push_back(formula(claim_of(it), [&] { return clauses_.rely(it, tid_); }));
    relies_other_.push_back(formula(claim_of(it), [&] { return clauses_.rely(it, other_); }));
  }
  for (const Clause& it : program().clauses) {
    if (it.kind != Clause::Kind::kGuarantee) continue;
    const Claim claim{Kind::kGuarantee, it.range};
    guarantees_.emplace_back(&it, formula(claim, [&] { return clauses_.guarantee(it, tid_); }));
  }
  world_.alive();
  find_races();
  find_components();
}

const spec::Specification& Simulator::specification() const {
  return input_.procedure < 0 ? input_.derived->root() : input_.derived->of(input_.procedure);
}

// ------------------------------------------------------------------------------------------------------------- building

int Simulator::new_block() {
  if (out_.program.blocks.size() > kMostBlocks) {
    throw Unsupported{procedure(input_.procedure).name_range,
                      "a procedure that is so long once the bodies it calls are used"};
  }
  out_.program.blocks.emplace_back();
  return static_cast<int>(out_.program.blocks.size()) - 1;
}

void Simulator::assign(Term variable, Term term) { emit({Command::Kind::kAssign, variable, term, -1, -1}); }
void Simulator::havoc(Term variable) { emit({Command::Kind::kHavoc, variable, nullptr, -1, -1}); }

void Simulator::assume(Term term, int premise) {
  if (term != pool().truth(true)) emit({Command::Kind::kAssume, nullptr, term, premise, -1});
}

void Simulator::assert_(Term term, int obligation) { emit(assertion(term, obligation)); }

// A run that goes wrong ends. One that breaches a clause goes on, so what is proved after it depends on the clause.
Command Simulator::assertion(Term term, int obligation) {
  const std::vector<Claim>& claims = out_.obligations[static_cast<std::size_t>(obligation)].claims;
  int counts_as = -1;
  switch (claims.front().kind) {
    case Kind::kInvariant:
    case Kind::kEnvAssumption:
    case Kind::kGuarantee:
    case Kind::kAbstractionStep:
    case Kind::kPrecondition:
    case Kind::kPostcondition:
    case Kind::kLoopInvariant:
    case Kind::kLockOrder:
    case Kind::kGuardedBy: counts_as = premise(claims.front().kind, claims.front().range); break;
    default: break;
  }
  return {Command::Kind::kAssert, nullptr, term, obligation, counts_as};
}

Term Simulator::variable(const std::string& name, formula::Sort sort) {
  out_.program.variables.push_back(pool().fresh(name, sort));
  variables_.insert(out_.program.variables.back());
  return out_.program.variables.back();
}

int Simulator::premise(Kind kind, base::SourceRange range) {
  const Claim claim{kind, range};
  const auto found = std::find(out_.premises.begin(), out_.premises.end(), claim);
  if (found != out_.premises.end()) return static_cast<int>(found - out_.premises.begin());
  out_.premises.push_back(claim);
  return out_.program.premises++;
}

int Simulator::obligation(Obligation it) {
  std::vector<Term> shown;
  for (const Obligation::Shown& value : it.shown) shown.push_back(value.term);
  out_.program.shown.push_back(std::move(shown));
  out_.obligations.push_back(std::move(it));
  return out_.program.obligations++;
}

void Simulator::probe(base::SourceRange at, const std::string& message, bool is_for_all) {
  out_.probes.push_back({at, message, is_for_all});
  emit({Command::Kind::kProbe, nullptr, nullptr, static_cast<int>(out_.probes.size()) - 1, -1});
}

// ---------------------------------------------------------------------------------------------------------------- entry

Simulation Simulator::run() {
  learned_.is_settled = true;
  at_ = new_block();
  const Procedure& it = procedure(input_.procedure);
  try {
    Activation activation = begin_body();
    for (const ExprPtr& expr : it.contract.requires_) {
      Encoder encoder(world_, scene(activation));
      const Term holds = encoder.clause(*expr);
      assume(encoder.all_facts());
      assume(holds, premise(Kind::kPrecondition, expr->range));
    }
    probe(it.name_range, "no state satisfies what is assumed at the entry of `" + it.name +
                             "`: its precondition and the invariants contradict each other");
    if (input_.is_entry_only) return finished();
    snapshot(activation.entry, "entry");
    init_positions();
    const int body = new_block();
    go_to(body);
    translate(activation, body, false);
  } catch (const Unsupported& trouble) {
    out_.obstacle = trouble;
    out_.program.blocks.assign(1, sequential::Block{});
    out_.suggestions.clear();
  }
  // Before each step others may do anything, so of a long way to a step little matters anyway.
  if (!out_.obstacle && machine() == nullptr) learned_.cuts = sequential::cuts(out_.program);
  if (out_.obstacle) {
    learn_touched();
  } else {
    finish_body();
  }
  // Nothing has been started at the beginning of an atomic block. Backwards, so that places stay what they are.
  for (std::size_t i = out_.obstacle ? 0 : atomic_begins_.size(); i-- > 0;) {
    const auto& [where, position] = atomic_begins_[i];
    std::vector<Command>& commands = block(where).commands;
    for (const Started& started : atomic_started_) {
      commands.insert(commands.begin() + position,
                      {Command::Kind::kAssign, started.happened, pool().truth(false), -1, -1});
    }
  }
  return finished();
}

// Its variables, and what is known where it begins.
Activation Simulator::begin_body() {
  Activation activation;
  activation.number = activations_++;
  activation.procedure = input_.procedure;
  const Procedure& it = procedure(input_.procedure);
  for (const Local& local : it.locals) activation.locals.push_back(variable(local.name, world_.sort(local.type)));
  locals_ = activation.locals;
  if (it.result.kind != Type::Kind::kNone) activation.result = variable("result", world_.sort(it.result));
  if (it.throws.kind != Type::Kind::kNone) activation.exception = variable("exception", world_.sort(it.throws));
  enter();
  Effect effect;
  for (std::size_t i = 0; i < it.locals.size(); ++i) {
    if (i >= it.parameters.size() && input_.round.from == 0)
      assign(activation.locals[i], world_.default_value(it.locals[i].type));
    else
      havoc_value(activation.locals[i], it.locals[i].type, effect);
  }
  for (const Command& command : effect.commands) emit(command);
  return activation;
}

// What is known only when all of it has been translated.
void Simulator::finish_body() {
  learn_touched();
  begin_private();
  finish_races();
  lose_what_is_behind();
}

// With the parts of the state among the variables, and what is true of the rigid symbols.
Simulation Simulator::finished() {
  for (const Part& part : world_.parts()) {
    if (!part.changes) continue;
    out_.program.variables.push_back(part.now);
    out_.program.variables.push_back(part.before);
    if (is_existence(part.kind)) out_.program.fleeting.insert({part.now, part.before});
  }
  for (Term axiom : world_.axioms()) out_.program.axioms.push_back(axiom);
  return std::move(out_);
}

// Whatever a step of this procedure must satisfy is not shown; nor what holds when the procedures that are active end, which
// may be here.
void Simulator::comes_to_unknown_code(const Activation& activation, const Stmt& statement) {
  const Unsupported why{statement.range, std::get<plato::Unsupported>(statement.node).reason};
  unknown_code_.emplace_back(at_, why);
  for (const Claim& claim : claims_about_steps(program(), input_.races)) out_.lost.push_back({claim, why});
  if (machine() != nullptr) out_.lost.push_back({conformance(), why});
  for (const Activation* it = &activation; it != nullptr; it = it->caller) {
    for (const int comes_back : {it->return_block, it->throw_block}) {
      if (comes_back >= 0) unknown_code_.emplace_back(comes_back, why);
    }
    const Procedure& active = procedure(it->procedure);
    const Contract& contract = active.contract;
    for (const ExprPtr& expr : contract.ensures) out_.lost.push_back({{Kind::kPostcondition, expr->range}, why});
    for (const ExprPtr& expr : contract.signals) out_.lost.push_back({{Kind::kPostcondition, expr->range}, why});
    for (const Action& action : contract.actions) out_.lost.push_back({{Kind::kAbstractionStep, action.range}, why});
    if (!contract.has_abstraction() || !contract.actions.empty()) continue;
    out_.lost.push_back({{Kind::kAbstractionStep, active.name_range}, why});
  }
}

// Every claim on a way that comes from code that may do anything.
void Simulator::lose_what_is_behind() {
  for (const auto& [start, why] : unknown_code_) {
    std::set<int> seen;
    std::vector<int> todo{start};
    std::set<int> behind;  // obligations
    while (!todo.empty()) {
      const int at = todo.back();
      todo.pop_back();
      if (!seen.insert(at).second) continue;
      for (const Command& command : block(at).commands) {
        if (command.kind == Command::Kind::kAssert) behind.insert(command.tag);
      }
      for (const Invariant& it : block(at).invariants) {
        if (it.obligation >= 0) behind.insert(it.obligation);
      }
      todo.insert(todo.end(), block(at).successors.begin(), block(at).successors.end());
    }
    for (const int obligation : behind) {
      for (const Claim& claim : out_.obligations[static_cast<std::size_t>(obligation)].claims) {
        out_.lost.push_back({claim, why});
      }
    }
  }
}

// A thread begins without any monitor, and nobody else takes one for it.
Term Simulator::holds_none(const Part& part) const {
  const bool is_holder = part.kind == Part::Kind::kHolder || part.kind == Part::Kind::kFieldHolder ||
                         part.kind == Part::Kind::kObjectHolder;
  if (!is_holder) return pool().truth(true);
  if (part.now->sort == world_.tid()) return pool().ne(part.now, tid_);
  if (part.now->sort->value != world_.tid()) return pool().truth(true);
  const Term key = pool().bound("k", part.now->sort->key);
  const Term holder = pool().select(part.now, key);
  return pool().forall({key}, pool().ne(holder, tid_), {{holder}});
}

// A final variable has its initial value whenever it is looked at.
void Simulator::assume_final_values() {
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {  // which may grow meanwhile
    const Part& part = world_.parts()[i];
    if (part.kind != Part::Kind::kVariable || part.changes) continue;
    const Variable& declared = program().variables[static_cast<std::size_t>(part.index)];
    if (declared.init && std::holds_alternative<Star>(declared.init->node)) continue;
    if (!declared.init && program().initialiser >= 0) continue;  // it may have got another one since
    try {
      Encoder encoder(world_, Scene{});
      const Term value =
          declared.init ? encoder.value_as(*declared.init, declared.type) : world_.default_value(declared.type);
      assume(encoder.all_facts());
      assume(pool().eq(part.now, value));
    } catch (const Unsupported&) { continue; }  // then any value
  }
}

// What is known of the state in which a thread enters the procedure.
void Simulator::enter() {
  if (!initialised_) assume_initial_state();
  catch_up();
  const spec::Derived& derived = *input_.derived;
  const Part& alive = world_.part(world_.alive());
  assume(pool().ne(tid_, world_.none()));
  assume(world_.exists(alive.now, tid_));
  if (derived.is_entry(input_.procedure) && !derived.is_called(input_.procedure) && !derived.has_unknown_code()) {
    assume(pool().eq(world_.entry_of(tid_), pool().number(input_.procedure)));
    if (input_.round.from == 0) {
      for (const Part& part : world_.parts()) assume(holds_none(part));
    }
    // Entered by one declared thread only: this is the one.
    int declared = 0;
    int which = -1;
    bool started = false;
    for (std::size_t i = 0; i < program().threads.size(); ++i) {
      if (program().threads[i].target.index != input_.procedure) continue;
      ++declared;
      which = static_cast<int>(i);
    }
    for (const Procedure& other : program().procedures) {
      for_each_stmt(*other.body, [&](const Stmt& statement) {
        if (starts_thread(statement) && called(statement)->index == input_.procedure) started = true;
      });
    }
    if (!started && input_.round.from == 0) begin_alone();
    if (declared == 1 && !started && !program().threads[static_cast<std::size_t>(which)].name.empty()) {
      assume(pool().eq(tid_, world_.thread(which)));
    }
  }
  for (std::size_t i = 0; i < program().threads.size(); ++i) {
    if (program().threads[i].name.empty()) continue;
    assume(world_.exists(alive.now, world_.thread(static_cast<int>(i))));
  }
  assume_final_values();
  assume_invariants();
  // Where a long program is cut, only what is known of the beginning is known of what exists.
  if (!initialised_) return;
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    const Part& part = world_.parts()[i];
    if (is_existence(part.kind) && part.changes)
      existed_first_[static_cast<int>(i)] = variable("existed first", part.now->sort);
  }
  for (const auto& [part, first] : existed_first_) assign(first, world_.part(part).now);
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    const Part& part = world_.parts()[i];
    if (part.kind != Part::Kind::kVariable || part.changes) continue;
    const Type& type = program().variables[static_cast<std::size_t>(part.index)].type;
    if (type.kind != Type::Kind::kClass && type.kind != Type::Kind::kArray) continue;
    const Term is_some = pool().ne(part.now, world_.null(type));
    if (world_.made(static_cast<int>(i)) != nullptr) assume(is_some);
    const Term exists = world_.exists(world_.part(world_.allocated(type)).now, part.now);
    assume(pool().implies(is_some, pool().and_(exists, world_.is_of_type(type, part.now))));
  }
}

// -------------------------------------------------------------------------------------------------------- control flow

namespace {

std::set<int> nodes_after_initialised(const Flow& flow) {
  std::vector<int> todo;
  for (const FlowNode& node : flow.nodes) {
    for (const FlowEdge& edge : node.edges) {
      const Stmt* statement = edge.operation.statement;
      if (statement != nullptr && std::holds_alternative<Initialised>(statement->node)) todo.push_back(edge.target);
    }
  }
  std::set<int> out;
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    if (at < 0 || !out.insert(at).second) continue;
    for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(at)].edges) {
      todo.push_back(edge.target);
      todo.push_back(edge.on_throw);
    }
  }
  return out;
}

}  // namespace

void Simulator::translate(Activation& activation, int start, bool in_atomic) {
  const Flow flow = make_flow(procedure(activation.procedure));
  std::vector<int> block_of(flow.nodes.size(), -1);
  std::vector<bool> inside(flow.nodes.size(), false);                  // an atomic block
  std::vector<const Stmt*> atomic_around(flow.nodes.size(), nullptr);  // that block, if it is in this procedure
  std::vector<int> incoming(flow.nodes.size(), 0);
  for (const FlowNode& node : flow.nodes) {
    for (const FlowEdge& edge : node.edges) {
      if (edge.target >= 0) ++incoming[static_cast<std::size_t>(edge.target)];
      if (edge.on_throw >= 0) ++incoming[static_cast<std::size_t>(edge.on_throw)];
    }
  }
  const Round round = activation.caller == nullptr ? input_.round : Round{};
  block_of[static_cast<std::size_t>(round.from)] = start;
  inside[static_cast<std::size_t>(round.from)] = in_atomic;
  std::vector<int> todo{round.from};
  std::vector<bool> seen(flow.nodes.size(), false);
  while (!todo.empty()) {
    const int node = todo.back();
    todo.pop_back();
    const auto n = static_cast<std::size_t>(node);
    if (seen[n] || node == round.head) continue;
    seen[n] = true;
    for (const FlowEdge& edge : flow.nodes[n].edges) {
      for (const int next : {edge.target, edge.on_throw}) {
        if (next < 0) continue;
        const auto target = static_cast<std::size_t>(next);
        if (block_of[target] < 0) block_of[target] = new_block();
        const bool begins = edge.operation.kind == Operation::Kind::kAtomicBegin;
        const bool ends = edge.operation.kind == Operation::Kind::kAtomicEnd;
        inside[target] = begins || (inside[n] && !ends) || in_atomic;
        atomic_around[target] = begins ? edge.operation.statement : ends ? nullptr : atomic_around[n];
        todo.push_back(next);
      }
    }
  }
  std::map<int, std::set<int>> bodies;  // of loops, by head
  for (std::size_t n = 0; n < flow.nodes.size(); ++n) {
    if (flow.nodes[n].loop != nullptr) bodies[static_cast<int>(n)] = loop_nodes(flow, static_cast<int>(n));
  }
  const std::vector<std::set<int>> needed = live_locals(flow);
  const auto stand_at = [&](int node) {
    activation.needed = needed[static_cast<std::size_t>(node)];
    atomic_ = activation.in_atomic
                  ? activation.atomic
                  : Learned::AtomicKey{activation.number, atomic_around[static_cast<std::size_t>(node)]};
    loops_ = activation.loops;
    for (const auto& [head, body] : bodies) {
      if (!body.contains(node)) continue;
      loops_.emplace_back(activation.number, head);
      touching_[loops_.back()];
    }
  };
  struct End {
    int block;
    int node;
    const FlowEdge* edge;
  };
  std::vector<End> ends;
  const bool initialises = activation.procedure == program().initialiser;
  const std::set<int> after = initialises ? nodes_after_initialised(flow) : std::set<int>{};
  for (std::size_t n = 0; n < flow.nodes.size(); ++n) {
    if (!seen[n]) continue;
    at_ = block_of[n];
    stand_at(static_cast<int>(n));
    if (initialises) initialised_ = after.contains(static_cast<int>(n));
    if (input_.defect == Defect::kWidenedPositions && incoming[n] > 1) {
      for (Term position : positions_) assign(position, pool().truth(true));
    }
    if (flow.nodes[n].loop != nullptr) {
      begin_loop(activation, flow, static_cast<int>(n), inside[n]);
    } else if (learned_.cuts.contains(at_) && !inside[n] && initialised_) {
      cut(activation, activation.entry);
    }
    const int from = at_;
    for (const FlowEdge& edge : flow.nodes[n].edges) {
      at_ = new_block();
      block(from).successors.push_back(at_);
      if (edge.operation.kind == Operation::Kind::kAtomicEnd) {
        ends.push_back({at_, static_cast<int>(n), &edge});
      } else {
        stand_at(static_cast<int>(n));
        if (edge.operation.kind == Operation::Kind::kCall) activation.needed = live_after(needed, edge);
        translate_edge(activation, flow, static_cast<int>(n), edge, inside[n], block_of);
      }
    }
  }
  // What an atomic block writes and starts is known when everything in it has been seen.
  for (const End& end : ends) {
    at_ = end.block;
    stand_at(end.node);
    if (initialises) initialised_ = after.contains(end.node);
    translate_edge(activation, flow, end.node, *end.edge, true, block_of);
  }
}

void Simulator::translate_edge(Activation& activation, const Flow& flow, int node, const FlowEdge& edge, bool in_atomic,
                               const std::vector<int>& block_of) {
  const Operation& operation = edge.operation;
  const Procedure& it = procedure(activation.procedure);
  const base::SourceRange at = range_of(operation, it);
  const auto finish = [&] {
    if (edge.target < 0) return;
    const bool target_inside = activation.in_atomic || operation.kind == Operation::Kind::kAtomicBegin ||
                               (in_atomic && operation.kind != Operation::Kind::kAtomicEnd);
    go_on(activation, flow, node, edge.target, target_inside, block_of);
  };
  switch (operation.kind) {
    case Operation::Kind::kSilent: return finish();
    case Operation::Kind::kCall: {
      const int after = new_block();
      const int thrown = edge.on_throw < 0 ? -1 : new_block();
      call(activation, operation, after, thrown, in_atomic);
      if (edge.on_throw == edge.target && edge.target >= 0) {
        after_call_[block_of[static_cast<std::size_t>(edge.target)]] = operation.statement;
      }
      if (thrown >= 0) {
        at_ = thrown;
        go_on(activation, flow, node, edge.on_throw, in_atomic, block_of);
      }
      at_ = after;
      return finish();
    }
    case Operation::Kind::kReturn:
    case Operation::Kind::kThrow: return leave(activation, operation, in_atomic);
    case Operation::Kind::kAtomicBegin:
      if (in_atomic) return finish();
      let_act_before_atomic(activation, *operation.statement);
      begin_step(!learned_.atomic[{activation.number, operation.statement}].parts.empty());
      atomic_begins_.emplace_back(at_, std::ssize(block(at_).commands));
      return finish();
    case Operation::Kind::kAtomicEnd: {
      Effect effect;
      sets(activation, operation.statement->sets, effect);
      for (const Command& command : effect.commands) emit(command);
      look_in_atomic(accessed(effect), effect.writes);
      if (activation.in_atomic) return finish();  // the step ends where the outer block does
      const Learned::Atomic& whole = learned_.atomic[{activation.number, operation.statement}];
      enter_started(atomic_started_, &activation);
      end_step(whole.writes, it.module, operation.statement->range, &activation);
      catch_up(components_of(whole.parts), whole.writes);
      return finish();
    }
    default: break;
  }
  if (operation.kind == Operation::Kind::kStatement && std::holds_alternative<Initialised>(operation.statement->node)) {
    become_initialised(operation.statement->range);
    return out_.head >= 0 ? go_to(out_.head) : finish();
  }
  const bool is_unknown = operation.kind == Operation::Kind::kStatement && may_do_anything(*operation.statement);
  if (is_unknown) comes_to_unknown_code(activation, *operation.statement);
  const std::size_t started = atomic_started_.size();
  const Effect effect = effect_of(activation, operation, in_atomic);
  if (in_atomic) {
    std::set<int> parts = accessed(effect);
    // A started thread enters in the state after the step: what it requires may mention anything.
    if (atomic_started_.size() > started) parts.insert(Learned::kEverything);
    look_in_atomic(std::move(parts), effect.writes);
    for (const Command& command : effect.commands) emit(command);
    return finish();
  }
  const bool at_head = flow.nodes[static_cast<std::size_t>(node)].loop != nullptr;
  std::set<int> parts = accessed(effect);
  add_parts_of_step(it.module, effect.writes, parts);
  const bool skipped = (at_head && !parts.empty()) ||
                       (input_.defect == Defect::kNoStepBeforeFirst && node == 0 && activation.caller == nullptr);
  if (!started_.empty()) parts.insert(Learned::kEverything);
  if (skipped) {
    touch(parts);
  } else {
    let_act(parts);
  }
  begin_step(!parts.empty());
  for (const Command& command : effect.commands) emit(command);
  end_step(effect.writes, it.module, at, &activation);
  catch_up(components_of(parts), effect.writes);
  finish();
}

}  // namespace concord::simulation
