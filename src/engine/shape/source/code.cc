#include "engine/shape/source/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostLabels = 1500;

// Where a procedure comes back to.
struct Back {
  const Stmt* call = nullptr;
  int procedure = -1;
  int label = -1;     // after a return
  int on_throw = -1;  // after a throw
  std::vector<const Stmt*> regions;
};

struct Refused {
  std::string why;
};

void add_locals(const Expr& expr, int procedure, std::set<LocalName>& out) {
  for_each_expr(expr, [&](const Expr& part) {
    if (const int slot = local_slot(part); slot >= 0) out.emplace(procedure, slot);
  });
}

class Unfolding {
 public:
  explicit Unfolding(const Program& program) : program_(program) {
    for (const Procedure& it : program.procedures) flows_.push_back(make_flow(it));
  }

  Code run() {
    out_.done = add_label(-1, -1, false, false);
    std::set<int> declared;
    for (const Thread& it : program_.threads) declared.insert(it.target.index);
    try {
      // The initialiser comes first: what it does before `initialised` is done alone.
      for (const int it : declared) enter_thread(it, it == program_.initialiser);
      for (const int it : started_in(program_, run_from(program_, {declared.begin(), declared.end()}, true))) {
        enter_thread(it, false);
      }
    } catch (const Refused& refused) {
      out_.refused = refused.why;
      return std::move(out_);
    }
    find_loops();
    find_live();
    find_copies();
    return std::move(out_);
  }

 private:
  int add_label(int procedure, int node, bool is_inside, bool is_alone) {
    if (out_.labels.size() >= kMostLabels)
      throw Refused{fmt::format("the program has more than {} places when calls are followed", kMostLabels)};
    Label made;
    made.procedure = procedure;
    made.node = node;
    made.is_inside = is_inside;
    made.is_alone = is_alone;
    out_.labels.push_back(std::move(made));
    return static_cast<int>(out_.labels.size()) - 1;
  }

  void enter_thread(int procedure, bool is_alone) {
    if (out_.entry.contains(procedure)) return;
    Back nowhere;
    nowhere.label = nowhere.on_throw = out_.done;
    out_.entry[procedure] = enter(procedure, nowhere, false, is_alone);
  }

  // A copy of the procedure's body; its first label.
  int enter(int procedure, const Back& back, bool is_inside, bool is_alone) {
    if (is_recursive(program_, procedure))
      throw Refused{fmt::format("`{}` calls itself", program_.procedures[static_cast<std::size_t>(procedure)].name)};
    std::map<int, int> labels;  // by node
    return visit(procedure, 0, back, is_inside, is_alone, labels);
  }

  // A node that only leads on to another is no place of its own.
  int skipped(const Flow& flow, int node) const {
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
      const std::vector<FlowEdge>& edges = flow.nodes[static_cast<std::size_t>(node)].edges;
      if (edges.size() != 1 || edges.front().operation.kind != Operation::Kind::kSilent) break;
      node = edges.front().target;
    }
    return node;
  }

  int visit(int procedure, int node, const Back& back, bool is_inside, bool is_alone, std::map<int, int>& labels) {
    node = skipped(flows_[static_cast<std::size_t>(procedure)], node);
    if (const auto found = labels.find(node); found != labels.end()) return found->second;
    const int label = add_label(procedure, node, is_inside, is_alone);
    labels[node] = label;
    const Flow& flow = flows_[static_cast<std::size_t>(procedure)];
    std::vector<const Stmt*>& regions = out_.labels[static_cast<std::size_t>(label)].regions;
    regions = flow.nodes[static_cast<std::size_t>(node)].regions;
    regions.insert(regions.end(), back.regions.begin(), back.regions.end());
    for (const int at : nodes_at_once(flow, node)) {
      for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(at)].edges) {
        if (edge.operation.kind != Operation::Kind::kSilent)
          follow(procedure, label, edge, back, is_inside, is_alone, labels);
      }
    }
    return label;
  }

  void follow(int procedure, int label, const FlowEdge& edge, const Back& back, bool is_inside, bool is_alone,
              std::map<int, int>& labels) {
    Move move;
    move.from = label;
    move.operation = edge.operation;
    move.procedure = procedure;
    const auto target = [&](bool inside, bool alone) {
      return visit(procedure, edge.target, back, inside, alone, labels);
    };
    switch (edge.operation.kind) {
      case Operation::Kind::kReturn:
      case Operation::Kind::kThrow: {
        move.caller = back.call;
        move.calling_procedure = back.procedure;
        move.to = edge.operation.kind == Operation::Kind::kThrow ? back.on_throw : back.label;
        break;
      }
      case Operation::Kind::kCall: {
        Back next;
        next.call = edge.operation.statement;
        next.procedure = procedure;
        next.label = target(is_inside, is_alone);
        next.regions = out_.labels[static_cast<std::size_t>(next.label)].regions;
        if (edge.on_throw >= 0) next.on_throw = visit(procedure, edge.on_throw, back, is_inside, is_alone, labels);
        move.to = enter(called(*edge.operation.statement)->index, next, is_inside, is_alone);
        break;
      }
      case Operation::Kind::kAtomicBegin: move.to = target(true, is_alone); break;
      case Operation::Kind::kAtomicEnd: move.to = target(false, is_alone); break;
      default: {
        const Stmt* statement = edge.operation.statement;
        const bool ends_it = statement != nullptr && std::holds_alternative<Initialised>(statement->node);
        move.to = target(is_inside, is_alone && !ends_it);
      }
    }
    add_with_sets(move, is_alone);
  }

  // The ghost assignments that follow are moves of their own in the same step.
  void add_with_sets(Move move, bool is_alone) {
    const Stmt* statement = move.operation.statement;
    const bool has_sets =
        (move.operation.kind == Operation::Kind::kStatement || move.operation.kind == Operation::Kind::kAtomicEnd) &&
        statement != nullptr;
    const std::size_t sets = has_sets ? statement->sets.size() : 0;
    const int last = move.to;
    for (std::size_t i = 0; i < sets; ++i) {
      const int between = add_label(move.procedure, -1, true, is_alone);
      move.to = between;
      add(move);
      move.from = between;
      move.set = &statement->sets[i];
    }
    move.to = last;
    add(move);
  }

  void add(const Move& move) {
    out_.labels[static_cast<std::size_t>(move.from)].moves.push_back(static_cast<int>(out_.moves.size()));
    out_.moves.push_back(move);
  }

  // The targets of edges that lead back in a search that goes deeper first.
  void find_loops() {
    std::vector<int> state(out_.labels.size(), 0);  // 1: on the way, 2: left
    for (const auto& [procedure, entry] : out_.entry) {
      std::vector<std::pair<int, std::size_t>> way{{entry, 0}};
      if (state[static_cast<std::size_t>(entry)] != 0) continue;
      state[static_cast<std::size_t>(entry)] = 1;
      while (!way.empty()) {
        auto& [label, next] = way.back();
        const std::vector<int>& moves = out_.labels[static_cast<std::size_t>(label)].moves;
        if (next == moves.size()) {
          state[static_cast<std::size_t>(label)] = 2;
          way.pop_back();
          continue;
        }
        const int to = out_.moves[static_cast<std::size_t>(moves[next++])].to;
        int& seen = state[static_cast<std::size_t>(to)];
        if (seen == 1) out_.labels[static_cast<std::size_t>(to)].is_loop = true;
        if (seen != 0) continue;
        seen = 1;
        way.emplace_back(to, 0);
      }
    }
  }

  void find_copies() {
    for (std::size_t p = 0; p < program_.procedures.size(); ++p) {
      const int procedure = static_cast<int>(p);
      std::map<int, std::set<std::string>> values;  // by slot: what it is ever set to; empty: something else
      for_each_stmt(*program_.procedures[p].body, [&](const Stmt& statement) {
        if (const auto* it = std::get_if<LocalDecl>(&statement.node)) {
          const auto* value = it->init ? std::get_if<ExprPtr>(&*it->init) : nullptr;
          values[it->slot].insert(value == nullptr ? "" : constant_path(program_, procedure, **value));
        }
        for_each_target(statement, [&](const Expr& target) {
          if (const int slot = local_slot(target); slot >= 0) values[slot].insert("");
        });
        const CallTarget* call = called(statement);
        if (call != nullptr && call->catch_slot >= 0) values[call->catch_slot].insert("");
      });
      for (const auto& [slot, all] : values) {
        if (all.size() == 1 && !all.begin()->empty() && all.begin()->find('.') != std::string::npos)
          out_.copies.emplace(std::pair(procedure, *all.begin()), slot);
      }
    }
  }

  void find_live() {
    std::vector<LocalUse> uses;
    for (const Move& it : out_.moves) uses.push_back(local_use(program_, it));
    // What is required of a thread is looked at when it begins.
    for (const auto& [procedure, label] : out_.entry) {
      for (const ExprPtr& it : program_.procedures[static_cast<std::size_t>(procedure)].contract.requires_)
        add_locals(*it, procedure, out_.labels[static_cast<std::size_t>(label)].live);
    }
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t m = out_.moves.size(); m-- > 0;) {
        std::set<LocalName>& before = out_.labels[static_cast<std::size_t>(out_.moves[m].from)].live;
        const std::size_t size = before.size();
        before.insert(uses[m].looked_at.begin(), uses[m].looked_at.end());
        for (const LocalName& it : out_.labels[static_cast<std::size_t>(out_.moves[m].to)].live) {
          if (!uses[m].set.contains(it)) before.insert(it);
        }
        goes_on = goes_on || before.size() != size;
      }
    }
  }

  const Program& program_;
  std::vector<Flow> flows_;
  Code out_;
};

}  // namespace

Code make_code(const Program& program) { return Unfolding(program).run(); }

std::string constant_path(const Program& program, int procedure, const Expr& expr) {
  if (const int slot = local_slot(expr); slot >= 0) {
    const std::size_t parameters = program.procedures[static_cast<std::size_t>(procedure)].parameters.size();
    return static_cast<std::size_t>(slot) < parameters ? fmt::format("{}", slot) : "";
  }
  const auto* it = std::get_if<FieldExpr>(&expr.node);
  if (it == nullptr || it->kind != FieldExpr::Kind::kField || it->primed) return "";
  if (!field_of(program, it->object->type.decl, it->index).is_final) return "";
  const std::string object = constant_path(program, procedure, *it->object);
  const FieldHome home = field_home(program, it->object->type.decl, it->index);
  return object.empty() ? "" : fmt::format("{}.{}:{}", object, home.class_index, home.place);
}

LocalUse local_use(const Program& program, const Move& move) {
  LocalUse out;
  const auto look = [&](const Expr& expr) { add_locals(expr, move.procedure, out.looked_at); };
  if (move.set != nullptr) {
    look(*move.set->value);
    look(*move.set->target);
    return out;
  }
  const Operation& operation = move.operation;
  if (operation.condition != nullptr) look(*operation.condition);
  const Stmt* statement = operation.statement;
  const auto assign_result = [&](int slot) {
    if (slot >= 0) out.set.emplace(move.calling_procedure, slot);
  };
  switch (operation.kind) {
    case Operation::Kind::kReturn:
    case Operation::Kind::kThrow: {
      if (const auto* it = statement == nullptr ? nullptr : std::get_if<Return>(&statement->node))
        if (it->value) look(*it->value);
      if (const auto* it = statement == nullptr ? nullptr : std::get_if<Throw>(&statement->node)) look(*it->value);
      const Contract& contract = program.procedures[static_cast<std::size_t>(move.procedure)].contract;
      for (const ExprPtr& it : operation.kind == Operation::Kind::kThrow ? contract.signals : contract.ensures)
        look(*it);
      if (move.caller == nullptr) return out;
      const CallTarget& call = *called(*move.caller);
      assign_result(call.catch_slot);
      if (operation.kind == Operation::Kind::kReturn) {
        const int slot = direct_result_slot(*move.caller);
        assign_result(slot);
        if (slot < 0) out.set.emplace(move.procedure, kResultSlot);
      }
      return out;
    }
    case Operation::Kind::kCall: {
      const CallTarget& call = *called(*statement);
      for (const ExprPtr& it : call.arguments) look(*it);
      const Procedure& callee = program.procedures[static_cast<std::size_t>(call.index)];
      for (std::size_t i = 0; i < callee.locals.size(); ++i) out.set.emplace(call.index, static_cast<int>(i));
      return out;
    }
    case Operation::Kind::kAssignResult: {
      out.looked_at.emplace(called(*statement)->index, kResultSlot);
      for_each_target(*statement, look);
      return out;
    }
    case Operation::Kind::kWaitAcquire: out.looked_at.emplace(move.procedure, kWaitSlot); return out;
    case Operation::Kind::kWaitRelease:
      out.set.emplace(move.procedure, kWaitSlot);
      for_each_part(
          *statement, look, [](const Stmt&) {}, [](const CallTarget&) {});
      return out;
    case Operation::Kind::kStatement: break;
    default: return out;
  }
  int target = -1;  // that gets a whole new value
  if (const auto* it = std::get_if<LocalDecl>(&statement->node)) target = it->slot;
  if (const auto* it = std::get_if<Assign>(&statement->node)) target = local_slot(*it->target);
  if (target >= 0) out.set.emplace(move.procedure, target);
  const auto* assign = std::get_if<Assign>(&statement->node);
  for_each_part(
      *statement,
      [&](const Expr& expr) {
        const bool is_target = assign != nullptr && &expr == assign->target.get() && target >= 0;
        if (!is_target) look(expr);
      },
      [](const Stmt&) {}, [](const CallTarget&) {});
  return out;
}

}  // namespace concord::engine::shape::source
