#include "plato/bare.h"

#include <algorithm>
#include <map>
#include <utility>

#include "plato/copy.h"
#include "plato/walk.h"

namespace concord::plato {

namespace {

// Nor of how runs end.
bool speaks_of_steps(const Clause& it) {
  return it.kind == Clause::Kind::kEnvAssumption || it.kind == Clause::Kind::kGuarantee ||
         it.kind == Clause::Kind::kFinally;
}

// Leaves out what is not kept, and renumbers what refers to the rest.
void remove_items(Program& program, Item::Kind kind, const std::map<int, int>& kept) {
  for (Module& module : program.modules) {
    std::erase_if(module.items, [&](const Item& it) { return it.kind == kind && !kept.contains(it.index); });
    for (Item& it : module.items) {
      if (it.kind == kind) it.index = kept.at(it.index);
    }
  }
}

void remove_clauses(Program& program) {
  std::map<int, int> kept;
  std::vector<Clause> clauses;
  for (std::size_t i = 0; i < program.clauses.size(); ++i) {
    if (speaks_of_steps(program.clauses[i])) continue;
    kept.emplace(static_cast<int>(i), static_cast<int>(clauses.size()));
    clauses.push_back(std::move(program.clauses[i]));
  }
  program.clauses = std::move(clauses);
  for (Class& it : program.classes) {
    std::erase_if(it.clauses, [&](int clause) { return !kept.contains(clause); });
    for (int& clause : it.clauses) clause = kept.at(clause);
  }
  remove_items(program, Item::Kind::kClause, kept);
}

void remove_loop_invariants(Stmt& statement) {
  for_each_stmt(statement, [](const Stmt& it) {
    auto& node = const_cast<Stmt&>(it).node;  // NOLINT: the walker is for readers, and this copy is ours
    if (auto* loop = std::get_if<While>(&node)) loop->spec = {};
    if (auto* loop = std::get_if<Loop>(&node)) loop->spec = {};
  });
}

}  // namespace

Program without_step_clauses(const Program& program) {
  Program out = copy(program);
  remove_clauses(out);
  const auto without_clauses = [](Variable& it) { it.clauses.clear(), it.is_thread_local = false; };
  std::for_each(out.variables.begin(), out.variables.end(), without_clauses);
  for (Class& it : out.classes) std::for_each(it.fields.begin(), it.fields.end(), without_clauses);
  for (Procedure& it : out.procedures) {
    it.contract.modifies.reset();
    it.contract.actions.clear();
  }
  out.lock_orders.clear();
  remove_items(out, Item::Kind::kLockOrder, {});
  return out;
}

Program bare(const Program& program) {
  Program out = without_step_clauses(program);
  for (Procedure& it : out.procedures) {
    it.contract = {};
    it.abstracted = {};
    remove_loop_invariants(*it.body);
  }
  for (Thread& it : out.threads) it.abstracted = {};
  out.abstract_threads.clear();
  remove_items(out, Item::Kind::kAbstractThread, {});
  return out;
}

}  // namespace concord::plato
