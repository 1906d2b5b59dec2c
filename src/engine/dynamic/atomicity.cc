#include "engine/dynamic/atomicity.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "base/overloaded.h"
#include "plato/walk.h"

namespace concord::engine::dynamic {

using base::Overloaded;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

int shared_variable(const Expr& expr) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kShared ? name->ref.index : -1;
}

// The variable that a place is, or is an entry of; or -1.
int root_of(const Expr& place) {
  const Expr* at = &place;
  while (const auto* index = std::get_if<IndexExpr>(&at->node)) at = index->base.get();
  return shared_variable(*at);
}

// What evaluating it takes beyond its parts.
bool may_fail(const Expr& part) {
  const auto never = [] { return false; };
  return std::visit(Overloaded{
                        [](const UnaryExpr& it) { return it.op == UnaryOp::kNonNull; },
                        [](const BinaryExpr& it) {
                          if (it.op != BinaryOp::kDiv && it.op != BinaryOp::kMod) return false;
                          const auto* divisor = std::get_if<IntLit>(&it.right->node);
                          return divisor == nullptr || divisor->value == 0;
                        },
                        [](const IndexExpr& it) { return it.base->type.kind != Type::Kind::kMap; },
                        [](const FieldExpr&) { return true; },
                        [](const CastExpr&) { return true; },
                        [](const ShapeExpr&) { return true; },
                        [&](const IntLit&) { return never(); },
                        [&](const BoolLit&) { return never(); },
                        [&](const FloatLit&) { return never(); },
                        [&](const NullLit&) { return never(); },
                        [&](const NoneLit&) { return never(); },
                        [&](const TidExpr&) { return never(); },
                        [&](const ThisExpr&) { return never(); },
                        [&](const ResultExpr&) { return never(); },
                        [&](const ThreadIndex&) { return never(); },
                        [&](const Star&) { return never(); },
                        [&](const NameExpr&) { return never(); },
                        [&](const ConditionalExpr&) { return never(); },
                        [&](const OldExpr&) { return never(); },
                        [&](const QuantifierExpr&) { return never(); },
                        [&](const SetLit&) { return never(); },
                        [&](const MapConst&) { return never(); },
                        [&](const MapUpdate&) { return never(); },
                        [&](const SizeExpr&) { return never(); },
                        [&](const InstanceOf&) { return never(); },
                        [&](const HoldsExpr&) { return never(); },
                        [&](const WrapExpr&) { return never(); },
                        [&](const FloatExpr&) { return never(); },
                        [&](const SumExpr&) { return never(); },
                    },
                    part.node);
}

void read(const Expr& expr, Touched& out) {
  for_each_expr(expr, [&](const Expr& part) {
    if (const int variable = shared_variable(part); variable >= 0) out.reads.insert(variable);
    out.may_fail = out.may_fail || may_fail(part);
  });
}

// Writing an entry of a map reads what says which.
void written(const Expr& place, Touched& out) {
  for (const Expr* at = &place; at != nullptr;) {
    out.may_fail = out.may_fail || may_fail(*at);
    const auto* index = std::get_if<IndexExpr>(&at->node);
    at = index != nullptr ? index->base.get() : nullptr;
  }
  if (const int variable = root_of(place); variable >= 0) out.writes.insert(variable);
  for_each_child(place, [&](const Expr& child) { read(child, out); });
}

void look_at(const std::vector<GhostSet>& sets, Touched& out) {
  for (const GhostSet& it : sets) written(*it.target, out), read(*it.value, out);
}

void look_at_value(const Rhs& value, Touched& out) {
  if (const auto* it = std::get_if<ExprPtr>(&value)) read(**it, out);
  if (const auto* it = std::get_if<CasExpr>(&value)) {
    written(*it->location, out), read(*it->location, out), read(*it->expected, out), read(*it->value, out);
  }
}

// The variable that is the lock itself; one that is found in a map, say, is written like anything else.
int lock_variable(const Expr& lock, Touched& out) {
  const int variable = shared_variable(lock);
  if (variable >= 0) {
    out.reads.clear();
  } else {
    written(lock, out);
  }
  return variable;
}

void look_at(const Stmt& statement, Touched& out) {
  for_each_part(
      statement, [&](const Expr& expr) { read(expr, out); }, [](const Stmt&) {}, [](const CallTarget&) {});
  if (const auto* it = std::get_if<LocalDecl>(&statement.node); it != nullptr && it->init)
    look_at_value(*it->init, out);
  if (const auto* it = std::get_if<Assign>(&statement.node)) written(*it->target, out), look_at_value(it->value, out);
  if (const auto* it = std::get_if<CasSwap>(&statement.node)) written(*it->location, out), written(*it->value, out);
  if (const auto* it = std::get_if<Havoc>(&statement.node)) {
    for (const ExprPtr& target : it->targets) written(*target, out);
    out.may_block = it->low != nullptr;  // the range may be empty
  }
  if (const auto* it = std::get_if<SetStmt>(&statement.node)) written(*it->set.target, out), read(*it->set.value, out);
  if (std::holds_alternative<Direct>(statement.node)) out.may_block = true;
  if (const auto* it = std::get_if<Assume>(&statement.node)) out.may_block = !it->is_definition;
  if (std::holds_alternative<Assert>(statement.node)) out.may_fail = true;
  if (const auto* it = std::get_if<Acquire>(&statement.node)) {
    out.may_block = true;
    out.acquires = lock_variable(*it->lock, out);
  }
  if (const auto* it = std::get_if<Release>(&statement.node)) { out.releases = lock_variable(*it->lock, out); }
  look_at(statement.sets, out);
}

}  // namespace

Touched touched(const Operation& operation) {
  Touched out;
  switch (operation.kind) {
    case Operation::Kind::kCondition: read(*operation.condition, out); break;
    case Operation::Kind::kStatement: look_at(*operation.statement, out); break;
    case Operation::Kind::kCall:
      for (const ExprPtr& it : called(*operation.statement)->arguments) read(*it, out);
      break;
    case Operation::Kind::kReturn:
      if (operation.statement == nullptr) break;
      if (const auto& value = std::get<Return>(operation.statement->node).value) read(*value, out);
      break;
    case Operation::Kind::kAssignResult: written(*std::get<Assign>(operation.statement->node).target, out); break;
    case Operation::Kind::kAtomicEnd: look_at(operation.statement->sets, out); break;
    default: break;
  }
  return out;
}

Atomicity::Atomicity(const Program& program, const std::vector<Code>& codes, bool is_blind)
    : program_(program), codes_(codes), is_blind_(is_blind) {
  find_locks();
  find_held();
  find_protected();
}

void Atomicity::find_locks() {
  std::set<int> used;
  for (const Code& code : codes_) {
    for (const CodeNode& node : code.nodes) {
      for (const CodeEdge& edge : node.edges) {
        const Touched it = touched(edge.operation);
        written_.insert(it.writes.begin(), it.writes.end());
        used.insert(it.reads.begin(), it.reads.end());
        used.insert(it.writes.begin(), it.writes.end());
        for (const int lock : {it.acquires, it.releases}) {
          if (lock >= 0) locks_.insert(lock), written_.insert(lock);
        }
      }
    }
  }
  std::erase_if(locks_, [&](int it) {
    const Variable& variable = program_.variables[static_cast<std::size_t>(it)];
    const bool is_free = !variable.init || std::holds_alternative<NoneLit>(variable.init->node);
    const Type::Kind kind = variable.type.kind;
    return used.contains(it) || !is_free || (kind != Type::Kind::kMonitor && kind != Type::Kind::kTid);
  });
}

void Atomicity::find_held() {
  for (const Code& code : codes_) {
    std::vector<std::optional<std::map<int, int>>> held(code.nodes.size());
    held[static_cast<std::size_t>(code.entry)].emplace();
    std::deque<int> open{code.entry};
    while (!open.empty()) {
      const int at = open.front();
      open.pop_front();
      for (const CodeEdge& edge : code.nodes[static_cast<std::size_t>(at)].edges) {
        std::map<int, int> after = *held[static_cast<std::size_t>(at)];
        const Touched it = touched(edge.operation);
        if (locks_.contains(it.acquires)) ++after[it.acquires];
        if (locks_.contains(it.releases) && --after[it.releases] <= 0) after.erase(it.releases);
        std::optional<std::map<int, int>>& known = held[static_cast<std::size_t>(edge.target)];
        if (known) {  // the least of both
          std::erase_if(after, [&](const auto& entry) { return !known->contains(entry.first); });
          for (auto& [lock, depth] : after) depth = std::min(depth, known->at(lock));
        }
        if (known == after) continue;
        known = std::move(after);
        open.push_back(edge.target);
      }
    }
    held_.emplace_back();
    for (auto& it : held) held_.back().push_back(it.value_or(std::map<int, int>{}));
  }
}

void Atomicity::find_protected() {
  std::map<int, std::set<int>> locks;  // by variable: those that are held wherever it is touched
  for (std::size_t c = 0; c < codes_.size(); ++c) {
    for (int n = 0; n < std::ssize(codes_[c].nodes); ++n) {
      for (const CodeEdge& edge : codes_[c].nodes[static_cast<std::size_t>(n)].edges) {
        Touched it = touched(edge.operation);
        std::set<int> here;
        for (const auto& [lock, depth] : held(c, n)) here.insert(lock);
        if (locks_.contains(it.acquires)) here.insert(it.acquires);  // what is attached to it comes after it
        it.reads.merge(it.writes);
        for (const int variable : it.reads) {
          const auto [known, is_first] = locks.emplace(variable, here);
          if (!is_first) std::erase_if(known->second, [&](int lock) { return !here.contains(lock); });
        }
      }
    }
  }
  for (const auto& [variable, held] : locks) {
    if (!held.empty() && written_.contains(variable)) protected_.emplace(variable, *held.begin());
  }
}

Moves Atomicity::plain(std::size_t code, int node, const CodeEdge& edge) const {
  const Touched it = touched(edge.operation);
  Moves out{Mover::kBoth, it.may_block, it.may_fail};
  const auto is_free = [&](int variable) {
    return is_blind_ || !written_.contains(variable) || protected_.contains(variable);
  };
  const bool is_plain = std::all_of(it.reads.begin(), it.reads.end(), is_free) &&
                        std::all_of(it.writes.begin(), it.writes.end(), is_free);
  const auto depth = [&](int lock) {
    const auto found = held(code, node).find(lock);
    return found == held(code, node).end() ? 0 : found->second;
  };
  const auto is_monitor = [&](int lock) {
    return program_.variables[static_cast<std::size_t>(lock)].type.kind == Type::Kind::kMonitor;
  };
  if (!is_plain) {
    out.mover = Mover::kNone;
  } else if (locks_.contains(it.acquires)) {
    const bool is_held = depth(it.acquires) > 0;
    if (is_held && is_monitor(it.acquires)) {
      out.may_block = false;
    } else {
      out.mover = is_held ? Mover::kNone : Mover::kRight;
    }
  } else if (locks_.contains(it.releases)) {
    out.mover = depth(it.releases) == 0 ? Mover::kNone : depth(it.releases) == 1 ? Mover::kLeft : Mover::kBoth;
  } else if (it.acquires >= 0 || it.releases >= 0) {
    out.mover = Mover::kNone;
  }
  if (edge.operation.kind == Operation::Kind::kStatement) {
    const auto* acquire = std::get_if<Acquire>(&edge.operation.statement->node);
    const auto* release = std::get_if<Release>(&edge.operation.statement->node);
    const bool is_lock_of_map = (acquire != nullptr && it.acquires < 0) || (release != nullptr && it.releases < 0);
    if (is_lock_of_map) out.mover = Mover::kNone;
    out.may_fail = out.may_fail || (release != nullptr && depth(it.releases) == 0);  // it is not its own
  }
  return out;
}

// An atomic block is one operation: of any kind, unless all that is in it may be done at any moment. What it calls may have blocks, too.
Moves Atomicity::of(std::size_t code, int node, const CodeEdge& edge) const {
  if (edge.operation.kind != Operation::Kind::kAtomicBegin) return plain(code, node, edge);
  Moves out;
  std::set<int> seen{edge.target};
  std::vector<std::pair<int, int>> open{{edge.target, 1}};  // a node, and the depth of blocks
  while (!open.empty()) {
    const auto [at, depth] = open.back();
    open.pop_back();
    for (const CodeEdge& inner : codes_[code].nodes[static_cast<std::size_t>(at)].edges) {
      const Moves it = plain(code, at, inner);
      out.may_block = out.may_block || it.may_block;
      out.may_fail = out.may_fail || it.may_fail;
      if (it.mover != Mover::kBoth) out.mover = Mover::kNone;
      const Operation::Kind kind = inner.operation.kind;
      const int left = kind == Operation::Kind::kAtomicBegin ? depth + 1
                       : kind == Operation::Kind::kAtomicEnd ? depth - 1
                                                             : depth;
      if (left > 0 && seen.insert(inner.target).second) open.emplace_back(inner.target, left);
    }
  }
  return out;
}

}  // namespace concord::engine::dynamic
