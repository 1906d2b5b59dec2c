// Well-formedness: types, scopes, modules, two-state style, frames, and what may stand where. Resolves every name in place
// (the fields of syntax.h marked "resolved:"). A program that passes needs no further checks by any engine.
#pragma once

#include "base/source.h"
#include "diag/diagnostic.h"
#include "plato/syntax.h"

namespace concord::plato {

void check_well_formed(const base::SourceMap& sources, Program& program, diag::Sink& sink);

}  // namespace concord::plato
