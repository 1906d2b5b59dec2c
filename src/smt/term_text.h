// One term as SMT-LIB text. Its repeated parts are named by `let`, unless they have a name already: in front of the term, or
// at the begin of the innermost quantifier whose variables they mention.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "formula/term.h"
#include "smt/symbols.h"
#include "smt/uses.h"

namespace concord::smt {

std::string part_name(formula::Term term);  // t17

class TermText {
 public:
  TermText(Symbols& symbols, FreeVariables& free, const std::unordered_set<formula::Term>& defined)
      : symbols_(symbols), free_(free), defined_(defined) {}

  std::string print(formula::Term term);

 private:
  // What is still to be done. Terms are deep, so it is kept on a stack of our own.
  struct Item {
    enum class Kind { kText, kTerm, kBlock, kName, kForget, kLeave };
    Kind kind = Kind::kText;
    formula::Term term = nullptr;
    std::string text;
  };

  void run(const Item& item);
  void block(formula::Term body, formula::Term quantifier);
  void expand(formula::Term term);
  void expand_quantifier(formula::Term term);
  bool is_named(formula::Term term) const { return defined_.contains(term) || let_.contains(term); }
  bool is_visible(formula::Term term);
  void push_reversed(std::vector<Item> items);

  Symbols& symbols_;
  FreeVariables& free_;
  const std::unordered_set<formula::Term>& defined_;  // named for good, by others
  std::unordered_set<formula::Term> let_;             // named around the place of printing
  std::unordered_set<formula::Term> scope_;           // the quantified variables around the place of printing
  std::vector<Item> open_;
  std::string out_;
};

}  // namespace concord::smt
