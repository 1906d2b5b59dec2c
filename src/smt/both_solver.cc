#include "smt/both_solver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>

#include "base/check.h"
#include "smt/limits.h"
#include "smt/smtlib.h"
#include "smt/stack.h"

namespace concord::smt {

using formula::Term;

namespace {

using Clock = std::chrono::steady_clock;

const char* word(Answer answer) {
  switch (answer) {
    case Answer::kSat: return "sat";
    case Answer::kUnsat: return "unsat";
    case Answer::kUnknown: return "unknown";
  }
  return "";
}

// One of the two and its part in the check that is running.
struct Side {
  std::string name;
  std::unique_ptr<Solver> solver;
  bool finished = true;
  bool stopped = false;  // we have interrupted it
  Answer answer = Answer::kUnknown;
  std::exception_ptr failure;

  bool is_definite() const { return finished && answer != Answer::kUnknown; }
};

class BothSolver final : public Solver {
 public:
  BothSolver(NamedSolver first, NamedSolver second, const Options& options) : folder_(options.dump_folder) {
    sides_[0].name = std::move(first.name);
    sides_[0].solver = std::move(first.solver);
    sides_[1].name = std::move(second.name);
    sides_[1].solver = std::move(second.solver);
  }

  void push() override {
    stack_.push();
    for (Side& side : sides_) side.solver->push();
  }
  void pop() override {
    stack_.pop();
    for (Side& side : sides_) side.solver->pop();
  }
  void add(Term formula) override {
    stack_.add(formula);
    for (Side& side : sides_) side.solver->add(formula);
  }

  Answer check(const std::vector<Term>& assumptions) override;

  const std::vector<Term>& core() const override { return teller().solver->core(); }
  const std::string& reason() const override { return reason_; }
  std::string value(Term term) override { return teller().solver->value(term); }
  void set_steps(unsigned most) override {
    for (Side& side : sides_) side.solver->set_steps(most);
  }
  void set_timeout(std::chrono::milliseconds timeout) override {
    for (Side& side : sides_) side.solver->set_timeout(timeout);
  }
  void interrupt() override;

 private:
  void run(Side& side, const std::vector<Term>& assumptions);
  void wait();
  void stop_unfinished();
  void take_back_stops();
  Answer conclude(const std::vector<Term>& assumptions);
  [[noreturn]] void contradiction(const std::vector<Term>& assumptions);
  std::string why_unknown() const;

  // Who tells about models and cores.
  const Side& teller() const {
    CONCORD_CHECK(teller_ != nullptr, "there was no definite answer");
    return *teller_;
  }

  std::array<Side, 2> sides_;
  Stack stack_;
  std::filesystem::path folder_;
  const Side* teller_ = nullptr;
  std::string reason_;

  std::mutex mutex_;  // for what follows, and for the sides while they run
  std::condition_variable changed_;
  bool interrupted_ = false;
};

// ------------------------------------------------------------------------------------------------------------ the two runs

Answer BothSolver::check(const std::vector<Term>& assumptions) {
  const std::vector<Term> held(assumptions.begin(), assumptions.end());  // they may be the core of one of the two
  teller_ = nullptr;
  reason_ = kInterrupted;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(interrupted_, false)) return Answer::kUnknown;
    for (Side& side : sides_) side.finished = side.stopped = false;
  }
  {
    const std::jthread first([&] { run(sides_[0], held); });
    const std::jthread second([&] { run(sides_[1], held); });
    wait();
  }
  take_back_stops();
  const std::lock_guard lock(mutex_);
  return std::exchange(interrupted_, false) ? Answer::kUnknown : conclude(held);
}

void BothSolver::run(Side& side, const std::vector<Term>& assumptions) {
  Answer answer = Answer::kUnknown;
  std::exception_ptr failure;
  try {
    answer = side.solver->check(assumptions);
  } catch (...) { failure = std::current_exception(); }
  const std::lock_guard lock(mutex_);
  side.answer = answer;
  side.failure = failure;
  side.finished = true;
  changed_.notify_all();
}

void BothSolver::wait() {
  const auto all_finished = [&] { return sides_[0].finished && sides_[1].finished; };
  const auto begin = Clock::now();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return all_finished() || sides_[0].is_definite() || sides_[1].is_definite(); });
  const auto patience = std::max<Clock::duration>(std::chrono::seconds(1), 2 * (Clock::now() - begin));
  if (!changed_.wait_for(lock, patience, all_finished)) stop_unfinished();
  changed_.wait(lock, all_finished);
}

void BothSolver::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  stop_unfinished();
}

void BothSolver::stop_unfinished() {
  for (Side& side : sides_) {
    if (side.finished || side.stopped) continue;
    side.stopped = true;
    side.solver->interrupt();
  }
}

// A solver that was interrupted when it had just finished would refuse the next check: this is that check.
void BothSolver::take_back_stops() {
  for (Side& side : sides_) {
    if (side.stopped && !side.failure && side.solver->reason() != kInterrupted) side.solver->check();
  }
}

// ---------------------------------------------------------------------------------------------------------- the conclusion

Answer BothSolver::conclude(const std::vector<Term>& assumptions) {
  for (const Side& side : sides_) {
    if (side.failure) std::rethrow_exception(side.failure);
  }
  if (sides_[0].is_definite() && sides_[1].is_definite() && sides_[0].answer != sides_[1].answer) {
    contradiction(assumptions);
  }
  for (const Side& side : sides_) {
    if (!side.is_definite() || side.stopped) continue;
    teller_ = &side;
    reason_.clear();
    return side.answer;
  }
  reason_ = why_unknown();
  return Answer::kUnknown;
}

std::string BothSolver::why_unknown() const {
  const std::string& first = sides_[0].solver->reason();
  const std::string& second = sides_[1].solver->reason();
  return first == second ? first : fmt::format("{}: {}; {}: {}", sides_[0].name, first, sides_[1].name, second);
}

void BothSolver::contradiction(const std::vector<Term>& assumptions) {
  const auto folder = folder_.empty() ? std::filesystem::temp_directory_path() : folder_;
  std::filesystem::create_directories(folder);
  const auto path = folder / fmt::format("concord-contradiction-{}-{}.smt2", getpid(), static_cast<const void*>(this));
  const std::string claim = fmt::format("{} says {}, {} says {}", sides_[0].name, word(sides_[0].answer),
                                        sides_[1].name, word(sides_[1].answer));
  std::ofstream file(path);
  file << "; " << claim << "\n" << script(stack_.formulas(), assumptions) << std::flush;
  throw base::InternalError(fmt::format("{}: {} {}", claim, file ? "see" : "cannot write", path.string()));
}

}  // namespace

std::unique_ptr<Solver> make_both(NamedSolver first, NamedSolver second, const Options& options) {
  return std::make_unique<BothSolver>(std::move(first), std::move(second), options);
}

}  // namespace concord::smt
