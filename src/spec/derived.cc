#include "spec/derived.h"

#include <algorithm>

#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::spec {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// `may[p]` for every procedure that reaches a marked one.
void spread(const std::vector<std::vector<int>>& callees, std::vector<bool>& may) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t p = 0; p < callees.size(); ++p) {
      if (may[p]) continue;
      const bool now = std::any_of(callees[p].begin(), callees[p].end(),
                                   [&](int it) { return bool{may[static_cast<std::size_t>(it)]}; });
      if (now) may[p] = changed = true;
    }
  }
}

bool allocates(const Stmt& statement) {
  const auto makes = [](const Rhs& rhs) {
    return std::holds_alternative<NewObject>(rhs) || std::holds_alternative<NewArray>(rhs);
  };
  if (const auto* it = std::get_if<Assign>(&statement.node)) return makes(it->value);
  const auto* it = std::get_if<LocalDecl>(&statement.node);
  return it != nullptr && it->init && makes(*it->init);
}

}  // namespace

Derived::Derived(const Program& program, bool root_calls_entries) : program_(program) {
  const std::size_t count = program.procedures.size();
  for (auto* list : {&entry_, &called_, &starts_, &allocates_, &acquires_}) list->assign(count, false);
  callees_.resize(count);
  find_calls();

  // Without threads there is a library, whose clients may be anything.
  std::vector<bool> concerned(program.modules.size(), program.threads.empty());
  const auto concern = [&](int module) {
    const std::vector<bool>& sees = program.modules[static_cast<std::size_t>(module)].sees;
    for (std::size_t m = 0; m < concerned.size(); ++m) concerned[m] = concerned[m] || sees[m];
  };
  for (const Thread& thread : program.threads) concern(thread.module);
  for (std::size_t p = 0; p < count; ++p) {
    if (entry_[p]) concern(program.procedures[p].module);
  }
  root_ = specification(concerned);

  std::vector<std::vector<bool>> modules;
  for (std::size_t p = 0; p < count; ++p) {
    modules.push_back(program.modules[static_cast<std::size_t>(program.procedures[p].module)].sees);
    if (!entry_[p] || !root_calls_entries) continue;
    for (std::size_t m = 0; m < concerned.size(); ++m) modules[p][m] = modules[p][m] || concerned[m];
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t p = 0; p < count; ++p) {
      for (const int callee : callees_[p]) {
        for (std::size_t m = 0; m < concerned.size(); ++m) {
          if (!modules[static_cast<std::size_t>(callee)][m] || modules[p][m]) continue;
          modules[p][m] = changed = true;
        }
      }
    }
  }
  for (std::size_t p = 0; p < count; ++p) specifications_.push_back(specification(modules[p]));
}

void Derived::find_calls() {
  for (const Thread& thread : program_.threads) entry_[static_cast<std::size_t>(thread.target.index)] = true;
  for (std::size_t p = 0; p < callees_.size(); ++p) {
    for_each_stmt(*program_.procedures[p].body, [&](const Stmt& statement) {
      if (allocates(statement)) allocates_[p] = true;
      if (may_do_anything(statement)) unknown_code_ = starts_[p] = allocates_[p] = acquires_[p] = true;
      if (std::holds_alternative<Acquire>(statement.node) || std::holds_alternative<Wait>(statement.node)) {
        acquires_[p] = true;
      }
      const CallTarget* target = called(statement);
      if (target == nullptr) return;
      const auto index = static_cast<std::size_t>(target->index);
      if (starts_thread(statement)) {
        entry_[index] = true;
        starts_[p] = true;
      } else {
        called_[index] = true;
        callees_[p].push_back(target->index);
      }
    });
  }
  spread(callees_, starts_);
  spread(callees_, allocates_);
  spread(callees_, acquires_);
}

bool Derived::is_sequential() const {
  if (program_.threads.size() != 1) return false;
  const Thread& only = program_.threads.front();
  return only.count == Thread::Count::kNumber && only.number == 1 &&
         std::find(starts_.begin(), starts_.end(), true) == starts_.end();
}

Specification Derived::specification(const std::vector<bool>& modules) const {
  Specification out;
  out.modules = modules;
  const auto known = [&](int module) { return modules[static_cast<std::size_t>(module)]; };
  const auto add_variable = [&](const Variable& variable, int class_index, int index) {
    if (!known(variable.module)) return;
    for (const FieldClause& clause : variable.clauses) {
      const bool guarded = clause.kind == FieldClause::Kind::kGuardedBy;
      // `set` is no access, so of a ghost guarded_by says nothing.
      if (guarded && (variable.is_ghost || variable.type.kind == Type::Kind::kMonitor)) continue;
      Rely rely;
      rely.kind = clause.kind == FieldClause::Kind::kUnwritableByEnvIf        ? Rely::Kind::kUnwritable
                  : clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf ? Rely::Kind::kElements
                  : guarded                                                   ? Rely::Kind::kGuarded
                                                                              : Rely::Kind::kWritable;
      rely.field_clause = &clause;
      rely.variable = &variable;
      rely.class_index = class_index;
      rely.index = index;
      rely.claim = clause.range;
      out.relies.push_back(rely);
    }
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    add_variable(program_.variables[v], -1, static_cast<int>(v));
  }
  for (std::size_t c = 0; c < program_.classes.size(); ++c) {
    const int first = inherited_fields(program_, static_cast<int>(c));
    for (std::size_t f = 0; f < program_.classes[c].fields.size(); ++f) {
      add_variable(program_.classes[c].fields[f], static_cast<int>(c), first + static_cast<int>(f));
    }
  }
  for (const Clause& clause : program_.clauses) {
    if (!known(clause.module)) continue;
    if (clause.kind == Clause::Kind::kGlobalInvariant || clause.kind == Clause::Kind::kMonitorInvariant) {
      out.invariants.push_back(&clause);
    } else if (clause.kind == Clause::Kind::kEnvAssumption) {
      Rely rely;
      rely.clause = &clause;
      rely.class_index = clause.class_index;
      rely.claim = clause.range;
      out.relies.push_back(rely);
    }
  }
  for (const LockOrder& order : program_.lock_orders) {
    if (known(order.module)) out.lock_orders.push_back(&order);
  }
  return out;
}

}  // namespace concord::spec
