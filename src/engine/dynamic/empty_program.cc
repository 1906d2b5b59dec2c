#include "engine/dynamic/empty_program.h"

#include <set>
#include <utility>
#include <vector>

#include "engine/dynamic/loops.h"

namespace concord::engine::dynamic {

using plato::Operation;

namespace {

constexpr std::size_t kMostStates = 5000;

using Held = std::map<int, int>;  // locks, and how often

// Why it may wait for ever there; empty: it does not.
std::string may_wait(const plato::Program& program, const CodeEdge& edge, const Moves& moves, const Held& held,
                     const Atomicity& atomicity) {
  if (!moves.may_block) return "";
  const int lock = touched(edge.operation).acquires;
  if (edge.operation.kind != Operation::Kind::kStatement || !atomicity.is_lock(lock)) {
    return "a thread may wait here for ever";
  }
  const bool is_monitor = program.variables[static_cast<std::size_t>(lock)].type.kind == plato::Type::Kind::kMonitor;
  if (held.contains(lock) && is_monitor) return "";
  return held.empty() ? "" : "a thread waits here for a lock while it holds one";
}

}  // namespace

std::optional<Refusal> may_not_finish(const plato::Program& program, const Code& code, std::size_t number,
                                      const Atomicity& atomicity, IntMode ints) {
  const base::SourceRange entered = code.nodes[static_cast<std::size_t>(code.entry)].at;
  if (const auto loop = endless_loop(code, atomicity, ints)) return Refusal{*loop, "a loop may go on for ever"};
  std::set<std::pair<int, Held>> seen{{code.entry, {}}};
  std::vector<std::pair<int, Held>> open{{code.entry, {}}};
  while (!open.empty()) {
    const auto [node, held] = open.back();
    open.pop_back();
    if (seen.size() > kMostStates) return Refusal{entered, "there are too many ways through the code"};
    if (node == code.end && !held.empty()) return Refusal{entered, "a thread may end with a lock"};
    for (const CodeEdge& edge : code.nodes[static_cast<std::size_t>(node)].edges) {
      const Moves moves = atomicity.of(number, node, edge);
      const std::string trouble = may_wait(program, edge, moves, held, atomicity);
      if (!trouble.empty()) return Refusal{code.nodes[static_cast<std::size_t>(node)].at, trouble};
      Held after = held;
      const Touched it = touched(edge.operation);
      if (atomicity.is_lock(it.acquires)) ++after[it.acquires];
      if (atomicity.is_lock(it.releases) && --after[it.releases] <= 0) after.erase(it.releases);
      if (seen.emplace(edge.target, after).second) open.emplace_back(edge.target, after);
    }
  }
  return std::nullopt;
}

}  // namespace concord::engine::dynamic
