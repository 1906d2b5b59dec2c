// First-order formulas over the predicates of a system, with transitive closure (section 3 of the paper).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "engine/shape/kleene.h"

namespace concord::engine::shape {

using Variable = std::string;

struct Formula;
using FormulaPtr = std::shared_ptr<const Formula>;  // never changed, so shared

struct Formula {
  enum class Kind {
    kValue,   // `value`
    kAtom,    // predicate(variables…)
    kEqual,   // variables[0] == variables[1]
    kNot,     // parts[0]
    kAnd,     // of two or more
    kOr,      // likewise
    kIf,      // parts[0] ? parts[1] : parts[2]
    kExists,  // variables… : parts[0]
    kForall,  // likewise
    kClosure,  // TC(variables[0], variables[1])(variables[2], variables[3]) parts[0]: one step or more from the first to the second,
    // where parts[0] says whether there is a step from the third to the fourth
  };
  Kind kind = Kind::kValue;
  Kleene value = Kleene::kFalse;
  int predicate = -1;  // of the system
  std::vector<Variable> variables;
  std::vector<FormulaPtr> parts;
  base::SourceRange range;
};

}  // namespace concord::engine::shape
