#include "replay/rounds.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "plato/walk.h"

namespace concord::replay {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// The largest number that any bound is taken for; 64 bits have room for steps beside it.
constexpr std::int64_t kLarge = std::int64_t{1} << 40;
constexpr std::int64_t kLargestStep = std::int64_t{1} << 30;

struct Line {  // an edge, and between which nodes
  int from = 0;
  int to = 0;
  const Edge* edge = nullptr;
};

// The variable becomes itself and a number.
struct Count {
  std::int64_t by = 0;
  std::optional<int> bits;  // it wraps around
};

// The furthest that a counter may be where the condition holds.
struct Limit {
  std::optional<std::int64_t> furthest;  // if anything is known
};

class Rounds {
 public:
  Rounds(const Program& program, const Code& code, const Atomicity& atomicity, bool has_java_ints)
      : program_(program), code_(code), atomicity_(atomicity), has_java_ints_(has_java_ints) {}

  std::optional<base::SourceRange> run() {
    std::vector<Line> lines;
    for (std::size_t n = 0; n < code_.nodes.size(); ++n) {
      for (const Edge& it : code_.nodes[n]) lines.push_back({static_cast<int>(n), it.target, &it});
    }
    for (;;) {
      const std::vector<int> group = groups(lines);
      const auto is_on_round = [&](const Line& it) { return group[at(it.from)] == group[at(it.to)]; };
      std::erase_if(lines, [&](const Line& it) { return !is_on_round(it); });
      if (lines.empty()) return std::nullopt;
      std::set<int> looked_at;
      std::set<const Edge*> last;  // they are passed finitely often
      for (const Line& it : lines) {
        if (!looked_at.insert(group[at(it.from)]).second) continue;
        std::vector<Line> loop;
        std::copy_if(lines.begin(), lines.end(), std::back_inserter(loop),
                     [&](const Line& other) { return group[at(other.from)] == group[at(it.from)]; });
        const std::set<const Edge*> found = passed_finitely_often(loop);
        if (found.empty()) return range_of(it.edge->operation, code_.procedure(program_, it.edge->frame));
        last.insert(found.begin(), found.end());
      }
      std::erase_if(lines, [&](const Line& it) { return last.contains(it.edge); });
    }
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }

  // ---- the graph

  std::vector<bool> ahead(const std::vector<Line>& lines, int node) const {
    std::vector<std::vector<int>> next(code_.nodes.size());
    for (const Line& it : lines) next[at(it.from)].push_back(it.to);
    std::vector<bool> out(code_.nodes.size(), false);
    std::vector<int> open = next[at(node)];
    while (!open.empty()) {
      const int top = open.back();
      open.pop_back();
      if (out[at(top)]) continue;
      out[at(top)] = true;
      open.insert(open.end(), next[at(top)].begin(), next[at(top)].end());
    }
    return out;
  }

  // Nodes that lead to each other have one number; a node on no round has one that no other has.
  std::vector<int> groups(const std::vector<Line>& lines) const {
    const int count = static_cast<int>(code_.nodes.size());
    std::vector<int> out(at(count), -1);
    int alone = count;
    for (int n = 0; n < count; ++n) {
      if (out[at(n)] >= 0) continue;
      const std::vector<bool> from_here = ahead(lines, n);
      out[at(n)] = n;
      if (!from_here[at(n)]) {
        out[at(n)] = alone++;
        continue;
      }
      for (int other = n + 1; other < count; ++other) {
        if (from_here[at(other)] && out[at(other)] < 0 && ahead(lines, other)[at(n)]) out[at(other)] = n;
      }
    }
    return out;
  }

  // ---- what an edge does to the local variables

  int local(const Edge& edge, const Expr& place) const {
    const Expr* inner = &place;
    while (const auto* it = std::get_if<IndexExpr>(&inner->node)) inner = it->base.get();
    const auto* name = std::get_if<NameExpr>(&inner->node);
    if (name == nullptr || name->ref.kind != Ref::Kind::kLocal) return -1;
    return code_.frames[at(edge.frame)].first_local + name->ref.index;
  }

  int times_set(const Edge& edge, int variable) const {
    const Operation& it = edge.operation;
    switch (it.kind) {
      case Operation::Kind::kSilent:
      case Operation::Kind::kCondition:
      case Operation::Kind::kAtomicBegin:
      case Operation::Kind::kEnter:
      case Operation::Kind::kLeave: return 0;
      case Operation::Kind::kCall: {
        const int first = code_.frames[at(edge.callee)].first_local;
        const int count = static_cast<int>(code_.procedure(program_, edge.callee).locals.size());
        return variable >= first && variable < first + count ? 1 : 0;
      }
      case Operation::Kind::kReturn: return code_.frames[at(edge.frame)].result == variable ? 1 : 0;
      default: break;
    }
    int out = 0;
    const auto* declared = std::get_if<LocalDecl>(&it.statement->node);
    if (declared != nullptr && code_.frames[at(edge.frame)].first_local + declared->slot == variable) ++out;
    for_each_target(*it.statement, [&](const Expr& place) {
      if (local(edge, place) == variable) ++out;
    });
    return out;
  }

  // What it counts, if it does nothing else to the variable.
  std::optional<Count> count(const Edge& edge, int variable) const {
    if (edge.operation.kind != Operation::Kind::kStatement || times_set(edge, variable) != 1) return std::nullopt;
    const auto* it = std::get_if<Assign>(&edge.operation.statement->node);
    if (it == nullptr || !std::holds_alternative<NameExpr>(it->target->node) || local(edge, *it->target) != variable)
      return std::nullopt;
    const auto* value = std::get_if<ExprPtr>(&it->value);
    if (value == nullptr) return std::nullopt;
    Count out;
    if (has_java_ints_) out.bits = 32;
    const Expr* whole = value->get();
    if (const auto* wrap = std::get_if<WrapExpr>(&whole->node)) {
      const bool is_narrower = !out.bits || wrap->bits <= *out.bits;
      if (!wrap->is_signed || !is_narrower || wrap->bits > 32) return std::nullopt;
      out.bits = wrap->bits;
      whole = wrap->operand.get();
    }
    const auto* sum = std::get_if<BinaryExpr>(&whole->node);
    if (sum == nullptr || !std::holds_alternative<NameExpr>(sum->left->node) || local(edge, *sum->left) != variable)
      return std::nullopt;
    const auto* number = std::get_if<IntLit>(&sum->right->node);
    if (number == nullptr || number->value < -kLargestStep || number->value > kLargestStep) return std::nullopt;
    if (sum->op == BinaryOp::kAdd) out.by = number->value;
    if (sum->op == BinaryOp::kSub) out.by = -number->value;
    if (out.by == 0) return std::nullopt;
    return out;
  }

  // ---- bounds

  bool is_the_same(const Edge& edge, const Expr& bound, const std::vector<Line>& loop) const {
    if (std::holds_alternative<IntLit>(bound.node)) return true;
    const auto* name = std::get_if<NameExpr>(&bound.node);
    if (name == nullptr) return false;
    if (name->ref.kind == Ref::Kind::kShared) return !atomicity_.is_written(name->ref.index);
    if (name->ref.kind != Ref::Kind::kLocal) return name->ref.kind == Ref::Kind::kConst;
    const int variable = local(edge, bound);
    return std::all_of(loop.begin(), loop.end(), [&](const Line& it) { return times_set(*it.edge, variable) == 0; });
  }

  // The bound at its furthest in that direction.
  std::optional<std::int64_t> furthest(const Expr& bound, bool is_up) const {
    std::optional<std::int64_t> out;
    if (const auto* it = std::get_if<IntLit>(&bound.node)) {
      out = it->value;
    } else if (bound.type.values) {
      out = is_up ? bound.type.values->high : bound.type.values->low;
    } else if (has_java_ints_) {
      out = is_up ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min();
    }
    if (out && (*out > kLarge || *out < -kLarge)) out.reset();
    return out;
  }

  // The condition, or (`holds` false) its negation, keeps the variable on this side of such a bound.
  std::optional<Limit> limit(const Edge& edge, const Expr& condition, bool holds, int variable, bool is_up,
                             const std::vector<Line>& loop) const {
    if (const auto* it = std::get_if<UnaryExpr>(&condition.node)) {
      if (it->op != UnaryOp::kNot) return std::nullopt;
      return limit(edge, *it->operand, !holds, variable, is_up, loop);
    }
    const auto* it = std::get_if<BinaryExpr>(&condition.node);
    if (it == nullptr) return std::nullopt;
    if ((it->op == BinaryOp::kAnd && holds) || (it->op == BinaryOp::kOr && !holds)) {
      auto left = limit(edge, *it->left, holds, variable, is_up, loop);
      auto right = limit(edge, *it->right, holds, variable, is_up, loop);
      if (left && right) return left->furthest ? left : right;
      return left ? left : right;
    }
    // `small` is less than `great`, or (not strictly) at most that.
    const Expr* small = it->left.get();
    const Expr* great = it->right.get();
    bool is_strict = it->op == BinaryOp::kLt || it->op == BinaryOp::kGt;
    if (!is_strict && it->op != BinaryOp::kLe && it->op != BinaryOp::kGe) return std::nullopt;
    if (it->op == BinaryOp::kGt || it->op == BinaryOp::kGe) std::swap(small, great);
    if (!holds) std::swap(small, great), is_strict = !is_strict;
    const Expr* counter = is_up ? small : great;
    const Expr* bound = is_up ? great : small;
    const bool is_counter = std::holds_alternative<NameExpr>(counter->node) && local(edge, *counter) == variable;
    if (!is_counter || !is_the_same(edge, *bound, loop)) return std::nullopt;
    Limit out{furthest(*bound, is_up)};
    if (out.furthest && is_strict) *out.furthest += is_up ? -1 : 1;
    return out;
  }

  // ---- loops

  std::set<const Edge*> passed_finitely_often(const std::vector<Line>& loop) const {
    for (int variable = 0; variable < std::ssize(code_.locals); ++variable) {
      for (const bool is_up : {true, false}) {
        std::set<const Edge*> out = passed_finitely_often(loop, variable, is_up);
        if (!out.empty()) return out;
      }
    }
    return {};
  }

  std::set<const Edge*> passed_finitely_often(const std::vector<Line>& loop, int variable, bool is_up) const {
    std::vector<Line> counting;
    std::vector<Line> others;
    bool wraps = false;
    for (const Line& it : loop) {
      if (times_set(*it.edge, variable) == 0) {
        others.push_back(it);
        continue;
      }
      const auto counts = count(*it.edge, variable);
      if (!counts || (counts->by > 0) != is_up) return {};
      wraps = wraps || counts->bits;
      counting.push_back(it);
    }
    if (counting.empty()) return {};
    std::set<const Edge*> out;
    for (const Line& it : others) {
      const Operation& operation = it.edge->operation;
      if (operation.kind != Operation::Kind::kCondition) continue;
      const auto known = limit(*it.edge, *operation.condition, operation.wanted, variable, is_up, loop);
      // Nobody comes to it twice without counting in between; and counting from there stays in range.
      if (!known || it.to == it.from || ahead(others, it.to)[at(it.from)]) continue;
      const bool is_in_range = std::all_of(counting.begin(), counting.end(), [&](const Line& each) {
        return stays_in_range(*known, *count(*each.edge, variable));
      });
      if (is_in_range) out.insert(it.edge);
    }
    if (!wraps) return out;
    // Whoever counts twice has come to one of them in between.
    std::vector<Line> rest = loop;
    std::erase_if(rest, [&](const Line& it) { return out.contains(it.edge); });
    for (const Line& one : counting) {
      const std::vector<bool> reached = ahead(rest, one.to);
      const bool counts_again = std::any_of(counting.begin(), counting.end(), [&](const Line& other) {
        return other.from == one.to || reached[at(other.from)];
      });
      if (counts_again) return {};
    }
    return out;
  }

  static bool stays_in_range(const Limit& limit, const Count& count) {
    if (!count.bits) return true;
    if (!limit.furthest) return false;
    const std::int64_t size = std::int64_t{1} << (*count.bits - 1);
    const std::int64_t next = *limit.furthest + count.by;
    return -size <= *limit.furthest && *limit.furthest < size && -size <= next && next < size;
  }

  const Program& program_;
  const Code& code_;
  const Atomicity& atomicity_;
  const bool has_java_ints_;
};

}  // namespace

std::optional<base::SourceRange> goes_round(const Program& program, const Code& code, const Atomicity& atomicity,
                                            bool has_java_ints) {
  return Rounds(program, code, atomicity, has_java_ints).run();
}

}  // namespace concord::replay
