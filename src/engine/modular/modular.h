// The modular engine (Calvin: Flanagan, Freund, Qadeer and Seshia, Modular verification of multithreaded programs).
//
// Each procedure that has an abstraction, each entry of a thread, and each procedure that nobody calls is checked alone:
// other threads are its environment assumption, callees their abstractions or, without one, their bodies. Serves programs
// with any number of threads; decides assertions, contracts, invariants, relies, guarantees, guarded_by, lock orders, races
// and implicit assertions. It says nothing about deadlock, confinement and abstract threads: `unknown`.
//
// simulation.h builds the sequential program of a procedure, sequential/verify.h proves it, this file puts the answers
// together. What is not proved is `unproved`; src/check asks the explorer whether a real run breaks it.
#pragma once

#include "engine/engine.h"
#include "simulation/simulation.h"

namespace concord::cache {
class Store;
}

namespace concord::engine::modular {

class Modular final : public Engine {
 public:
  // What somebody wants to know of a claim that is not proved: that it is not, and no more, or all that fails, and what rests on it.
  // With one, `verified` means only: proved, if the other claims hold.
  enum class Failures { kOne, kAll };
  // `proofs`: where what is proved is looked up and kept; may be null.
  explicit Modular(simulation::Defect defect = simulation::Defect::kNone, cache::Store* proofs = nullptr,
                   Failures failures = Failures::kAll)
      : defect_(defect), proofs_(proofs), wanted_(failures) {}
  std::string name() const override { return "modular"; }
  EngineResult run(const Task& task, Control& control) override;
  // Whether it says anything about such a property.
  static bool decides(const Property& property);

 private:
  const simulation::Defect defect_;
  cache::Store* const proofs_;
  const Failures wanted_;
};

}  // namespace concord::engine::modular
