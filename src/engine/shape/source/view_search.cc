#include "engine/shape/source/view_search.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "engine/shape/source/view_expansion.h"

namespace concord::engine::shape::source {

ViewSearch::ViewSearch(const Lowered& lowered, const Task& task, std::size_t most)
    : Search(lowered, Join::kPartial, most, most), views_(lowered, collector_), pairing_(lowered, views_) {
  is_race_.reserve(task.properties.size());
  for (const Property& it : task.properties) is_race_.push_back(it.kind == diag::Kind::kRace);
  for (std::size_t e = 0; e < system_.edges.size(); ++e) {
    const Concern& concern = lowered_.concerns[static_cast<std::size_t>(lowered_.moves[e])];
    const Action& action = system_.actions[static_cast<std::size_t>(system_.edges[e].action)];
    const bool is_visible = concern.is_shared || !concern.touched.empty();
    changes_.push_back(is_visible && std::any_of(action.updates.begin(), action.updates.end(), [&](const Update& it) {
                         return !pairing_.is_about_thread(it.predicate);
                       }));
  }
  for (std::size_t l = 0; l < system_.labels.size(); ++l) blocks_.push_back(block_of(static_cast<int>(l)));
}

ViewSearch::Block ViewSearch::block_of(int label) const {
  Block out;
  std::set<int> labels;
  std::vector<int> todo{label};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    if (!labels.insert(at).second) continue;
    for (const int e : leaving_[static_cast<std::size_t>(at)]) {
      out.edges.push_back(e);
      const Edge& edge = system_.edges[static_cast<std::size_t>(e)];
      if (lowered_.code.labels[static_cast<std::size_t>(edge.to)].is_inside) todo.push_back(edge.to);
    }
  }
  std::map<int, int> label_by_predicate;
  for (std::size_t l = 0; l < system_.at.size(); ++l) label_by_predicate[system_.at[l]] = static_cast<int>(l);
  for (const int e : out.edges) {
    const int move = lowered_.moves[static_cast<std::size_t>(e)];
    const LocalUse use = local_use(lowered_.vocabulary->program(), lowered_.code.moves[static_cast<std::size_t>(move)]);
    out.looked_at.insert(use.looked_at.begin(), use.looked_at.end());
    const Action& action = system_.actions[static_cast<std::size_t>(system_.edges[static_cast<std::size_t>(e)].action)];
    out.changes = out.changes || changes_[static_cast<std::size_t>(e)];
    for (const Message& it : action.messages) {
      if (!is_race(it)) continue;
      const Evaluation condition(it.condition, free_variables(*it.condition));
      for (const int predicate : condition.predicates()) {
        if (const auto found = label_by_predicate.find(predicate); found != label_by_predicate.end())
          out.races_with.insert(found->second);
      }
    }
  }
  return out;
}

void ViewSearch::begin(const Task& task) {
  ViewExpansion first(*this);
  first.begin(task);
  take(first);
}

std::uint64_t ViewSearch::expand(const std::vector<int>& states, std::size_t jobs) {
  ready_.resize(states_.size());
  for (const int it : states)
    ready_[static_cast<std::size_t>(it)] = pairing_.ready(states_[static_cast<std::size_t>(it)].structure);
  std::uint64_t work = 0;
  const auto run = [&](std::vector<ViewExpansion>& all, const std::function<void(std::size_t)>& each) {
    base::in_parallel(jobs, all.size(), each);
    for (ViewExpansion& it : all) {
      take(it);
      work += it.work();
      has_too_many_choices_ = has_too_many_choices_ || it.has_too_many_choices();
    }
  };
  const std::size_t old = patterns_.size();
  std::vector<ViewExpansion> all(states.size(), ViewExpansion(*this));
  run(all, [&](std::size_t i) {
    all[i].expand(states[i]);
    for (std::size_t p = 0; p < old; ++p) {
      if (patterns_[p].is_current) all[i].interfere(states[i], patterns_[p]);
    }
  });
  expanded_.insert(expanded_.end(), states.begin(), states.end());
  for (const int it : states) add_pattern(it);
  if (patterns_.size() == old) return work;
  std::erase_if(expanded_, [&](int it) { return !states_[static_cast<std::size_t>(it)].is_current; });
  std::vector<ViewExpansion> met(expanded_.size(), ViewExpansion(*this));
  run(met, [&](std::size_t i) {
    for (std::size_t p = old; p < patterns_.size(); ++p) {
      if (patterns_[p].is_current) met[i].interfere(expanded_[i], patterns_[p]);
    }
  });
  return work;
}

// What the view's thread is about to do, if that is anything to others.
void ViewSearch::add_pattern(int state) {
  const View& view = *ready_[static_cast<std::size_t>(state)];
  int label = -1;
  for (std::size_t l = 0; l < system_.at.size(); ++l) {
    if (view.structure.get(system_.at[l], view.thread) == Kleene::kTrue) label = static_cast<int>(l);
  }
  const Block& block = blocks_[static_cast<std::size_t>(label)];
  if (!block.changes && block.races_with.empty()) return;
  Structure next = blur_.apply(views_.without_locals(view.structure, view.thread, block.looked_at));
  std::string names;
  for (const Kleene it : blur_.names(next)) names += static_cast<char>('0' + static_cast<int>(it));
  const auto [found, is_new] = pattern_by_names_.emplace(std::pair(label, names), static_cast<int>(patterns_.size()));
  if (!is_new) {
    Pattern& old = patterns_[static_cast<std::size_t>(found->second)];
    next = joined(old.view.structure, next);
    if (next == old.view.structure) return;
    old.is_current = false;
    found->second = static_cast<int>(patterns_.size());
  }
  Structure moving = next;
  moving.row(system_.runnable) = moving.row(system_.is_thread);
  const bool changes = block.changes && !constraints_.coerce(moving) && may_change(moving, label);
  patterns_.push_back({pairing_.ready(next), label, changes, true});
}

// The step from this label, or what follows in it, of the thread that moves.
bool ViewSearch::may_change(const Structure& moving, int label) const {
  return std::any_of(
      leaving_[static_cast<std::size_t>(label)].begin(), leaving_[static_cast<std::size_t>(label)].end(), [&](int e) {
        const Successors out = steps_[static_cast<std::size_t>(e)].apply(moving);
        if (out.after.empty()) return false;
        if (changes_[static_cast<std::size_t>(e)]) return true;
        const int to = system_.edges[static_cast<std::size_t>(e)].to;
        return lowered_.code.labels[static_cast<std::size_t>(to)].is_inside &&
               std::any_of(out.after.begin(), out.after.end(), [&](const Structure& it) { return may_change(it, to); });
      });
}

}  // namespace concord::engine::shape::source
