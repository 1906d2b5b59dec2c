// Formulas as SMT-LIB 2.6 commands, whose length grows with the DAG and not with the tree: a part that occurs more than once
// gets a name (t17, by its number).
//
// How: with `let`; or, over a session of many assertions, with `define-fun`, so that what one of them named serves the next.
// The latter is for cvc5 only: Z3 4.8.12 takes quadratic time to read chains of definitions.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "formula/term.h"
#include "smt/symbols.h"
#include "smt/uses.h"

namespace concord::smt {

enum class Sharing { kLet, kDefine };

class SmtLib {
 public:
  explicit SmtLib(Sharing sharing) : sharing_(sharing) {}

  // The commands that declare what the term needs and was not declared before.
  std::string declare(formula::Term term);
  // The command that asserts a formula whose symbols are declared, after the definitions it needs.
  std::string add(formula::Term formula);
  // A term whose symbols are declared, without reference to definitions: those made after a check have no value in cvc5's
  // model, or a wrong one.
  std::string text(formula::Term term);
  // The constant of an enumeration that has this symbol; the symbol itself if there is none.
  std::string enum_const(formula::Sort sort, const std::string& symbol);

 private:
  void declare_sort(formula::Sort sort, std::string& out);
  void declare_symbol(formula::Term term, std::string& out);
  void declare_constant_array(formula::Term term, std::string& out);
  std::string constant_arrays_of(formula::Term formula);  // commands that say what they are

  Sharing sharing_;
  Symbols symbols_;
  FreeVariables free_;
  Uses uses_;
  std::unordered_set<formula::Term> defined_;
  std::unordered_set<formula::Term> constant_arrays_;  // declared as symbols
  std::unordered_set<formula::Term> declared_;         // with all their parts
  std::unordered_set<formula::Sort> declared_sorts_;
  std::unordered_set<std::string> declared_symbols_;
};

// A complete script that asks whether the formulas and the assumptions hold together.
std::string script(const std::vector<formula::Term>& formulas, const std::vector<formula::Term>& assumptions);

}  // namespace concord::smt
