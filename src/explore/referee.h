// The referee: a deliberately naive interpreter of the semantics, all interleavings, breadth first.
//
// It decides: whatever it refutes, no engine may verify. So it has no reductions, no symmetry, no cleverness; every state is
// a plain value and every state that was seen is kept as bytes. It serves programs with finitely many states of some
// hundred thousand; it does not serve larger ones (explorer.h does), nor unbounded data (a proof engine will).
// `verified` only if every domain, allocation and thread count was exhaustive for the declared program.
// Checked itself by a second interpreter in tests/agree.
#pragma once

#include "engine/engine.h"

namespace concord::explore {

class Referee : public engine::Engine {
 public:
  std::string name() const override { return "referee"; }
  engine::EngineResult run(const engine::Task& task, engine::Control& control) override;
};

}  // namespace concord::explore
