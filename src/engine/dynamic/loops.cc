#include "engine/dynamic/loops.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "plato/walk.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

struct Arc {
  int from = 0;
  int to = 0;
  const CodeEdge* edge = nullptr;
};
using Arcs = std::vector<Arc>;

// What an operation adds to a local variable, which is all that it does to it.
struct Added {
  int local = -1;
  std::int64_t much = 0;
  int bits = 0;  // that it wraps around at; 0: it does not
};

// `local < bound`, or (not `is_below`) `local > bound`; `is_strict`: and not equal.
struct Guard {
  int local = -1;
  const Expr* bound = nullptr;
  bool is_below = true;
  bool is_strict = true;
};

class Loops {
 public:
  Loops(const Code& code, const Atomicity& atomicity, IntMode ints) : code_(code), atomicity_(atomicity), ints_(ints) {}

  std::optional<base::SourceRange> run() {
    Arcs all;
    for (int n = 0; n < std::ssize(code_.nodes); ++n) {
      for (const CodeEdge& edge : code_.nodes[static_cast<std::size_t>(n)].edges)
        all.push_back({n, edge.target, &edge});
    }
    return endless(all);
  }

 private:
  // ---- what operations do to local variables

  int first_local(const CodeEdge& edge) const { return code_.frames[static_cast<std::size_t>(edge.frame)].first_local; }
  int local_of(const CodeEdge& edge, const Expr& place) const {
    const Expr* at = &place;
    while (const auto* index = std::get_if<IndexExpr>(&at->node)) at = index->base.get();
    const int slot = local_slot(*at);
    return slot < 0 ? -1 : first_local(edge) + slot;
  }

  // Each as often as it is assigned.
  std::vector<int> assigned(const CodeEdge& edge) const {
    std::vector<int> out;
    const Operation& operation = edge.operation;
    if (operation.kind == Operation::Kind::kCall) {
      const Frame& callee = code_.frames[static_cast<std::size_t>(edge.callee)];
      for (int i = 0; i < most_locals(edge.callee); ++i) out.push_back(callee.first_local + i);
      return out;
    }
    if (operation.kind == Operation::Kind::kReturn) {
      out.push_back(code_.frames[static_cast<std::size_t>(edge.frame)].result);
      return out;
    }
    if (operation.statement == nullptr || operation.kind == Operation::Kind::kCondition) return out;
    const auto* made = std::get_if<LocalDecl>(&operation.statement->node);
    if (made != nullptr) out.push_back(first_local(edge) + made->slot);
    for_each_target(*operation.statement, [&](const Expr& it) { out.push_back(local_of(edge, it)); });
    return out;
  }
  // Up to where those of the next activation begin; results that wait are among them.
  int most_locals(int frame) const {
    const int first = code_.frames[static_cast<std::size_t>(frame)].first_local;
    const bool is_last = frame + 1 == std::ssize(code_.frames);
    const int end =
        is_last ? static_cast<int>(code_.locals.size()) : code_.frames[static_cast<std::size_t>(frame) + 1].first_local;
    return end - first;
  }
  bool assigns(const CodeEdge& edge, int local) const {
    const std::vector<int> all = assigned(edge);
    return std::find(all.begin(), all.end(), local) != all.end();
  }

  Added added(const CodeEdge& edge) const {
    if (edge.operation.kind != Operation::Kind::kStatement || assigned(edge).size() != 1) return {};
    const auto* assign = std::get_if<Assign>(&edge.operation.statement->node);
    const auto* value = assign == nullptr ? nullptr : std::get_if<ExprPtr>(&assign->value);
    if (value == nullptr || local_slot(*assign->target) < 0) return {};
    Added out{local_of(edge, *assign->target), 0, ints_ == IntMode::kJava ? 32 : 0};
    const Expr* inner = value->get();
    if (const auto* wrap = std::get_if<WrapExpr>(&inner->node)) {
      if (!wrap->is_signed || (out.bits != 0 && wrap->bits > out.bits)) return {};
      out.bits = wrap->bits;
      inner = wrap->operand.get();
    }
    const auto* sum = std::get_if<BinaryExpr>(&inner->node);
    if (sum == nullptr || (sum->op != BinaryOp::kAdd && sum->op != BinaryOp::kSub)) return {};
    const auto* number = std::get_if<IntLit>(&sum->right->node);
    const bool is_same = local_slot(*sum->left) == local_slot(*assign->target);
    if (number == nullptr || !is_same || number->value == 0 || std::abs(number->value) > INT32_MAX) return {};
    out.much = sum->op == BinaryOp::kAdd ? number->value : -number->value;
    return out;
  }

  // ---- conditions

  void find_guards(const CodeEdge& edge, const Expr& condition, bool wanted, std::vector<Guard>& out) const {
    if (const auto* it = std::get_if<UnaryExpr>(&condition.node); it != nullptr && it->op == UnaryOp::kNot)
      return find_guards(edge, *it->operand, !wanted, out);
    const auto* it = std::get_if<BinaryExpr>(&condition.node);
    if (it == nullptr) return;
    if (it->op == (wanted ? BinaryOp::kAnd : BinaryOp::kOr)) {
      find_guards(edge, *it->left, wanted, out);
      return find_guards(edge, *it->right, wanted, out);
    }
    const bool is_less = it->op == BinaryOp::kLt || it->op == BinaryOp::kLe;
    if (!is_less && it->op != BinaryOp::kGt && it->op != BinaryOp::kGe) return;
    const bool is_strict = (it->op == BinaryOp::kLt || it->op == BinaryOp::kGt) == wanted;
    const bool is_below = is_less == wanted;  // the left side
    if (const int slot = local_slot(*it->left); slot >= 0)
      out.push_back({first_local(edge) + slot, it->right.get(), is_below, is_strict});
    if (const int slot = local_slot(*it->right); slot >= 0)
      out.push_back({first_local(edge) + slot, it->left.get(), !is_below, is_strict});
  }
  std::vector<Guard> guards(const CodeEdge& edge) const {
    std::vector<Guard> out;
    if (edge.operation.kind == Operation::Kind::kCondition)
      find_guards(edge, *edge.operation.condition, edge.operation.wanted, out);
    return out;
  }

  // Its value is the same as long as the loop goes on.
  bool stays(const CodeEdge& edge, const Expr& bound, const Arcs& loop) const {
    if (std::holds_alternative<IntLit>(bound.node)) return true;
    const auto* name = std::get_if<NameExpr>(&bound.node);
    if (name == nullptr) return false;
    if (name->ref.kind == Ref::Kind::kConst) return true;
    if (name->ref.kind == Ref::Kind::kShared) return !atomicity_.is_written(name->ref.index);
    const int slot = local_slot(bound);
    if (slot < 0) return false;
    return std::none_of(loop.begin(), loop.end(),
                        [&](const Arc& it) { return assigns(*it.edge, first_local(edge) + slot); });
  }

  // One more step behind the guard does not wrap around.
  bool fits(const Guard& guard, const Added& step) const {
    if (step.bits == 0) return true;
    const std::int64_t half = std::int64_t{1} << (std::min(step.bits, 62) - 1);
    std::int64_t low = INT64_MIN;
    std::int64_t high = INT64_MAX;
    if (const auto* number = std::get_if<IntLit>(&guard.bound->node)) {
      low = high = number->value;
    } else if (const auto& values = guard.bound->type.values) {
      low = values->low, high = values->high;
    }
    if (ints_ == IntMode::kJava)
      low = std::max<std::int64_t>(low, INT32_MIN), high = std::min<std::int64_t>(high, INT32_MAX);
    if (low < -half || high > half - 1) return false;
    const std::int64_t nearest = guard.is_strict ? 1 : 0;
    return guard.is_below ? high - nearest + step.much <= half - 1 : low + nearest + step.much >= -half;
  }

  // ---- rounds

  static std::vector<std::vector<int>> next_of(const Arcs& arcs, std::size_t nodes) {
    std::vector<std::vector<int>> out(nodes);
    for (const Arc& it : arcs) out[static_cast<std::size_t>(it.from)].push_back(it.to);
    return out;
  }
  std::set<int> reached(const Arcs& arcs, int from) const {
    const auto next = next_of(arcs, code_.nodes.size());
    std::set<int> out;
    std::vector<int> open{from};
    while (!open.empty()) {
      const int top = open.back();
      open.pop_back();
      for (const int it : next[static_cast<std::size_t>(top)]) {
        if (out.insert(it).second) open.push_back(it);
      }
    }
    return out;
  }
  template <typename Dropped>
  static Arcs without(const Arcs& arcs, const Dropped& is_dropped) {
    Arcs out;
    std::copy_if(arcs.begin(), arcs.end(), std::back_inserter(out), [&](const Arc& it) { return !is_dropped(it); });
    return out;
  }

  // Those on a round through the node.
  Arcs around(const Arcs& arcs, int node) const {
    const std::set<int> ahead = reached(arcs, node);
    if (!ahead.contains(node)) return {};
    std::set<int> members;
    for (const int it : ahead) {
      if (reached(arcs, it).contains(node)) members.insert(it);
    }
    return without(arcs, [&](const Arc& it) { return !members.contains(it.from) || !members.contains(it.to); });
  }

  std::optional<base::SourceRange> endless(const Arcs& arcs) const {
    std::set<int> seen;
    for (const Arc& it : arcs) {
      if (seen.contains(it.from)) continue;
      const Arcs loop = around(arcs, it.from);
      seen.insert(it.from);
      if (loop.empty()) continue;
      for (const Arc& each : loop) seen.insert(each.from);
      const Arcs rest = counted(loop);
      if (rest.size() == loop.size()) return code_.nodes[static_cast<std::size_t>(it.from)].at;
      if (const auto inner = endless(rest)) return inner;
    }
    return std::nullopt;
  }

  // What is left of a loop without what is passed only finitely often, by some counter.
  Arcs counted(const Arcs& loop) const {
    for (const Arc& arc : loop) {
      const Added step = added(*arc.edge);
      if (step.local < 0) continue;
      const Arcs rest = counted(loop, step.local, step.much > 0);
      if (rest.size() != loop.size()) return rest;
    }
    return loop;
  }

  // A guard that is passed infinitely often has steps in between, each time; with all in one direction there is an end. Where they may wrap
  // around, there is a guard before each.
  Arcs counted(const Arcs& loop, int counter, bool is_up) const {
    Arcs steps;
    for (const Arc& it : loop) {
      if (!assigns(*it.edge, counter)) continue;
      const Added step = added(*it.edge);
      if (step.local != counter || (step.much > 0) != is_up) return loop;
      steps.push_back(it);
    }
    const Arcs still = without(loop, [&](const Arc& it) { return assigns(*it.edge, counter); });
    std::set<const CodeEdge*> ends;
    for (const Arc& it : loop) {
      if (reached(still, it.to).contains(it.from) || it.to == it.from) continue;
      for (const Guard& guard : guards(*it.edge)) {
        const bool is_good =
            guard.local == counter && guard.is_below == is_up && stays(*it.edge, *guard.bound, loop) &&
            std::all_of(steps.begin(), steps.end(), [&](const Arc& step) { return fits(guard, added(*step.edge)); });
        if (is_good) ends.insert(it.edge);
      }
    }
    const auto is_end = [&](const Arc& it) { return ends.contains(it.edge); };
    const Arcs rest = without(loop, is_end);
    const bool may_wrap =
        std::any_of(steps.begin(), steps.end(), [&](const Arc& it) { return added(*it.edge).bits != 0; });
    for (const Arc& step : steps) {
      if (!may_wrap) break;
      const std::set<int> behind = reached(rest, step.to);
      const bool is_twice = std::any_of(steps.begin(), steps.end(),
                                        [&](const Arc& it) { return it.from == step.to || behind.contains(it.from); });
      if (is_twice) return loop;
    }
    return rest;
  }

  const Code& code_;
  const Atomicity& atomicity_;
  const IntMode ints_;
};

}  // namespace

std::optional<base::SourceRange> endless_loop(const Code& code, const Atomicity& atomicity, IntMode ints) {
  return Loops(code, atomicity, ints).run();
}

}  // namespace concord::engine::dynamic
