// The check of one procedure as a sequential program (the paper, section 5): its steps, each preceded by what other
// threads may do, each followed by what it must satisfy.
//
// The steps are matched against the abstraction without a witness variable: F, the set of abstract positions that explain
// the run so far, is one Boolean variable per position, and changes with every step of the run. It is never united at joins:
// where ways meet, each run keeps the F it has.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diag/kinds.h"
#include "sequential/program.h"
#include "simulation/clauses.h"
#include "simulation/rounds.h"
#include "spec/derived.h"

namespace concord::simulation {

// A claim of the program, as in engine::Property.
struct Claim {
  diag::Kind kind = diag::Kind::kAssertion;
  base::SourceRange range;
  friend bool operator==(const Claim&, const Claim&) = default;
};

Claim claim_of(const spec::Rely& rely);

struct Obligation {
  struct Shown {
    std::string name;
    Term term = nullptr;
    bool is_before = false;
    bool is_label = false;  // `name` is what to call that thread or object wherever it is the value of something
    bool is_local = false;  // a local variable
    bool is_node = false;   // whether the abstract thread may be at this node
  };
  std::vector<Claim> claims;  // a proof counts for all of them; a failure is that of one
  base::SourceRange at;
  std::string message;  // when it may fail
  std::vector<Shown> shown;
  std::vector<Claim> leans_on;  // whatever the solver says, it counts only if these are proved
  int first_position = -1;      // in `shown`: the positions of F before the step, if it is about those
};

// A point that must be reachable, or something is vacuous.
struct Probe {
  base::SourceRange at;
  std::string message;
  bool is_for_all = false;  // otherwise nothing ever happens, not just here
};

struct Suggestion {
  int block = -1;
  int candidate = -1;
  std::string text;  // as an annotation; empty if it cannot be written
  base::SourceRange loop;
};

// A claim that is not in it, and why.
struct Lost {
  Claim claim;
  Unsupported why;
};

struct Simulation {
  sequential::Program program;
  std::vector<Obligation> obligations;
  std::vector<Claim> premises;
  std::vector<Claim> abstractions;  // used instead of bodies: every proof here depends on them
  std::vector<Probe> probes;
  std::vector<Lost> lost;               // what is neither checked nor assumed
  std::optional<Unsupported> obstacle;  // something in the code is not supported, so nothing is checked
  std::vector<Suggestion> suggestions;
  // Of abstract threads together: the block where one of them takes an edge, and which of its invariants are claims.
  int head = -1;
  std::vector<int> claims;
};

// What is known of the environment assumption as a whole, by index into Specification::relies.
struct Closure {
  std::vector<bool> is_reflexive;
  std::vector<bool> is_assumed;  // belongs to a reflexive and transitive core, so E* may be replaced by it
  // What showed that: it alone; or with the other relies that are assumed; or even with the invariants.
  std::vector<bool> leans_on_relies;
  std::vector<bool> leans_on_invariants;
};

// How the engine is broken on purpose, one way at a time, to see that the tests notice. kNone outside tests.
enum class Defect {
  kNone,
  kNoStepBeforeFirst,       // no environment step before the first operation
  kNoStepBeforeReturn,      // none before the return
  kNoStepAtLoopHead,        // none on the way to a loop head
  kWidenedPositions,        // F is widened where ways meet
  kLastActionUnchecked,     // F is not looked at when the procedure returns
  kStutterChangesAnything,  // K allows every change
  kRelyOfOthersUnchecked,   // steps are not checked against the relies of other threads
  kInvariantUnchecked,      // nor against invariants
  kEveryRelyAssumed,        // E is taken for E* although it is not transitive
  kPostponeParts,           // parts of a component are postponed, not whole components
  kCalleeStutterOnce,       // K* of a callee is one step
  kEntryRequiresUnchecked,  // `requires` of an entry is not checked at start
  kOwnSpecificationOnly,    // entries are not checked against the implicit root
  kUnknownIsProved,         // a solver's unknown counts as a proof
  kNoInitialCheck,          // invariants are not checked initially
  kReadsMayRace,            // races: what is read is not looked at
  kWritesMayRace,           // nor whether others may access what is written
  kElementsMayRace,         // nor elements of arrays
  kPrivateForEver,          // nor objects
  kLateObjectsKnown,        // invariants are assumed of objects that others made since they last acted on what they say
  kMakingUnchecked,         // new objects need not satisfy the invariants
};

struct SimulationInput {
  const plato::Program* program = nullptr;
  const spec::Derived* derived = nullptr;
  engine::IntMode ints = engine::IntMode::kMath;
  int procedure = -1;
  Round round;  // which part of it
  Closure closure;
  bool postpone = true;
  std::vector<bool> action_may_stutter;  // of the procedure's actions
  const plato::Abstracted* conforms =
      nullptr;  // to that abstract thread: then that is the question, not the specification of steps
  std::vector<bool> edge_may_stutter;  // of the abstract thread's edges
  bool races = false;                  // they are asked for
  bool is_entry_only = false;          // just whether the procedure can be entered
  Defect defect = Defect::kNone;
};

// Every claim that some step may break, in any module: what code that may do anything leaves open.
std::vector<Claim> claims_about_steps(const plato::Program& program, bool races);

Simulation simulate(Pool& pool, const SimulationInput& input);
// Initial states: invariants, and what entries require.
Simulation simulate_start(Pool& pool, const SimulationInput& input);

}  // namespace concord::simulation
