#include <algorithm>

#include "engine/shape/source/code.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

std::set<int> reached_from(const Code& code, int label) {
  std::set<int> out;
  std::vector<int> todo{label};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    for (const int move : code.labels[static_cast<std::size_t>(at)].moves) {
      const int to = code.moves[static_cast<std::size_t>(move)].to;
      if (out.insert(to).second) todo.push_back(to);
    }
  }
  return out;
}

// Procedures in which one thread begins at most.
std::set<int> entered_once(const Program& program) {
  std::set<int> out;
  std::set<int> others;
  for (const Thread& it : program.threads) {
    const bool is_one = it.count == Thread::Count::kNumber && it.number == 1;
    if (!is_one || !out.insert(it.target.index).second) others.insert(it.target.index);
  }
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const auto* it = std::get_if<Start>(&statement.node)) others.insert(it->target.index);
      const Rhs* value = right_side(statement);
      const auto* started = value == nullptr ? nullptr : std::get_if<StartExpr>(value);
      if (started != nullptr) others.insert(started->target.index);
    });
  }
  for (const int it : others) out.erase(it);
  return out;
}

}  // namespace

std::set<int> moves_once(const Program& program, const Code& code) {
  const std::set<int> entered = entered_once(program);
  std::set<int> by_others;
  for (const auto& [procedure, label] : code.entry) {
    if (entered.contains(procedure)) continue;
    by_others.insert(label);
    by_others.merge(reached_from(code, label));
  }
  std::set<int> out;
  for (const int procedure : entered) {
    const auto entry = code.entry.find(procedure);
    if (entry == code.entry.end()) continue;
    std::set<int> labels = reached_from(code, entry->second);
    labels.insert(entry->second);
    for (const int label : labels) {
      if (by_others.contains(label) || reached_from(code, label).contains(label)) continue;
      const std::vector<int>& moves = code.labels[static_cast<std::size_t>(label)].moves;
      out.insert(moves.begin(), moves.end());
    }
  }
  return out;
}

}  // namespace concord::engine::shape::source
