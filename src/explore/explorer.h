// The explorer: the same verdicts as the referee's, for programs with many more states.
//
// How it saves work is in table_search.h; none of it may change an answer, and tests/agree compares the two.
#pragma once

#include "engine/engine.h"

namespace concord::explore {

class Explorer : public engine::Engine {
 public:
  std::string name() const override { return "explore"; }
  engine::EngineResult run(const engine::Task& task, engine::Control& control) override;
};

}  // namespace concord::explore
