#include "simulation/rounds.h"

#include <algorithm>
#include <set>

#include "plato/walk.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// It speaks of local variables that it does not declare: of something that a round may leave behind for the next.
bool speaks_of_others(const Stmt& round) {
  std::set<int> own;
  std::set<int> named;
  for_each_stmt(round, [&](const Stmt& statement) {
    if (const auto* it = std::get_if<LocalDecl>(&statement.node)) own.insert(it->slot);
    const auto look_at = [&](const Expr& expr) {
      for_each_expr(expr, [&](const Expr& part) {
        if (const int slot = local_slot(part); slot >= 0) named.insert(slot);
      });
    };
    for_each_part(
        statement, look_at, [](const Stmt&) {}, [](const CallTarget&) {});
  });
  return !std::includes(own.begin(), own.end(), named.begin(), named.end());
}

// The loop that the body ends with, if all it does is to choose.
const Choose* last_loop(const Procedure& procedure, const LoopSpec*& spec) {
  const auto* body = std::get_if<Block>(&procedure.body->node);
  if (body == nullptr || body->statements.empty()) return nullptr;
  const auto* loop = std::get_if<While>(&body->statements.back()->node);
  if (loop == nullptr || !loop->spec.invariants.empty()) return nullptr;
  if (!std::holds_alternative<Star>(loop->condition->node)) return nullptr;
  spec = &loop->spec;
  const Stmt* inner = loop->body.get();
  const auto* block = std::get_if<Block>(&inner->node);
  if (block != nullptr && block->statements.size() == 1) inner = block->statements.front().get();
  return std::get_if<Choose>(&inner->node);
}

}  // namespace

std::vector<Round> rounds(const Procedure& procedure) {
  const LoopSpec* loop = nullptr;
  const Choose* choice = last_loop(procedure, loop);
  const auto is_bound = [](const StmtPtr& it) { return speaks_of_others(*it); };
  if (choice == nullptr || std::any_of(choice->branches.begin(), choice->branches.end(), is_bound)) return {{}};
  const Flow flow = make_flow(procedure);
  int head = 0;
  while (flow.nodes[static_cast<std::size_t>(head)].loop != loop) ++head;
  std::vector<Round> out{{0, head, nullptr}};
  for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(head)].edges) {
    if (!edge.operation.wanted) {
      out.push_back({edge.target, head, nullptr});
      continue;
    }
    const std::vector<FlowEdge>& ways = flow.nodes[static_cast<std::size_t>(edge.target)].edges;
    for (std::size_t i = 0; i < ways.size(); ++i) out.push_back({ways[i].target, head, choice->branches[i].get()});
  }
  return out;
}

}  // namespace concord::simulation
