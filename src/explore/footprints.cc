#include "explore/footprints.h"

#include <algorithm>
#include <set>

#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/places.h"
#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kBits = 64;
constexpr std::uint64_t kEverything = ~std::uint64_t{0};
constexpr std::size_t kMostLocks = 64;
// Names that no place of a program has.
constexpr const char* kElements = "elements";
constexpr const char* kMonitors = "monitors";
constexpr const char* kObjects = "objects";
constexpr const char* kThreads = "threads";

bool speaks_of(const Type& type, Type::Kind kind) {
  return type.kind == kind || (type.first && speaks_of(*type.first, kind)) ||
         (type.second && speaks_of(*type.second, kind));
}

const Expr* lock_of(const Stmt& statement) {
  if (const auto* it = std::get_if<Acquire>(&statement.node)) return it->lock.get();
  if (const auto* it = std::get_if<Release>(&statement.node)) return it->lock.get();
  if (const auto* it = std::get_if<Wait>(&statement.node)) return it->lock.get();
  if (const auto* it = std::get_if<Notify>(&statement.node)) return it->lock.get();
  return nullptr;
}

int shared_variable(const Expr& expr) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kShared ? name->ref.index : -1;
}

// It looks at what was when the procedure began.
bool uses_old(const std::vector<ExprPtr>& list) {
  bool out = false;
  for (const ExprPtr& it : list) {
    for_each_expr(*it, [&](const Expr& part) { out = out || std::holds_alternative<OldExpr>(part.node); });
  }
  return out;
}

}  // namespace

Footprints::Footprints(const Machine& machine, bool are_joined, Defect defect)
    : machine_(machine), program_(machine.program()), are_joined_(are_joined), defect_(defect) {
  for (const char* it : {kElements, kMonitors, kObjects, kThreads}) places_.emplace(it, places_.size());
  watch_clauses();
  find_locks();
  for (int p = 0; p < std::ssize(program_.procedures); ++p) {
    const Flow& flow = machine.flow(p);
    auto& nodes = edges_.emplace_back();
    for (const FlowNode& node : flow.nodes) {
      auto& edges = nodes.emplace_back();
      for (const FlowEdge& edge : node.edges) edges.push_back(of(flow, node, edge));
    }
  }
  for (int p = 0; p < std::ssize(program_.procedures); ++p) {
    auto& nodes = next_.emplace_back();
    for (int n = 0; n < std::ssize(machine.flow(p).nodes); ++n) nodes.push_back(next_at(p, n));
  }
}

// -------------------------------------------------------------------------------------------------------------- places

std::uint64_t Footprints::bit(const std::string& place) {
  const auto number = static_cast<std::size_t>(places_.emplace(place, places_.size()).first->second);
  return std::uint64_t{1} << number % kBits;
}

bool Footprints::has_arrays(int class_index) const {
  for (int f = 0; f < field_count(program_, class_index); ++f) {
    if (field_of(program_, class_index, f).type.kind == Type::Kind::kArray) return true;
  }
  return false;
}

// Who refers to an array decides whether accesses to its elements are races.
std::uint64_t Footprints::written(const Expr& target) {
  const std::uint64_t out = place(target, -1);
  return out != 0 && target.type.kind == Type::Kind::kArray ? out | bit(kElements) : out;
}

// What is written if this is; 0: a local variable.
std::uint64_t Footprints::place(const Expr& target, int owner) {
  if (const auto* entry = std::get_if<IndexExpr>(&target.node)) {
    return entry->base->type.kind == Type::Kind::kArray ? bit(kElements) : place(*entry->base, owner);
  }
  const auto* name = std::get_if<NameExpr>(&target.node);
  if (name != nullptr && name->ref.kind == Ref::Kind::kField) {
    const FieldHome home = field_home(program_, owner, name->ref.index);
    return bit(program_.classes[home.class_index].name + "." + name->name);
  }
  const bool is_monitors =
      name != nullptr && (name->ref.kind == Ref::Kind::kMonitorHolder || name->ref.kind == Ref::Kind::kMonitorDepth);
  if (is_monitors) return bit(kMonitors);
  if (const auto* field = std::get_if<FieldExpr>(&target.node)) {
    const bool is_lock = field->kind == FieldExpr::Kind::kHolder || field->kind == FieldExpr::Kind::kDepth;
    if (is_lock && field->object->type.kind == Type::Kind::kClass) return bit(kMonitors);
    if (is_lock) return place(*field->object, owner);
  }
  const std::string word = place_of(program_, target);
  return word.empty() ? 0 : bit(word);
}

// All that its value depends on, and what the clauses of these places speak of.
std::uint64_t Footprints::places(const Expr& expr, int owner) {
  std::uint64_t out = 0;
  for_each_expr(expr, [&](const Expr& part) {
    out |= place(part, owner);
    const std::string word = place_of(program_, part);
    if (const auto found = asked_.find(word); found != asked_.end()) out |= found->second;
    if (const auto* it = std::get_if<HoldsExpr>(&part.node)) {
      out |= it->lock->type.kind == Type::Kind::kClass ? bit(kMonitors) : place(*it->lock, owner);
    }
    if (const auto* it = std::get_if<ShapeExpr>(&part.node)) {
      const FieldHome home = field_home(program_, it->from->type.decl, it->index);
      out |= bit(program_.classes[home.class_index].name + "." + it->field);
    }
    if (const auto* it = std::get_if<QuantifierExpr>(&part.node)) {
      for (const BoundVariable& variable : it->variables) {
        if (speaks_of(variable.type, Type::Kind::kClass)) out |= bit(kObjects);
        if (speaks_of(variable.type, Type::Kind::kTid)) out |= bit(kThreads);
      }
    }
    if (const auto* it = std::get_if<InstanceOf>(&part.node); it != nullptr && it->index >= 0) out |= bit(kThreads);
  });
  return out;
}

std::uint64_t Footprints::places(const std::vector<ExprPtr>& list, int owner) {
  std::uint64_t out = 0;
  for (const ExprPtr& it : list) out |= places(*it, owner);
  return out;
}

// Claims about all states and all steps: nobody goes on alone by a step that changes what they speak of. A clause of a place is
// looked at when that place is touched.
void Footprints::watch_clauses() {
  const auto two_state = [&](const TwoState& it, int owner) {
    watched_ |= places(*it.predicate, owner);
    if (it.frame) watched_ |= places(*it.frame, owner);
  };
  const auto variable = [&](const Variable& it, const std::string& word, int owner) {
    std::uint64_t asked = 0;
    for (const FieldClause& clause : it.clauses) asked |= places(*clause.expr, owner);
    if (it.clauses.empty()) return;
    watched_ |= asked | bit(word);
    if (it.type.kind == Type::Kind::kArray) watched_ |= bit(kElements);  // whoever writes them, and however
    asked_.emplace(word, asked);
  };
  for (const Variable& it : program_.variables) variable(it, it.name, -1);
  for (std::size_t c = 0; c < program_.classes.size(); ++c) {
    const Class& owner = program_.classes[c];
    for (const Variable& it : owner.fields) variable(it, owner.name + "." + it.name, static_cast<int>(c));
  }
  for (const Clause& it : program_.clauses) {
    if (it.kind == Clause::Kind::kFinally) continue;  // no final state is lost
    two_state(it.predicate, it.class_index);
    if (it.class_index >= 0) watched_ |= bit(kObjects);
    if (it.kind == Clause::Kind::kMonitorInvariant) watched_ |= bit(kMonitors);
  }
  for (const LockOrder& it : program_.lock_orders) {
    watched_ |= places(*it.before, -1) | places(*it.after, -1) | (it.when ? places(*it.when, -1) : 0);
  }
  for (const AbstractThread& machine : program_.abstract_threads) {
    for (const AbstractThread::Node& it : machine.nodes) watched_ |= it.assertion ? places(*it.assertion, -1) : 0;
    for (const AbstractThread::Edge& it : machine.edges) two_state(it.step, -1);
  }
  for (const Procedure& it : program_.procedures) {
    for (const Action& action : it.contract.actions)
      watched_ |= places(*action.ensures, -1) | places(action.also_modifies, -1);
    if (it.contract.modifies) watched_ |= places(*it.contract.modifies, -1);
    if (it.contract.has_abstraction()) watched_ |= bit(kObjects);  // those that are new since it began do not count
    for (const auto* list : {&it.contract.ensures, &it.contract.signals}) {
      if (uses_old(*list)) watched_ |= places(*list, -1);
    }
  }
}

// Variables that nothing changes but `acquire`, `release` and `wait`.
void Footprints::find_locks() {
  std::set<int> locks, others;
  for (const Procedure& procedure : program_.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      for_each_target(statement, [&](const Expr& target) {
        const Expr* root = &target;
        while (const auto* entry = std::get_if<IndexExpr>(&root->node)) root = entry->base.get();
        others.insert(shared_variable(*root));
      });
      if (may_do_anything(statement)) {
        for (int v = 0; v < std::ssize(program_.variables); ++v) others.insert(v);
      }
      if (const Expr* lock = lock_of(statement); lock != nullptr) locks.insert(shared_variable(*lock));
    });
  }
  for (const int it : locks) {
    if (it >= 0 && !others.contains(it) && locks_.size() < kMostLocks) locks_.push_back(it);
  }
}

// ---------------------------------------------------------------------------------------------------------- operations

// Of code. Who touches a `thread_local` place first becomes its owner.
Footprint Footprints::of(const Expr& expr) {
  Footprint out{places(expr, -1), 0};
  for_each_expr(expr, [&](const Expr& part) {
    const auto* field = std::get_if<FieldExpr>(&part.node);
    const int variable = shared_variable(part);
    const bool is_owned = (variable >= 0 && program_.variables[variable].is_thread_local) ||
                          (field != nullptr && field->kind == FieldExpr::Kind::kField &&
                           field_of(program_, field->object->type.decl, field->index).is_thread_local);
    if (is_owned) out.writes |= place(part, -1);
  });
  return out;
}

Footprint Footprints::of(const Stmt& statement) {
  Footprint out;
  if (may_do_anything(statement) || std::holds_alternative<Initialised>(statement.node))
    return {kEverything, kEverything};
  for_each_part(
      statement, [&](const Expr& expr) { out |= of(expr); }, [](const Stmt&) {}, [](const CallTarget&) {});
  for_each_target(statement, [&](const Expr& target) { out.writes |= written(target); });
  if (const Expr* lock = lock_of(statement); lock != nullptr) {
    out.writes |= lock->type.kind == Type::Kind::kClass ? bit(kMonitors) : place(*lock, -1);
    for (const LockOrder& it : program_.lock_orders) {
      out.reads |= places(*it.before, -1) | places(*it.after, -1) | (it.when ? places(*it.when, -1) : 0);
    }
  }
  if (const auto* it = std::get_if<Havoc>(&statement.node)) {
    for (const ExprPtr& target : it->targets) {
      if (speaks_of(target->type, Type::Kind::kClass)) out.reads |= bit(kObjects);
      if (speaks_of(target->type, Type::Kind::kTid)) out.reads |= bit(kThreads);
    }
  }
  if (const auto* it = std::get_if<Direct>(&statement.node)) {
    if (!it->action.frame) return {kEverything, kEverything};
    out.reads |= bit(kObjects) | bit(kThreads);
  }
  const Rhs* value = right_side(statement);
  const bool makes =
      value != nullptr && (std::holds_alternative<NewObject>(*value) || std::holds_alternative<NewArray>(*value));
  if (makes) out |= {bit(kObjects), bit(kObjects)};
  const auto* made = value == nullptr ? nullptr : std::get_if<NewObject>(value);
  if (made != nullptr && has_arrays(made->class_index)) out.writes |= bit(kElements);
  if (starts_thread(statement)) out |= {bit(kThreads), bit(kThreads)};
  if (std::holds_alternative<Join>(statement.node)) out.reads |= bit(kThreads);
  return out;
}

Footprint Footprints::of(const Flow& flow, const FlowNode& node, const FlowEdge& edge) {
  const Operation& operation = edge.operation;
  Footprint out;
  if (node.loop != nullptr) out.reads |= places(node.loop->invariants, -1);
  if (operation.condition != nullptr) out |= of(*operation.condition);
  const bool is_condition = operation.kind == Operation::Kind::kCondition;
  if (operation.statement != nullptr && !is_condition) out |= of(*operation.statement);
  const CallTarget* target = operation.statement == nullptr || is_condition ? nullptr : called(*operation.statement);
  if (target != nullptr) out.reads |= places(program_.procedures[target->index].contract.requires_, -1);
  const Contract& contract = flow.procedure->contract;
  if (operation.kind == Operation::Kind::kReturn) out.reads |= places(contract.ensures, -1);
  if (operation.kind == Operation::Kind::kThrow) out.reads |= places(contract.signals, -1);
  return out;
}

// The lock that is taken here, if it is one of `locks_`.
Locks Footprints::locked_by(const FlowEdge& edge) const {
  if (edge.operation.statement == nullptr) return 0;
  const bool takes = std::holds_alternative<Acquire>(edge.operation.statement->node) ||
                     edge.operation.kind == Operation::Kind::kWaitAcquire;
  const Expr* lock = takes ? lock_of(*edge.operation.statement) : nullptr;
  if (lock == nullptr) return 0;
  const auto found = std::find(locks_.begin(), locks_.end(), shared_variable(*lock));
  return found == locks_.end() ? 0 : Locks{1} << static_cast<std::size_t>(found - locks_.begin());
}

// ---------------------------------------------------------------------------------------------------------- later steps

const Footprints::Rests& Footprints::rests(Locks held) {
  const auto [found, is_new] = rests_.emplace(held, Rests());
  Rests& out = found->second;
  if (!is_new) return out;
  for (const auto& nodes : edges_) out.emplace_back(nodes.size());
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (int p = static_cast<int>(out.size()) - 1; p >= 0; --p) {
      const Flow& flow = machine_.flow(p);
      for (int n = static_cast<int>(flow.nodes.size()) - 1; n >= 0; --n) {
        Rest rest = out[p][n];
        const auto go_on = [&](int target) {
          if (target < 0) return;
          rest.footprint |= out[p][target].footprint;
          rest.may_leave = rest.may_leave || out[p][target].may_leave;
        };
        for (std::size_t e = 0; e < flow.nodes[n].edges.size(); ++e) {
          const FlowEdge& edge = flow.nodes[n].edges[e];
          const Operation::Kind kind = edge.operation.kind;
          rest.footprint |= edges_[p][n][e];
          if ((locked_by(edge) & held) != 0) continue;
          if (kind == Operation::Kind::kReturn || kind == Operation::Kind::kThrow) rest.may_leave = true;
          const CallTarget* target = edge.operation.statement == nullptr ? nullptr : called(*edge.operation.statement);
          const bool is_start = edge.operation.statement != nullptr && starts_thread(*edge.operation.statement);
          if (target != nullptr && (kind == Operation::Kind::kCall || is_start)) {
            const Rest& callee = out[target->index].front();
            rest.footprint |= callee.footprint;
            if (!is_start && !callee.may_leave) continue;
          }
          go_on(edge.target);
          go_on(edge.on_throw);
        }
        if (rest == out[p][n]) continue;
        out[p][n] = rest;
        is_done = false;
      }
    }
  }
  return out;
}

Footprint Footprints::later(const ThreadState& thread, Locks held) {
  Footprint out;
  if (thread.finished) return out;
  if (are_joined_) out.writes |= bit(kThreads);
  const Rests& all = rests(held);
  for (auto frame = thread.frames.rbegin(); frame != thread.frames.rend(); ++frame) {
    const std::vector<Rest>& nodes = all[frame->procedure];
    Rest rest = nodes[frame->node];
    if (frame != thread.frames.rbegin()) {
      const int thrown_to = std::prev(frame)->throw_node;
      if (thrown_to >= 0) {
        rest.footprint |= nodes[thrown_to].footprint;
        rest.may_leave = rest.may_leave || nodes[thrown_to].may_leave;
      }
    }
    out |= rest.footprint;
    if (!rest.may_leave) break;
  }
  return out;
}

Locks Footprints::held(const State& state, Scalar self) const {
  Locks out = 0;
  for (std::size_t i = 0; i < locks_.size(); ++i) {
    const Value& value = state.store.variables[locks_[i]];
    const Scalar holder = value.composite ? value.composite->holder : value.scalar;
    if (holder == self || (holder == 0 && defect_ == Defect::kAloneWhileFree)) out |= Locks{1} << i;
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------------ next step

std::optional<Footprint> Footprints::next(const ThreadState& thread) const {
  if (thread.finished || !thread.nodes.empty()) return std::nullopt;
  if (machine_.is_in_region(thread) && defect_ != Defect::kInsideUnseen) return std::nullopt;
  for (const Frame& it : thread.frames) {
    if (!it.places.empty()) return std::nullopt;
  }
  const Frame& frame = thread.frames.back();
  const std::optional<Footprint>& out = next_[frame.procedure][frame.node];
  if (!out || ((out->writes & watched_) != 0 && defect_ != Defect::kAloneVisibly)) return std::nullopt;
  if (!are_joined_ || thread.frames.size() > 1) return out;
  for (const int at : nodes_at_once(machine_.flow(frame.procedure), frame.node)) {
    for (const FlowEdge& edge : machine_.flow(frame.procedure).nodes[at].edges) {
      if (edge.operation.kind == Operation::Kind::kReturn) return std::nullopt;
    }
  }
  return out;
}

std::optional<Footprint> Footprints::next_at(int procedure, int node) {
  const Flow& flow = machine_.flow(procedure);
  Footprint out;
  for (const int at : nodes_at_once(flow, node)) {
    if (flow.nodes[at].loop != nullptr && defect_ != Defect::kAloneForEver) return std::nullopt;
    for (std::size_t e = 0; e < flow.nodes[at].edges.size(); ++e) {
      const FlowEdge& edge = flow.nodes[at].edges[e];
      if (edge.operation.kind == Operation::Kind::kSilent) continue;
      out |= edges_[procedure][at][e];
      if (!add_next(procedure, edge, out)) return std::nullopt;
    }
  }
  return out;
}

// Whether a thread may take such a step although others have not gone on, if the places allow it.
bool Footprints::add_next(int procedure, const FlowEdge& edge, Footprint& out) {
  const Operation& operation = edge.operation;
  switch (operation.kind) {
    case Operation::Kind::kCondition:
    case Operation::Kind::kAssignResult:
    case Operation::Kind::kReturn: return true;
    case Operation::Kind::kAtomicBegin: return add_atomic(procedure, edge.target, out);
    case Operation::Kind::kCall: {
      const int callee = called(*operation.statement)->index;
      const Contract& contract = program_.procedures[callee].contract;
      return !contract.has_abstraction() && !uses_old(contract.ensures) && !uses_old(contract.signals) &&
             !is_recursive(program_, callee);
    }
    case Operation::Kind::kStatement: {
      const Stmt& it = *operation.statement;
      return !starts_thread(it) && !std::holds_alternative<Join>(it.node) && !std::holds_alternative<Notify>(it.node) &&
             !std::holds_alternative<Initialised>(it.node) && !std::holds_alternative<Unsupported>(it.node);
    }
    default: return false;
  }
}

// All that may be done from there to the end of the `atomic`.
bool Footprints::add_atomic(int procedure, int begin, Footprint& out) {
  const Flow& flow = machine_.flow(procedure);
  std::set<std::pair<int, int>> seen;  // node, and how many `atomic` it lies in
  std::vector<std::pair<int, int>> todo{{begin, 1}};
  while (!todo.empty()) {
    const auto [at, depth] = todo.back();
    todo.pop_back();
    if (depth == 0 || !seen.insert({at, depth}).second) continue;
    for (std::size_t e = 0; e < flow.nodes[at].edges.size(); ++e) {
      const FlowEdge& edge = flow.nodes[at].edges[e];
      const Operation::Kind kind = edge.operation.kind;
      out |= edges_[procedure][at][e];
      const bool is_nesting = kind == Operation::Kind::kAtomicBegin || kind == Operation::Kind::kAtomicEnd;
      if (!is_nesting && kind != Operation::Kind::kSilent && !add_next(procedure, edge, out)) return false;
      if (kind == Operation::Kind::kReturn) return false;
      if (kind == Operation::Kind::kCall) out |= rests(0)[called(*edge.operation.statement)->index].front().footprint;
      const int inside = kind == Operation::Kind::kAtomicBegin ? depth + 1
                         : kind == Operation::Kind::kAtomicEnd ? depth - 1
                                                               : depth;
      if (edge.target >= 0) todo.emplace_back(edge.target, inside);
      if (edge.on_throw >= 0) todo.emplace_back(edge.on_throw, inside);
    }
  }
  return true;
}

int Footprints::wanted(const ThreadState& thread) const {
  if (thread.finished) return -1;
  const Frame& frame = thread.frames.back();
  int out = -1;
  for (const int at : nodes_at_once(machine_.flow(frame.procedure), frame.node)) {
    for (const FlowEdge& edge : machine_.flow(frame.procedure).nodes[at].edges) {
      if (edge.operation.kind == Operation::Kind::kSilent) continue;
      const auto* it = edge.operation.kind == Operation::Kind::kStatement
                           ? std::get_if<Acquire>(&edge.operation.statement->node)
                           : nullptr;
      const bool is_object = it != nullptr && it->lock->type.kind == Type::Kind::kClass;
      if (out >= 0 || !is_object || local_slot(*it->lock) < 0) return -1;
      out = local_slot(*it->lock);
    }
  }
  return out;
}

Footprint Footprints::of_monitors() const {
  const std::uint64_t monitors = std::uint64_t{1} << static_cast<std::size_t>(places_.at(kMonitors));
  return {monitors, monitors};
}

}  // namespace concord::explore
