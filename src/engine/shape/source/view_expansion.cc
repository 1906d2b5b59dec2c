#include "engine/shape/source/view_expansion.h"

#include <algorithm>
#include <utility>

namespace concord::engine::shape::source {

void ViewExpansion::begin(const Task& task) {
  Expansion::begin(task);
  while (!alone_.empty()) {
    Kept next = std::move(alone_.back());
    alone_.pop_back();
    if (std::find(were_alone_.begin(), were_alone_.end(), next.structure) != were_alone_.end()) continue;
    were_alone_.push_back(next.structure);
    passed_.clear();
    const int thread = thread_alone(next.structure);
    next.structure.set(system_.runnable, thread, Kleene::kTrue);
    advance(next.structure, label_of(next.structure, thread), next.way);
  }
}

// A thread that runs before all others, or -1.
int ViewExpansion::thread_alone(const Structure& structure) const {
  int out = -1;
  for_each_bit(search_.views_.threads(structure), [&](int thread) {
    const Label& label = lowered_.code.labels[static_cast<std::size_t>(label_of(structure, thread))];
    if (label.is_alone) out = thread;
  });
  return out;
}

void ViewExpansion::settle(Structure& structure) const {
  if (search_.views_.others(structure) == 0) search_.views_.add_others(structure);
  search_.views_.escape(structure);
}

bool ViewExpansion::is_own(const Structure& structure, int move) const {
  const int thread = __builtin_ctzll(structure.row(system_.runnable).must);
  for (const Evaluation& it : search_.touched_[static_cast<std::size_t>(move)]) {
    if ((it.row(structure, {thread}).may & structure.row(lowered_.vocabulary->escaped()).may) != 0) return false;
  }
  return Expansion::is_own(structure, move);
}

// For each thread in it what that knows.
void ViewExpansion::keep(Structure structure, const Way& way) {
  structure.row(system_.runnable) = {};
  if (thread_alone(structure) >= 0) {
    search_.collector_.collect(structure);
    alone_.push_back({search_.blur_.apply(structure), way});
    return;
  }
  search_.views_.share(structure);
  for_each_bit(search_.views_.threads(structure), [&](int thread) {
    if (label_of(structure, thread) == lowered_.code.done) return;
    kept_.push_back({search_.blur_.apply(search_.views_.of(structure, thread)), way});
  });
}

void ViewExpansion::interfere(int state, const ViewSearch::Pattern& pattern) {
  const View& view = *search_.ready_[static_cast<std::size_t>(state)];
  const ViewSearch::Block& block = search_.blocks_[static_cast<std::size_t>(pattern.label)];
  if (!pattern.changes && !block.races_with.contains(label_of(view.structure, view.thread))) return;
  const bool is_done = search_.pairing_.pair(view, pattern.view, [&](Structure pair) {
    if (search_.control_->should_stop()) return false;
    if (!search_.constraints_.coerce(pair)) step(pair, pattern.label, false, {state, {}});
    return true;
  });
  has_too_many_choices_ = has_too_many_choices_ || (!is_done && !search_.control_->should_stop());
}

// The other thread is the one that is chosen to move.
void ViewExpansion::step(const Structure& pair, int label, bool has_changed, const Way& way) {
  for (const int e : search_.leaving_[static_cast<std::size_t>(label)]) {
    const Edge& edge = system_.edges[static_cast<std::size_t>(e)];
    Successors out = tried(e, pair);
    Way further = way;
    further.edges.push_back(e);
    for (const Successors::Alarm& it : out.alarms) {
      const Message& message =
          system_.actions[static_cast<std::size_t>(edge.action)].messages[static_cast<std::size_t>(it.message)];
      if (search_.is_race(message)) tell(message.property, it.value, further, message.text, message.range);
    }
    const bool changes = has_changed || search_.changes_[static_cast<std::size_t>(e)];
    for (Structure& it : out.after) {
      if (lowered_.code.labels[static_cast<std::size_t>(edge.to)].is_inside) {
        step(it, edge.to, changes, further);
        continue;
      }
      if (!changes) continue;
      search_.views_.escape(it);
      const Structure view = search_.views_.of(it, 0);
      check_claims(view, further, false);
      kept_.push_back({search_.blur_.apply(view), further});
    }
  }
}

}  // namespace concord::engine::shape::source
