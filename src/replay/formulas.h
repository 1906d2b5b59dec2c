// Formulas of a proof's text as terms (docs/proofs.md, "Formulas").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "replay/terms.h"
#include "replay/tree.h"

namespace concord::replay {

class Formulas {
 public:
  // `now` and `first`: the state, and that in which the run begins.
  Formulas(Terms& terms, const std::vector<ThreadClass>& classes, const State& now, const State& first);

  // All of them throw Malformed.
  Term formula(const Item& item);
  Term value(const Item& item) { return term(item, {}); }
  // What a step may change: a shared variable, half of a monitor, or a local variable.
  Term target(const Item& item);
  std::vector<Term> chosen;  // what (any N) stands for

 private:
  using Scope = std::map<std::string, Term>;

  Pool& pool() { return terms_.pool(); }
  Term term(const Item& item, const Scope& scope);
  Term word(const Item& item, const Scope& scope);
  Term bind(const Item& item, const Scope& scope);
  Term let(const Item& item, Scope scope);
  Term sum(const Item& item, Scope scope);
  Term of_threads(const Item& item, const Scope& scope);
  Term operation(const Item& item, const Scope& scope);
  formula::Sort sort(const Item& item);
  std::int64_t number(const Item& item, std::int64_t below) const;
  void name_variables(const State& state, const std::string& when);

  Terms& terms_;
  const std::vector<ThreadClass>& classes_;
  Scope names_;
  Scope targets_;
};

}  // namespace concord::replay
