// Terms as Z3 has them, in one context. A term is translated once and kept as long as this object.
#pragma once

#include <z3++.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "formula/term.h"

namespace concord::smt {

class Z3Terms {
 public:
  explicit Z3Terms(z3::context& context) : context_(context) {}

  // Throws z3::exception where Z3 refuses: a pattern that leaves out a bound variable, an operator of wrong sorts.
  z3::expr translate(formula::Term term);
  bool has_enumerations() const { return !enumerations_.empty(); }

 private:
  struct Enumeration {
    std::vector<z3::func_decl> constants;
  };

  z3::sort sort_of(formula::Sort sort);
  z3::sort enumeration(formula::Sort sort);
  z3::expr translate_node(formula::Term term);
  z3::expr apply(formula::Term term, const std::vector<Z3_ast>& args);
  z3::expr quantifier(formula::Term term);
  z3::expr checked(Z3_ast ast);

  z3::context& context_;
  std::unordered_map<formula::Term, z3::expr> terms_;
  std::unordered_map<formula::Sort, z3::sort> sorts_;
  std::unordered_map<formula::Sort, Enumeration> enumerations_;
};

}  // namespace concord::smt
