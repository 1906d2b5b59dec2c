#include "explore/explorer.h"

#include "explore/judge.h"
#include "explore/table_search.h"

namespace concord::explore {

engine::EngineResult Explorer::run(const engine::Task& task, engine::Control& control) {
  return judge(task, control, [](const engine::Task& it, engine::Control& limits, std::int64_t threads) {
    return std::make_unique<TableSearch>(it, limits, threads);
  });
}

}  // namespace concord::explore
