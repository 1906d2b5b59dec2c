// The dynamic engine (Beckert and Klebanov, A Dynamic Logic for Deductive Verification of Concurrent Programs): what n threads compute,
// for every n.
//
// The statement is a program with threads and `finally` clauses: [p] P in the paper's words; with `check termination;` it is <p> P. The
// code is unfolded to operations (code.h), sequences of them that nobody can come between become steps (atomicity.h), between which threads
// stand at positions (positions.h). A configuration counts threads and knows the order in which they pass (configuration.h);
// a step is an update (step.h). INVARIANT (invariant.h) reduces the statement to first-order sequents (leaf.h) about sums (sums.h) and
// permutations, with an invariant that is found by patterns (propose.h).
//
// What it is not for: objects and arrays, threads that start or wait for others, exceptions; there it says `unknown`.
#pragma once

#include "engine/dynamic/step.h"
#include "engine/engine.h"

namespace concord::engine::dynamic {

class Dynamic final : public Engine {
 public:
  explicit Dynamic(Defect defect = Defect::kNone) : defect_(defect) {}
  std::string name() const override { return "dynamic"; }
  EngineResult run(const Task& task, Control& control) override;
  // Whether it says anything about such a property.
  static bool decides(const Property& property);

 private:
  const Defect defect_;
};

}  // namespace concord::engine::dynamic
