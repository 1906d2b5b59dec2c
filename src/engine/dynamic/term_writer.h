// Terms as the text of a proof (docs/proofs.md, "Formulas").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/dynamic/system.h"

namespace concord::engine::dynamic {

// Something that has no name outside this engine, or is too long to be written.
struct Nameless {};

class TermWriter {
 public:
  explicit TermWriter(System& system);

  // Throws Nameless. `chosen`: the unknown values that come up on the way.
  std::string text(Term term, const std::vector<Term>& chosen = {});
  // What a step may change; empty if it has no name.
  std::string name(Term constant) const;

 private:
  std::string print(Term term);
  std::string print_node(Term term);
  std::string print_apply(Term term);
  std::string print_quantifier(Term term);
  std::string print_sum(Term term);
  void find_shared(Term term);
  static std::string sort(formula::Sort sort);

  System& system_;
  std::map<Term, std::string> names_;
  std::map<std::string, std::string> functions_;  // of one argument
  std::map<Term, std::string> bound_;             // of what is around the term at hand
  std::map<Term, std::string> shared_;            // parts that are named in front
  std::vector<Term> order_;                       // these, inner ones first
  int next_bound_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace concord::engine::dynamic
