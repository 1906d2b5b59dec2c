// Proves the assertions of a sequential program, or says which may fail and with which values.
//
// First the candidates among the loop invariants are thinned out (Houdini: as long as one cannot be proved from those that
// are left, it goes), then every obligation is checked, in the order of the program and in one solver, so that what was
// learnt on the way to one point helps at the next. A point that every run to the rest of the program passes is taken as
// reached, once and for all, as soon as the rest is all that is left: so the solver need not go over the way to it again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sequential/program.h"
#include "sequential/watched.h"

namespace concord::sequential {

struct Outcome {
  enum class Status { kProved, kFailed, kUnknown };
  Status status = Status::kProved;
  std::string reason;         // kUnknown
  std::vector<int> premises;  // kProved, after doubt(): tags of the doubtful assumptions that every proof found needs
  std::vector<std::string>
      values;  // kFailed: of the terms to be shown, in the first counterexample (or candidate for one)
  double time_ms = 0;
};

struct Verification {
  std::vector<Outcome> obligations;    // by tag
  std::vector<bool> unreachable;       // by tag of the probe: proved that no run comes there
  std::vector<std::vector<int>> kept;  // by block: which candidates, by index, turned out to be invariants
  int checks = 0;
  int remembered = 0;         // obligations that an earlier run has proved
  bool is_cut_short = false;  // whether some point can be reached is not known, for lack of time
};

Verification verify(formula::Pool& pool, const Program& program, const Settings& settings);

// Some assumptions (by tag) turned out to be doubtful: proves again what was proved, without them, and says of the rest on
// which of them it rests. May be called again with more of them.
void doubt(formula::Pool& pool, const Program& program, const Settings& settings, const std::vector<bool>& doubtful,
           Verification& verification);

}  // namespace concord::sequential
