#include "smt/uses.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "smt/postorder.h"

namespace concord::smt {

using formula::Op;
using formula::Term;

std::vector<Term> Uses::add(Term term, const std::function<bool(Term)>& is_named) {
  std::vector<Term> repeated;
  std::vector<Term> open;
  const auto use = [&](Term part) {
    if (is_atom(part) || is_named(part)) return;
    if (++count_[part] == 2) repeated.push_back(part);
    if (seen_.insert(part).second) open.push_back(part);
  };
  use(term);
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    for (Term it : top->args) use(it);
    for (const auto& pattern : top->patterns) {
      for (Term it : pattern) use(it);
    }
  }
  // Parts are made before wholes.
  std::sort(repeated.begin(), repeated.end(), [](Term a, Term b) { return a->id < b->id; });
  return repeated;
}

const std::vector<Term>& FreeVariables::of(Term term) {
  if (!term->has_bound) return none_;
  postorder(
      term, [&](Term part) { return !part->has_bound || known_.contains(part); },
      [&](Term part) { known_.emplace(part, collect(part)); });
  return known_.at(term);
}

std::vector<Term> FreeVariables::collect(Term term) const {
  if (term->op == Op::kBound) return {term};
  std::vector<Term> found;
  const auto join = [&](Term part) {
    if (!part->has_bound) return;
    std::vector<Term> all;
    const std::vector<Term>& more = known_.at(part);
    std::set_union(found.begin(), found.end(), more.begin(), more.end(), std::back_inserter(all));
    found = std::move(all);
  };
  for (Term it : term->args) join(it);
  for (const auto& pattern : term->patterns) {
    for (Term it : pattern) join(it);
  }
  std::erase_if(found, [&](Term it) { return std::ranges::find(term->bound, it) != term->bound.end(); });
  return found;
}

}  // namespace concord::smt
