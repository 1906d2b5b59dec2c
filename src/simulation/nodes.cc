// Conformance to an abstract thread (Lahiri, Malkis and Qadeer, Abstract Threads, section 3): F is the set of its nodes that
// explain the run so far.
//
// Before a step the assertions of these nodes are assumed, and the invariants: where one does not hold the abstract thread has
// gone wrong already, and the composition tells. Others may do anything before a step. After it each node that an edge leads
// to, or where the abstract thread may idle, is in F; if there is none, the step conforms to nothing.
#include <algorithm>

#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

const AbstractThread* Simulator::machine() const {
  if (input_.conforms == nullptr) return nullptr;
  return &program().abstract_threads[static_cast<std::size_t>(input_.conforms->index)];
}

void Simulator::init_nodes() {
  for (const AbstractThread::Node& it : machine()->nodes) {
    positions_.push_back(variable("node " + it.name, pool().boolean()));
    assign(positions_.back(), pool().truth(it.initial));
  }
}

Formula Simulator::node_assertion(const AbstractThread::Node& node) {
  Scene where;
  where.tid = tid_;
  Encoder encoder(world_, where);
  const Term holds = encoder.clause(*node.assertion);
  return clauses_.close(holds, {encoder.all_facts()});
}

// The predicate of an edge; its frame is looked at for what the step writes.
Formula Simulator::edge_formula(const AbstractThread::Edge& edge, const std::set<int>& writes) {
  Scene where;
  where.tid = tid_;
  return clauses_.two_state(edge.step, where, {writes.begin(), writes.end()});
}

// What nodes and edges speak of: others may act on that before every step that looks at something shared.
std::set<int> Simulator::node_parts() {
  std::set<int> out;
  const auto add = [&](const Formula& it) {
    out.insert(it.parts.begin(), it.parts.end());
    out.insert(it.existence.begin(), it.existence.end());  // what there is changes, too
  };
  for (const AbstractThread::Node& it : machine()->nodes) {
    if (it.assertion) add(node_assertion(it));
  }
  for (const AbstractThread::Edge& it : machine()->edges) {
    add(edge_formula(it, {}));
    Scene where;
    where.tid = tid_;
    if (it.step.frame) add_parts(clauses_.frame(*it.step.frame, where), out);
  }
  return out;
}

void Simulator::assume_nodes() {
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    const AbstractThread::Node& node = machine()->nodes[i];
    if (!node.assertion) continue;
    const Formula it = node_assertion(node);
    assume(it.facts);
    assume(pool().implies(positions_[i], it.holds));
  }
}

// A step that changes nothing may be one of doing nothing, and no more than that if no edge allows it.
bool Simulator::moves_nodes(const std::set<int>& writes) const {
  const std::vector<bool>& stutters = input_.edge_may_stutter;
  return !writes.empty() || !machine()->idle ||
         std::any_of(stutters.begin(), stutters.end(), [](bool it) { return it; });
}

void Simulator::move_nodes(const std::set<int>& writes, base::SourceRange at, const Activation* activation) {
  if (!moves_nodes(writes)) return;
  const AbstractThread& it = *machine();
  std::vector<Term> unchanged;
  unchanged.reserve(writes.size());
  for (const int part : writes) unchanged.push_back(clauses_.changes_only(part, {}));
  const Term idles = input_.defect == Defect::kStutterChangesAnything ? pool().truth(true) : pool().and_(unchanged);
  std::vector<std::vector<Term>> ways(it.nodes.size());
  std::vector<Term> claims;  // whose variables are told
  for (std::size_t i = 0; i < it.nodes.size(); ++i) {
    if (it.idle) ways[i].push_back(pool().and_(positions_[i], idles));
  }
  for (std::size_t e = 0; e < it.edges.size(); ++e) {
    const AbstractThread::Edge& edge = it.edges[e];
    if (writes.empty() && e < input_.edge_may_stutter.size() && !input_.edge_may_stutter[e]) continue;
    const Formula step = edge_formula(edge, writes);
    assume(step.facts);
    claims.push_back(step.holds);
    const Term from = positions_[static_cast<std::size_t>(edge.from_index)];
    ways[static_cast<std::size_t>(edge.to_index)].push_back(pool().and_(from, step.holds));
  }
  Obligation made;
  std::vector<Term> next;
  for (std::size_t i = 0; i < it.nodes.size(); ++i) {
    next.push_back(variable("next " + it.nodes[i].name, pool().boolean()));
    assign(next.back(), pool().or_(ways[i]));
    const Term copy = variable("before " + it.nodes[i].name, pool().boolean());
    assign(copy, positions_[i]);
    made.shown.push_back({it.nodes[i].name, copy, true});
    made.shown.back().is_node = true;
  }
  for (std::size_t i = 0; i < it.nodes.size(); ++i) assign(positions_[i], next[i]);
  made.claims = {conformance()};
  made.at = at;
  made.message = "this step may be allowed by no edge of `" + it.name + "`";
  const auto show = [&](Term claim) {
    for (Obligation::Shown& value : shown_for(claim, activation)) made.shown.push_back(std::move(value));
  };
  for (Term claim : claims) show(claim);
  for (const int part : writes) show(pool().eq(world_.part(part).now, world_.part(part).before));
  assert_(pool().or_(positions_), obligation(std::move(made)));
}

Claim Simulator::conformance() const { return {Kind::kConformance, input_.conforms->range}; }

// At a loop head: nodes of which one is possible, and which values the local variables have.
std::vector<Simulator::Candidate> Simulator::about_nodes(const Activation& activation) {
  std::vector<Candidate> out;
  const auto add = [&](Term term) { out.push_back({{term, -1, -1, nullptr, {}}, ""}); };
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) add(pool().or_(positions_[i], positions_[j]));
  }
  std::set<std::int64_t> numbers{0, 1};
  const auto collect = [&](const Expr& expr) {
    for_each_expr(expr, [&](const Expr& part) {
      if (const auto* it = std::get_if<IntLit>(&part.node)) numbers.insert(it->value);
    });
  };
  for (const AbstractThread::Node& it : machine()->nodes) {
    if (it.assertion) collect(*it.assertion);
  }
  for (const AbstractThread::Edge& it : machine()->edges) collect(*it.step.predicate);
  for (const Activation* it = &activation; it != nullptr; it = it->caller) {
    for (const int slot : it->needed) {
      const Term local = it->locals[static_cast<std::size_t>(slot)];
      if (local->sort != pool().integer()) continue;
      for (const std::int64_t number : numbers) {
        const Term value = pool().number(number);
        add(pool().le(value, local));
        add(pool().le(local, value));
        add(pool().ne(local, value));
        for (Term position : positions_) {
          add(pool().implies(pool().eq(local, value), position));
          add(pool().implies(pool().ne(local, value), position));
        }
      }
    }
  }
  return out;
}

}  // namespace concord::simulation
