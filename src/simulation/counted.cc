#include "simulation/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "plato/printer.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Command;
using sequential::Invariant;

// ------------------------------------------------------------------------------------------------------------- in words

namespace {

std::string place_of(const Program& program, NodeId id) {
  const AbstractThread& machine = program.abstract_threads[static_cast<std::size_t>(id.machine)];
  return machine.name + "." + machine.nodes[static_cast<std::size_t>(id.node)].name;
}

}  // namespace

std::string to_string(const Program& program, const StateAtom& atom, bool wanted) {
  if (atom.expr != nullptr) return wanted ? print(*atom.expr) : "!(" + print(*atom.expr) + ")";
  const std::string at = place_of(program, atom.node);
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
      case Equation::Summand::Kind::kVariable: {
        const Variable& variable = program.variables[static_cast<std::size_t>(it.index)];
        what = variable.type.kind == Type::Kind::kBool ? "[" + variable.name + "]" : variable.name;
        break;
      }
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
  return where + (left.empty() ? "0" : left) + " == " + (right.empty() ? "0" : right);
}

// ---------------------------------------------------------------------------------------------------------- construction

Simulation simulate_composition(Pool& pool, const SimulationInput& input, const Guesses& guesses) {
  World world(pool, *input.program, input.ints);
  Learned learned;
  Simulator(world, input, learned).run_composition(guesses);
  return Simulator(world, input, learned).run_composition(guesses);
}

// How many threads are at each node, and how many there are.
struct Simulator::Counts {
  std::map<NodeId, Term> at;
  std::map<int, Term> all;  // by machine
};

namespace {

// Threads are counted, so nobody may ask which one is meant.
void refuse_identities(const Expr& expr) {
  for_each_expr(expr, [](const Expr& part) {
    const bool asks = std::holds_alternative<TidExpr>(part.node) || part.type.kind == Type::Kind::kTid ||
                      std::holds_alternative<HoldsExpr>(part.node);
    if (asks) throw Unsupported{part.range, "counting threads that know who they are"};
  });
}

}  // namespace

Simulator::Counts Simulator::count_threads() {
  Counts out;
  std::map<int, std::vector<Term>> summands;  // by machine: the threads of its declarations
  for (const Thread& it : program().threads) {
    CONCORD_CHECK(it.abstract_index >= 0, "a thread without an abstract thread");
    if (it.count == Thread::Count::kNumber) {
      summands[it.abstract_index].push_back(pool().number(it.number));
      continue;
    }
    const Const* symbol = it.const_index < 0 ? nullptr : &program().consts[static_cast<std::size_t>(it.const_index)];
    Encoder encoder(world_, Scene{});
    const Term number = symbol == nullptr ? pool().fresh("threads", pool().integer())
                        : symbol->value   ? encoder.value(*symbol->value)
                                          : world_.constant(it.const_index);
    assume(pool().le(pool().number(0), number));
    summands[it.abstract_index].push_back(number);
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
  return out;
}

Term Simulator::counted(const StateAtom& atom, const Counts& counts) {
  if (atom.expr == nullptr) return pool().le(pool().number(atom.at_least), counts.at.at(atom.node));
  Encoder encoder(world_, Scene{});
  const Term holds = encoder.clause(*atom.expr);
  assume(encoder.all_facts());
  return holds;
}

Term Simulator::counted(const Equation& equation, const Counts& counts) {
  Term sum = pool().number(0);
  for (const Equation::Summand& it : equation.summands) {
    Term what = pool().number(1);
    switch (it.kind) {
      case Equation::Summand::Kind::kOne: break;
      case Equation::Summand::Kind::kThreads: what = counts.all.at(it.index); break;
      case Equation::Summand::Kind::kVariable:
        what = world_.part(world_.variable(it.index)).now;
        if (what->sort == pool().boolean()) what = pool().ite(what, pool().number(1), pool().number(0));
        break;
      case Equation::Summand::Kind::kNode: what = counts.at.at(it.node); break;
    }
    sum = pool().add(sum, pool().mul(pool().number(it.factor), what));
  }
  return pool().eq(sum, pool().number(0));
}

// What must hold in every state: at the head of the loop.
void Simulator::check_state(const Counts& counts, std::vector<Term>& claims) {
  const auto check = [&](Term holds, Kind kind, base::SourceRange claim, const std::string& message, const NodeId* at) {
    Obligation made;
    made.claims = {{kind, claim}};
    made.at = claim;
    made.message = message;
    if (at != nullptr) made.shown.push_back({"#" + place_of(program(), *at), counts.at.at(*at), false});
    for (Obligation::Shown& it : shown_for(holds, nullptr)) made.shown.push_back(std::move(it));
    claims.push_back(holds);
    assert_(holds, obligation(std::move(made)));
  };
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (!invariants_[i]) continue;
    const Clause& clause = *specification().invariants[i];
    refuse_identities(*clause.predicate.predicate);
    check(pool().implies(invariants_[i]->facts, invariants_[i]->holds), Kind::kInvariant, clause.range,
          "the abstract threads together may break the invariant", nullptr);
  }
  for (const auto& [id, count] : counts.at) {
    const AbstractThread& machine = program().abstract_threads[static_cast<std::size_t>(id.machine)];
    const AbstractThread::Node& node = machine.nodes[static_cast<std::size_t>(id.node)];
    if (!node.assertion) continue;
    refuse_identities(*node.assertion);
    const Formula it = node_assertion(node);
    const Term is_there = pool().le(pool().number(1), count);
    check(pool().implies(pool().and_(is_there, it.facts), it.holds), Kind::kAssertion, node.assertion->range,
          "an abstract thread at " + place_of(program(), id) + " may find that its assertion does not hold", &id);
  }
}

void Simulator::take_edge(NodeId from, const AbstractThread::Edge& edge, const Counts& counts) {
  refuse_identities(*edge.step.predicate);
  const Term here = counts.at.at(from);
  const Term there = counts.at.at({from.machine, edge.to_index});
  assume(pool().le(pool().number(1), here));
  begin_step();
  std::set<int> writes;
  if (edge.step.frame) {
    for (const ExprPtr& it : *edge.step.frame) refuse_identities(*it);
    havoc_frame(clauses_.frame(*edge.step.frame, Scene{}), writes);
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
}

Simulation Simulator::run_composition(const Guesses& guesses) {
  at_ = new_block();
  assume_initial_state();
  probe(program().threads.front().range, "no initial state satisfies the `initially` clauses, so nothing ever runs");
  check_declared_threads(true);
  const Counts counts = count_threads();
  const int head = new_block();
  go_to(head);
  at_ = head;
  block(head).is_loop_head = block(head).is_landmark = true;
  std::vector<Invariant> invariants;
  const auto guess = [&](Term term, const std::string& text) {
    suggest(static_cast<int>(invariants.size()), text, base::SourceRange{});
    invariants.push_back({term, -1, -1, nullptr, {}});
  };
  for (const auto& [id, count] : counts.at) guess(pool().le(pool().number(0), count), "");
  const auto literal = [&](const Literal& it) {
    const Term atom = counted(guesses.atoms[it.atom], counts);
    return it.wanted ? atom : pool().not_(atom);
  };
  for (const Equation& it : guesses.equations) {
    const Term holds = counted(it, counts);
    guess(it.where ? pool().implies(literal(*it.where), holds) : holds, to_string(program(), guesses, it));
  }
  for (const std::vector<Literal>& clause : guesses.clauses) {
    std::vector<Term> literals;
    for (const Literal& it : clause) literals.push_back(literal(it));
    guess(pool().or_(literals), to_string(program(), guesses, clause));
  }
  std::vector<Term> claims;
  check_state(counts, claims);
  for (Term it : claims) guess(it, "");
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
