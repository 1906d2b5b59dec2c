// The progress line on a terminal: what is being done, how far it is, how long everything has taken, and about how long
// this will take if it goes on as it did.
#pragma once

#include <chrono>
#include <string>

#include "engine/engine.h"

namespace concord::tool {

// `elapsed`: since the run began; `spent`: on what is being done.
std::string progress_text(const engine::Progress& progress, std::chrono::duration<double> elapsed,
                          std::chrono::duration<double> spent);

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const engine::Progress& progress);  // cheap when called often
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::string what_;
  Clock::time_point began_ = start_;  // with that
};

}  // namespace concord::tool
