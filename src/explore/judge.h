// From what a search saw to verdicts.
#pragma once

#include <functional>
#include <memory>

#include "explore/search.h"

namespace concord::explore {

// The number is the value of symbolic and unbounded thread counts.
using MakeSearch =
    std::function<std::unique_ptr<Search>(const engine::Task& task, engine::Control& control, std::int64_t threads)>;

engine::EngineResult judge(const engine::Task& task, engine::Control& control, const MakeSearch& make);

}  // namespace concord::explore
