// Which parts of terms occur more than once, and which mention a quantified variable from outside.
#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formula/term.h"

namespace concord::smt {

// Constants, numbers and the like: no shorter name would help.
inline bool is_atom(formula::Term term) { return term->args.empty(); }

class Uses {
 public:
  // Counts the occurrences of the parts of a term, without looking into those that have a name or were counted before.
  // Returns, parts before wholes, what has become repeated by it.
  std::vector<formula::Term> add(formula::Term term, const std::function<bool(formula::Term)>& is_named);

 private:
  std::unordered_set<formula::Term> seen_;
  std::unordered_map<formula::Term, int> count_;
};

class FreeVariables {
 public:
  const std::vector<formula::Term>& of(formula::Term term);

 private:
  std::vector<formula::Term> collect(formula::Term term) const;

  std::vector<formula::Term> none_;
  std::unordered_map<formula::Term, std::vector<formula::Term>> known_;
};

}  // namespace concord::smt
