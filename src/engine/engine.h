// The contract between engines and the rest: program and properties in, verdicts with evidence out.
//
// Protocol: src/check collects the properties, chooses an engine and calls run() once. The engine returns exactly one
// PropertyResult per property, in the same order; it may append `vacuity` and what it found besides. It never prints and never exits. It
// polls Control::should_stop() at least every few milliseconds and then returns what it has, `unknown` for the rest.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/evidence.h"
#include "engine/property.h"
#include "engine/verdict.h"

namespace concord::engine {

enum class IntMode { kMath, kJava };
enum class SolverChoice { kZ3, kCvc5, kBoth };

// Of the explorer and the shape engine: what spares them states. Verdicts do not depend on them.
struct Reductions {
  bool symmetry = true;
  bool dead_locals = true;
  bool local_steps = true;
  bool partial_order = true;
};

struct Settings {
  IntMode ints = IntMode::kMath;
  std::optional<std::int64_t> threads;  // --threads N: the value of every symbolic or unbounded thread count
  std::int64_t int_low = -2;            // --ints LO..HI: values tried for integers that are free (havoc, `*`, symbolic)
  std::int64_t int_high = 3;
  std::vector<std::int64_t> also_ints;              // tried as well: what the counterexample of a failed proof suggests
  int max_objects = 8;                              // --objects: objects and arrays a run may allocate
  int max_started = 8;                              // --started: threads a run may start
  std::string only;                                 // --only PROCEDURE, or empty
  Reductions reductions;                            // --reduce
  int jobs = 1;                                     // -j: what may run in parallel
  SolverChoice solver = SolverChoice::kZ3;          // --solver
  std::chrono::milliseconds solver_timeout{10000};  // --solver-timeout: one obligation
  unsigned solver_seed = 0;                         // --solver-seed
  std::string dump_smt;                             // --dump-smt: a folder, or empty
  bool race_limits = false;                         // while a race is not excluded nothing else is verified
  bool postpone = true;         // --no-postpone: environment steps before every operation, of everything
  bool keeps_evidence = false;  // --report: whatever a person may want to look at
  bool tells_uses = false;      // --uses: which clauses each proof uses
  std::set<std::string> names;  // the variables that the user knows; empty: all
  bool keeps_proof = false;     // --save-proof
};

struct Progress {
  std::string what;  // "exploring"
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
};

// Limits and interruption of a run, shared by everything that works on it.
class Control {
 public:
  std::atomic<bool> interrupted{false};  // set by a signal handler
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::optional<std::chrono::milliseconds> timeout;
  std::uint64_t memory_limit_bytes = 0;              // 0: none
  std::uint64_t work_limit = 0;                      // 0: none; in the engine's own measure, the same on every machine
  std::uint64_t work = 0;                            // done so far, by an engine that measures it
  std::function<void(const Progress&)> on_progress;  // may be empty; called often
  const Control* parent = nullptr;                   // a part of a run stops when the whole does

  // The time limit that ran out, of the whole run or of this part of it.
  std::optional<std::chrono::milliseconds> exceeded() const {
    if (parent != nullptr && parent->timed_out()) return parent->exceeded();
    return timeout && std::chrono::steady_clock::now() - start > *timeout ? timeout : std::nullopt;
  }
  bool timed_out() const { return exceeded().has_value(); }
  bool was_interrupted() const {
    return interrupted.load(std::memory_order_relaxed) || (parent != nullptr && parent->was_interrupted());
  }
  bool is_worked_off() const { return work_limit != 0 && work >= work_limit; }
  bool should_stop() const { return was_interrupted() || timed_out() || is_worked_off(); }
};

struct PropertyResult {
  Property property;
  Verdict verdict = Verdict::kUnknown;
  std::string engine;
  std::string reason;             // of unknown and unproved: "bounded: 2 threads of worker", "time limit of 5 s"
  std::string message;            // what happened, in plain words; for verified what holds
  std::string depends_on;         // unproved only because this property, by id, is not proved
  std::string waiver;             // why the user took it out of the check, in the user's words; empty: it is in it
  std::vector<std::string> uses;  // --uses: the properties, by id, that its proof rests on
  base::SourceRange location;     // where it breaks; the claim otherwise
  std::vector<Related> related;
  Trace trace;
  Counterexample counterexample;  // of a proof that failed
  double time_ms = 0;
  bool internal_error = false;
};

// Something that was checked by itself.
struct Part {
  std::string name;
  base::SourceRange at;
  double time_ms = 0;
};

struct EngineResult {
  std::vector<PropertyResult> results;
  std::vector<Part> parts;
  std::vector<std::string> assumptions;            // "2 threads of worker", "integers are unbounded"
  std::vector<std::string> notes;                  // what the user should know about the specification
  std::vector<std::string> inferred;               // annotations that were found, as the user could write them
  std::string proof;                               // as text (docs/proofs.md), if it is to be kept or looked at
  std::vector<std::string> superfluous;            // --uses: clauses, by id, that no other proof rests on
  std::vector<std::int64_t> suggested_ints;        // in the counterexamples of failed proofs
  std::map<std::string, std::int64_t> statistics;  // "states", "transitions", "obligations"
  // Only if Settings::keeps_evidence:
  std::vector<Question> questions;
  std::vector<Drawing> configurations;
};

struct Task {
  const base::SourceMap* sources;
  const plato::Program* program;
  std::vector<Property> properties;
  Settings settings;
  std::set<std::string> sought =
      {};  // ids: when all of these are violated an engine that searches may stop; empty: never
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual EngineResult run(const Task& task, Control& control) = 0;
};

}  // namespace concord::engine
