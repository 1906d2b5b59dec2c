#include "smt/z3_solver.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "smt/extensionality.h"
#include "smt/limits.h"
#include "smt/stack.h"
#include "smt/z3_terms.h"

namespace concord::smt {

using formula::Term;

namespace {

// Numbered symbols differ from every named one; lower numbers are those of bound variables.
constexpr int kFirstDifference = 1 << 29;

// Z3 forgets an interruption that comes before it has really started, so it is repeated until the check is over.
class Interruption {
 public:
  explicit Interruption(z3::context& context) : context_(context) {}

  void request() {
    const std::lock_guard lock(mutex_);
    requested_ = true;
    if (running_ && !repeater_.joinable())
      repeater_ = std::jthread([this](const std::stop_token& stop) { repeat(stop); });
  }

  // False if it was requested already: there is nothing to start.
  bool start() {
    const std::lock_guard lock(mutex_);
    running_ = !requested_;
    requested_ = false;
    return running_;
  }

  // True if it was requested meanwhile.
  bool finish() {
    std::jthread repeater;
    {
      const std::lock_guard lock(mutex_);
      running_ = false;
      repeater = std::move(repeater_);
    }
    repeater = {};  // stopped and joined
    const std::lock_guard lock(mutex_);
    return std::exchange(requested_, false);
  }

 private:
  void repeat(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      context_.interrupt();
      stopped_.wait_for(lock, stop, std::chrono::milliseconds(5), [] { return false; });
    }
  }

  z3::context& context_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  bool requested_ = false;
  bool running_ = false;
  std::jthread repeater_;
};

// A context, from those that are free. Making one takes Z3 longer than many a proof, so they are used again.
class LeasedContext {
 public:
  explicit LeasedContext(bool is_new) {
    const std::lock_guard lock(mutex());
    if (is_new || free().empty()) {
      context_ = std::make_unique<z3::context>();
    } else {
      context_ = std::move(free().back());
      free().pop_back();
    }
  }
  ~LeasedContext() {
    const std::lock_guard lock(mutex());
    if (!is_spoilt_) free().push_back(std::move(context_));
  }
  LeasedContext(const LeasedContext&) = delete;
  LeasedContext& operator=(const LeasedContext&) = delete;

  z3::context& operator*() const { return *context_; }
  void spoil() { is_spoilt_ = true; }  // nobody else should get it

 private:
  static std::mutex& mutex() {
    static std::mutex out;
    return out;
  }
  static std::vector<std::unique_ptr<z3::context>>& free() {
    static std::vector<std::unique_ptr<z3::context>> out;
    return out;
  }

  std::unique_ptr<z3::context> context_;
  bool is_spoilt_ = false;
};

// Z3 does real work in push and pop too, so everything is kept from it until the next check, where it can be interrupted.
class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(const Options& options)
      : seed_(options.seed), timeout_(options.timeout), lease_(options.is_first) {}
  ~Z3Solver() override {
    if (terms_.has_enumerations()) lease_.spoil();  // their names are taken
  }

  void push() override { stack_.push(); }
  void pop() override {
    stack_.pop();
    kept_levels_ = std::min(kept_levels_, stack_.begins().size());
    told_ = std::min(told_, stack_.formulas().size());
  }
  void add(Term formula) override { stack_.add(formula); }

  Answer check(const std::vector<Term>& assumptions) override;

  const std::vector<Term>& core() const override { return core_; }
  const std::string& reason() const override { return reason_; }
  std::string value(Term term) override;
  void set_timeout(std::chrono::milliseconds timeout) override { timeout_ = timeout; }
  void set_steps(unsigned most) override { steps_ = most; }
  void interrupt() override { interruption_.request(); }

 private:
  void renew();
  void tell();
  void add_difference(Term one, Term other);
  Answer check_now(const std::vector<Term>& assumptions);
  std::string why_unknown(std::chrono::steady_clock::duration elapsed) const;
  Answer unknown(std::string reason) {
    model_.reset();
    core_.clear();
    reason_ = std::move(reason);
    return Answer::kUnknown;
  }

  unsigned seed_;
  std::chrono::milliseconds timeout_;
  unsigned steps_ = 0;
  LeasedContext lease_;
  z3::context& context_ = *lease_;
  Z3Terms terms_{context_};
  Interruption interruption_{context_};
  std::optional<z3::solver> solver_;  // made by the next check, if there is none
  Stack stack_;
  std::size_t levels_ = 0;       // that Z3 has
  std::size_t kept_levels_ = 0;  // of these, how many are still ours
  std::size_t told_ = 0;         // how many formulas of our stack Z3 has on those
  int differences_ = 0;          // keys that were made up
  bool has_other_arrays_ = false;
  std::optional<z3::model> model_;
  std::vector<Term> core_;
  std::string reason_;
};

// A solver that has been told nothing.
void Z3Solver::renew() {
  solver_.emplace(context_, z3::solver::simple());
  levels_ = kept_levels_ = told_ = 0;
  has_other_arrays_ = false;
  // Quantifiers are instantiated by patterns only. What then is not contradictory is "incomplete", with a candidate for a
  // model; looking for real models takes long and seldom finds one. The automatic configuration would change all that.
  // Extensionality of arrays is our business (smt/extensionality.h).
  solver_->set("auto_config", false);
  solver_->set("mbqi", false);
  solver_->set("array.extensional", false);
  solver_->set("random_seed", seed_);
  solver_->set("ctrl_c", false);  // signals are ours: Z3's handler, put in place by two threads, may stay and crash
  // Z3 4.8.12 stays interrupted, and refuses every push, until the next check. And the first check of a solver looks at its
  // formulas to set itself up, with a recursion that deep ones overflow: so the first has none.
  solver_->check();
}

void Z3Solver::tell() {
  if (levels_ > kept_levels_) solver_->pop(static_cast<unsigned>(levels_ - kept_levels_));
  levels_ = kept_levels_;
  for (; told_ < stack_.formulas().size(); ++told_) {
    for (; levels_ < stack_.begins().size() && stack_.begins()[levels_] <= told_; ++levels_) solver_->push();
    const Term formula = stack_.formulas()[told_];
    solver_->add(terms_.translate(formula));
    for (const auto& [one, other] : array_differences(formula)) add_difference(one, other);
    has_other_arrays_ = has_other_arrays_ || compares_arrays_otherwise(formula);
  }
  kept_levels_ = levels_;
}

// If they are not equal, they differ at some key.
void Z3Solver::add_difference(Term one, Term other) {
  z3::expr first = terms_.translate(one);
  z3::expr second = terms_.translate(other);
  z3::expr same = first == second;
  while (first.is_array()) {
    const z3::expr key =
        context_.constant(context_.int_symbol(kFirstDifference + differences_++), first.get_sort().array_domain());
    first = z3::select(first, key);
    second = z3::select(second, key);
  }
  solver_->add(same || first != second);
}

// What Z3 refuses is no answer. After that, and after an interruption or a time limit, its solver may be in any state, and
// is replaced.
Answer Z3Solver::check(const std::vector<Term>& assumptions) {
  check_literals(assumptions);
  const std::vector<Term> held(assumptions.begin(), assumptions.end());  // they may be our core
  model_.reset();
  core_.clear();
  reason_.clear();
  if (!interruption_.start()) return unknown(kInterrupted);
  Answer answer = Answer::kUnknown;
  try {
    answer = check_now(held);
  } catch (const z3::exception& e) {
    answer = unknown(fmt::format("Z3: {}", e.msg()));
    lease_.spoil();
  }
  if (interruption_.finish()) {
    answer = unknown(kInterrupted);
    lease_.spoil();
  }
  if (answer == Answer::kUnknown && !reason_.starts_with(kIncomplete)) solver_.reset();
  return answer;
}

Answer Z3Solver::check_now(const std::vector<Term>& assumptions) {
  // Z3 would leave it out of the core.
  const auto found = std::ranges::find(assumptions, formula::Op::kFalse, &formula::Node::op);
  if (found != assumptions.end()) {
    core_ = {*found};
    return Answer::kUnsat;
  }
  if (!solver_) renew();
  z3::expr_vector literals(context_);
  std::unordered_map<unsigned, Term> by_id;
  for (Term it : assumptions) {
    literals.push_back(terms_.translate(it));
    by_id[literals.back().id()] = it;
  }
  tell();
  constexpr std::int64_t kNone = std::numeric_limits<unsigned>::max();
  solver_->set("timeout", static_cast<unsigned>(timeout_.count() == 0 ? kNone : std::min(timeout_.count(), kNone)));
  solver_->set("rlimit", steps_);
  const auto begin = std::chrono::steady_clock::now();
  switch (solver_->check(literals)) {
    case z3::sat:
      if (has_other_arrays_) {
        const Answer answer = unknown(incomplete("incomplete arrays"));
        model_ = solver_->get_model();
        return answer;
      }
      model_ = solver_->get_model();
      return Answer::kSat;
    case z3::unsat:
      for (const z3::expr& it : solver_->unsat_core()) core_.push_back(by_id.at(it.id()));
      return Answer::kUnsat;
    case z3::unknown: break;
  }
  const Answer answer = unknown(why_unknown(std::chrono::steady_clock::now() - begin));
  if (reason_.starts_with(kIncomplete)) model_ = solver_->get_model();
  return answer;
}

// After a time limit Z3 often names what it was doing then.
std::string Z3Solver::why_unknown(std::chrono::steady_clock::duration elapsed) const {
  const std::string reason = solver_->reason_unknown();
  if (timeout_.count() != 0 && (elapsed >= timeout_ || reason == "timeout")) return time_limit(timeout_);
  if (reason.find("incomplete") != std::string::npos) return incomplete(reason);
  return fmt::format("Z3: {}", reason);
}

std::string Z3Solver::value(Term term) {
  CONCORD_CHECK(model_.has_value(), "a value is asked for where there is no model");
  try {
    const z3::expr value = model_->eval(terms_.translate(term), true);
    if (value.is_numeral()) return value.get_decimal_string(0);
    if (value.is_bool()) return value.is_true() ? "true" : value.is_false() ? "false" : value.to_string();
    if (value.is_app() && value.num_args() == 0) return value.decl().name().str();
    return value.to_string();
  } catch (const z3::exception& e) {
    base::internal_error(__FILE__, __LINE__, fmt::format("no value in Z3's model: {}", e.msg()));
  }
}

}  // namespace

std::unique_ptr<Solver> make_z3(const Options& options) {
  Z3_toggle_warning_messages(false);  // they would go to stderr
  return std::make_unique<Z3Solver>(options);
}

std::string z3_version() { return fmt::format("Z3 {}", Z3_get_full_version()); }

std::string z3_short_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

}  // namespace concord::smt
