// The clauses of a specification as formulas over a step: parts of the state `before` and `now`.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulation/encode.h"
#include "spec/derived.h"

namespace concord::simulation {

struct Formula {
  Term holds = nullptr;
  Term facts = nullptr;  // guaranteed by the language about what `holds` reads
  // What it mentions and can change, before or now; with the making of the objects that it is about.
  std::set<int> parts;
  std::set<int> existence;  // the parts that say which objects or threads exist, if it asks for that
};

// A location that may change, or all of a part.
struct FrameItem {
  int part = -1;
  std::vector<Term> keys;  // evaluated before the step
  Term defined = nullptr;  // that they have a value; without one the item allows nothing
};

class Clauses {
 public:
  explicit Clauses(World& world) : world_(world) {}

  Formula invariant(const plato::Clause& clause);
  // As thread `tid` assumes it of a step of others; for writable_if: what it demands of the writer `tid`.
  Formula rely(const spec::Rely& rely, Term tid);
  Formula guarantee(const plato::Clause& clause, Term tid);
  Formula two_state(const plato::TwoState& predicate, const Scene& scene, const std::vector<int>& all_parts);

  // What the items of a `modifies` stand for. A monitor is two parts.
  std::vector<FrameItem> frame(const std::vector<plato::ExprPtr>& items, const Scene& scene);
  // The part changes at the listed locations only, and of objects that are exempt; by default, of those that the step makes.
  Term changes_only(int part, const std::vector<FrameItem>& frame);
  Term changes_only(int part, const std::vector<FrameItem>& frame, const std::function<Term(Term)>& is_exempt);
  // That an object is not there yet before the step.
  Term is_made(Term object);

  // What no other thread can do to a part, whatever the specification says: objects and threads stay, nobody takes a
  // monitor for `tid` or gives back one that it holds.
  Term guaranteed(int part, Term tid);

  // If it is about all objects of a class, `self` stands for these.
  Formula close(Term holds, const std::vector<Term>& facts, Term self = nullptr, int class_index = -1) const;

 private:
  Pool& pool() const { return world_.pool(); }
  // forall this of the class, that existed: body(this).
  template <class Body>
  Formula for_each_object(int class_index, bool before, Body body);
  Formula unwritable(const spec::Rely& rely, Term tid);
  Formula elements(const spec::Rely& rely, Term tid);
  Formula of_step(const plato::Clause& clause, Term tid);

  World& world_;
};

}  // namespace concord::simulation
