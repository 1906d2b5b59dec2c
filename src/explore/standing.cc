#include "explore/standing.h"

#include <algorithm>

#include "explore/machine.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// The circle that the thread is in, beginning with it; empty: none.
std::vector<Scalar> circle_of(const std::vector<Standing>& threads, Scalar self) {
  std::vector<Scalar> out;
  for (Scalar at = self; at != 0 && out.size() <= threads.size(); at = threads[at - 1].waits_for) {
    if (at == self && !out.empty()) return out;
    out.push_back(at);
  }
  return {};
}

bool all_intended(const std::vector<Standing>& threads, const std::vector<Scalar>& some) {
  return std::all_of(some.begin(), some.end(), [&](Scalar it) { return threads[it - 1].is_intended; });
}

const std::string& name_of(const Stmt& region) { return std::get<Exclusive>(region.node).region; }

}  // namespace

std::vector<Meeting> meetings(const std::vector<Standing>& threads) {
  std::vector<Meeting> out;
  for (Scalar self = 1; self <= std::ssize(threads); ++self) {
    const Standing& mine = threads[self - 1];
    std::vector<Scalar> circle = circle_of(threads, self);
    const bool is_first = !circle.empty() && *std::min_element(circle.begin(), circle.end()) == self;
    if (is_first && !all_intended(threads, circle))
      out.push_back({diag::Kind::kCyclicDeadlock, nullptr, nullptr, std::move(circle)});
    const Scalar holder = mine.is_for_lock ? mine.waits_for : 0;
    if (holder != 0 && threads[holder - 1].is_in_wait_set && !all_intended(threads, {self, holder}))
      out.push_back({diag::Kind::kNestedMonitor, nullptr, nullptr, {holder, self}});
    for (Scalar other = 1; other <= std::ssize(threads); ++other) {
      if (other == self) continue;
      for (const Stmt* region : mine.regions) {
        for (const Stmt* theirs : threads[other - 1].regions) {
          if (name_of(*region) == name_of(*theirs))
            out.push_back({diag::Kind::kMutualExclusion, region, theirs, {self, other}});
        }
      }
    }
  }
  return out;
}

// Who has a choice waits for nobody, and so does who waits inside `atomic`.
Standing Machine::standing(const State& state, Scalar self) {
  Standing out;
  const ThreadState& thread = state.threads[self - 1];
  if (thread.finished || !state.is_initialised) return out;
  for (const Frame& frame : thread.frames) {
    const std::vector<const Stmt*>& regions = flows_[frame.procedure].nodes[frame.node].regions;
    out.regions.insert(out.regions.end(), regions.begin(), regions.end());
  }
  const std::vector<Choice> all = choices(thread.frames.back());
  const bool has_one = !all.empty() && std::all_of(all.begin(), all.end(),
                                                   [&](const Choice& it) { return it.edge == all.front().edge; });
  const Stmt* statement = has_one ? all.front().edge->operation.statement : nullptr;
  if (statement == nullptr) return out;
  const Operation::Kind kind = all.front().edge->operation.kind;
  out.is_intended = statement->may_block;
  try {
    const Scene where = scene(state, self);
    if (kind == Operation::Kind::kWaitAcquire) {
      const Value monitor = read_lock(state, thread.waiting);
      out.is_in_wait_set = monitor.composite->elements.contains(self);
      if (!out.is_in_wait_set) out.waits_for = monitor.composite->holder;
      out.is_for_lock = true;
    } else if (const auto* acquire = std::get_if<Acquire>(&statement->node)) {
      const Lock lock = Evaluator(where).lock(*acquire->lock);
      const Value value = read_lock(state, lock);
      const Scalar holder = lock.is_monitor ? value.composite->holder : value.scalar;
      out.waits_for = lock.is_monitor && holder == self ? 0 : holder;
      out.is_for_lock = true;
    } else if (const auto* join = std::get_if<Join>(&statement->node)) {
      const Scalar joined = Evaluator(where).scalar(*join->thread);
      if (joined != 0 && !state.threads[joined - 1].finished) out.waits_for = joined;
    }
  } catch (const Failure&) {  // it goes wrong there
  } catch (const Limit& limit) { bounds_.insert(limit.reason); }
  return out;
}

}  // namespace concord::explore
