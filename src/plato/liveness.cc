#include "plato/liveness.h"

#include "plato/walk.h"

namespace concord::plato {

namespace {

void look_at(const Expr& expr, std::set<int>& out) {
  for_each_expr(expr, [&](const Expr& part) {
    if (const int slot = local_slot(part); slot >= 0) out.insert(slot);
  });
}

void look_at(const std::vector<ExprPtr>& list, std::set<int>& out) {
  for (const ExprPtr& it : list) look_at(*it, out);
}

// What the operation itself looks at.
std::set<int> looked_at(const Operation& operation, const Contract& contract) {
  std::set<int> out;
  if (operation.condition != nullptr) look_at(*operation.condition, out);
  if (operation.kind == Operation::Kind::kReturn || operation.kind == Operation::Kind::kThrow) {
    look_at(contract.ensures, out), look_at(contract.signals, out);
    for (const Action& it : contract.actions) look_at(*it.ensures, out);
  }
  if (operation.statement == nullptr || operation.kind == Operation::Kind::kAtomicBegin) return out;
  const auto* assigned = std::get_if<Assign>(&operation.statement->node);
  const Expr* target = assigned == nullptr ? nullptr : assigned->target.get();
  for_each_part(
      *operation.statement,
      [&](const Expr& expr) {
        if (&expr != target || local_slot(expr) < 0) look_at(expr, out);
      },
      [](const Stmt&) {}, [](const CallTarget&) {});
  return out;
}

}  // namespace

std::set<int> live_after(const std::vector<std::set<int>>& live, const FlowEdge& edge) {
  std::set<int> out;
  const Stmt* statement = edge.operation.statement;
  const int caught = edge.operation.kind == Operation::Kind::kCall ? called(*statement)->catch_slot : -1;
  if (edge.target >= 0) {
    out = live[static_cast<std::size_t>(edge.target)];
    if (statement != nullptr) out.erase(direct_result_slot(*statement));
    out.erase(caught);
  }
  if (edge.on_throw >= 0) {
    std::set<int> thrown = live[static_cast<std::size_t>(edge.on_throw)];
    thrown.erase(caught);
    out.merge(thrown);
  }
  return out;
}

std::vector<std::set<int>> live_locals(const Flow& flow) {
  std::vector<std::set<int>> out(flow.nodes.size());
  const Contract& contract = flow.procedure->contract;
  bool grows = true;
  while (grows) {
    grows = false;
    for (std::size_t n = flow.nodes.size(); n-- > 0;) {
      std::set<int>& here = out[n];
      const std::size_t before = here.size();
      if (flow.nodes[n].loop != nullptr) look_at(flow.nodes[n].loop->invariants, here);
      for (const FlowEdge& edge : flow.nodes[n].edges) {
        here.merge(live_after(out, edge));
        here.merge(looked_at(edge.operation, contract));
      }
      grows = grows || here.size() > before;
    }
  }
  return out;
}

}  // namespace concord::plato
