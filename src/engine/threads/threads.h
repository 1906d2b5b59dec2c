// The threads engine (Lahiri, Malkis and Qadeer, Abstract Threads): each thread is shown to conform to its abstract thread,
// then the abstract threads are looked at together.
//
// conformance.h does the first; the second is a proof for every number of threads (counted.h) or, where that does not succeed,
// the exploration of the abstract program (plato/abstract_program.h) for the number of threads that is given. Only assertions,
// invariants and what the program itself can do wrong carry over from the abstract threads; deadlock, races and whatever is
// specified about steps are for other engines: `unknown`.
#pragma once

#include "engine/engine.h"
#include "simulation/simulation.h"

namespace concord::cache {
class Store;
}

namespace concord::engine::threads {

class Threads final : public Engine {
 public:
  // `proofs`: where what is proved is looked up and kept; may be null. `runs`: where there is no proof for every number of threads,
  // a given number is looked at, and runs are told.
  explicit Threads(simulation::Defect defect = simulation::Defect::kNone, cache::Store* proofs = nullptr,
                   bool runs = true)
      : defect_(defect), proofs_(proofs), runs_(runs) {}
  std::string name() const override { return "threads"; }
  EngineResult run(const Task& task, Control& control) override;
  // Whether it says anything about such a property.
  static bool decides(const Property& property);

 private:
  const simulation::Defect defect_;
  cache::Store* const proofs_;
  const bool runs_;
};

}  // namespace concord::engine::threads
