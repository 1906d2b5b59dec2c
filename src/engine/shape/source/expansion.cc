#include "engine/shape/source/expansion.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace concord::engine::shape::source {

Expansion::Expansion(const Search& search)
    : search_(search), lowered_(search.lowered_), system_(search.system_), is_told_(search.is_told_) {}

void Expansion::begin(const Task& task) {
  for (const Structure& it : initial_structures(lowered_, task, search_.layout_)) {
    const Way start;
    const bool is_alone = task.program->initialiser >= 0;
    if (!is_alone) check_claims(it, start, false);
    check_claims(it, start, true);
    Structure begun = it;
    begun.row(lowered_.vocabulary->fresh()) = {};
    settle(begun);
    CONCORD_CHECK(!search_.constraints_.coerce(begun), "the program begins in a configuration that there is not");
    keep(std::move(begun), start);
  }
}

int Expansion::label_of(const Structure& structure, int thread) const {
  for (std::size_t l = 0; l < system_.at.size(); ++l) {
    if (structure.get(system_.at[l], thread) == Kleene::kTrue) return static_cast<int>(l);
  }
  base::internal_error(__FILE__, __LINE__, "a thread that is nowhere");
}

void Expansion::expand(int state) {
  Structure structure = search_.states_[static_cast<std::size_t>(state)].structure;
  if (search_.constraints_.coerce(structure)) return;  // it represents nothing
  std::vector<std::pair<int, int>> movers;             // thread and label
  bool is_alone = false;
  for_each_bit(structure.row(system_.is_thread).may, [&](int thread) {
    const int label = label_of(structure, thread);
    if (label == lowered_.code.done) return;
    const bool alone = lowered_.stops[static_cast<std::size_t>(label)] == Stop::kItself ||
                       lowered_.code.labels[static_cast<std::size_t>(label)].is_inside ||
                       lowered_.code.labels[static_cast<std::size_t>(label)].is_alone;
    if (alone && !is_alone) movers.clear();
    if (alone || !is_alone) movers.emplace_back(thread, label);
    is_alone = is_alone || alone;
  });
  for (const auto& [thread, label] : movers) schedule(structure, thread, state);
}

void Expansion::schedule(const Structure& structure, int thread, int state) {
  passed_.clear();
  const int label = label_of(structure, thread);
  const auto go = [&](Structure with, int one) {
    Changed changed(system_.predicates.size(), false);
    if (with.is_summary(one)) {
      with.set(system_.sm, one, Kleene::kFalse);
      changed[static_cast<std::size_t>(system_.sm)] = true;
    }
    with.row(system_.runnable) = {};
    with.set(system_.runnable, one, Kleene::kTrue);
    if (changed[static_cast<std::size_t>(system_.sm)] && search_.constraints_.coerce(with, changed)) return;
    advance(with, label, {state, {}});
  };
  go(structure, thread);
  if (!structure.is_summary(thread) || system_.defect == Defect::kSummaryMovesWhole) return;
  Structure parted = structure;
  const int one = parted.duplicate(thread);
  go(std::move(parted), one);
}

void Expansion::tell(int property, Kleene value, const Way& way, const std::string& text, base::SourceRange at) {
  if (property >= 0) {
    if (is_told_[static_cast<std::size_t>(property)]) return;
    is_told_[static_cast<std::size_t>(property)] = true;
  }
  alarms_.push_back({property, value, way.state, way.edges, text, at});
}

Successors Expansion::tried(int edge, const Structure& structure) {
  Successors out = search_.steps_[static_cast<std::size_t>(edge)].apply(structure);
  work_ += search_.layout_.rows(structure.size());
  for (const Structure& it : out.after) work_ += search_.layout_.rows(it.size());
  return out;
}

void Expansion::advance(const Structure& structure, int label, const Way& way) {
  if (search_.control_->should_stop()) return;
  bool is_open = false;  // the thread may go wrong here, or be stuck
  const int thread = __builtin_ctzll(structure.row(system_.runnable).must);
  for (const int e : search_.leaving_[static_cast<std::size_t>(label)]) {
    const Edge& edge = system_.edges[static_cast<std::size_t>(e)];
    const Action& action = system_.actions[static_cast<std::size_t>(edge.action)];
    Successors out = tried(e, structure);
    // What breaks a constraint represents nothing; but a real configuration has a real successor.
    CONCORD_CHECK(out.breaches.empty() || !structure.is_definite(),
                  "a step breaks a constraint: " + action.title + ": " +
                      search_.constraints_.name(out.breaches.front().constraint));
    Way further = way;
    further.edges.push_back(e);
    for (const Successors::Alarm& it : out.alarms) {
      const Message& message = action.messages[static_cast<std::size_t>(it.message)];
      is_open = true;
      tell(message.property, it.value, further, message.text, message.range);
    }
    const std::optional<Evaluation>& enabled = search_.enabled_[static_cast<std::size_t>(e)];
    is_open = is_open || (enabled && enabled->value(structure, {thread}) != Kleene::kTrue);
    for (Structure& it : out.after) {
      settle(it);
      arrive(std::move(it), edge.to, further);
    }
  }
  // A run that may end here goes on for the others, in whatever order.
  const bool is_between = !way.edges.empty() && !lowered_.code.labels[static_cast<std::size_t>(label)].is_inside;
  if (!is_open || !is_between) return;
  check_claims(structure, way, false);
  keep(structure, way);
}

// The thread has been at this label since it was chosen.
bool Expansion::has_passed(int label, const Way& way) const {
  return std::any_of(way.edges.begin(), way.edges.end(),
                     [&](int e) { return system_.edges[static_cast<std::size_t>(e)].from == label; });
}

// Ways that part and meet again with nothing changed are followed once.
bool Expansion::is_new_on_the_way(const Structure& structure, int label) {
  std::vector<std::pair<int, Structure>>& same = passed_[structure.hash() + static_cast<std::uint64_t>(label)];
  for (const auto& [there, known] : same) {
    if (there == label && known == structure) return false;
  }
  same.emplace_back(label, structure);
  return true;
}

bool Expansion::is_own(const Structure& structure, int move) const {
  const int thread = __builtin_ctzll(structure.row(system_.runnable).must);
  Bits touched = 0;
  for (const Evaluation& it : search_.touched_[static_cast<std::size_t>(move)])
    touched |= it.row(structure, {thread}).may;
  touched &= structure.universe();
  if (touched == 0) return true;
  if ((touched & structure.row(system_.sm).may) != 0) return false;
  for (const int it : lowered_.watched) {
    if ((touched & structure.row(it).may) != 0) return false;
  }
  if (lowered_.vocabulary->has_hidden_references()) return false;
  for (const Reference& it : lowered_.vocabulary->references()) {
    for (int a = 0; a < (it.arity == 2 ? structure.size() : 1); ++a) {
      const bool is_its_own = it.arity == 2 && a == thread;
      if (!is_its_own && (structure.row(it.relation, a).may & touched) != 0) return false;
    }
  }
  return true;
}

bool Expansion::step_alone(const Structure& structure, int label, const Way& way, std::vector<Arrival>& out) {
  for (const int e : search_.leaving_[static_cast<std::size_t>(label)]) {
    const Edge& edge = system_.edges[static_cast<std::size_t>(e)];
    if (!is_own(structure, lowered_.moves[static_cast<std::size_t>(e)])) return false;
    Successors after = tried(e, structure);
    if (!after.alarms.empty() || search_.enabled_[static_cast<std::size_t>(e)]) return false;
    Way further = way;
    further.edges.push_back(e);
    for (Structure& it : after.after) {
      settle(it);
      const Label& at = lowered_.code.labels[static_cast<std::size_t>(edge.to)];
      if (!at.is_inside) {
        out.push_back({std::move(it), edge.to, further});
      } else if (at.is_loop || !step_alone(it, edge.to, further, out)) {
        return false;
      }
    }
  }
  return true;
}

void Expansion::arrive(Structure structure, int label, const Way& way) {
  const Label& at = lowered_.code.labels[static_cast<std::size_t>(label)];
  const bool is_between_steps = !at.is_inside && !at.is_alone;
  if (is_between_steps && structure.row(lowered_.vocabulary->fresh()).may != 0) check_claims(structure, way, true);
  if (!at.is_inside) structure.row(lowered_.vocabulary->fresh()) = {};
  const Stop stop = lowered_.stops[static_cast<std::size_t>(label)];
  // Nobody goes on for ever without the others.
  const bool is_round = (at.is_loop && has_passed(label, way)) || way.edges.size() >= kLongestWay;
  if (stop == Stop::kNever && !is_round) {
    if (is_new_on_the_way(structure, label)) advance(structure, label, way);
    return;
  }
  if (stop == Stop::kPerhaps && !is_round) {
    std::vector<Arrival> arrivals;
    if (step_alone(structure, label, way, arrivals)) {
      for (Arrival& it : arrivals) arrive(std::move(it.structure), it.label, it.way);
      return;
    }
  }
  if (is_between_steps) check_claims(structure, way, false);
  if (is_between_steps && !is_round && go_on_elsewhere(structure, way)) return;
  keep(std::move(structure), way);
}

// A thread that was started goes at once to where it concerns others.
bool Expansion::go_on_elsewhere(const Structure& structure, const Way& way) {
  for (std::size_t l = 0; l < system_.at.size(); ++l) {
    const Row& there = structure.row(system_.at[l]);
    if (there.may == 0 || lowered_.stops[l] != Stop::kNever || lowered_.code.labels[l].is_alone) continue;
    const int thread = __builtin_ctzll(there.may);
    if (structure.is_summary(thread) || !search_.is_entry_[l]) continue;
    Structure next = structure;
    next.row(system_.runnable) = {};
    next.set(system_.runnable, thread, Kleene::kTrue);
    advance(next, static_cast<int>(l), way);
    return true;
  }
  return false;
}

void Expansion::check_claims(const Structure& structure, const Way& way, bool is_at_start) {
  for (std::size_t c = 0; c < search_.claims_.size(); ++c) {
    const Claim& it = lowered_.claims[c];
    if (it.is_at_start != is_at_start || is_told_[static_cast<std::size_t>(it.property)]) continue;
    const Kleene value = search_.claims_[c].value(structure);
    if (value != Kleene::kFalse) tell(it.property, value, way, "", {});
  }
}

void Expansion::keep(Structure structure, const Way& way) {
  structure.row(system_.runnable) = {};
  search_.collector_.collect(structure);
  kept_.push_back({search_.blur_.apply(structure), way});
}

}  // namespace concord::engine::shape::source
