#include "explore/step_table.h"

#include <algorithm>
#include <unordered_set>

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

StepTable::StepTable(Rules& rules, Parts& parts, const LocalSteps& local_steps, bool takes_local_steps,
                     bool moves_one_alone, Defect defect)
    : rules_(rules),
      parts_(parts),
      local_steps_(local_steps),
      takes_local_steps_(takes_local_steps),
      moves_one_alone_(moves_one_alone),
      knows_all_(parts.asks_who_knows()),
      defect_(defect),
      moved_(rules.program().threads.size(), false) {}

std::uint32_t StepTable::number_of(const Breach& breach) {
  const std::string id = rules_.id(breach);
  const auto found = std::find(properties_.begin(), properties_.end(), id);
  if (found == properties_.end()) return properties_.push_back(id), static_cast<std::uint32_t>(properties_.size() - 1);
  return static_cast<std::uint32_t>(found - properties_.begin());
}

StepTable::Steps StepTable::compute_steps(const Row& row, std::size_t column) {
  State state = knows_all_ ? parts_.state(row) : parts_.outside(row[0]);
  const Scalar self = knows_all_ ? static_cast<Scalar>(column) : parts_.self(state, row[column]);
  if (!knows_all_) state.threads[self - 1] = parts_.thread(row[column]);
  const auto begin = static_cast<std::uint32_t>(all_.size());
  const int declaration = state.threads[self - 1].declaration;
  for (const Transition& step : rules_.checked_steps(state, self)) {
    if (declaration >= 0) moved_[declaration] = true;
    add(state, self, step);
  }
  const Steps out{begin, static_cast<std::uint32_t>(all_.size()) - begin};
  if (!knows_all_) steps_.add(row[column], row[0], out);
  return out;
}

void StepTable::add(const State& before, Scalar self, const Transition& step) {
  Remark remark;
  for (const Breach& breach : step.breaches) remark.found.push_back(number_of(breach));
  if (step.failure) {
    remark.found.push_back(number_of({step.failure->kind, step.failure->claim, step.failure->message}));
    if (const auto it = rules_.uncovered(before, self)) remark.found.push_back(number_of(*it));
  }
  remark.is_spurious = step.spurious;
  remark.ends = step.failure || step.cut;
  const bool may_race = rules_.checks_races() && !step.accesses.empty();
  if (may_race) {
    remark.access.accesses = step.accesses;
    remark.access.started = step.started;
    remark.access.joined = step.joined;
  }
  Step made;
  std::vector<ThreadState> ends;
  if (!remark.ends) {
    made.shared = shared(step.after);
    for (std::size_t t = before.threads.size(); t < step.after.threads.size(); ++t) {
      remark.started.push_back(parts_.thread(step.after.threads[t], static_cast<Scalar>(t + 1)));
    }
    ends = after_local_steps(step.after, self);
  }
  if (!remark.found.empty() || !remark.started.empty() || remark.is_spurious || remark.ends || may_race) {
    made.remark = static_cast<std::uint32_t>(remarks_.size());
    remarks_.push_back(std::move(remark));
  }
  if (ends.empty()) all_.push_back(made);  // it leads nowhere
  for (const ThreadState& it : ends) {
    made.thread = parts_.thread(it, self);
    all_.push_back(made);
  }
}

// Where idling breaks a clause, local steps have to be steps of their own.
Number StepTable::shared(const State& state) {
  const std::size_t count = parts_.shared_count();
  const Number out = parts_.shared(state);
  const bool is_new = parts_.shared_count() > count;
  const bool must_look = is_new && (takes_local_steps_ || moves_one_alone_) && defect_ != Defect::kIdlingUnchecked;
  if (must_look && !rules_.monitor().allows_idling(parts_.outside(out))) throw NoIdling{};
  return out;
}

// Where the thread may be when it has taken the local steps that come next; where it is now, if there are too many ways.
std::vector<ThreadState> StepTable::after_local_steps(const State& state, Scalar self) {
  std::vector<ThreadState> out;
  std::vector<State> todo{state};
  std::unordered_set<std::string> seen;
  while (!todo.empty()) {
    const State at = std::move(todo.back());
    todo.pop_back();
    const ThreadState& thread = at.threads[self - 1];
    if (takes_local_steps_ && local_steps_.are_next(thread)) {
      std::string bytes;
      append_to(bytes, thread);
      if (!seen.insert(std::move(bytes)).second) continue;
      if (seen.size() > LocalSteps::kMost) return {state.threads[self - 1]};
      std::vector<Transition> steps = rules_.machine().steps(at, self);
      if (!steps.empty() &&
          std::all_of(steps.begin(), steps.end(), [&](const Transition& it) { return local_steps_.is_plain(it); })) {
        for (Transition& step : steps) todo.push_back(std::move(step.after));
        continue;
      }
    }
    out.push_back(thread);
  }
  return out;
}

void StepTable::compute_settled(Number thread, Number shared) {
  State state = parts_.outside(shared);
  const Scalar self = parts_.self(state, thread);
  state.threads[self - 1] = parts_.thread(thread);
  std::vector<Breach> breaches;
  rules_.monitor().check_state(state, breaches);
  Settled out;
  for (const Breach& it : breaches) out.found.push_back(number_of(it));
  out.thread = parts_.thread(state.threads[self - 1], self);
  settled_.add(thread, shared, std::move(out));
}

void StepTable::compute_standing(Number thread, Number shared) {
  State state = parts_.outside(shared);
  const Scalar self = parts_.self(state, thread);
  state.threads[self - 1] = parts_.thread(thread);
  standings_.add(thread, shared, rules_.machine().standing(state, self));
}

std::vector<std::uint32_t> StepTable::compute_races(std::uint32_t remark, Number first, Number second, Number shared,
                                                    const Steps& next) {
  const State& between = parts_.outside(shared);
  std::vector<std::uint32_t> out;
  for (const Step& step : of(next)) {
    if (remarks_[step.remark].ends) continue;
    Transition other = remarks_[step.remark].access;
    if (other.accesses.empty()) continue;
    other.after.store = parts_.outside(step.shared).store;
    const auto found =
        rules_.race(between, parts_.self(between, first), remarks_[remark].access, parts_.self(between, second), other);
    if (found) out.push_back(number_of(*found));
  }
  if (!knows_all_) races_.add(remark, next.begin + 1, out);
  return out;
}

}  // namespace concord::explore
