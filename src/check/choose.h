// Which engines work on a program, and what their answers mean together.
//
// auto: the modular engine first, since it speaks of any number of threads; then the explorer for what is left, be it a kind
// the modular engine does not decide or a proof that failed. A run that the explorer found makes a property violated; a
// completed exploration makes it verified; otherwise the modular engine's answer stands. In between come the dynamic engine, where it is
// claimed what all threads compute together, and the shape engine for a moment.
// modular: the same, but the explorer only looks for a run that breaks what was not proved, for a short time.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "engine/engine.h"

namespace concord::check {

// What is said about the choice: as in CheckResult.
struct Said {
  std::string& engine;
  std::vector<std::string>& why;
  bool& is_cut_short;
};

engine::EngineResult run_choice(const CheckOptions& options, const engine::Task& task, engine::Control& control,
                                Said said);

}  // namespace concord::check
