// STEP, LOCK and UNLOCK (sections 3.4.3 and 3.4.6): what a step of some thread does, as an update of the state.
//
// The paper executes statements one by one, each as an update with the thread's own copies of local variables. Here a step may be
// several operations (atomicity.h): their updates are put one after the other and simplified into a single parallel one. The conditions on
// the way are the path condition: of a thread whose way leads elsewhere another step speaks. A lock stores the identity of the thread that
// holds it; a step that takes it is possible only where it is free, or held by the same thread.
#pragma once

#include <vector>

#include "diag/kinds.h"
#include "engine/dynamic/configuration.h"

namespace concord::engine::dynamic {

// How the calculus is broken on purpose, one way at a time, to see that the tests notice: what the paper says where it is loose. kNone
// outside tests.
enum class Defect {
  kNone,
  kWrongBranch,         // INVARIANT has no premise for a thread that comes past without doing anything
  kDeadlockTerminates,  // nothing is said of threads that wait for ever
  kRankIsIdentity,      // a lock stores the place of the thread in the order of the position
  kLockEverywhere,      // whoever steps must have the locks, or they must be free
  kNoAtomicity,         // nobody comes between the operations of a thread, whatever they touch
  kOthersKeepFacts,     // what is known of a thread is not checked against the steps of others
};

// A parallel update: new values of parts of the state and of local variables, in terms of the old ones.
struct Update {
  formula::Substitution values;
  Term of(Term constant) const {
    const auto found = values.find(constant);
    return found == values.end() ? constant : found->second;
  }
};

// What the program itself claims on the way.
struct OnTheWay {
  diag::Kind kind = diag::Kind::kAssertion;
  base::SourceRange claim;
  Term holds = nullptr;
  std::size_t assumed = 0;  // so many of the assumptions come before it
};

struct Step {
  std::vector<Term> assumptions;  // the path condition, and what the language guarantees
  std::vector<OnTheWay> claims;
  Update update;
  std::vector<Term> chosen;  // unknown values, in the order in which they come up
  int writes = 0;            // operations that change something shared
  base::SourceRange at;      // the last operation that does; else the first
};

// The step along a way of the thread `index`, whose local variables are those of the class. Throws Refusal and simulation::Unsupported.
Step take(Configuration& configuration, World& world, const ThreadClass& of, const Way& way, Term index,
          Defect defect = Defect::kNone);
// Local variables as the thread enters: parameters are what it is given (in terms of the first state), others have defaults.
Update enter(Configuration& configuration, World& world, const ThreadClass& of, Term index);

}  // namespace concord::engine::dynamic
