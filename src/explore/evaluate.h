// Evaluation of expressions: in one state, or over a step (before and after).
//
// An expression without a value (null dereference, bounds, division by zero) throws Failure; something that concrete
// evaluation cannot do (an integer beyond 64 bits) throws Limit. Where integers have to be tried one by one, the range that
// was used is recorded in `bounds`: an answer that depends on it is bounded.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diag/kinds.h"
#include "engine/engine.h"
#include "explore/patience.h"
#include "explore/state.h"

namespace concord::explore {

struct Failure {
  diag::Kind kind = diag::Kind::kAssertion;
  base::SourceRange claim;
  std::string message;
};

struct Limit {
  std::string reason;
};

inline constexpr const char* kBeyond64Bits = "an integer left the 64-bit range";  // the reason of a Limit
inline constexpr std::uint64_t kMostTried = 1'000'000;                            // integers tried for one variable

bool same_place(const Place& a, const Place& b);
Location location_of(const Place& place);

struct Access {
  Location location;
  bool is_write = false;
  friend auto operator<=>(const Access&, const Access&) = default;
};

// What an expression is evaluated in.
struct Scene {
  const plato::Program* program = nullptr;
  const engine::Settings* settings = nullptr;
  Patience* patience = nullptr;
  const std::vector<Value>* consts = nullptr;
  const std::vector<ThreadState>* threads = nullptr;        // those that exist (before)
  const std::vector<ThreadState>* threads_after = nullptr;  // null: the same
  std::optional<Scalar> thread_count;                       // how many of `threads` existed (before), if not all
  std::optional<Scalar> thread_count_after;
  const Store* before = nullptr;  // in one state: the state
  const Store* after = nullptr;   // null in one state
  bool uses_old = false;          // unmarked names mean `after`, \old means `before`
  Scalar self = 0;                // tid
  Scalar self_object = 0;         // this
  int thread_index = 0;
  const std::vector<Value>* locals = nullptr;
  const std::vector<Value>* locals_after = nullptr;  // direct operations
  const Value* result = nullptr;
  std::vector<Access>* log = nullptr;  // reads are appended
  std::set<std::string>* bounds = nullptr;
};

class Evaluator {
 public:
  explicit Evaluator(const Scene& scene) : scene_(scene), in_old_(false) {}

  Value value(const plato::Expr& expr);
  Scalar scalar(const plato::Expr& expr) { return value(expr).scalar; }
  bool holds(const plato::Expr& expr) { return value(expr).scalar != 0; }
  Place place(const plato::Expr& expr);
  Value read(const Place& place);
  Lock lock(const plato::Expr& expr);
  // Where not all integers can be tried and those that were do not decide: throw Limit (the default), or go on with the
  // answer for those that were tried and remember it.
  void tolerate_untried() { tolerates_untried_ = true; }
  bool is_undecided() const { return undecided_; }
  // A quantified variable given from outside (elems_unwritable_by_env_if, lock_order).
  void bind(Scalar it) { bound_.push_back(it); }

  // Integer bounds that conjuncts put on `is_variable` expressions; the conjunct's other side is evaluated.
  struct Range {
    std::optional<Scalar> low, high;
  };
  using ExprTest = std::function<bool(const plato::Expr&)>;
  Range range_from(const std::vector<const plato::Expr*>& conjuncts, const ExprTest& is_variable,
                   const ExprTest& can_evaluate);
  // The range without what is no `int`. A side without a bound gets the last `int` if that is near.
  Range within_int(Range range) const;

 private:
  const Store& store(bool primed) const;
  const std::vector<ThreadState>& all_threads() const {
    return scene_.threads_after != nullptr ? *scene_.threads_after : *scene_.threads;
  }
  Scalar thread_count(bool after) const {
    const std::optional<Scalar>& count = after ? scene_.thread_count_after : scene_.thread_count;
    return count.value_or(std::ssize(after ? all_threads() : *scene_.threads));
  }
  Value unary(const plato::Expr& expr, const plato::UnaryExpr& it);
  Value binary(const plato::Expr& expr, const plato::BinaryExpr& it);
  Value arithmetic(const plato::Expr& expr, const plato::BinaryExpr& it);
  Value bits(const plato::BinaryExpr& it);
  Value wrapped(const plato::WrapExpr& it);
  std::uint64_t low_bits(const plato::Expr& expr);
  Value on_sets(const plato::BinaryExpr& it);
  Value field(const plato::Expr& expr, const plato::FieldExpr& it);
  Value monitor_of(const plato::Expr& base, bool primed, base::SourceRange at);
  bool quantified(const plato::QuantifierExpr& it, std::size_t variable);
  Scalar sum(const plato::SumExpr& it);
  struct Domain {
    std::vector<Scalar> values;
    bool is_complete = true;  // else the answer is known only if one of the values decides it
  };
  Domain domain(const plato::QuantifierExpr& it, const plato::BoundVariable& variable);
  bool shape(const plato::Expr& expr, const plato::ShapeExpr& it);
  const Object& object(Scalar reference, bool primed, base::SourceRange at);
  bool is_of(Scalar reference, int class_index) const;
  void log(const Place& place);

  const Scene& scene_;
  bool in_old_;
  std::vector<Scalar> bound_;
  bool tolerates_untried_ = false;
  bool undecided_ = false;
};

// Writing: changes `store` (or `locals`) at the place.
void write(const plato::Program& program, Store& store, std::vector<Value>& locals, const Place& place, Value value);

}  // namespace concord::explore
