#include "engine/shape/focus.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "engine/shape/normal.h"

namespace concord::engine::shape {

Focus::Focus(const System& system, const FormulaPtr& formula) : system_(system) {
  for (const auto& it : literals_by_disjunct(formula)) add_disjunct(it);
}

void Focus::add_disjunct(const std::vector<FormulaPtr>& literals) {
  const auto predicate = [&](int number) -> const Predicate& {
    return system_.predicates[static_cast<std::size_t>(number)];
  };
  std::vector<const Formula*> atoms;
  for (const FormulaPtr& it : literals) {
    const Formula& basic = it->kind == Formula::Kind::kNot ? *it->parts.front() : *it;
    if (basic.kind == Formula::Kind::kAtom) atoms.push_back(&basic);
  }
  const auto rank = [&](const Formula* it) {
    return predicate(it->predicate).arity == 0   ? 0
           : predicate(it->predicate).arity == 2 ? 3
           : predicate(it->predicate).is_unique  ? 1
                                                 : 2;
  };
  std::stable_sort(atoms.begin(), atoms.end(), [&](const Formula* a, const Formula* b) { return rank(a) < rank(b); });
  std::map<Variable, Way> ways;
  for (const Formula* it : atoms) {
    if (rank(it) == 3) continue;
    steps_.push_back({it->predicate, true, {}});
    if (rank(it) == 1) ways.emplace(it->variables.front(), Way{it->predicate, {}});
  }
  std::erase_if(atoms, [&](const Formula* it) { return rank(it) != 3; });
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const Formula*& it : atoms) {
      if (it == nullptr) continue;
      const bool is_forward = ways.contains(it->variables[0]);
      if (!is_forward && !ways.contains(it->variables[1])) continue;
      const Way way = ways.at(it->variables[is_forward ? 0 : 1]);
      steps_.push_back({it->predicate, is_forward, way});
      if (is_function(it->predicate, is_forward)) {
        Way further = way;
        further.along.emplace_back(it->predicate, is_forward);
        ways.emplace(it->variables[is_forward ? 1 : 0], std::move(further));
      }
      it = nullptr;
      goes_on = true;
    }
  }
}

bool Focus::is_function(int predicate, bool is_forward) const {
  const Predicate& it = system_.predicates[static_cast<std::size_t>(predicate)];
  return is_forward ? it.is_function : it.is_inverse_function;
}

// -1: there is none, or several.
int Focus::individual(const Way& way, const Structure& structure) {
  const auto only = [&](const auto& holds) {
    int out = -1;
    for (int i = 0; i < structure.size(); ++i) {
      if (holds(i) != Kleene::kTrue || structure.is_summary(i)) continue;
      if (out >= 0) return -1;
      out = i;
    }
    return out;
  };
  int at = only([&](int i) { return structure.get(way.unique, i); });
  for (const auto& [predicate, is_forward] : way.along) {
    if (at < 0) return -1;
    const int from = at;
    at = only([&, relation = predicate, forward = is_forward](int i) {
      return forward ? structure.get(relation, from, i) : structure.get(relation, i, from);
    });
  }
  return at;
}

std::vector<Structure> Focus::apply(const Structure& structure) const {
  std::vector<Structure> out{structure};
  for (const Step& step : steps_) {
    std::vector<Structure> next;
    for (const Structure& it : out) split(step, it, next);
    out = std::move(next);
  }
  return out;
}

void Focus::split(const Step& step, const Structure& structure, std::vector<Structure>& out) const {
  const Predicate& predicate = system_.predicates[static_cast<std::size_t>(step.predicate)];
  if (predicate.arity == 2) return split_relation(step, structure, out);
  if (predicate.arity == 1 && predicate.is_unique) return split_unique(step.predicate, structure, out);
  if (predicate.arity == 1) return split_property(step.predicate, structure, out);
  if (structure.get(step.predicate) != Kleene::kUnknown) return out.push_back(structure);
  for (const Kleene value : {Kleene::kFalse, Kleene::kTrue}) {
    out.push_back(structure);
    out.back().set(step.predicate, value);
  }
}

namespace {

std::vector<int> unknown_in(const Row& row, int size) {
  std::vector<int> out;
  for (int i = 0; i < size; ++i) {
    if (at(row, i) == Kleene::kUnknown) out.push_back(i);
  }
  return out;
}

// Calls visit(structure, individual): with this one as it is if it is one, else as one, and as one beside the rest.
void for_single(const Structure& structure, int individual, Defect defect,
                const std::function<void(Structure, int one)>& visit) {
  Structure one = structure;
  one.set(structure.layout().sm(), individual, Kleene::kFalse);
  visit(std::move(one), individual);
  if (!structure.is_summary(individual) || defect == Defect::kFocusLosesCase) return;
  Structure split = structure;
  const int added = split.duplicate(individual);
  split.set(structure.layout().sm(), added, Kleene::kFalse);
  visit(std::move(split), added);
}

}  // namespace

// One individual after the other: it holds of all that this stands for, of none, or of some.
void Focus::split_property(int predicate, const Structure& structure, std::vector<Structure>& out) const {
  const std::vector<int> open = unknown_in(structure.row(predicate), structure.size());
  if (open.empty()) return out.push_back(structure);
  for (const Kleene value : {Kleene::kFalse, Kleene::kTrue}) {
    Structure whole = structure;
    whole.set(predicate, open.front(), value);
    split_property(predicate, whole, out);
  }
  if (!structure.is_summary(open.front())) return;
  Structure parted = structure;
  const int added = parted.duplicate(open.front());
  parted.set(predicate, added, Kleene::kTrue);
  parted.set(predicate, open.front(), Kleene::kFalse);
  split_property(predicate, parted, out);
}

// Of nobody, or of one of those of whom it may hold.
void Focus::split_unique(int predicate, const Structure& structure, std::vector<Structure>& out) const {
  const std::vector<int> open = unknown_in(structure.row(predicate), structure.size());
  if (open.empty()) return out.push_back(structure);
  Structure nobody = structure;
  nobody.row(predicate).may = nobody.row(predicate).must;
  for (const int candidate : open) {
    for_single(nobody, candidate, system_.defect, [&](Structure chosen, int one) {
      chosen.set(predicate, one, Kleene::kTrue);
      out.push_back(std::move(chosen));
    });
  }
  out.push_back(std::move(nobody));
}

// From, or to, the individual that is known.
void Focus::split_relation(const Step& step, const Structure& structure, std::vector<Structure>& out) const {
  const int known = individual(step.way, structure);
  if (known < 0) return out.push_back(structure);
  const auto value = [&](const Structure& in, int other) {
    return step.is_forward ? in.get(step.predicate, known, other) : in.get(step.predicate, other, known);
  };
  const auto set = [&](Structure& in, int other, Kleene to) {
    step.is_forward ? in.set(step.predicate, known, other, to) : in.set(step.predicate, other, known, to);
  };
  std::vector<int> open;
  for (int other = 0; other < structure.size(); ++other) {
    if (value(structure, other) == Kleene::kUnknown) open.push_back(other);
  }
  if (open.empty()) return out.push_back(structure);
  if (is_function(step.predicate, step.is_forward)) {
    Structure none = structure;
    for (const int other : open) set(none, other, Kleene::kFalse);
    for (const int other : open) {
      for_single(none, other, system_.defect, [&](Structure chosen, int one) {
        set(chosen, one, Kleene::kTrue);
        out.push_back(std::move(chosen));
      });
    }
    return out.push_back(std::move(none));
  }
  for (const Kleene to : {Kleene::kFalse, Kleene::kTrue}) {
    Structure whole = structure;
    set(whole, open.front(), to);
    split_relation(step, whole, out);
  }
  if (!structure.is_summary(open.front())) return;
  Structure parted = structure;
  const int added = parted.duplicate(open.front());
  set(parted, added, Kleene::kTrue);
  set(parted, open.front(), Kleene::kFalse);
  split_relation(step, parted, out);
}

}  // namespace concord::engine::shape
