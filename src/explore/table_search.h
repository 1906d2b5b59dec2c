// The search behind the explorer: every reachable state, as the referee's search, but each step is worked out once.
//
// A state is a row of numbers (parts.h), and a step of the search a few numbers copied (step_table.h). It goes level by level, in
// rounds: some blocks of states are expanded, then their successors are added to the states. Both is done in parallel, the one by
// block, the other by shard: if there are many states, the hash of a state says in which of a fixed number of sets it is kept. What has
// to be computed first is put off, and done between the two by one thread. So there are no locks, and what comes out does not depend on how many
// work on it.
//
// Reductions: rows of threads that are alike are sorted (parts.h), or their numbers exchanged (normal_form.h), dead local variables are cleared (parts.h), local steps are
// taken at once (local_steps.h), and where the steps of one thread are enough the others do not move (ample.h). What is found is told by the referee's machine (retelling.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/ample.h"
#include "explore/local_steps.h"
#include "explore/normal_form.h"
#include "explore/parts.h"
#include "explore/prelude.h"
#include "explore/retelling.h"
#include "explore/search.h"
#include "explore/state_set.h"
#include "explore/step_table.h"

namespace concord::explore {

class TableSearch : public Search {
 public:
  TableSearch(const engine::Task& task, engine::Control& control, std::int64_t thread_count,
              Defect defect = Defect::kNone);
  std::uint64_t state_count() const override;
  std::optional<std::uint64_t> state_bytes() const override;
  std::string growing_variable() const override;

 private:
  static constexpr std::uint32_t kShards =
      8;  // one at first, so that the first run to something is the same as the referee's
  static constexpr std::size_t kCacheLines = 128;  // bytes; what two cores write to stands at least so far apart
  static constexpr std::uint32_t kShardBits = 29;  // the number of a state: its shard, and where it is in there

  struct alignas(kCacheLines) Shard {
    explicit Shard(std::size_t columns) : states(columns) {}
    StateSet states;
    std::deque<std::uint32_t> parents;  // a root is its own
    std::uint32_t begin = 0;            // of the states that are not expanded yet
    std::uint32_t end = 0;              // of the level
  };
  struct Found {
    Retelling::What what = Retelling::What::kStep;
    std::uint32_t state = 0;
  };
  // Successors, by the shard that they go to.
  struct Successors {
    std::vector<Number> rows;  // one after the other
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint32_t> parents;
  };
  // Some states of a shard, and what came out of them.
  struct alignas(kCacheLines) Block {
    std::uint32_t shard = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::array<Successors, kShards> successors;
    std::vector<std::pair<std::uint32_t, Found>> found;  // by property
    std::vector<std::uint32_t> put_off;
    std::vector<std::uint32_t> ends;
    std::uint64_t transitions = 0;
    Row row, next;  // for work
  };

  void visit_all() override;
  std::map<std::string, Finding> told() override;

  void visit_from_roots();
  void begin_anew();
  Prelude::Root after_local_steps(const Prelude::Root& root);
  void split();
  bool next_level();
  std::size_t next_blocks();
  void expand(Block& block);
  bool expand(Block& block, std::uint32_t number);
  bool does_the_same(const Row& row, std::size_t column) const;
  bool take(Block& block, std::uint32_t number, std::size_t column, const StepTable::Step& step);
  bool settle(Block& block, std::uint32_t number, std::size_t column);
  bool look_for_meetings(Block& block, std::uint32_t number);
  bool look_for_races(Block& block, std::uint32_t number, std::size_t column, std::uint32_t remark);
  void add(Block& block, std::uint32_t number);
  void catch_up(Block& block);
  void look_at_end(std::uint32_t number);
  void add_final_store(const State& state);
  void insert(std::uint32_t shard, std::size_t blocks);
  void row_of(std::uint32_t number, Row& row) const;
  bool found_all_sought() const;
  std::uint64_t visited() const;

  const Defect defect_;
  Parts parts_;
  std::optional<NormalForm> normal_form_;
  LocalSteps local_steps_;
  Prelude prelude_;
  bool takes_local_steps_ = true;
  bool moves_one_alone_ = true;
  std::size_t columns_ = 0;
  bool watches_nodes_ = false;
  std::optional<StepTable> table_;
  std::optional<Ample> ample_;  // if that reduction is wanted
  std::deque<Shard> shards_;
  std::vector<Block> blocks_;
  bool may_compute_ = false;                      // what is not known yet; only while one thread works
  std::map<std::uint32_t, Prelude::Root> roots_;  // by state
  std::map<std::string, Found> found_;
  std::set<std::pair<std::size_t, std::string>> exchanged_;  // final stores, with the renamings of so many threads
};

}  // namespace concord::explore
