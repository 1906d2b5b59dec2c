#include "simulation/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plato/printer.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Invariant;

// ------------------------------------------------------------------------------------------------------------- in words

namespace {

std::string place_of(const Program& program, NodeId id) {
  const AbstractThread& machine = program.abstract_threads[static_cast<std::size_t>(id.machine)];
  return machine.name + "." + machine.nodes[static_cast<std::size_t>(id.node)].name;
}

}  // namespace

std::string to_string(const Program& program, const StateAtom& atom, bool wanted) {
  if (atom.expr != nullptr) {
    const auto* equation = std::get_if<BinaryExpr>(&atom.expr->node);
    const bool is_equation = equation != nullptr && equation->op == BinaryOp::kEq;
    if (wanted) return print(*atom.expr);
    if (is_equation) return print(*equation->left) + " != " + print(*equation->right);
    return equation == nullptr ? "!" + print(*atom.expr) : "!(" + print(*atom.expr) + ")";
  }
  const std::string at = place_of(program, atom.node);
  if (atom.at_least == 0) return (wanted ? "the thread is at " : "the thread is not at ") + at;
  if (atom.at_least == 1) return (wanted ? "some thread is at " : "no thread is at ") + at;
  return fmt::format("{} {} threads are at {}", wanted ? "at least" : "fewer than", atom.at_least, at);
}

// As an implication where that reads better.
std::string to_string(const Program& program, const Guesses& guesses, const std::vector<Literal>& clause) {
  const Literal& last = clause.back();
  std::string out = to_string(program, guesses.atoms[last.atom], last.wanted);
  if (clause.size() == 1) return out;
  std::string premises;
  for (std::size_t i = 0; i + 1 < clause.size(); ++i) {
    premises +=
        (premises.empty() ? "" : " and ") + to_string(program, guesses.atoms[clause[i].atom], !clause[i].wanted);
  }
  return "if " + premises + " then " + out;
}

std::string to_string(const Program& program, const Guesses& guesses, const Equation& equation) {
  std::string left;
  std::string right;
  for (const Equation::Summand& it : equation.summands) {
    std::string what;
    switch (it.kind) {
      case Equation::Summand::Kind::kOne: break;
      case Equation::Summand::Kind::kThreads:
        what = "#" + program.abstract_threads[static_cast<std::size_t>(it.index)].name;
        break;
      case Equation::Summand::Kind::kPlace:
        what = it.place->type.kind == Type::Kind::kBool ? "[" + print(*it.place) + "]" : print(*it.place);
        break;
      case Equation::Summand::Kind::kNode: what = "#" + place_of(program, it.node); break;
    }
    std::string& side = it.factor > 0 ? left : right;
    const std::int64_t factor = it.factor > 0 ? it.factor : -it.factor;
    const std::string text = what.empty()  ? fmt::to_string(factor)
                             : factor == 1 ? what
                                           : fmt::format("{} * {}", factor, what);
    side += (side.empty() ? "" : " + ") + text;
  }
  const std::string where =
      equation.where
          ? "if " + to_string(program, guesses.atoms[equation.where->atom], equation.where->wanted) + " then "
          : "";
  const std::string relation = equation.is_at_most ? " <= " : " == ";
  return where + (left.empty() ? "0" : left) + relation + (right.empty() ? "0" : right);
}

// ---------------------------------------------------------------------------------------------------------- construction

Simulation simulate_composition(Pool& pool, const SimulationInput& input, const Guesses& guesses) {
  World world(pool, *input.program, input.ints, input.program->initialiser >= 0);
  SimulationInput initialising = input;
  initialising.procedure = input.program->initialiser;  // its code is what happens first
  Learned learned;
  Simulator(world, initialising, learned).run_composition(guesses);
  Simulation out = Simulator(world, initialising, learned).run_composition(guesses);
  while (!learned.is_settled) out = Simulator(world, initialising, learned).run_composition(guesses);
  return out;
}

// How many threads are at each node, and how many there are.
struct Simulator::Counts {
  std::map<NodeId, Term> at;
  std::map<int, Term> all;       // by machine
  Term places = nullptr;         // where each thread is; null: nobody asks who a thread is
  std::map<NodeId, Term> codes;  // of nodes, in `places`
  std::vector<Term> known;       // threads that have a name, and variables that hold one
};

namespace {

bool asks_who(const Expr& expr) {
  bool out = false;
  for_each_expr(expr, [&](const Expr& part) {
    out = out || std::holds_alternative<TidExpr>(part.node) || part.type.kind == Type::Kind::kTid ||
          std::holds_alternative<HoldsExpr>(part.node);
  });
  return out;
}

}  // namespace

bool has_identities(const Program& program) {
  for (const AbstractThread& machine : program.abstract_threads) {
    for (const AbstractThread::Node& it : machine.nodes) {
      if (it.assertion && asks_who(*it.assertion)) return true;
    }
    for (const AbstractThread::Edge& it : machine.edges) {
      if (asks_who(*it.step.predicate)) return true;
      if (!it.step.frame) continue;
      for (const ExprPtr& item : *it.step.frame) {
        if (asks_who(*item)) return true;
      }
    }
  }
  return std::any_of(program.clauses.begin(), program.clauses.end(),
                     [](const Clause& it) { return asks_who(*it.predicate.predicate); });
}

Simulator::Counts Simulator::count_threads() {
  Counts out;
  std::map<int, std::vector<Term>> summands;  // by machine: the threads of its declarations
  const bool has_identities = simulation::has_identities(program());
  for (const Thread& it : program().threads) {
    if (it.abstracted.index < 0 && has_identities)
      throw Unsupported{it.range, "a thread without an abstract thread while others say who a thread is"};
    if (it.abstracted.index < 0) continue;
    if (it.count == Thread::Count::kNumber) {
      summands[it.abstracted.index].push_back(pool().number(it.number));
      continue;
    }
    const Const* symbol = it.const_index < 0 ? nullptr : &program().consts[static_cast<std::size_t>(it.const_index)];
    Encoder encoder(world_, Scene{});
    const Term number = symbol == nullptr ? pool().fresh("threads", pool().integer())
                        : symbol->value   ? encoder.value(*symbol->value)
                                          : world_.constant(it.const_index);
    // Of a negative number there are none.
    const Term zero = pool().number(0);
    summands[it.abstracted.index].push_back(pool().ite(pool().le(zero, number), number, zero));
  }
  for (const auto& [machine, numbers] : summands) {
    Term sum = pool().number(0);
    for (Term it : numbers) sum = pool().add(sum, it);
    out.all[machine] = sum;
    Term placed = pool().number(0);
    const AbstractThread& it = program().abstract_threads[static_cast<std::size_t>(machine)];
    for (int n = 0; n < std::ssize(it.nodes); ++n) {
      const AbstractThread::Node& node = it.nodes[static_cast<std::size_t>(n)];
      const Term count = variable("threads at " + node.name, pool().integer());
      out.at[{machine, n}] = count;
      if (!node.initial) {
        assign(count, pool().number(0));
        continue;
      }
      havoc(count);
      assume(pool().le(pool().number(0), count));
      placed = pool().add(placed, count);
    }
    assume(pool().eq(placed, sum));
  }
  if (has_identities) place_threads(out);
  return out;
}

// Each thread is at an initial node.
void Simulator::place_threads(Counts& counts) {
  counts.places = variable("where threads are", pool().array(world_.tid(), pool().integer()));
  std::vector<Term> initial;
  const Term any = pool().bound("t", world_.tid());
  const Term place = pool().select(counts.places, any);
  std::int64_t code = 0;
  for (const auto& [id, count] : counts.at) {
    counts.codes[id] = pool().number(++code);
    const AbstractThread& machine = program().abstract_threads[static_cast<std::size_t>(id.machine)];
    if (machine.nodes[static_cast<std::size_t>(id.node)].initial) initial.push_back(pool().eq(place, counts.codes[id]));
  }
  assume(pool().forall({any}, pool().implies(is_thread(any), pool().or_(initial)), {{place}}));
  for (std::size_t i = 0; i < program().threads.size(); ++i) {
    if (!program().threads[i].name.empty()) counts.known.push_back(world_.thread(static_cast<int>(i)));
  }
  for (int v = 0; v < std::ssize(program().variables); ++v) {
    if (program().variables[static_cast<std::size_t>(v)].type.kind == Type::Kind::kTid)
      counts.known.push_back(world_.part(world_.variable(v)).now);
  }
}

Term Simulator::is_thread(Term it) {
  return pool().and_(pool().ne(it, world_.none()), world_.exists(world_.part(world_.alive()).now, it));
}

// At each node there are at least as many threads as are known to be there: the one that moves, and those with names.
void Simulator::assume_counted(const Counts& counts) {
  if (counts.places == nullptr) return;
  std::vector<Term> all = counts.known;
  all.push_back(tid_);
  for (const auto& [id, count] : counts.at) {
    Term there = pool().number(0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<Term> is_there{is_thread(all[i]),
                                 pool().eq(pool().select(counts.places, all[i]), counts.codes.at(id))};
      for (std::size_t j = 0; j < i; ++j) is_there.push_back(pool().ne(all[i], all[j]));
      there = pool().add(there, pool().ite(pool().and_(is_there), pool().number(1), pool().number(0)));
    }
    assume(pool().le(there, count));
  }
}

// `thread`: the one that is meant, if one is.
Term Simulator::counted(const StateAtom& atom, const Counts& counts, Term thread) {
  if (atom.expr == nullptr && atom.at_least > 0)
    return pool().le(pool().number(atom.at_least), counts.at.at(atom.node));
  if (atom.expr == nullptr) return pool().eq(pool().select(counts.places, thread), counts.codes.at(atom.node));
  Scene where;
  where.tid = thread;
  Encoder encoder(world_, where);
  const Term holds = encoder.clause(*atom.expr);
  assume(encoder.all_facts());
  return holds;
}

Term Simulator::value_of(const Expr& place) {
  Encoder encoder(world_, Scene{});
  const Term out = encoder.value(place);
  assume(encoder.all_facts());
  return out;
}

Term Simulator::counted(const Equation& equation, const Counts& counts) {
  Term sum = pool().number(0);
  for (const Equation::Summand& it : equation.summands) {
    Term what = pool().number(1);
    switch (it.kind) {
      case Equation::Summand::Kind::kOne: break;
      case Equation::Summand::Kind::kThreads: what = counts.all.at(it.index); break;
      case Equation::Summand::Kind::kPlace:
        what = value_of(*it.place);
        if (what->sort == pool().boolean()) what = pool().ite(what, pool().number(1), pool().number(0));
        break;
      case Equation::Summand::Kind::kNode: what = counts.at.at(it.node); break;
    }
    sum = pool().add(sum, pool().mul(pool().number(it.factor), what));
  }
  return equation.is_at_most ? pool().le(sum, pool().number(0)) : pool().eq(sum, pool().number(0));
}

// What must hold in every state: at the head of the loop.
void Simulator::check_state(const Counts& counts, std::vector<Term>& claims) {
  const auto check = [&](Term holds, Term claim, Kind kind, base::SourceRange range, const std::string& message,
                         const NodeId* at) {
    Obligation made;
    made.claims = {{kind, range}};
    made.at = range;
    made.message = message;
    if (at != nullptr) made.shown.push_back({"#" + place_of(program(), *at), counts.at.at(*at), false});
    for (Obligation::Shown& it : shown_for(holds, nullptr)) made.shown.push_back(std::move(it));
    claims.push_back(claim);
    assert_(holds, obligation(std::move(made)));
  };
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (!invariants_[i]) continue;
    const Clause& clause = *specification().invariants[i];
    const Term holds = pool().implies(invariants_[i]->facts, invariants_[i]->holds);
    check(holds, holds, Kind::kInvariant, clause.range, "the abstract threads together may break the invariant",
          nullptr);
  }
  if (counts.places != nullptr) {  // any thread
    havoc(tid_);
    assume(is_thread(tid_));
    assume_counted(counts);
  }
  for (const auto& [id, count] : counts.at) {
    const AbstractThread& machine = program().abstract_threads[static_cast<std::size_t>(id.machine)];
    const AbstractThread::Node& node = machine.nodes[static_cast<std::size_t>(id.node)];
    if (!node.assertion) continue;
    const Formula it = node_assertion(node);
    const std::string message =
        "an abstract thread at " + place_of(program(), id) + " may find that its assertion does not hold";
    if (!asks_who(*node.assertion)) {
      const Term is_there = pool().le(pool().number(1), count);
      const Term holds = pool().implies(pool().and_(is_there, it.facts), it.holds);
      check(holds, holds, Kind::kAssertion, node.assertion->range, message, &id);
      continue;
    }
    const Term place = pool().select(counts.places, tid_);
    const Term is_there = pool().and_(is_thread(tid_), pool().eq(place, counts.codes.at(id)));
    const Term holds = pool().implies(pool().and_(is_there, it.facts), it.holds);
    check(holds, of_every_thread(holds, counts), Kind::kAssertion, node.assertion->range, message, &id);
  }
}

// What is said of `tid_`, of every thread.
Term Simulator::of_every_thread(Term holds, const Counts& counts) {
  const Term any = pool().bound("t", world_.tid());
  const Term said = pool().substitute(holds, {{tid_, any}});
  return pool().forall({any}, pool().implies(is_thread(any), said), {{pool().select(counts.places, any)}});
}

void Simulator::take_edge(NodeId from, const AbstractThread::Edge& edge, const Counts& counts) {
  const Term here = counts.at.at(from);
  const Term there = counts.at.at({from.machine, edge.to_index});
  assume(pool().le(pool().number(1), here));
  havoc(tid_);  // whoever it is
  if (counts.places != nullptr) {
    assume(is_thread(tid_));
    assume(pool().eq(pool().select(counts.places, tid_), counts.codes.at(from)));
    assume_counted(counts);
  }
  begin_step();
  std::set<int> writes;
  if (edge.step.frame) {
    Scene where;
    where.tid = tid_;
    havoc_frame(clauses_.frame(*edge.step.frame, where), writes);
  } else {
    for (int part = 0; part < std::ssize(world_.parts()); ++part) {
      if (!world_.part(part).changes) continue;
      havoc(world_.part(part).now);
      writes.insert(part);
    }
  }
  const Formula step = edge_formula(edge, writes);
  assume(step.facts);
  assume(step.holds);
  assign(here, pool().sub(here, pool().number(1)));
  assign(there, pool().add(there, pool().number(1)));
  if (counts.places == nullptr) return;
  assign(counts.places, pool().store(counts.places, tid_, counts.codes.at({from.machine, edge.to_index})));
  assume_counted(counts);
}

// Final variables refer to something, and to different objects: as a rule.
std::vector<Term> Simulator::about_fixed_objects() {
  std::vector<Term> out;
  std::vector<Term> objects;
  for (int v = 0; v < std::ssize(program().variables); ++v) {
    const Variable& it = program().variables[static_cast<std::size_t>(v)];
    if (!it.is_final || it.type.kind != Type::Kind::kClass) continue;
    const Term object = world_.part(world_.variable(v)).now;
    out.push_back(pool().ne(object, world_.null(it.type)));
    for (Term other : objects) {
      if (other->sort == object->sort) out.push_back(pool().ne(other, object));
    }
    objects.push_back(object);
  }
  return out;
}

Simulation Simulator::run_composition(const Guesses& guesses) {
  learned_.is_settled = true;
  at_ = new_block();
  const Term mover = variable("some thread", world_.tid());
  const Counts counts = count_threads();
  const int head = out_.head = new_block();
  if (program().initialiser >= 0) {
    Activation activation = begin_body();
    const int body = new_block();
    go_to(body);
    translate(activation, body, false);
    finish_body();
  } else {
    assume_initial_state();
    check_declared_threads(true);
    probe_initial_state();
    go_to(head);
  }
  initialised_ = true;
  tid_ = mover;
  at_ = head;
  block(head).is_loop_head = block(head).is_landmark = true;
  std::vector<Invariant> invariants;
  const auto guess = [&](Term term, const std::string& text) {
    suggest(static_cast<int>(invariants.size()), text, base::SourceRange{});
    invariants.push_back({term, -1, -1, nullptr, {}});
  };
  for (const auto& [id, count] : counts.at) guess(pool().le(pool().number(0), count), "");
  for (Term it : about_fixed_objects()) guess(it, "");
  const auto literal = [&](const Literal& it) {
    const Term atom = counted(guesses.atoms[it.atom], counts, tid_);
    return it.wanted ? atom : pool().not_(atom);
  };
  // What is known of all that guesses may speak of, even if none that is left does: claims may need it.
  for (const StateAtom& it : guesses.atoms) counted(it, counts, tid_);
  for (const Equation& it : guesses.equations) {
    const Term holds = counted(it, counts);
    guess(it.where ? pool().implies(literal(*it.where), holds) : holds, to_string(program(), guesses, it));
  }
  for (const std::vector<Literal>& clause : guesses.clauses) {
    std::vector<Term> literals;
    literals.reserve(clause.size());
    for (const Literal& it : clause) literals.push_back(literal(it));
    const bool is_of_thread = std::any_of(clause.begin(), clause.end(),
                                          [&](const Literal& it) { return guesses.atoms[it.atom].is_of_thread; });
    const Term holds = pool().or_(literals);
    guess(is_of_thread ? of_every_thread(holds, counts) : holds, to_string(program(), guesses, clause));
  }
  std::vector<Term> claims;
  check_state(counts, claims);
  for (Term it : claims) {
    out_.claims.push_back(static_cast<int>(invariants.size()));
    guess(it, "");
  }
  block(head).invariants = std::move(invariants);
  const int from = at_;
  for (const auto& [id, count] : counts.at) {
    const AbstractThread& machine = program().abstract_threads[static_cast<std::size_t>(id.machine)];
    for (const AbstractThread::Edge& edge : machine.edges) {
      if (edge.from_index != id.node) continue;
      at_ = new_block();
      block(from).successors.push_back(at_);
      take_edge(id, edge, counts);
      go_to(head);
    }
  }
  return finished();
}

}  // namespace concord::simulation
