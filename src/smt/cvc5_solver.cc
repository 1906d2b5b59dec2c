// Formulas are collected and sent with the next check. A child that is killed (an interruption, a time limit it did not keep)
// or dies is replaced at the next check, and told all formulas again.
#include "smt/cvc5_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "smt/child.h"
#include "smt/limits.h"
#include "smt/sexpr.h"
#include "smt/smtlib.h"
#include "smt/stack.h"

namespace concord::smt {

using formula::Sort;
using formula::SortNode;
using formula::Term;

namespace {

constexpr const char* kMark = "concord: done";
constexpr std::chrono::milliseconds kGrace{250};  // for cvc5 to keep its time limit by itself
constexpr std::chrono::seconds kPatience{10};     // with what should take no time

class Cvc5Solver final : public Solver {
 public:
  Cvc5Solver(std::string program, const Options& options)
      : program_(std::move(program)), seed_(options.seed), timeout_(options.timeout) {}

  void push() override {
    stack_.push();
    pending_ += "(push 1)\n";
  }
  void pop() override {
    stack_.pop();
    pending_ += "(pop 1)\n";
  }
  void add(Term formula) override {
    stack_.add(formula);
    if (child_) tell(formula);
  }

  Answer check(const std::vector<Term>& assumptions) override;

  const std::vector<Term>& core() const override { return core_; }
  const std::string& reason() const override { return reason_; }
  std::string value(Term term) override;
  void set_timeout(std::chrono::milliseconds timeout) override { timeout_ = timeout; }
  void set_steps(unsigned /*most*/) override {}
  void interrupt() override { bell_.ring(); }

 private:
  void start();
  void tell(Term formula) {
    pending_ += smtlib_.declare(formula);
    pending_ += smtlib_.add(formula);
  }
  Answer check_now(const std::vector<Term>& assumptions);
  Answer read_answer(const std::string& text, const std::vector<Term>& assumptions);
  Answer read_core(const std::vector<Term>& assumptions);
  std::string why_unknown();
  std::optional<std::string> ask(const std::string& text, std::chrono::milliseconds limit, const Bell* bell);
  std::string why_dead(const std::string& said);
  std::string readable(Sort sort, const std::string& value);
  Answer unknown(std::string reason) {
    reason_ = std::move(reason);
    return Answer::kUnknown;
  }

  std::string program_;
  unsigned seed_;
  std::chrono::milliseconds timeout_;
  Bell bell_;
  Stack stack_;
  SmtLib smtlib_{Sharing::kDefine};
  std::string pending_;  // for the child, if there is one; what is not in it is on the stack
  std::unique_ptr<Child> child_;
  bool has_model_ = false;
  bool is_candidate_ = false;  // after "incomplete": it may have no value
  std::vector<Term> core_;
  std::string reason_;
};

// ------------------------------------------------------------------------------------------------------------------ checks

Answer Cvc5Solver::check(const std::vector<Term>& assumptions) {
  check_literals(assumptions);
  const std::vector<Term> held(assumptions.begin(), assumptions.end());  // they may be our core
  has_model_ = false;
  core_.clear();
  reason_.clear();
  Answer answer = bell_.take() ? unknown(kInterrupted) : check_now(held);
  if (bell_.take()) answer = unknown(kInterrupted);
  has_model_ = answer == Answer::kSat || (answer == Answer::kUnknown && has_candidate());
  is_candidate_ = answer != Answer::kSat;
  return answer;
}

// Declarations and definitions are global: they survive the level they were first needed on.
void Cvc5Solver::start() {
  child_ = std::make_unique<Child>(std::vector<std::string>{
      program_, "--lang=smt2", "--incremental", "--produce-models", "--produce-unsat-assumptions",
      fmt::format("--seed={}", seed_), fmt::format("--sat-random-seed={}", seed_)});
  smtlib_ = SmtLib(Sharing::kDefine);
  pending_ = "(set-option :global-declarations true)\n(set-logic ALL)\n";
  std::size_t level = 0;
  for (std::size_t i = 0; i <= stack_.formulas().size(); ++i) {
    for (; level < stack_.begins().size() && stack_.begins()[level] == i; ++level) pending_ += "(push 1)\n";
    if (i == stack_.formulas().size()) break;
    tell(stack_.formulas()[i]);
  }
}

Answer Cvc5Solver::check_now(const std::vector<Term>& assumptions) {
  if (!child_) start();
  std::string literals;
  for (Term it : assumptions) {
    pending_ += smtlib_.declare(it);
    literals += " " + smtlib_.text(it);
  }
  pending_ += fmt::format("(set-option :tlimit-per {})\n", timeout_.count());
  pending_ += literals.empty() ? "(check-sat)\n" : "(check-sat-assuming (" + literals + "))\n";
  const auto said = ask(std::exchange(pending_, ""), timeout_, &bell_);
  if (!said) return Answer::kUnknown;
  return read_answer(*said, assumptions);
}

Answer Cvc5Solver::read_answer(const std::string& text, const std::vector<Term>& assumptions) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == "sat") return Answer::kSat;
    if (line == "unsat") return read_core(assumptions);
    if (line == "unknown") return unknown(why_unknown());
  }
  child_.reset();
  return unknown("cvc5: " + text);
}

Answer Cvc5Solver::read_core(const std::vector<Term>& assumptions) {
  if (assumptions.empty()) return Answer::kUnsat;
  const auto said = ask("(get-unsat-assumptions)\n", kPatience, nullptr);
  if (!said) return Answer::kUnknown;
  for (const std::string& part : list_parts(*said)) {
    const auto found = std::ranges::find_if(assumptions, [&](Term it) { return smtlib_.text(it) == part; });
    if (found == assumptions.end()) {  // written in a way we do not know: all of them surely suffice
      core_ = assumptions;
      break;
    }
    core_.push_back(*found);
  }
  return Answer::kUnsat;
}

std::string Cvc5Solver::why_unknown() {
  const auto said = ask("(get-info :reason-unknown)\n", kPatience, nullptr);
  if (!said) return reason_;
  if (said->find("timeout") != std::string::npos) return time_limit(timeout_);
  if (said->find("incomplete") != std::string::npos) return incomplete("incomplete");
  return "cvc5: " + *said;
}

// ---------------------------------------------------------------------------------------------------------------- dialogue

// What the child says to the commands; nothing, and a reason, if there is no answer: then the child is gone.
std::optional<std::string> Cvc5Solver::ask(const std::string& text, std::chrono::milliseconds limit, const Bell* bell) {
  Child::Deadline deadline;
  if (limit.count() != 0) deadline = std::chrono::steady_clock::now() + limit + kGrace;
  const std::string commands = fmt::format("{}(echo \"{}\")\n", text, kMark);
  const Child::Answer answer = child_->ask(commands, fmt::format("\"{}\"", kMark), deadline, bell);
  const bool error = answer.text.starts_with("(error") || answer.text.find("\n(error") != std::string::npos;
  if (answer.status == Child::Status::kAnswered && !error) return answer.text;
  switch (answer.status) {
    case Child::Status::kAnswered:
    case Child::Status::kDead: reason_ = why_dead(answer.text); break;
    case Child::Status::kLate: reason_ = time_limit(limit); break;
    case Child::Status::kRung: reason_ = kInterrupted; break;
  }
  child_.reset();
  return {};
}

std::string Cvc5Solver::why_dead(const std::string& said) {
  const std::string status = child_->kill();
  std::string message = said;
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return fmt::format("cvc5 ended with {}{}{}", status, message.empty() ? "" : ": ", message);
}

// ------------------------------------------------------------------------------------------------------------------ models

// New constants may be declared while there is a model, and get a value; definitions would get a wrong one.
std::string Cvc5Solver::value(Term term) {
  CONCORD_CHECK(has_model_, "a value is asked for where there is no model");
  if (is_candidate_ && !child_) return "?";  // it ended over an earlier question
  std::string command = smtlib_.declare(term);
  command += "(get-value (" + smtlib_.text(term) + "))\n";
  const auto said = ask(command, kPatience, nullptr);
  if (!said && is_candidate_) return "?";
  CONCORD_CHECK(said.has_value(), "no value in cvc5's model: " + reason_);
  const auto pairs = list_parts(*said);
  CONCORD_CHECK(pairs.size() == 1, "cvc5's value is not understood: " + *said);
  const auto pair = list_parts(pairs[0]);
  CONCORD_CHECK(pair.size() == 2, "cvc5's value is not understood: " + *said);
  return readable(term->sort, pair[1]);
}

std::string Cvc5Solver::readable(Sort sort, const std::string& value) {
  const auto parts = list_parts(value);
  switch (sort->kind) {
    case SortNode::Kind::kInt: return parts.size() == 2 && parts[0] == "-" ? "-" + parts[1] : value;
    case SortNode::Kind::kEnum: return smtlib_.enum_const(sort, value);
    case SortNode::Kind::kUninterpreted: return parts.size() == 3 && parts[0] == "as" ? parts[1] : value;
    case SortNode::Kind::kBool:
    case SortNode::Kind::kArray: return value;
  }
  return value;
}

}  // namespace

std::unique_ptr<Solver> make_cvc5(const Options& options) {
  const auto program = find_program("cvc5");
  if (!program) throw CannotRun("the solver cvc5 is not installed");
  return std::make_unique<Cvc5Solver>(*program, options);
}

std::string cvc5_version() {
  const auto program = find_program("cvc5");
  if (!program) return "";
  Child child({*program, "--lang=smt2"});
  const std::string question = fmt::format("(get-info :version)\n(echo \"{}\")\n", kMark);
  const Child::Answer answer =
      child.ask(question, fmt::format("\"{}\"", kMark), std::chrono::steady_clock::now() + kPatience, nullptr);
  const std::size_t begin = answer.text.find('"');
  if (answer.status != Child::Status::kAnswered || begin == std::string::npos) return "";
  return answer.text.substr(begin + 1, answer.text.find('"', begin + 1) - begin - 1);
}

}  // namespace concord::smt
