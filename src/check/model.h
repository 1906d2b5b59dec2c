// One run on a model of TVLA's: the answers of the shape engine, as those of any other run.
#pragma once

#include <vector>

#include "base/source.h"
#include "check/check.h"
#include "engine/shape/reach.h"
#include "engine/shape/system.h"

namespace concord::check {

CheckResult check_model(const base::SourceMap& sources, const engine::shape::System& system,
                        const std::vector<engine::shape::Given>& given, engine::shape::Join join, EngineChoice choice,
                        bool keeps_evidence, engine::Control& control);

}  // namespace concord::check
