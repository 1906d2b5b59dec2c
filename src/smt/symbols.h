// What things are called in SMT-LIB text. Our names are arbitrary, and constants of different sorts may share one; there, a
// symbol has one meaning, must not be that of a theory (`select`, `pi`), and has few characters unless it is quoted.
//
// Solvers know hundreds of theory symbols and differ in them, but none has an exclamation mark: every name without one gets
// it (`x` becomes `x!`). Sorts are few and keep their names, but for the known ones.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formula/term.h"

namespace concord::smt {

class Symbols {
 public:
  const std::string& constant(formula::Term term);  // kConst or kBound
  const std::string& function(formula::Term term);  // of a kApply: by its name, the sorts of its arguments and its own
  const std::string& enum_const(formula::Sort sort, std::size_t which);
  const std::string& sort_name(formula::Sort sort);  // kUninterpreted or kEnum
  std::string sort(formula::Sort sort);

 private:
  using Signature = std::pair<std::string, std::vector<formula::Sort>>;

  std::string unused(const std::string& name);

  std::unordered_map<formula::Term, std::string> constants_;
  std::map<Signature, std::string> functions_;
  std::map<std::pair<formula::Sort, std::size_t>, std::string> enum_consts_;
  std::unordered_map<formula::Sort, std::string> sorts_;
  std::unordered_set<std::string> used_;
};

}  // namespace concord::smt
