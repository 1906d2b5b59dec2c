// What an earlier run found out about a whole program: that every obligation is proved, and with which invariants. The key is a
// hash of the program as it is given to the verifier, axioms and candidates included, and of the settings. Nothing else is kept: a
// proof that failed may have failed for lack of time.
#pragma once

#include <optional>
#include <string>

#include "cache/store.h"
#include "sequential/program.h"
#include "sequential/verify.h"

namespace concord::sequential {

class Remembered {
 public:
  // Does nothing without settings.solver.proofs. The settings outlive it.
  Remembered(const Program& program, const Settings& settings);
  std::optional<Verification> take() const;
  void keep(const Verification& verification) const;

 private:
  const Program& program_;
  const Settings& settings_;
  std::string key_;
};

}  // namespace concord::sequential
