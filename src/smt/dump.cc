#include "smt/dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>

#include "smt/smtlib.h"
#include "smt/stack.h"

namespace concord::smt {

using formula::Term;

namespace {

std::string file_name(std::string name) {
  const auto harmless = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  std::replace_if(name.begin(), name.end(), std::not_fn(harmless), '_');
  return name.empty() ? "query" : name;
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class Dumping final : public Solver {
 public:
  Dumping(std::unique_ptr<Solver> solver, const Options& options)
      : solver_(std::move(solver)), folder_(options.dump_folder), name_(file_name(options.name)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw CannotRun(fmt::format("cannot make the folder {}: {}", folder_.string(), error.message()));
  }

  void push() override {
    stack_.push();
    solver_->push();
  }
  void pop() override {
    stack_.pop();
    solver_->pop();
  }
  void add(Term formula) override {
    stack_.add(formula);
    solver_->add(formula);
  }

  Answer check(const std::vector<Term>& assumptions) override {
    const auto path = folder_ / fmt::format("{}-{:04}.smt2", name_, ++number_);
    std::ofstream file(path);
    file << script(stack_.formulas(), assumptions) << std::flush;
    const auto begin = std::chrono::steady_clock::now();
    const Answer answer = solver_->check(assumptions);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    file << fmt::format("; {} after {:.3f} s\n", describe(answer), elapsed.count()) << std::flush;
    if (!file.good()) throw CannotRun("cannot write " + path.string());
    return answer;
  }

  const std::vector<Term>& core() const override { return solver_->core(); }
  const std::string& reason() const override { return solver_->reason(); }
  std::string value(Term term) override { return solver_->value(term); }
  void set_timeout(std::chrono::milliseconds timeout) override { solver_->set_timeout(timeout); }
  void set_steps(unsigned most) override { solver_->set_steps(most); }
  void interrupt() override { solver_->interrupt(); }

 private:
  std::string describe(Answer answer) const {
    if (answer == Answer::kUnknown) return "unknown (" + on_one_line(reason()) + ")";
    return answer == Answer::kSat ? "sat" : "unsat";
  }

  std::unique_ptr<Solver> solver_;
  std::filesystem::path folder_;
  std::string name_;
  Stack stack_;
  int number_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_dumping(std::unique_ptr<Solver> solver, const Options& options) {
  return std::make_unique<Dumping>(std::move(solver), options);
}

}  // namespace concord::smt
