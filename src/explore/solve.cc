// After-states of a direct operation p?<X>_V: the values of V's places for which X holds.
//
// Equations `v' == e` are used to compute values, known conjuncts to prune, disjunctions to branch; only what is left is
// tried value by value. Every solution is checked against the whole predicate at the end, so a mistake here can lose
// solutions but not invent them; losing one because of a tried range is reported through `bounded`.
#include <algorithm>

#include "explore/machine.h"
#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

class Solver {
 public:
  Solver(const TwoState& predicate, const std::vector<Unknown>& unknowns, const Scene& scene,
         const std::vector<std::vector<Value>>& domains)
      : predicate_(predicate),
        unknowns_(unknowns),
        domains_(domains),
        scene_(scene),
        after_(*scene.before),
        locals_after_(*scene.locals),
        known_(unknowns.size(), false) {
    scene_.after = &after_;
    scene_.locals_after = &locals_after_;
    scene_.uses_old = predicate.uses_old;
  }

  std::vector<Solution> run(bool& bounded) {
    search({predicate_.predicate.get()});
    bounded = bounded || bounded_;
    std::vector<Solution> unique;
    for (Solution& it : solutions_) {
      scene_.patience->poll();
      if (std::find(unique.begin(), unique.end(), it) == unique.end()) unique.push_back(std::move(it));
    }
    return unique;
  }

 private:
  // Does the expression depend on the after-value of an unknown that has no value yet? By root, so perhaps too often.
  bool depends(const Expr& expr, bool in_old = false) const {
    if (const auto* old = std::get_if<OldExpr>(&expr.node)) return depends(*old->operand, true);
    if (reads_unknown(expr, in_old)) return true;
    bool out = false;
    for_each_child(expr, [&](const Expr& child) { out = out || depends(child, in_old); });
    return out;
  }

  bool reads_unknown(const Expr& expr, bool in_old) const {
    const auto* name = std::get_if<NameExpr>(&expr.node);
    const auto* field = std::get_if<FieldExpr>(&expr.node);
    const auto* index = std::get_if<IndexExpr>(&expr.node);
    const bool primed =
        (name != nullptr && name->primed) || (field != nullptr && field->primed) || (index != nullptr && index->primed);
    if (predicate_.uses_old ? in_old : !primed) return false;
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      if (known_[u]) continue;
      const Place& place = unknowns_[u].place;
      if (name != nullptr && name->ref.kind == Ref::Kind::kShared && place.kind == Place::Kind::kVariable &&
          name->ref.index == place.index) {
        return true;
      }
      if (name != nullptr && name->ref.kind == Ref::Kind::kLocal && place.kind == Place::Kind::kLocal &&
          name->ref.index == place.index) {
        return true;
      }
      if (field != nullptr && place.kind == Place::Kind::kField && field->index == place.index) return true;
      if (index != nullptr && (place.kind == Place::Kind::kElement || !place.keys.empty())) return true;
    }
    return false;
  }

  // The unknown that the expression is, or -1.
  int unknown_at(const Expr& expr) {
    const bool is_place = std::holds_alternative<NameExpr>(expr.node) || std::holds_alternative<IndexExpr>(expr.node) ||
                          (std::holds_alternative<FieldExpr>(expr.node) &&
                           std::get<FieldExpr>(expr.node).kind == FieldExpr::Kind::kField);
    if (!is_place || !reads_unknown(expr, false)) {
      const auto* index = std::get_if<IndexExpr>(&expr.node);
      if (index == nullptr || !depends(*index->base)) return -1;  // m'[k]
    }
    if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
      const Ref::Kind kind = name->ref.kind;
      if (kind != Ref::Kind::kShared && kind != Ref::Kind::kLocal) return -1;
    }
    const Place place = Evaluator(scene_).place(expr);
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      if (!known_[u] && same_place(place, unknowns_[u].place)) return static_cast<int>(u);
    }
    return -1;
  }

  void search(const std::vector<const Expr*>& formulas) {
    scene_.patience->poll();
    std::vector<const Expr*> open;
    if (!simplify(formulas, open)) return;
    for (const Expr* formula : open) {
      const auto* equation = std::get_if<BinaryExpr>(&formula->node);
      if (equation == nullptr || (equation->op != BinaryOp::kEq && equation->op != BinaryOp::kIff)) continue;
      for (const auto& [side, other] : {std::pair(equation->left.get(), equation->right.get()),
                                        std::pair(equation->right.get(), equation->left.get())}) {
        if (depends(*other)) continue;
        const int unknown = unknown_at(*side);
        if (unknown < 0) continue;
        return with_value(unknown, Evaluator(scene_).value(*other), open);
      }
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto* either = std::get_if<BinaryExpr>(&open[i]->node);
      if (either == nullptr || either->op != BinaryOp::kOr) continue;
      return search_either(*either, open, i);
    }
    const auto next = std::find(known_.begin(), known_.end(), false);
    if (next == known_.end()) return accept();
    const int unknown = static_cast<int>(next - known_.begin());
    for (const Value& candidate : candidates(unknown, open)) with_value(unknown, candidate, open);
  }

  // The right side counts only where the left is false, and only there must it have a value.
  void search_either(const BinaryExpr& either, std::vector<const Expr*> open, std::size_t at) {
    if (depends(*either.left)) {
      open[at] = either.left.get();
      search(open);
    } else if (Evaluator(scene_).holds(*either.left)) {
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      return search(open);
    }
    open[at] = either.right.get();
    if (!depends(*either.left)) return search(open);
    try {
      search(open);
    } catch (const Failure&) {
      bounded_ = true;  // perhaps the left side holds there; this is not looked into further
    }
  }

  // Takes conjunctions apart and evaluates what is known, in order; false: no solution.
  bool simplify(const std::vector<const Expr*>& formulas, std::vector<const Expr*>& open) {
    for (const Expr* formula : formulas) {
      if (!depends(*formula)) {
        if (!Evaluator(scene_).holds(*formula)) return false;
        continue;
      }
      const auto* binary = std::get_if<BinaryExpr>(&formula->node);
      if (binary != nullptr && binary->op == BinaryOp::kAnd) {
        if (!simplify({binary->left.get(), binary->right.get()}, open)) return false;
      } else if (binary != nullptr && binary->op == BinaryOp::kImplies && !depends(*binary->left)) {
        if (Evaluator(scene_).holds(*binary->left) && !simplify({binary->right.get()}, open)) return false;
      } else {
        open.push_back(formula);
      }
    }
    return true;
  }

  std::vector<Value> candidates(int unknown, const std::vector<const Expr*>& open) {
    if (unknowns_[unknown].type->kind != Type::Kind::kInt) {
      if (domains_[unknown].empty()) {
        throw Limit{"a direct operation changes a set, map or array without an equation that gives its value"};
      }
      return domains_[unknown];
    }
    const Evaluator::Range range = Evaluator(scene_).range_from(
        open, [&](const Expr& expr) { return unknown_at(expr) == unknown; },
        [&](const Expr& expr) { return !depends(expr); });
    if (!range.low || !range.high) bounded_ = true;
    const Scalar low = range.low.value_or(std::min(domains_[unknown].front().scalar, range.high.value_or(INT64_MAX)));
    const Scalar high = range.high.value_or(std::max(domains_[unknown].back().scalar, range.low.value_or(INT64_MIN)));
    if (high > low && static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > 10'000) {
      throw Limit{"a direct operation allows more than 10000 values"};
    }
    std::vector<Value> out;
    for (Scalar v = low; v <= high; ++v) out.emplace_back(v);
    return out;
  }

  void with_value(int unknown, const Value& value, const std::vector<const Expr*>& open) {
    const Store saved_store = after_;
    const std::vector<Value> saved_locals = locals_after_;
    write(*scene_.program, after_, locals_after_, unknowns_[unknown].place, value);
    known_[unknown] = true;
    search(open);
    known_[unknown] = false;
    after_ = saved_store;
    locals_after_ = saved_locals;
  }

  void accept() {
    if (!Evaluator(scene_).holds(*predicate_.predicate)) return;
    Solution solution;
    Scene after = scene_;
    after.before = &after_;
    after.after = nullptr;
    after.locals = &locals_after_;
    after.locals_after = nullptr;
    after.log = nullptr;
    for (const Unknown& unknown : unknowns_) solution.push_back(Evaluator(after).read(unknown.place));
    solutions_.push_back(std::move(solution));
  }

  const TwoState& predicate_;
  const std::vector<Unknown>& unknowns_;
  const std::vector<std::vector<Value>>& domains_;
  Scene scene_;
  Store after_;
  std::vector<Value> locals_after_;
  std::vector<bool> known_;
  std::vector<Solution> solutions_;
  bool bounded_ = false;
};

}  // namespace

std::vector<Solution> solve(const TwoState& predicate, const std::vector<Unknown>& unknowns, const Scene& scene,
                            const std::vector<std::vector<Value>>& domains, bool& bounded) {
  return Solver(predicate, unknowns, scene, domains).run(bounded);
}

}  // namespace concord::explore
