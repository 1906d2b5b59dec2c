#include "explore/table_search.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/parallel.h"
#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::uint32_t kStatesInBlock = 512;
constexpr std::size_t kBlocksInRound = 32;
constexpr std::size_t kFewBlocks = 8;  // for these it is not worth while to work in parallel
constexpr std::uint64_t kStatesOfOneShard = 1U << 16U;
constexpr std::size_t kMostFinalStores = 10'000;
constexpr std::size_t kAhead = 16;  // how far places are fetched in advance

bool starts_threads(const Program& program) {
  bool out = false;
  for (const Procedure& it : program.procedures) {
    for_each_stmt(*it.body, [&](const Stmt& statement) { out = out || starts_thread(statement); });
  }
  return out;
}

}  // namespace

TableSearch::TableSearch(const engine::Task& task, engine::Control& control, std::int64_t thread_count, Defect defect)
    : Search(task, control, thread_count),
      defect_(defect),
      parts_(rules_.machine(), task.settings.reductions, defect),
      local_steps_(rules_.machine(), parts_.are_joined(), defect),
      prelude_(rules_, patience_),
      takes_local_steps_(task.settings.reductions.local_steps),
      moves_one_alone_(task.settings.reductions.partial_order && !parts_.asks_who_knows()),
      watches_nodes_(!task.program->abstract_threads.empty() && defect != Defect::kSettledOnce) {
  if (parts_.may_be_renamed()) normal_form_.emplace(*task.program, parts_, defect);
}

std::uint64_t TableSearch::visited() const {
  std::uint64_t out = 0;
  for (const Shard& it : shards_) out += it.states.size();
  return out;
}

std::optional<std::uint64_t> TableSearch::state_bytes() const {
  std::uint64_t out = 0;
  for (const Shard& it : shards_) out += it.states.bytes() + it.parents.size() * sizeof(std::uint32_t);
  return out;
}

std::string TableSearch::growing_variable() const { return parts_.variable_with_most_values(); }

std::uint64_t TableSearch::state_count() const { return prelude_.states + visited(); }

void TableSearch::visit_all() {
  prelude_.run(initial_);
  std::size_t threads = 0;
  for (const Prelude::Root& it : prelude_.roots) threads = std::max(threads, it.state.threads.size());
  columns_ = 1 + threads + (starts_threads(*task_.program) ? static_cast<std::size_t>(task_.settings.max_started) : 0);
  try {
    visit_from_roots();
  } catch (const NoIdling&) {
    takes_local_steps_ = moves_one_alone_ = false;
    visit_from_roots();
  }
}

void TableSearch::begin_anew() {
  may_compute_ = false;
  table_.emplace(rules_, parts_, local_steps_, takes_local_steps_, moves_one_alone_, defect_);
  ample_.reset();
  if (moves_one_alone_) ample_.emplace(rules_.machine(), parts_, defect_);
  shards_.clear();
  shards_.emplace_back(columns_);
  roots_.clear();
  found_.clear();
  final_stores_ = prelude_.final_stores;
  transitions_ = prelude_.transitions;
  for (const Prelude::Root& it : prelude_.roots) {
    (void)table_->shared(it.state);
    Prelude::Root root = after_local_steps(it);
    Row row = parts_.row(root.state);
    row.resize(columns_, 0);
    if (normal_form_) (void)normal_form_->bring(row, true);
    const std::uint64_t hash = StateSet::hash(row.data(), columns_);
    Shard& shard = shards_.front();
    shard.states.make_room(static_cast<Number>(parts_.shared_count()), static_cast<Number>(parts_.thread_count()));
    const auto [number, is_new] = shard.states.insert(row.data(), hash);
    if (!is_new) continue;
    shard.parents.push_back(number);
    roots_.emplace(number, std::move(root));
  }
}

// Every thread takes the local steps that it begins with, as long as it has no choice.
Prelude::Root TableSearch::after_local_steps(const Prelude::Root& root) {
  Prelude::Root out = root;
  for (Scalar self = 1; takes_local_steps_ && self <= std::ssize(out.state.threads); ++self) {
    while (local_steps_.are_next(out.state.threads[self - 1])) {
      std::vector<Transition> steps = rules_.machine().steps(out.state, self);
      if (steps.size() != 1 || !local_steps_.is_plain(steps.front())) break;
      const int declaration = out.state.threads[self - 1].declaration;
      if (declaration >= 0) prelude_.moved[declaration] = true;
      out.state = std::move(steps.front().after);
      out.run.legs.push_back({self, 0});
      ++transitions_;
    }
  }
  return out;
}

void TableSearch::visit_from_roots() {
  begin_anew();
  while (next_level()) {
    while (const std::size_t count = next_blocks()) {
      const std::size_t jobs = count < kFewBlocks ? 1 : static_cast<std::size_t>(std::max(1, task_.settings.jobs));
      base::in_parallel(jobs, count, [&](std::size_t i) { expand(blocks_[i]); });
      patience_.check_time();
      patience_.check_memory();
      for (std::size_t i = 0; i < count; ++i) catch_up(blocks_[i]);
      base::in_parallel(jobs, shards_.size(), [&](std::size_t i) { insert(static_cast<std::uint32_t>(i), count); });
      if (control_.on_progress) control_.on_progress({"exploring", visited(), std::nullopt});
      if (found_all_sought()) throw Stopped{Outcome::kFound};
      if (shards_.size() == 1 && visited() > kStatesOfOneShard) split();
    }
  }
  for (std::size_t d = 0; d < moved_.size(); ++d) moved_[d] = prelude_.moved[d] || table_->moved()[d];
}

bool TableSearch::found_all_sought() const {
  return !task_.sought.empty() && std::all_of(task_.sought.begin(), task_.sought.end(), [&](const std::string& it) {
    return found_.contains(it) || prelude_.found.contains(it);
  });
}

// Into as many shards as there may be, each in the order they came.
void TableSearch::split() {
  const Shard all = std::move(shards_.front());
  shards_.clear();
  for (std::uint32_t i = 0; i < kShards; ++i) shards_.emplace_back(columns_);
  std::vector<std::uint32_t> numbers;
  Row row(columns_);
  for (std::uint32_t i = 0; i < all.states.size(); ++i) {
    all.states.get(i, row.data());
    const std::uint64_t hash = StateSet::hash(row.data(), columns_);
    const auto shard = static_cast<std::uint32_t>(hash % kShards);
    Shard& into = shards_[shard];
    into.states.make_room(static_cast<Number>(parts_.shared_count()), static_cast<Number>(parts_.thread_count()));
    numbers.push_back(shard << kShardBits | into.states.insert(row.data(), hash).first);
    into.parents.push_back(numbers[all.parents[i]]);  // which came before it
    if (i < all.begin) ++into.begin;
    if (i < all.end) ++into.end;
  }
  std::map<std::uint32_t, Prelude::Root> roots;
  for (auto& [number, root] : roots_) roots.emplace(numbers[number], std::move(root));
  roots_ = std::move(roots);
  for (auto& [id, found] : found_) found.state = numbers[found.state];
}

bool TableSearch::next_level() {
  bool out = false;
  for (Shard& it : shards_) {
    it.end = it.states.size();
    out = out || it.begin < it.end;
  }
  return out;
}

// How many blocks there are for a round; 0: the level is done.
std::size_t TableSearch::next_blocks() {
  std::size_t count = 0;
  if (blocks_.empty()) {
    blocks_.resize(kBlocksInRound);
    for (Block& it : blocks_) it.row.reserve(kCacheLines), it.next.reserve(kCacheLines);
  }
  for (std::uint32_t s = 0; s < shards_.size(); ++s) {
    Shard& shard = shards_[s];
    while (shard.begin < shard.end && count < kBlocksInRound) {
      Block& block = blocks_[count++];
      block.shard = s;
      block.begin = shard.begin;
      block.end = shard.begin = std::min(shard.end, shard.begin + kStatesInBlock);
    }
  }
  return count;
}

// ------------------------------------------------------------------------------------------------------------ expanding

void TableSearch::row_of(std::uint32_t number, Row& row) const {
  row.resize(columns_);
  shards_[number >> kShardBits].states.get(number & ((1U << kShardBits) - 1), row.data());
}

void TableSearch::expand(Block& block) {
  block.found.clear(), block.put_off.clear(), block.ends.clear();
  block.transitions = 0;
  for (Successors& it : block.successors) it.rows.clear(), it.hashes.clear(), it.parents.clear();
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    if (i % 64 == 0 && control_.should_stop()) return;  // whoever waits for us sees it too
    const std::uint32_t number = block.shard << kShardBits | i;
    if (table_->knows_all() || !expand(block, number)) block.put_off.push_back(number);
  }
}

// False: something is not known yet, and nothing was done.
bool TableSearch::expand(Block& block, std::uint32_t number) {
  std::array<std::size_t, kShards> before{};
  for (std::uint32_t s = 0; s < kShards; ++s) before[s] = block.successors[s].hashes.size();
  const std::size_t found_before = block.found.size();
  const std::uint64_t transitions_before = block.transitions;
  row_of(number, block.row);
  bool can_move = false;
  const std::optional<std::size_t> alone = ample_ ? ample_->column(block.row, *table_, may_compute_) : 0;
  bool is_known = alone.has_value() && (!rules_.checks_meetings() || look_for_meetings(block, number));
  for (std::size_t column = 1; is_known && column < columns_ && block.row[column] != 0; ++column) {
    if (*alone != 0 && column != *alone) continue;
    if (*alone == 0 && does_the_same(block.row, column)) continue;
    const StepTable::Steps* known = table_->knows_all() ? nullptr : table_->steps(block.row[column], block.row[0]);
    is_known = known != nullptr || may_compute_;
    if (!is_known) break;
    const StepTable::Steps steps = known != nullptr ? *known : table_->compute_steps(block.row, column);
    for (std::uint32_t i = 0; is_known && i < steps.count; ++i) {
      const StepTable::Step step = table_->of(steps)[i];
      can_move = can_move || step.remark == 0 || !table_->remark(step).is_spurious;
      is_known = take(block, number, column, step);
    }
  }
  if (is_known && !can_move) block.ends.push_back(number);
  if (is_known) return true;
  for (std::uint32_t s = 0; s < kShards; ++s) {
    Successors& it = block.successors[s];
    it.rows.resize(before[s] * columns_), it.hashes.resize(before[s]), it.parents.resize(before[s]);
  }
  block.found.resize(found_before);
  block.transitions = transitions_before;
  return false;
}

// As the thread in the column before: what comes out differs in the numbers of threads, if at all.
bool TableSearch::does_the_same(const Row& row, std::size_t column) const {
  if (normal_form_) return normal_form_->does_the_same(row, column);
  return parts_.are_alike() && column > 1 && row[column] == row[column - 1];
}

bool TableSearch::take(Block& block, std::uint32_t number, std::size_t column, const StepTable::Step& step) {
  Row& next = block.next;
  next = block.row;
  next[0] = step.shared;
  next[column] = step.thread;
  if (step.remark != 0) {
    const StepTable::Remark& remark = table_->remark(step);
    for (const std::uint32_t it : remark.found) block.found.push_back({it, {Retelling::What::kStep, number}});
    if (remark.ends) return true;
    std::size_t last = columns_;
    while (next[last - 1] == 0) --last;
    for (const Number started : remark.started) next[last++] = started;
  }
  ++block.transitions;
  if (watches_nodes_ && !settle(block, number, column)) return false;
  if (rules_.checks_races() && step.remark != 0 && !look_for_races(block, number, column, step.remark)) return false;
  // There may be fewer threads than columns; what is behind them stays there.
  if (parts_.are_alike()) std::sort(next.begin() + 1, std::find(next.begin() + 1, next.end(), 0U));
  if (normal_form_ && !normal_form_->bring(next, may_compute_)) return false;
  add(block, number);
  return true;
}

// The abstract threads of the others look at the new state.
bool TableSearch::settle(Block& block, std::uint32_t number, std::size_t column) {
  Row& next = block.next;
  for (std::size_t other = 1; other < columns_ && next[other] != 0; ++other) {
    if (other == column || parts_.thread(next[other]).nodes.empty()) continue;
    const StepTable::Settled* known = table_->settled(next[other], next[0]);
    if (known == nullptr) {
      if (!may_compute_) return false;
      table_->compute_settled(next[other], next[0]);
      known = table_->settled(next[other], next[0]);
    }
    for (const std::uint32_t it : known->found) block.found.push_back({it, {Retelling::What::kStep, number}});
    next[other] = known->thread;
  }
  return true;
}

// What the state says by where its threads stand.
bool TableSearch::look_for_meetings(Block& block, std::uint32_t number) {
  const Row& row = block.row;
  std::vector<Standing> standings;
  for (std::size_t column = 1; column < columns_ && row[column] != 0; ++column) {
    const Standing* known = table_->standing(row[column], row[0]);
    if (known == nullptr) {
      if (!may_compute_) return false;
      table_->compute_standing(row[column], row[0]);
      known = table_->standing(row[column], row[0]);
    }
    standings.push_back(*known);
  }
  const std::vector<Meeting> found = rules_.asked_meetings(standings);
  if (!found.empty() && !may_compute_) return false;  // their properties may have no number yet
  for (const Meeting& it : found)
    block.found.push_back({table_->number_of(rules_.breach_of(it)), {Retelling::What::kMeeting, number}});
  return true;
}

// Between the step that leads to `next` and what the others can do then.
bool TableSearch::look_for_races(Block& block, std::uint32_t number, std::size_t column, std::uint32_t remark) {
  if (table_->remark({0, 0, remark}).access.accesses.empty()) return true;
  const Row& next = block.next;
  for (std::size_t other = 1; other < columns_ && next[other] != 0; ++other) {
    if (other == column) continue;
    const StepTable::Steps* known = table_->knows_all() ? nullptr : table_->steps(next[other], next[0]);
    if (known == nullptr && !may_compute_) return false;
    const StepTable::Steps steps = known != nullptr ? *known : table_->compute_steps(next, other);
    if (steps.count == 0) continue;
    const std::vector<std::uint32_t>* races = table_->knows_all() ? nullptr : table_->races(remark, steps);
    if (races == nullptr && !may_compute_) return false;
    const std::vector<std::uint32_t> found =
        races != nullptr ? *races : table_->compute_races(remark, next[column], next[other], next[0], steps);
    for (const std::uint32_t it : found) block.found.push_back({it, {Retelling::What::kRace, number}});
  }
  return true;
}

void TableSearch::add(Block& block, std::uint32_t number) {
  const std::uint64_t hash = StateSet::hash(block.next.data(), columns_);
  Successors& out = block.successors[hash % shards_.size()];
  out.rows.insert(out.rows.end(), block.next.begin(), block.next.end());
  out.hashes.push_back(hash);
  out.parents.push_back(number);
}

// What was put off, and what is told in order.
void TableSearch::catch_up(Block& block) {
  may_compute_ = true;
  for (std::size_t i = 0; i < block.put_off.size(); ++i) {
    if (i % 64 == 0) patience_.check_time();
    const auto size = table_->size();
    expand(block, block.put_off[i]);
    if (table_->knows_all()) table_->forget_after(size);
  }
  may_compute_ = false;
  for (const auto& [property, found] : block.found) found_.emplace(table_->property(property), found);
  for (const std::uint32_t it : block.ends) look_at_end(it);
  transitions_ += block.transitions;
}

// A state in which no thread can move.
void TableSearch::look_at_end(std::uint32_t number) {
  Row row;
  row_of(number, row);
  const State state = parts_.state(row);
  const Rules::Stuck end = rules_.stuck(state);
  if (end.threads.empty()) add_final_store(state);
  for (const Breach& it : rules_.breaches_at_end(state, end)) {
    found_.emplace(rules_.id(it), Found{Retelling::What::kEnd, number});
  }
}

// With those that differ from it in the numbers of threads, if these are exchanged: as far as anybody wants to count them.
void TableSearch::add_final_store(const State& state) {
  std::vector<Store> todo{state.store};
  while (!todo.empty()) {
    patience_.check_time();
    const Store store = std::move(todo.back());
    todo.pop_back();
    std::string bytes;
    append_to(bytes, store);
    final_stores_.insert(bytes);
    if (!normal_form_ || final_stores_.size() > kMostFinalStores) continue;
    // With more threads there are more of them, of the same store.
    if (!exchanged_.emplace(state.threads.size(), std::move(bytes)).second) continue;
    for (std::size_t t = 1; t < state.threads.size(); ++t) {
      const int declaration = state.threads[t].declaration;
      if (state.threads[t - 1].declaration != declaration || !begin_alike(*task_.program, declaration)) continue;
      Renaming exchange(state.threads.size() + 1);
      std::iota(exchange.begin(), exchange.end(), Scalar{0});
      std::swap(exchange[t], exchange[t + 1]);
      todo.push_back(renamed(*task_.program, store, exchange));
    }
  }
}

void TableSearch::insert(std::uint32_t shard, std::size_t blocks) {
  Shard& into = shards_[shard];
  into.states.make_room(static_cast<Number>(parts_.shared_count()), static_cast<Number>(parts_.thread_count()));
  for (std::size_t b = 0; b < blocks; ++b) {
    const Successors& from = blocks_[b].successors[shard];
    for (std::size_t i = 0; i < from.hashes.size(); ++i) {
      if (i + kAhead < from.hashes.size()) into.states.prefetch(from.hashes[i + kAhead]);
      if (into.states.insert(&from.rows[i * columns_], from.hashes[i]).second) into.parents.push_back(from.parents[i]);
    }
  }
  CONCORD_CHECK(into.states.size() < 1U << kShardBits, "more states than can be numbered");
}

// -------------------------------------------------------------------------------------------------------------- telling

std::map<std::string, Finding> TableSearch::told() {
  std::map<std::string, Finding> out = std::move(prelude_.found);
  Retelling retelling(rules_, parts_, normal_form_ ? &*normal_form_ : nullptr, local_steps_, takes_local_steps_,
                      columns_, initial_);
  for (const auto& [id, found] : found_) {
    if (out.contains(id)) continue;
    std::vector<Row> way;
    std::uint32_t at = found.state;
    while (!roots_.contains(at)) {
      row_of(at, way.emplace_back());
      at = shards_[at >> kShardBits].parents[at & ((1U << kShardBits) - 1)];
    }
    std::reverse(way.begin(), way.end());
    out.emplace(id, retelling.tell(id, found.what, roots_.at(at), way));
  }
  return out;
}

}  // namespace concord::explore
