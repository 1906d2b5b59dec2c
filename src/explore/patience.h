// How long work lets itself notice that it should end: the time is up, the user interrupted, memory runs out.
//
// Whoever tries values one by one polls. That ends in Stopped, which unwinds to Exploration::run(); what was found until
// then is kept.
#pragma once

#include <cstdint>

#include "engine/engine.h"

namespace concord::explore {

enum class Outcome { kComplete, kTimeOut, kInterrupted, kOutOfMemory, kFound };

struct Stopped {
  Outcome why = Outcome::kComplete;
};

class Patience {
 public:
  explicit Patience(const engine::Control& control) : control_(control) {}

  // Cheap enough for every evaluation of an expression.
  void poll() {
    if ((++polls_ & 0x3FFU) != 0 || waived_) return;
    check_time();
    if ((polls_ & 0x3FFFU) == 0) check_memory();
  }
  void check_time() const;
  void check_memory() const;
  // From now on poll() never stops anything: for telling the runs that lead to what was found.
  void waive() { waived_ = true; }

 private:
  const engine::Control& control_;
  std::uint64_t polls_ = 0;
  bool waived_ = false;
};

}  // namespace concord::explore
