#include "explore/referee.h"

#include "explore/exploration.h"
#include "explore/judge.h"

namespace concord::explore {

engine::EngineResult Referee::run(const engine::Task& task, engine::Control& control) {
  return judge(task, control, [](const engine::Task& it, engine::Control& limits, std::int64_t threads) {
    return std::make_unique<Exploration>(it, limits, threads);
  });
}

}  // namespace concord::explore
