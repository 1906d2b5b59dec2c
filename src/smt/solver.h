// One face for all solvers. The only folder that knows what is behind it: Z3 in this process, cvc5 as a child process over
// SMT-LIB text, or both at once (they must not contradict each other: that is an InternalError, and the query is saved).
//
// A Solver belongs to one thread and to one Pool; only interrupt() may be called from others. Formulas added after a push
// are gone after the pop. check() takes assumptions, Boolean constants or their negations, that hold for this check only;
// after kUnsat, core() says which of them were needed (a subset that suffices, not always the smallest).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "formula/term.h"

namespace concord::cache {
class Store;
}

namespace concord::smt {

enum class Answer { kSat, kUnsat, kUnknown };

enum class Which { kZ3, kCvc5, kBoth };

struct Options {
  Which which = Which::kZ3;
  std::chrono::milliseconds timeout{10000};  // of one check; 0: none
  unsigned seed = 0;
  bool is_first = false;  // models are the same whatever other solvers were asked before, which takes some milliseconds
  std::string dump_folder;  // every check is written there as an SMT-LIB file, if not empty
  std::string name;         // how those files begin
  cache::Store* proofs =
      nullptr;  // what was unsatisfiable before is looked up there, and what is now is kept; null: not
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void push() = 0;
  virtual void pop() = 0;
  virtual void add(formula::Term formula) = 0;
  virtual Answer check(const std::vector<formula::Term>& assumptions) = 0;
  Answer check() { return check({}); }

  virtual const std::vector<formula::Term>& core() const = 0;  // after kUnsat
  virtual const std::string& reason() const = 0;  // after kUnknown: "time limit of 10 s", "incomplete: …"
  // After kUnknown: the solver did not give up for lack of time; it found no contradiction and has a candidate for a model,
  // whose values value() gives ("?" where it has none).
  bool has_candidate() const { return reason().starts_with("incomplete"); }
  // After kUnsat: an earlier run has found that out, and no solver was asked.
  virtual bool is_remembered() const { return false; }
  // After kSat: a value in the model, with those it leaves open completed. Numbers in decimal, true, false, the names of
  // enumeration constants; elements of other sorts have names that are equal if and only if the elements are.
  virtual std::string value(formula::Term term) = 0;
  bool is_true(formula::Term formula) { return value(formula) == "true"; }

  virtual void set_timeout(std::chrono::milliseconds timeout) = 0;
  // A check is given up after about so many steps of Z3's own, which are the same on every machine; 0: it is not. cvc5 does
  // not count.
  virtual void set_steps(unsigned most) = 0;
  virtual void interrupt() = 0;  // from any thread: a check that is running, or the next one, ends with kUnknown
};

// The Pool of the terms outlives the solver.
std::unique_ptr<Solver> make_solver(const Options& options);

// A program that is not installed, a folder that cannot be written: thrown by make_solver() and check(), in plain words.
struct CannotRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What an answer depends on besides the formulas: which solver, its version, what it is told. Z3 only: cvc5 is a program of its
// own, of which nobody knows what it is made of.
std::string identity(const Options& options);

// Those that there are, one a line: "Z3 4.8.12 (linked)", "cvc5 1.0.3" or "cvc5 not found".
std::string versions();

// The program that is needed and not installed, or empty.
std::string missing_program(Which which);

}  // namespace concord::smt
