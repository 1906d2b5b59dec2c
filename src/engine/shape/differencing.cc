#include "engine/shape/differencing.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "engine/shape/build.h"

namespace concord::engine::shape {

namespace {

// Null is false.
FormulaPtr all_of(std::vector<FormulaPtr> parts) {
  for (const FormulaPtr& it : parts) {
    if (it == nullptr) return nullptr;
  }
  return conjunction(std::move(parts));
}

FormulaPtr any_of(std::vector<FormulaPtr> parts) {
  std::erase(parts, nullptr);
  return parts.empty() ? nullptr : disjunction(std::move(parts));
}

FormulaPtr unless(const FormulaPtr& it) { return it == nullptr ? constant(Kleene::kTrue) : negation(it); }

}  // namespace

FormulaPtr substituted(const FormulaPtr& formula, const std::map<Variable, Variable>& by, int& count) {
  auto out = std::make_shared<Formula>(*formula);
  std::map<Variable, Variable> inner = by;
  const bool is_quantified = formula->kind == Formula::Kind::kExists || formula->kind == Formula::Kind::kForall;
  const std::size_t first_bound = is_quantified                              ? 0
                                  : formula->kind == Formula::Kind::kClosure ? 2
                                                                             : formula->variables.size();
  for (std::size_t i = 0; i < formula->variables.size(); ++i) {
    Variable& it = out->variables[i];
    if (i >= first_bound) {
      inner[it] = "'" + std::to_string(count++);
      it = inner[it];
    } else if (const auto found = by.find(it); found != by.end()) {
      it = found->second;
    }
  }
  for (FormulaPtr& it : out->parts) it = substituted(it, inner, count);
  return out;
}

Differencing::Differencing(const System& system, const std::vector<Update>& updates, std::size_t most)
    : system_(system), is_done_(system.predicates.size(), false), most_(most) {
  for (const Update& it : updates) add(it);
}

void Differencing::add(const Update& update) {
  const FormulaPtr held = atom(update.predicate, update.variables);
  Difference made;
  if (update.adds != nullptr || update.removes != nullptr) {
    if (update.adds != nullptr) made.plus = conjunction({update.adds, negation(held)});
    if (update.removes != nullptr) made.minus = conjunction({update.removes, held, unless(update.adds)});
  } else {
    made.plus = conjunction({update.value, negation(held)});
    made.minus = conjunction({negation(update.value), held});
  }
  known_[update.predicate] = {update.variables, made};
  is_done_[static_cast<std::size_t>(update.predicate)] = true;
}

std::vector<Update> Differencing::derived() {
  std::vector<Update> out;
  for (std::size_t p = 0; p < system_.predicates.size(); ++p) derive(static_cast<int>(p), out);
  return out;
}

// With variables that occur nowhere else: those of updates are free in what comes of a definition.
Predicate Differencing::renamed(int predicate) {
  Predicate out = system_.predicates[static_cast<std::size_t>(predicate)];
  std::map<Variable, Variable> by;
  for (Variable& it : out.variables) {
    const Variable made = "'" + std::to_string(count_++);
    by[it] = made;
    it = made;
  }
  out.definition = substituted(out.definition, by, count_);
  return out;
}

std::vector<Update> Differencing::recomputed(const std::set<int>& predicates) {
  std::vector<Update> out;
  for (const int it : predicates) recompute(it, predicates, out);
  return out;
}

void Differencing::recompute(int predicate, const std::set<int>& among, std::vector<Update>& out) {
  const auto p = static_cast<std::size_t>(predicate);
  if (is_done_[p]) return;
  is_done_[p] = true;
  const Predicate it = renamed(predicate);
  const std::function<void(const Formula&)> first = [&](const Formula& formula) {
    if (formula.kind == Formula::Kind::kAtom && among.contains(formula.predicate))
      recompute(formula.predicate, among, out);
    for (const FormulaPtr& part : formula.parts) first(*part);
  };
  first(*it.definition);
  Update update;
  update.predicate = predicate;
  update.variables = it.variables;
  update.value = recomputed(it.definition);
  add(update);
  measure(*update.value);
  out.push_back(std::move(update));
}

void Differencing::derive(int predicate, std::vector<Update>& out) {
  const auto p = static_cast<std::size_t>(predicate);
  if (is_done_[p] || !system_.predicates[p].definition) return;
  const Predicate it = renamed(predicate);
  is_done_[p] = true;
  const std::function<void(const Formula&)> first = [&](const Formula& formula) {
    if (formula.kind == Formula::Kind::kAtom) derive(formula.predicate, out);
    for (const FormulaPtr& part : formula.parts) first(*part);
  };
  first(*it.definition);
  const Difference found = difference(it.definition);
  if (found.is_none()) return;
  const FormulaPtr held = atom(predicate, it.variables);
  Update update;
  update.predicate = predicate;
  update.variables = it.variables;
  update.value = conditional(held, unless(found.minus), found.plus == nullptr ? constant(Kleene::kFalse) : found.plus);
  Difference sharp;  // with what the predicate itself knows
  if (found.plus != nullptr) sharp.plus = conjunction({found.plus, negation(held)});
  if (found.minus != nullptr) sharp.minus = conjunction({found.minus, held});
  known_[predicate] = {it.variables, sharp};
  measure(*update.value);
  out.push_back(std::move(update));
}

FormulaPtr Differencing::next(const FormulaPtr& formula, const Difference& difference) const {
  if (difference.is_none()) return formula;
  return conditional(formula, unless(difference.minus),
                     difference.plus == nullptr ? constant(Kleene::kFalse) : difference.plus);
}

// Parts that several formulas have in common count in each of them: that is how they are copied.
void Differencing::measure(const Formula& formula) {
  if (most_ == SIZE_MAX) return;
  ++size_;
  for (const FormulaPtr& it : formula.parts) {
    if (is_too_large()) return;
    measure(*it);
  }
}

FormulaPtr Differencing::put(const FormulaPtr& formula, const std::map<Variable, Variable>& by) {
  if (formula == nullptr) return nullptr;
  measure(*formula);
  return is_too_large() ? formula : substituted(formula, by, count_);
}

Differencing::Difference Differencing::difference(const FormulaPtr& formula) {
  switch (formula->kind) {
    case Formula::Kind::kValue:
    case Formula::Kind::kEqual: return {};
    case Formula::Kind::kAtom: {
      const auto found = known_.find(formula->predicate);
      if (found == known_.end()) return {};
      std::map<Variable, Variable> by;
      for (std::size_t i = 0; i < formula->variables.size(); ++i)
        by[found->second.variables[i]] = formula->variables[i];
      return {put(found->second.difference.plus, by), put(found->second.difference.minus, by)};
    }
    case Formula::Kind::kNot: {
      const Difference inner = difference(formula->parts[0]);
      return {inner.minus, inner.plus};
    }
    case Formula::Kind::kAnd: return of_parts(*formula, true);
    case Formula::Kind::kOr: return of_parts(*formula, false);
    case Formula::Kind::kExists: return of_exists(*formula);
    case Formula::Kind::kForall: {
      const Difference inner =
          of_exists(*make(Formula::Kind::kExists, formula->variables, {negation(formula->parts[0])}));
      return {inner.minus, inner.plus};
    }
    case Formula::Kind::kIf:
    case Formula::Kind::kClosure: {
      const FormulaPtr after = recomputed(formula);
      if (after == formula) return {};
      return {conjunction({after, negation(formula)}), conjunction({negation(after), formula})};
    }
  }
  return {};
}

// Of a conjunction: one part comes to hold and the others will; one ceases and the others did. Of a disjunction the other way round.
Differencing::Difference Differencing::of_parts(const Formula& formula, bool is_and) {
  std::vector<Difference> parts;
  for (const FormulaPtr& it : formula.parts) parts.push_back(difference(it));
  std::vector<FormulaPtr> plus;
  std::vector<FormulaPtr> minus;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<FormulaPtr> coming{parts[i].plus};
    std::vector<FormulaPtr> going{parts[i].minus};
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (j == i) continue;
      const FormulaPtr after = next(formula.parts[j], parts[j]);
      coming.push_back(is_and ? after : negation(formula.parts[j]));
      going.push_back(is_and ? formula.parts[j] : negation(after));
    }
    plus.push_back(all_of(coming));
    minus.push_back(all_of(going));
  }
  return {any_of(plus), any_of(minus)};
}

Differencing::Difference Differencing::of_exists(const Formula& formula) {
  const FormulaPtr& body = formula.parts[0];
  const Difference inner = difference(body);
  Difference out;
  if (inner.plus != nullptr)
    out.plus = conjunction({exists(formula.variables, inner.plus), negation(exists(formula.variables, body))});
  if (inner.minus != nullptr) {
    out.minus =
        conjunction({exists(formula.variables, inner.minus), negation(exists(formula.variables, next(body, inner)))});
  }
  return out;
}

// The formula with the new values of all that it mentions; itself if nothing changes.
FormulaPtr Differencing::recomputed(const FormulaPtr& formula) {
  if (formula->kind == Formula::Kind::kAtom) return next(formula, difference(formula));
  auto out = std::make_shared<Formula>(*formula);
  bool is_same = true;
  for (FormulaPtr& it : out->parts) {
    const FormulaPtr after = recomputed(it);
    is_same = is_same && after == it;
    it = after;
  }
  return is_same ? formula : out;
}

}  // namespace concord::engine::shape
