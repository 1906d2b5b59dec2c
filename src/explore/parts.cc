#include "explore/parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "explore/renaming.h"
#include "plato/classes.h"
#include "plato/liveness.h"
#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

bool names_threads(const Type& type) {
  if (type.kind == Type::Kind::kTid || type.kind == Type::Kind::kMonitor) return true;
  return (type.first && names_threads(*type.first)) || (type.second && names_threads(*type.second));
}

bool names_threads(const Expr& whole) {
  bool out = false;
  for_each_expr(whole, [&](const Expr& it) {
    const auto* field = std::get_if<FieldExpr>(&it.node);
    const bool reads_monitor =
        field != nullptr && (field->kind == FieldExpr::Kind::kHolder || field->kind == FieldExpr::Kind::kDepth);
    out = out || reads_monitor || names_threads(it.type) || std::holds_alternative<HoldsExpr>(it.node);
    if (const auto* name = std::get_if<NameExpr>(&it.node)) {
      out = out || name->ref.kind == Ref::Kind::kMonitorHolder || name->ref.kind == Ref::Kind::kMonitorDepth;
    }
    if (const auto* quantifier = std::get_if<QuantifierExpr>(&it.node)) {
      for (const BoundVariable& variable : quantifier->variables) out = out || names_threads(variable.type);
    }
  });
  return out;
}

bool names_threads(const Stmt& statement) {
  const bool synchronises =
      std::holds_alternative<Acquire>(statement.node) || std::holds_alternative<Release>(statement.node) ||
      std::holds_alternative<Wait>(statement.node) || std::holds_alternative<Notify>(statement.node) ||
      std::holds_alternative<Join>(statement.node);
  return synchronises || starts_thread(statement);
}

// Is there anything in the program by which threads could be told apart? What depends on a thread's number counts, be it
// only a clause that speaks of one.
bool has_identities(const Program& program) {
  bool out = !program.lock_orders.empty();
  const auto variable = [&](const Variable& it) {
    out = out || names_threads(it.type) || it.is_thread_local;
    for (const FieldClause& clause : it.clauses) out = out || clause.kind == FieldClause::Kind::kGuardedBy;
  };
  for (const Variable& it : program.variables) variable(it);
  for (const Class& it : program.classes) std::for_each(it.fields.begin(), it.fields.end(), variable);
  for (const Const& it : program.consts) out = out || names_threads(it.type);
  for (const Thread& it : program.threads) out = out || !it.name.empty();
  for (const Procedure& procedure : program.procedures) {
    for (const Local& it : procedure.locals) out = out || names_threads(it.type);
    for_each_stmt(*procedure.body, [&](const Stmt& it) { out = out || names_threads(it); });
  }
  for_each_whole_expr(program, [&](const Expr& it, int) { out = out || names_threads(it); });
  for (const AbstractThread& machine : program.abstract_threads) {
    for (const AbstractThread::Node& it : machine.nodes) out = out || (it.assertion && names_threads(*it.assertion));
    for (const AbstractThread::Edge& it : machine.edges) out = out || names_threads(*it.step.predicate);
  }
  return out;
}

// Who knows an object is asked only for `guarded_by` of a field: those that nobody else knows are exempt. A reference counts
// there although nobody looks at it any more.
bool guards_fields(const Program& program) {
  for (const Class& it : program.classes) {
    for (const Variable& field : it.fields) {
      for (const FieldClause& clause : field.clauses) {
        if (clause.kind == FieldClause::Kind::kGuardedBy) return true;
      }
    }
  }
  return false;
}

bool refers(const Type& type) {
  if (type.kind == Type::Kind::kClass || type.kind == Type::Kind::kArray) return true;
  return (type.first && refers(*type.first)) || (type.second && refers(*type.second));
}

using ValuesByName = std::map<std::string, std::set<Scalar>>;

// The integers that a value consists of, under the name of the variable or field that has it.
void add_integers(const Value& value, const Type& type, const std::string& name, ValuesByName& out) {
  if (type.kind == Type::Kind::kInt) out[name].insert(value.scalar);
  if (!value.composite) return;
  const bool has_integers = type.first && type.first->kind == Type::Kind::kInt;
  if (has_integers)
    out["elements of " + name].insert(value.composite->elements.begin(), value.composite->elements.end());
  for (const auto& [key, entry] : value.composite->entries) {
    if (has_integers) out["keys of " + name].insert(key);
    add_integers(entry, *type.second, "entries of " + name, out);
  }
}

void add_integers(const Program& program, const Store& store, ValuesByName& out) {
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    add_integers(store.variables[v], program.variables[v].type, program.variables[v].name, out);
  }
  for (const Object& object : store.objects) {
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      if (object.class_index < 0) {
        add_integers(object.fields[f], *object.element, "elements of " + to_string(*object.element) + "[]", out);
        continue;
      }
      const int index = static_cast<int>(f);
      const FieldHome home = field_home(program, object.class_index, index);
      const Variable& field = field_of(program, object.class_index, index);
      add_integers(object.fields[f], field.type,
                   program.classes[static_cast<std::size_t>(home.class_index)].name + "." + field.name, out);
    }
  }
}

bool has_join(const Program& program) {
  bool out = false;
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& it) { out = out || std::holds_alternative<Join>(it.node); });
  }
  return out;
}

}  // namespace

Parts::Parts(const Machine& machine, const engine::Reductions& reductions, Defect defect)
    : program_(machine.program()),
      clears_dead_locals_(reductions.dead_locals),
      defect_(defect),
      are_alike_(reductions.symmetry && (defect == Defect::kAlwaysAlike || !has_identities(program_))),
      may_be_renamed_(reductions.symmetry && !are_alike_ && may_rename_threads(program_)),
      are_joined_(has_join(program_)),
      keeps_references_(guards_fields(program_)) {
  for (int p = 0; p < std::ssize(program_.procedures); ++p) live_.push_back(live_locals(machine.flow(p)));
}

Number Parts::shared(const State& state) {
  State outside;
  outside.consts = state.consts;
  outside.store = state.store;
  outside.owners = state.owners;
  outside.is_initialised = state.is_initialised;
  for (const ThreadState& thread : state.threads) {
    ThreadState& it = outside.threads.emplace_back();
    it.declaration = thread.declaration;
    it.entry = thread.entry;
    it.index = thread.index;
    it.finished = are_joined_ && thread.finished;
  }
  if (are_alike_) {  // so they are in an order of their own
    std::sort(outside.threads.begin(), outside.threads.end(),
              [](const ThreadState& a, const ThreadState& b) { return a.declaration < b.declaration; });
  }
  const auto [found, is_new] = shared_numbers_.emplace(to_bytes(outside), static_cast<Number>(shared_.size()));
  if (is_new) shared_.push_back(std::move(outside));
  return found->second;
}

Number Parts::thread(const ThreadState& thread, Scalar self) {
  ThreadState part = thread;
  if (clears_dead_locals_) clear_dead_locals(part);
  std::string bytes;
  append_to(bytes, part);
  if (!are_alike_) append_to(bytes, self);
  const auto [found, is_new] = thread_numbers_.emplace(std::move(bytes), static_cast<Number>(threads_.size()));
  if (is_new) {
    threads_.push_back(std::move(part));
    self_.push_back(self);
  }
  return found->second;
}

// What a caller looks at after the call depends on how it ends. The result, and what tells whether an exception came, will be
// new: what they are now does not matter, and must not, or a thread whose dead variables were cleared before the call would
// differ from one whose are cleared only now.
bool Parts::is_live(const Frame& frame, const Frame* callee, int slot) const {
  const std::vector<std::set<int>>& live = live_[frame.procedure];
  if (callee == nullptr) return live[frame.node].contains(slot);
  if (slot == callee->catch_slot) return false;
  const bool after_return = slot != callee->return_slot && live[frame.node].contains(slot);
  return after_return || (callee->throw_node >= 0 && live[callee->throw_node].contains(slot));
}

void Parts::clear_dead_locals(ThreadState& thread) const {
  for (std::size_t f = 0; f < thread.frames.size(); ++f) {
    Frame& frame = thread.frames[f];
    const Procedure& procedure = program_.procedures[frame.procedure];
    if (procedure.contract.has_abstraction()) continue;  // it speaks of parameters at every step
    const Frame* callee = f + 1 < thread.frames.size() ? &thread.frames[f + 1] : nullptr;
    for (int slot = 0; slot < std::ssize(frame.locals); ++slot) {
      const Type& type = procedure.locals[slot].type;
      const bool is_lost = callee != nullptr && defect_ == Defect::kCallersDead;
      if ((is_live(frame, callee, slot) && !is_lost) || (keeps_references_ && refers(type))) continue;
      frame.locals[slot] = default_value(type);
    }
  }
}

Row Parts::row(const State& state) {
  Row out{shared(state)};
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    out.push_back(thread(state.threads[self - 1], self));
  }
  if (are_alike_) std::sort(out.begin() + 1, out.end());
  return out;
}

Scalar Parts::self(const State& outside, Number thread) const {
  if (!are_alike_) return self_[thread];
  const auto found = std::find_if(outside.threads.begin(), outside.threads.end(), [&](const ThreadState& it) {
    return it.declaration == threads_[thread].declaration;
  });
  return found - outside.threads.begin() + 1;
}

State Parts::state(const Row& row) const {
  State out = shared_[row[0]];
  out.threads.clear();
  for (std::size_t i = 1; i < row.size() && row[i] != 0; ++i) out.threads.push_back(threads_[row[i]]);
  return out;
}

std::string Parts::variable_with_most_values() const {
  constexpr std::size_t kMany = 100;
  ValuesByName values;
  for (std::size_t i = 1; i < shared_.size(); ++i) add_integers(program_, shared_[i].store, values);
  for (std::size_t i = 1; i < threads_.size(); ++i) {
    for (const Frame& frame : threads_[i].frames) {
      const Procedure& procedure = program_.procedures[static_cast<std::size_t>(frame.procedure)];
      for (std::size_t slot = 0; slot < frame.locals.size(); ++slot) {
        const Local& local = procedure.locals[slot];
        add_integers(frame.locals[slot], local.type, local.name + " of " + procedure.name, values);
      }
    }
  }
  std::string out;
  std::size_t most = kMany;
  for (const auto& [name, seen] : values) {
    if (seen.size() < most) continue;
    most = seen.size();
    out = name;
  }
  return out;
}

}  // namespace concord::explore
