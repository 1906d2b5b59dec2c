#include "smt/remembering.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "cache/store.h"
#include "formula/fingerprint.h"
#include "smt/limits.h"

namespace concord::smt {

using formula::Term;

namespace {

class Remembering final : public Solver {
 public:
  explicit Remembering(const Options& options)
      : options_(options), proofs_(*options.proofs), all_(proofs_.begin_key("check")) {
    options_.proofs = nullptr;
    all_.add_text(identity(options_));
  }

  void push() override {
    all_.push();
    waiting_.emplace_back();
  }
  void pop() override {
    all_.pop();
    const auto level = std::find(waiting_.rbegin(), waiting_.rend(), std::nullopt);
    if (level != waiting_.rend()) {
      waiting_.erase(level.base() - 1, waiting_.end());
    } else {
      CONCORD_CHECK(asked_ != nullptr, "pop without push");
      waiting_.clear();
      asked_->pop();
    }
  }
  void add(Term formula) override {
    all_.add(formula);
    waiting_.emplace_back(formula);
  }

  Answer check(const std::vector<Term>& assumptions) override {
    check_literals(assumptions);
    const std::string key = key_of(assumptions);
    is_remembered_ = false;
    if (was_interrupted()) return Answer::kUnknown;
    if (const auto found = proofs_.load(key); found && take(found->value, assumptions)) {
      is_remembered_ = !found->is_own;
      return Answer::kUnsat;
    }
    Solver& solver = asked();
    const Answer answer = solver.check(assumptions);
    if (answer == Answer::kUnsat) {
      core_ = solver.core();
      proofs_.store(key, written(core_, assumptions));
    } else {
      reason_ = answer == Answer::kUnknown ? solver.reason() : "";
    }
    return answer;
  }

  const std::vector<Term>& core() const override { return core_; }
  const std::string& reason() const override { return reason_; }
  bool is_remembered() const override { return is_remembered_; }
  std::string value(Term term) override { return asked().value(term); }

  void set_steps(unsigned most) override {
    steps_ = most;
    if (asked_) asked_->set_steps(most);
  }
  void set_timeout(std::chrono::milliseconds timeout) override {
    options_.timeout = timeout;
    if (asked_) asked_->set_timeout(timeout);
  }
  void interrupt() override {
    const std::lock_guard lock(mutex_);
    if (asked_) asked_->interrupt();
    is_interrupted_ = !asked_;
  }

 private:
  std::string key_of(const std::vector<Term>& assumptions) {
    all_.push();
    all_.add(assumptions);
    std::string key = all_.hex();
    all_.pop();
    return key;
  }

  // An interrupt that came before there was a solver.
  bool was_interrupted() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_interrupted_, false)) return false;
    reason_ = kInterrupted;
    return true;
  }

  // The core, as places among the assumptions.
  static std::string written(const std::vector<Term>& core, const std::vector<Term>& assumptions) {
    std::string out = "unsat";
    for (Term it : core) {
      const auto found = std::find(assumptions.begin(), assumptions.end(), it);
      CONCORD_CHECK(found != assumptions.end(), "a core of what was not assumed");
      out += " " + std::to_string(found - assumptions.begin());
    }
    return out;
  }

  bool take(const std::string& text, const std::vector<Term>& assumptions) {
    std::istringstream words(text);
    std::string first;
    words >> first;
    if (first != "unsat") return false;
    core_.clear();
    for (std::size_t place = 0; words >> place;) {
      if (place >= assumptions.size()) return false;
      core_.push_back(assumptions[place]);
    }
    return true;
  }

  // The other solver, which knows all that holds.
  Solver& asked() {
    if (!asked_) {
      std::unique_ptr<Solver> made = make_solver(options_);
      made->set_steps(steps_);
      const std::lock_guard lock(mutex_);
      asked_ = std::move(made);
    }
    for (const std::optional<Term>& it : waiting_) { it ? asked_->add(*it) : asked_->push(); }
    waiting_.clear();
    return *asked_;
  }

  Options options_;
  unsigned steps_ = 0;
  cache::Store& proofs_;
  formula::Fingerprint all_;
  std::vector<std::optional<Term>> waiting_;  // not yet passed on; none: push()
  std::vector<Term> core_;
  std::string reason_;
  bool is_remembered_ = false;
  std::mutex mutex_;  // of the rest
  std::unique_ptr<Solver> asked_;
  bool is_interrupted_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_remembering(const Options& options) { return std::make_unique<Remembering>(options); }

}  // namespace concord::smt
