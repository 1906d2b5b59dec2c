#include "engine/shape/instances.h"

#include <algorithm>
#include <utility>

namespace concord::engine::shape {

namespace {

constexpr int kMostTries = 20'000;

bool is_open(const Row& row, Bits universe) { return ((row.may ^ row.must) & universe) != 0; }

}  // namespace

struct Instances::Choice {
  std::size_t most;
  int tries = 0;
  std::vector<Structure> out = {};
  bool is_done() const { return out.size() >= most || tries >= kMostTries; }
};

Instances::Instances(const System& system, const Constraints& constraints) : constraints_(constraints) {
  for (std::size_t p = 0; p < system.predicates.size(); ++p) {
    const int number = static_cast<int>(p);
    if (number == system.sm || number == system.runnable || number == system.is_new || number == system.instance)
      continue;
    (system.predicates[p].definition ? derived_ : chosen_).push_back(number);
  }
}

std::vector<Structure> Instances::of(const Structure& structure, int more_individuals, std::size_t most) const {
  Choice choice{most};
  for (int more = 0; more <= more_individuals && !choice.is_done(); ++more) enlarge(structure, 0, more, choice);
  return std::move(choice.out);
}

// With exactly so many individuals more, each like one from this number on that stands for several.
void Instances::enlarge(const Structure& structure, int from, int more, Choice& choice) const {
  if (choice.is_done()) return;
  if (more == 0) {
    Structure single = structure;
    single.row(structure.layout().sm()) = {};
    return choose(std::move(single), choice);
  }
  for (int i = from; i < structure.size(); ++i) {
    if (!structure.is_summary(i) || structure.size() == Structure::kMostIndividuals) continue;
    Structure larger = structure;
    const int added = larger.duplicate(i);
    larger.set(structure.layout().sm(), added, Kleene::kFalse);  // it is not copied itself
    enlarge(larger, i, more - 1, choice);
  }
}

void Instances::choose(Structure structure, Choice& choice) const {
  if (choice.is_done()) return;
  ++choice.tries;
  if (constraints_.coerce(structure)) return;
  int predicate = -1;
  int a = 0;
  int b = 0;
  if (!find_unknown(structure, predicate, a, b)) {
    if (is_instance(structure)) choice.out.push_back(std::move(structure));
    return;
  }
  for (const Kleene value : {Kleene::kFalse, Kleene::kTrue}) {
    Structure chosen = structure;
    const int arity = structure.layout().arity(predicate);
    if (arity == 0) chosen.set(predicate, value);
    if (arity == 1) chosen.set(predicate, a, value);
    if (arity == 2) chosen.set(predicate, a, b, value);
    choose(std::move(chosen), choice);
  }
}

bool Instances::find_unknown(const Structure& structure, int& predicate, int& a, int& b) const {
  for (const int it : chosen_) {
    const int arity = structure.layout().arity(it);
    const Bits bits = arity == 0 ? 1 : structure.universe();
    for (int first = 0; first < (arity == 2 ? structure.size() : 1); ++first) {
      const Row& row = structure.row(it, first);
      if (!is_open(row, bits)) continue;
      const int last = __builtin_ctzll((row.may ^ row.must) & bits);
      predicate = it;
      a = arity == 2 ? first : last;
      b = last;
      return true;
    }
  }
  return false;
}

bool Instances::is_instance(const Structure& structure) const {
  const auto is_known = [&](int predicate) {
    const int arity = structure.layout().arity(predicate);
    for (int first = 0; first < (arity == 2 ? structure.size() : 1); ++first) {
      if (is_open(structure.row(predicate, first), arity == 0 ? 1 : structure.universe())) return false;
    }
    return true;
  };
  return structure.row(structure.layout().sm()).may == 0 && std::all_of(chosen_.begin(), chosen_.end(), is_known) &&
         std::all_of(derived_.begin(), derived_.end(), is_known);
}

}  // namespace concord::engine::shape
