#include "explore/ample.h"

#include <algorithm>

namespace concord::explore {

Ample::Ample(const Machine& machine, const Parts& parts, Defect defect)
    : parts_(parts),
      defect_(defect),
      footprints_(machine, parts.are_joined(), defect),
      at_monitor_(footprints_.of_monitors()) {}

std::optional<std::size_t> Ample::column(const Row& row, StepTable& table, bool may_compute) {
  for (std::size_t column = 1; column < row.size() && row[column] != 0; ++column) {
    const Next* mine = next(row[column], may_compute);
    if (mine == nullptr) return std::nullopt;
    if (!mine->footprint) continue;
    bool meets = false;
    for (std::size_t other = 1; !meets && other < row.size() && row[other] != 0; ++other) {
      if (other == column) continue;
      const Footprint* theirs = later(row[other], row[column], row[0], may_compute);
      if (theirs == nullptr) return std::nullopt;
      meets = meet(*mine->footprint, *theirs);
    }
    if (meets) continue;
    const StepTable::Steps* steps = table.steps(row[column], row[0]);
    if (steps == nullptr && !may_compute) return std::nullopt;
    const auto all = table.of(steps != nullptr ? *steps : table.compute_steps(row, column));
    const bool is_enough =
        !all.empty() && std::all_of(all.begin(), all.end(), [&](const auto& it) { return is_plain(it, table); });
    if (is_enough) return column;
  }
  return 0;
}

bool Ample::is_plain(const StepTable::Step& step, const StepTable& table) const {
  if (step.remark == 0) return true;
  const StepTable::Remark& it = table.remark(step);
  if (defect_ == Defect::kAloneWrongly) return true;
  return it.found.empty() && it.started.empty() && !it.is_spurious && !it.ends;
}

const Ample::Next* Ample::next(Number thread, bool may_compute) {
  if (thread < next_.size() && next_[thread].is_known) return &next_[thread];
  if (!may_compute) return nullptr;
  if (thread >= next_.size()) next_.resize(thread + 1);
  next_[thread] = {true, footprints_.next(parts_.thread(thread))};
  return &next_[thread];
}

// What a thread may do before another one moves. If it waits for a monitor that the other holds: nothing.
const Footprint* Ample::later(Number thread, Number other, Number shared, bool may_compute) {
  const bool knows_threads = !parts_.are_alike();
  const Scalar* waits_for = knows_threads ? waits_for_.find(thread, shared) : nullptr;
  const std::uint32_t* held = knows_threads ? held_.find(other, shared) : nullptr;
  if (knows_threads && (waits_for == nullptr || held == nullptr)) {
    if (!may_compute) return nullptr;
    if (waits_for == nullptr) waits_for_.add(thread, shared, this->waits_for(thread, shared));
    if (held == nullptr) {
      const Locks locks = this->held(other, shared);
      const auto found = std::find(all_held_.begin(), all_held_.end(), locks);
      const auto number = static_cast<std::uint32_t>(found - all_held_.begin());
      if (found == all_held_.end()) all_held_.push_back(locks);
      held_.add(other, shared, number);
    }
    waits_for = waits_for_.find(thread, shared);
    held = held_.find(other, shared);
  }
  const bool is_held_up =
      knows_threads && *waits_for != 0 &&
      (*waits_for == parts_.self(parts_.outside(shared), other) || defect_ == Defect::kAloneBesideAny);
  if (is_held_up) return &at_monitor_;
  const std::uint32_t number = 1 + (held == nullptr ? 0 : *held);
  const Footprint* out = later_.find(thread, number);
  if (out != nullptr || !may_compute) return out;
  later_.add(thread, number, footprints_.later(parts_.thread(thread), held == nullptr ? 0 : all_held_[*held]));
  return later_.find(thread, number);
}

Locks Ample::held(Number thread, Number shared) const {
  const State& outside = parts_.outside(shared);
  return footprints_.held(outside, parts_.self(outside, thread));
}

Scalar Ample::waits_for(Number thread, Number shared) const {
  const ThreadState& it = parts_.thread(thread);
  const int slot = footprints_.wanted(it);
  if (slot < 0) return 0;
  const Scalar object = it.frames.back().locals[slot].scalar;
  const State& outside = parts_.outside(shared);
  const Scalar holder = object == 0 ? 0 : outside.store.objects[object - 1].monitor.composite->holder;
  return holder == parts_.self(outside, thread) ? 0 : holder;
}

}  // namespace concord::explore
