// Focus (section 5.2 of the paper): structures that together represent the same as one does, in each of which a formula has no
// unknown value. An individual that stands for several is split into the one that is meant and the rest.
//
// A formula is taken apart into literals, without its quantifiers, and these are made definite one after the other: those without
// arguments first, then properties of individuals, then relations of single individuals: those that a unique property holds of, and those
// that functions lead to from there. Other relations are left as they are: that is less precise, and no less sound; to make them definite
// might never end.
#pragma once

#include <utility>
#include <vector>

#include "engine/shape/formula.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Focus {
 public:
  Focus(const System& system, const FormulaPtr& formula);

  std::vector<Structure> apply(const Structure& structure) const;
  // Those that it makes definite.
  std::vector<int> predicates() const {
    std::vector<int> out;
    for (const Step& it : steps_) out.push_back(it.predicate);
    return out;
  }

 private:
  // The one individual that a unique property holds of, and from there along functions.
  struct Way {
    int unique = -1;
    std::vector<std::pair<int, bool>> along;  // the relation; false: against its direction
  };
  struct Step {
    int predicate = -1;
    bool is_forward = true;  // of a relation: the individual is its first argument
    Way way;                 // to that
  };

  void add_disjunct(const std::vector<FormulaPtr>& literals);
  bool is_function(int predicate, bool is_forward) const;
  static int individual(const Way& way, const Structure& structure);
  void split(const Step& step, const Structure& structure, std::vector<Structure>& out) const;
  void split_property(int predicate, const Structure& structure, std::vector<Structure>& out) const;
  void split_unique(int predicate, const Structure& structure, std::vector<Structure>& out) const;
  void split_relation(const Step& step, const Structure& structure, std::vector<Structure>& out) const;

  const System& system_;
  std::vector<Step> steps_;
};

}  // namespace concord::engine::shape
