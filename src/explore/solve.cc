// After-states of a direct operation p?<X>_V: the values of V's places for which X holds.
//
// Equations `v' == e` are used to compute values, known conjuncts to prune, disjunctions to branch; only what is left is
// tried value by value. Every solution is checked against the whole predicate at the end, so a mistake here can lose
// solutions but not invent them; losing one because of a tried range is reported through `bounded`.
//
// X is evaluated from left to right, so a part that has no value counts only where everything before it holds. A conjunct
// is therefore due only if those before it are decided; what fails earlier is left open until then. The reverse is not
// looked for: a failure for values that a later conjunct excludes, as 1 / x' > 0 && x' == 3 has for x' == 0.
#include <algorithm>
#include <optional>
#include <utility>

#include "explore/machine.h"
#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::uint64_t kMostTriedDirectly = 10'000;

bool has_more_than(std::uint64_t most, Scalar low, Scalar high) {
  return high > low && static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > most;
}

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

  Solutions run() {
    search({{predicate_.predicate.get()}});
    std::vector<Solution> unique;
    for (Solution& it : out_.all) {
      scene_.patience->poll();
      if (std::find(unique.begin(), unique.end(), it) == unique.end()) unique.push_back(std::move(it));
    }
    out_.all = std::move(unique);
    return std::move(out_);
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
    const auto* shape = std::get_if<ShapeExpr>(&expr.node);
    const bool primed =
        (name != nullptr && name->primed) || (field != nullptr && field->primed) || (index != nullptr && index->primed);
    if (predicate_.uses_old ? in_old : !primed) return false;
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      if (known_[u]) continue;
      const Place& place = unknowns_[u].place;
      if (is_rooted_in(expr, place)) return true;
      if (shape != nullptr && place.kind == Place::Kind::kField && shape->index == place.index) return true;
    }
    return false;
  }

  // May the expression be (an entry of) the place, whichever object or element it is of?
  static bool is_rooted_in(const Expr& expr, const Place& place) {
    if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
      if (index->base->type.kind == Type::Kind::kArray) return place.kind == Place::Kind::kElement;
      return is_rooted_in(*index->base, place);
    }
    if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
      return place.kind == Place::Kind::kField && field->index == place.index;
    }
    const auto* name = std::get_if<NameExpr>(&expr.node);
    if (name == nullptr || name->ref.index != place.index) return false;
    return (name->ref.kind == Ref::Kind::kShared && place.kind == Place::Kind::kVariable) ||
           (name->ref.kind == Ref::Kind::kLocal && place.kind == Place::Kind::kLocal);
  }

  // Is it a place, and known by now which?
  bool is_known_place(const Expr& expr) const {
    if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
      return name->ref.kind == Ref::Kind::kShared || name->ref.kind == Ref::Kind::kLocal;
    }
    if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
      return field->kind == FieldExpr::Kind::kField && !depends(*field->object);
    }
    const auto* index = std::get_if<IndexExpr>(&expr.node);
    if (index == nullptr || depends(*index->index)) return false;
    return index->base->type.kind == Type::Kind::kArray ? !depends(*index->base) : is_known_place(*index->base);
  }

  // The unknown that the expression is, or -1.
  int unknown_at(const Expr& expr) const {
    if (!reads_unknown(expr, false)) {
      const auto* index = std::get_if<IndexExpr>(&expr.node);
      if (index == nullptr || !depends(*index->base)) return -1;  // m'[k]
    }
    if (!is_known_place(expr)) return -1;
    const Place place = Evaluator(scene_).place(expr);
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      if (!known_[u] && same_place(place, unknowns_[u].place)) return static_cast<int>(u);
    }
    return -1;
  }

  struct Formula {
    const Expr* expr;
    bool wanted = true;
  };
  using Formulas = std::vector<Formula>;

  // What is due and fails, fails for all values of what is still unknown here, but perhaps not elsewhere.
  void search(const Formulas& formulas) {
    scene_.patience->poll();
    try {
      search_in_order(formulas);
    } catch (const Failure& failure) {
      if (!out_.failure) out_.failure = failure;
    }
  }

  void search_in_order(const Formulas& formulas) {
    Formulas open;
    for (const Formula& formula : formulas) {
      if (!simplify(formula, open)) return;
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (const auto found = from_equation(open[i], i == 0)) return with_value(found->first, found->second, open);
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto* either = std::get_if<BinaryExpr>(&open[i].expr->node);
      if (either == nullptr || either->op != BinaryOp::kOr || !open[i].wanted || !depends(*either->left)) continue;
      return search_either(*either, open, i);
    }
    const int unknown = easiest_unknown(open);
    if (unknown < 0) return accept();
    for (const Value& candidate : candidates(unknown, open)) with_value(unknown, candidate, open);
  }

  // The right side counts only where the left is false, and only there must it have a value.
  void search_either(const BinaryExpr& either, const Formulas& open, std::size_t at) {
    Formulas left = open;
    left[at] = {either.left.get()};
    search(left);
    Formulas right = open;
    right[at] = {either.left.get(), false};
    right.insert(right.begin() + static_cast<std::ptrdiff_t>(at) + 1, {either.right.get()});
    search(right);
  }

  // The value of something known by now; nothing if evaluating it fails and it is not yet due.
  std::optional<Value> try_value(const Expr& expr, bool is_due) const {
    try {
      return Evaluator(scene_).value(expr);
    } catch (const Failure&) {
      if (is_due) throw;
    } catch (const Limit&) {
      if (is_due) throw;
    }
    return std::nullopt;
  }

  // Takes the formula apart and evaluates what is known, in order; what is left goes to `open`. False: no solution.
  bool simplify(const Formula& formula, Formulas& open) const {
    const auto& [expr, wanted] = formula;
    const bool is_due = open.empty();
    if (!depends(*expr)) {
      const std::optional<Value> value = try_value(*expr, is_due);
      if (!value) open.push_back(formula);
      return !value || (value->scalar != 0) == wanted;
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&expr->node); unary != nullptr && unary->op == UnaryOp::kNot) {
      return simplify({unary->operand.get(), !wanted}, open);
    }
    const auto* binary = std::get_if<BinaryExpr>(&expr->node);
    const bool is_and = binary != nullptr && binary->op == BinaryOp::kAnd;
    const bool is_or = binary != nullptr && binary->op == BinaryOp::kOr;
    const bool is_implies = binary != nullptr && binary->op == BinaryOp::kImplies;
    if (is_and ? wanted : (is_or || is_implies) && !wanted) {
      return simplify({binary->left.get(), is_and || is_implies}, open) &&
             simplify({binary->right.get(), wanted}, open);
    }
    if ((is_and || is_or || is_implies) && !depends(*binary->left)) {
      if (const std::optional<Value> left = try_value(*binary->left, is_due)) {
        const bool decides = (left->scalar != 0) == is_or;
        return decides || simplify({binary->right.get(), wanted}, open);
      }
    }
    open.push_back(formula);
    return true;
  }

  // `v' == e` with e known; evaluated from left to right.
  std::optional<std::pair<int, Value>> from_equation(const Formula& formula, bool is_due) const {
    const auto* equation = std::get_if<BinaryExpr>(&formula.expr->node);
    if (equation == nullptr) return std::nullopt;
    const bool is_equal = equation->op == BinaryOp::kEq || equation->op == BinaryOp::kIff;
    if (formula.wanted ? !is_equal : equation->op != BinaryOp::kNe) return std::nullopt;
    try {
      if (!depends(*equation->right)) {
        const int unknown = unknown_at(*equation->left);
        if (unknown >= 0) return std::pair(unknown, Evaluator(scene_).value(*equation->right));
      } else if (!depends(*equation->left)) {
        Value value = Evaluator(scene_).value(*equation->left);
        const int unknown = unknown_at(*equation->right);
        if (unknown >= 0) return std::pair(unknown, std::move(value));
      }
    } catch (const Failure&) {
      if (is_due) throw;
    } catch (const Limit&) {
      if (is_due) throw;
    }
    return std::nullopt;
  }

  // One whose values can all be tried, if there is one; -1: all are known.
  int easiest_unknown(const Formulas& open) const {
    int integer = -1, composite = -1;
    for (int u = 0; u < std::ssize(unknowns_); ++u) {
      if (known_[u]) continue;
      if (unknowns_[u].type->kind == Type::Kind::kInt) {
        const Evaluator::Range range = range_of(u, open);
        if (range.low && range.high && !has_more_than(kMostTriedDirectly, *range.low, *range.high)) return u;
        if (integer < 0) integer = u;
      } else if (!domains_[u].empty()) {
        return u;
      } else if (composite < 0) {
        composite = u;
      }
    }
    return integer >= 0 ? integer : composite;
  }

  // What the formulas say about an integer. One that fails and is not due says nothing.
  Evaluator::Range range_of(int unknown, const Formulas& open) const {
    Evaluator::Range out;
    for (const Formula& formula : open) {
      if (!formula.wanted) continue;
      try {
        const Evaluator::Range more = Evaluator(scene_).range_from(
            {formula.expr}, [&](const Expr& expr) { return unknown_at(expr) == unknown; },
            [&](const Expr& expr) { return !depends(expr); });
        if (more.low) out.low = std::max(out.low.value_or(INT64_MIN), *more.low);
        if (more.high) out.high = std::min(out.high.value_or(INT64_MAX), *more.high);
      } catch (const Failure&) {
        if (&formula == &open.front()) throw;
      } catch (const Limit&) {
        if (&formula == &open.front()) throw;
      }
    }
    return Evaluator(scene_).within_int(out);
  }

  std::vector<Value> candidates(int unknown, const Formulas& open) {
    if (unknowns_[unknown].type->kind != Type::Kind::kInt) {
      if (domains_[unknown].empty()) {
        throw Limit{"a direct operation changes a set, map or array without an equation that gives its value"};
      }
      return domains_[unknown];
    }
    const engine::Settings& settings = *scene_.settings;
    const Evaluator::Range range = range_of(unknown, open);
    if (!range.low || !range.high) out_.bounded = true;
    const Scalar low = range.low.value_or(std::min(settings.int_low, range.high.value_or(INT64_MAX)));
    const Scalar high = range.high.value_or(std::max(settings.int_high, range.low.value_or(INT64_MIN)));
    if (high == INT64_MAX) throw Limit{kBeyond64Bits};
    if (has_more_than(kMostTriedDirectly, low, high)) {
      throw Limit{"a direct operation allows more than 10000 values"};
    }
    std::vector<Value> out;
    for (Scalar v = low; v <= high; ++v) out.emplace_back(v);
    for (const Scalar v : settings.also_ints) {
      const bool is_allowed = v >= range.low.value_or(v) && v <= range.high.value_or(v);
      if (is_allowed && (v < low || v > high)) out.emplace_back(v);
    }
    return out;
  }

  void with_value(int unknown, const Value& value, const Formulas& open) {
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
    out_.all.push_back(std::move(solution));
  }

  const TwoState& predicate_;
  const std::vector<Unknown>& unknowns_;
  const std::vector<std::vector<Value>>& domains_;
  Scene scene_;
  Store after_;
  std::vector<Value> locals_after_;
  std::vector<bool> known_;
  Solutions out_;
};

}  // namespace

Solutions solve(const TwoState& predicate, const std::vector<Unknown>& unknowns, const Scene& scene,
                const std::vector<std::vector<Value>>& domains) {
  return Solver(predicate, unknowns, scene, domains).run();
}

}  // namespace concord::explore
