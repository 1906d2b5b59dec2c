// Passive form: a sequential program as formulas, without assignments.
//
// Every block gets Boolean constants, one per stretch of it without an assertion in between, that are true when the run
// comes there; assumptions are implications from them. Variables are replaced by their values; where ways meet, a variable
// that is still needed and differs gets a new constant. Since terms are shared, the size is linear in that of the program.
// A loop is cut at its head: the variables it changes get any values there, of which the invariants are assumed.
//
// The formulas of different places do not interfere: nothing forces a point to be reached, so a check of one point may be
// made with or without the formulas of all others.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formula/term.h"
#include "sequential/program.h"

namespace concord::sequential {

// A claim at a point of the program: fails if `here` and not `claim` is satisfiable.
struct Claim {
  enum class Kind { kObligation, kCandidate, kProbe };
  Kind kind = Kind::kObligation;
  Term here = nullptr;
  Term claim = nullptr;
  int tag = -1;        // obligation or probe
  int candidate = -1;  // kCandidate: index into Passive::candidates
  std::vector<Term> shown;
};

struct Candidate {
  int block = -1;
  int index = -1;           // into the block's invariants
  Term selector = nullptr;  // assumed while the candidate is believed
  const Invariant* invariant = nullptr;
};

// In the order of the program: a formula holds at its place and after it.
struct Item {
  enum class Kind { kFormula, kClaim };
  Kind kind = Kind::kFormula;
  Term point = nullptr;  // it is about runs that come there
  Term formula = nullptr;
  Claim claim;
};

// The points of the program (`here` of some claim, or between claims) as a tree: no run comes to a point without having been
// at those above it.
class Points {
 public:
  explicit Points(Term root) { above_.emplace(root, Above{nullptr, 0, {}}); }

  // A point where ways from those in `from` meet.
  void add(Term point, Term above, std::vector<Term> from) {
    above_.emplace(point, Above{above, depth(above) + 1, std::move(from)});
  }
  // The lowest point above both, or one of them.
  Term common(Term one, Term other) const;
  Term above(Term point) const { return above_.at(point).point; }
  // The points from which a run comes here directly.
  const std::vector<Term>& from(Term point) const { return above_.at(point).from; }

 private:
  struct Above {
    Term point;
    int depth;
    std::vector<Term> from;
  };
  int depth(Term point) const { return above_.at(point).depth; }

  std::unordered_map<Term, Above> above_;
};

struct Passive {
  std::vector<Item> items;
  std::vector<Candidate> candidates;
  std::vector<Term> premises;  // by tag: the constant that switches the assumption on
  Points points;
  std::unordered_map<Term, int> heads;     // points: the block whose loop begins there
  std::unordered_set<Term> landmarks;      // of these
  std::unordered_map<Term, int> block_of;  // points
  std::unordered_set<Term> values;         // constants that stand for values of variables, other than arrays
  std::unordered_set<Term> later;          // those, and arrays, that are no values of the beginning
};

Passive make_passive(formula::Pool& pool, const Program& program);

}  // namespace concord::sequential
