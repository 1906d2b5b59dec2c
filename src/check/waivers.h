// What the user took out of the check: `nowarn KIND "reason";` before a statement or declaration, and `trusted
// atomic`. Both are listed in every report.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "check/check.h"
#include "plato/syntax.h"

namespace concord::check {

struct WaivedItem {
  const plato::Waiver* waiver;
  std::vector<base::SourceRange>
      ranges;  // the statement with the ghost assignments of its operation, or the declaration
};

std::vector<WaivedItem> waived_items(const plato::Program& program);
std::vector<base::SourceRange> trusted_blocks(const plato::Program& program);

// Takes the waived findings out of result.results and lists every waiver and trusted block among the assumptions.
//
// A finding whose claim is in a waived item goes to result.waived. A finding whose claim is elsewhere, but that breaks
// inside a waived item, becomes `unknown`: the engine stopped at that break, so it may well break in other places.
// What is still verified says that it depends on the waived findings: the engine did not look beyond them.
void apply_waivers(const base::SourceMap& sources, const plato::Program& program, CheckResult& result);

}  // namespace concord::check
