// Whether a system ever raises one of its messages, from the structures it is given: TVLA's question.
//
// Updates are taken as they are written. What breaks a constraint after an update is not dropped but told, since then the update is
// wrong, or the constraint.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "engine/engine.h"
#include "engine/shape/reach.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

// `keeps_evidence`: as in Settings.
EngineResult check_model(const base::SourceMap& sources, const System& system, const std::vector<Given>& given,
                         Join join, bool keeps_evidence, Control& control);

// Every structure that is reached, as drawings one after the other; with what stopped that, if something did.
struct Drawings {
  std::string text;
  std::string why_not;
};
Drawings draw_model(const System& system, const std::vector<Given>& given, Join join, Control& control);

}  // namespace concord::engine::shape
