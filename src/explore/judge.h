// From what a search saw to verdicts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "explore/search.h"

namespace concord::explore {

// The number is the value of symbolic and unbounded thread counts.
using MakeSearch =
    std::function<std::unique_ptr<Search>(const engine::Task& task, engine::Control& control, std::int64_t threads)>;

// The number of threads that exploration chooses; nothing: the program says how many there are, or the user does.
std::optional<std::int64_t> chosen_threads(const engine::Task& task, const engine::Control& control);
engine::EngineResult judge(const engine::Task& task, engine::Control& control, const MakeSearch& make);

}  // namespace concord::explore
