#include "replay/atomicity.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "plato/walk.h"

namespace concord::replay {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

int shared_variable(const Expr& expr) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kShared ? name->ref.index : -1;
}

int root_of(const Expr& place) {
  const auto* index = std::get_if<IndexExpr>(&place.node);
  return index != nullptr ? root_of(*index->base) : shared_variable(place);
}

void read(const Expr& expr, Touch& out) {
  for_each_expr(expr, [&](const Expr& part) {
    if (const int it = shared_variable(part); it >= 0) out.reads.insert(it);
    const auto* binary = std::get_if<BinaryExpr>(&part.node);
    if (binary == nullptr || (binary->op != BinaryOp::kDiv && binary->op != BinaryOp::kMod)) return;
    const auto* divisor = std::get_if<IntLit>(&binary->right->node);
    out.may_fail = out.may_fail || divisor == nullptr || divisor->value == 0;
  });
}

void write(const Expr& place, Touch& out) {
  if (const int it = root_of(place); it >= 0) out.writes.insert(it);
  read(place, out);
}

// The lock itself if it is a variable. One that is found in a map is written like any other entry.
int lock_of(const Expr& lock, Touch& out) {
  out.uses_lock = true;
  const int it = shared_variable(lock);
  if (it < 0) write(lock, out);
  return it;
}

Touch touch(const Stmt& statement) {
  Touch out;
  const auto* taken = std::get_if<Acquire>(&statement.node);
  const auto* given = std::get_if<Release>(&statement.node);
  const Expr* lock = taken != nullptr ? taken->lock.get() : given != nullptr ? given->lock.get() : nullptr;
  for_each_part(
      statement,
      [&](const Expr& it) {
        if (&it != lock) read(it, out);
      },
      [](const Stmt&) {}, [](const CallTarget&) {});
  for_each_target(statement, [&](const Expr& it) { write(it, out); });
  if (taken != nullptr) out.takes = lock_of(*lock, out);
  if (given != nullptr) out.gives = lock_of(*lock, out);
  const auto* havoc = std::get_if<Havoc>(&statement.node);
  out.may_block =
      taken != nullptr || std::holds_alternative<Assume>(statement.node) || (havoc != nullptr && havoc->low != nullptr);
  out.may_fail = out.may_fail || std::holds_alternative<Assert>(statement.node);
  return out;
}

}  // namespace

Touch touch(const Operation& operation) {
  Touch out;
  switch (operation.kind) {
    case Operation::Kind::kStatement: return touch(*operation.statement);
    case Operation::Kind::kCondition: read(*operation.condition, out); break;
    case Operation::Kind::kCall:
      for (const ExprPtr& it : called(*operation.statement)->arguments) read(*it, out);
      break;
    case Operation::Kind::kReturn:
      if (operation.statement != nullptr && std::get<Return>(operation.statement->node).value)
        read(*std::get<Return>(operation.statement->node).value, out);
      break;
    case Operation::Kind::kAssignResult: write(*std::get<Assign>(operation.statement->node).target, out); break;
    case Operation::Kind::kAtomicEnd:
      for (const GhostSet& it : operation.statement->sets) write(*it.target, out), read(*it.value, out);
      break;
    default: break;
  }
  return out;
}

Atomicity::Atomicity(const Program& program, std::vector<const Code*> codes)
    : program_(program), codes_(std::move(codes)) {
  find_locks();
  find_held();
  find_protected();
}

void Atomicity::find_locks() {
  std::set<int> others;  // that are read or written as values
  for (const Code* code : codes_) {
    for (const std::vector<Edge>& node : code->nodes) {
      for (const Edge& edge : node) {
        const Touch it = touch(edge.operation);
        others.insert(it.reads.begin(), it.reads.end());
        others.insert(it.writes.begin(), it.writes.end());
        written_.insert(it.writes.begin(), it.writes.end());
        for (const int lock : {it.takes, it.gives}) {
          if (lock >= 0) locks_.insert(lock);
        }
      }
    }
  }
  written_.insert(locks_.begin(), locks_.end());
  std::erase_if(locks_, [&](int it) {
    const Variable& variable = program_.variables[static_cast<std::size_t>(it)];
    const bool is_free = !variable.init || std::holds_alternative<NoneLit>(variable.init->node);
    const bool has_type = variable.type.kind == Type::Kind::kMonitor || variable.type.kind == Type::Kind::kTid;
    return others.contains(it) || !is_free || !has_type;
  });
}

Atomicity::Held Atomicity::after(const Held& held, const Edge& edge) const {
  Held out = held;
  const Touch it = touch(edge.operation);
  if (is_lock(it.takes)) ++out[it.takes];
  if (is_lock(it.gives) && out.contains(it.gives) && --out[it.gives] == 0) out.erase(it.gives);
  return out;
}

// The least that is held on any way to a node.
void Atomicity::find_held() {
  for (const Code* code : codes_) {
    std::vector<std::optional<Held>> held(code->nodes.size());
    held[Code::kEntry] = Held{};
    std::deque<int> open{Code::kEntry};
    while (!open.empty()) {
      const int node = open.front();
      open.pop_front();
      for (const Edge& edge : code->nodes[static_cast<std::size_t>(node)]) {
        Held there = after(*held[static_cast<std::size_t>(node)], edge);
        std::optional<Held>& known = held[static_cast<std::size_t>(edge.target)];
        if (known) {
          Held least;
          for (const auto& [lock, often] : there) {
            if (known->contains(lock)) least.emplace(lock, std::min(often, known->at(lock)));
          }
          there = std::move(least);
          if (there == *known) continue;
        }
        known = std::move(there);
        open.push_back(edge.target);
      }
    }
    held_.push_back(std::move(held));
  }
}

void Atomicity::find_protected() {
  std::map<int, std::set<int>> common;  // by variable: the locks that are held whenever it is touched
  for (std::size_t c = 0; c < codes_.size(); ++c) {
    for (std::size_t n = 0; n < codes_[c]->nodes.size(); ++n) {
      if (!held_[c][n]) continue;  // nothing leads there
      for (const Edge& edge : codes_[c]->nodes[n]) {
        const Touch it = touch(edge.operation);
        std::set<int> here;
        for (const auto& [lock, often] : *held_[c][n]) here.insert(lock);
        if (is_lock(it.takes)) here.insert(it.takes);  // what it does besides it does with the lock
        std::set<int> touched = it.reads;
        touched.insert(it.writes.begin(), it.writes.end());
        for (const int variable : touched) {
          const auto [known, is_first] = common.emplace(variable, here);
          if (!is_first) std::erase_if(known->second, [&](int lock) { return !here.contains(lock); });
        }
      }
    }
  }
  for (const auto& [variable, locks] : common) {
    if (!locks.empty() && is_written(variable)) protected_.emplace(variable, *locks.begin());
  }
}

Atomicity::Kind Atomicity::plain(std::size_t code, int node, const Edge& edge) const {
  const Touch it = touch(edge.operation);
  const auto concerns_nobody = [&](int variable) { return !is_written(variable) || protected_.contains(variable); };
  const bool is_own = std::all_of(it.reads.begin(), it.reads.end(), concerns_nobody) &&
                      std::all_of(it.writes.begin(), it.writes.end(), concerns_nobody);
  const Held held = held_[code][static_cast<std::size_t>(node)].value_or(Held{});  // of where nothing leads: no lock
  const auto often = [&](int lock) { return held.contains(lock) ? held.at(lock) : 0; };
  Kind out{Mover::kNone, it.may_block || it.may_fail};
  if (is_lock(it.takes)) {
    const bool is_monitor = program_.variables[static_cast<std::size_t>(it.takes)].type.kind == Type::Kind::kMonitor;
    if (is_own && often(it.takes) == 0) out.mover = Mover::kRight;
    if (often(it.takes) > 0 && is_monitor) out = {is_own ? Mover::kBoth : Mover::kNone, it.may_fail};
  } else if (is_lock(it.gives)) {
    out.may_end = out.may_end || often(it.gives) == 0;
    if (is_own && often(it.gives) == 1) out.mover = Mover::kLeft;
    if (is_own && often(it.gives) > 1) out.mover = Mover::kBoth;
  } else if (it.uses_lock) {
    out.may_end = true;
  } else if (is_own) {
    out.mover = Mover::kBoth;
  }
  return out;
}

// An atomic block is one operation; it concerns nobody else if nothing in it does. What is called in it may have blocks of its own.
Atomicity::Kind Atomicity::kind(std::size_t code, int node, const Edge& edge) const {
  if (edge.operation.kind != Operation::Kind::kAtomicBegin) return plain(code, node, edge);
  Kind out;
  std::set<int> seen{edge.target};
  std::deque<std::pair<int, int>> open{{edge.target, 1}};  // nodes, and how many blocks are open there
  while (!open.empty()) {
    const auto [at, blocks] = open.front();
    open.pop_front();
    for (const Edge& inner : codes_[code]->nodes[static_cast<std::size_t>(at)]) {
      const Kind it = plain(code, at, inner);
      out.may_end = out.may_end || it.may_end;
      if (it.mover != Mover::kBoth) out.mover = Mover::kNone;
      const bool begins = inner.operation.kind == Operation::Kind::kAtomicBegin;
      const bool ends = inner.operation.kind == Operation::Kind::kAtomicEnd;
      const int still = blocks + (begins ? 1 : ends ? -1 : 0);
      if (still > 0 && seen.insert(inner.target).second) open.emplace_back(inner.target, still);
    }
  }
  return out;
}

Seen Atomicity::look(std::size_t code, const Way& way) const {
  Seen out;
  bool is_past = false;  // the one operation of any kind, or the first lock that is given back
  int in_block = 0;
  bool writes = false;  // the operation at hand
  for (std::size_t i = 0; i < way.edges.size(); ++i) {
    const Edge& edge = *way.edges[i];
    if (edge.operation.kind == Operation::Kind::kSilent) continue;
    if (in_block == 0) {
      const Kind it = kind(code, way.nodes[i], edge);
      const bool needs_others = it.mover == Mover::kNone || it.mover == Mover::kRight;
      if (is_past && needs_others) out.trouble = "others may come between its operations";
      if (is_past && it.may_end) out.trouble = "it may wait or go wrong behind what others can see";
      is_past = is_past || it.mover == Mover::kNone || it.mover == Mover::kLeft;
      out.may_end_behind_write = out.may_end_behind_write || (out.writes > 0 && it.may_end);
    }
    const Touch touched = touch(edge.operation);
    if (touched.uses_lock) {
      const bool takes = std::holds_alternative<Acquire>(edge.operation.statement->node);
      out.rules.emplace_back(takes ? "LOCK" : "UNLOCK");
    } else if (!touched.writes.empty()) {
      out.rules.emplace_back("STEP");
    }
    writes = writes || touched.changes();
    if (edge.operation.kind == Operation::Kind::kAtomicBegin) ++in_block;
    if (edge.operation.kind == Operation::Kind::kAtomicEnd) --in_block;
    if (in_block == 0 && std::exchange(writes, false)) ++out.writes;
  }
  if (in_block != 0) out.trouble = "it ends in an atomic block";
  if (out.rules.empty()) out.rules.emplace_back("PASS");
  return out;
}

namespace {

void walk(const Code& code, int node, const std::vector<const Way*>& ways, Way& way, std::vector<Way>& out) {
  const std::size_t at = way.edges.size();
  way.nodes.push_back(node);
  for (const Edge& edge : code.nodes[static_cast<std::size_t>(node)]) {
    std::vector<const Way*> further;
    std::copy_if(ways.begin(), ways.end(), std::back_inserter(further),
                 [&](const Way* it) { return it->edges[at] == &edge; });
    const bool is_over =
        std::any_of(further.begin(), further.end(), [&](const Way* it) { return it->edges.size() == at + 1; });
    way.edges.push_back(&edge);
    if (further.empty()) {
      out.push_back(way);
    } else if (!is_over) {
      walk(code, edge.target, further, way, out);
    }
    way.edges.pop_back();
  }
  way.nodes.pop_back();
}

}  // namespace

std::vector<Way> not_among(const Code& code, int node, const std::vector<const Way*>& ways) {
  std::vector<Way> out;
  Way way;
  way.from = node;
  walk(code, node, ways, way, out);
  return out;
}

}  // namespace concord::replay
