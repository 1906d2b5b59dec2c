// Coerce (section 5.3 of the paper): what must hold of every structure sharpens values that are unknown, and shows that some
// structures represent nothing.
//
// Constraints come from the user's rules, from the properties of predicates (unique, function, …) and from the definitions of
// instrumentation predicates: what is defined holds where its definition does and not where it does not; and a definition that is a
// conjunction lets what is known of the whole and of all but one part speak about that part. Reachability has rules of its own (closure.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/shape/closure.h"
#include "engine/shape/definitions.h"
#include "engine/shape/evaluate.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

// Which predicates have changed since a structure was coerced; `sm` stands for individuals that have become single.
using Changed = std::vector<bool>;

class Constraints {
 public:
  explicit Constraints(const System& system);

  // What breaks: the constraint, and for which individuals.
  struct Breach {
    int constraint = -1;
    std::vector<int> individuals;
  };
  // Sharpens the structure; nothing if it is consistent.
  std::optional<Breach> coerce(Structure& structure) const;
  // The same of one that was consistent before these predicates changed.
  std::optional<Breach> coerce(Structure& structure, const Changed& changed) const;
  // What the constraint is about, in words: "taken, by its definition".
  const std::string& name(int constraint) const { return all_[static_cast<std::size_t>(constraint)].name; }

 private:
  enum class Head {
    kFalse,
    kAtom,
    kNotAtom,
    kEqual,
    kNotEqual,
    // Without a body. Properties of `predicate`:
    kUnique,
    kFunction,
    kInverseFunction,
    kDefined,  // by `common`, `closure`, `reached` or `ordered`; it sharpens what the constraints that follow from any definition would
  };
  struct Constraint {
    std::optional<Evaluation> body;
    Head head = Head::kFalse;
    int predicate = -1;
    std::optional<CommonDefinition> common;
    std::optional<Closure> closure;
    std::optional<Reached> reached;
    std::optional<Ordered> ordered;
    std::vector<int> arguments;  // numbers of the free variables of the body
    std::string name;
  };
  enum class Effect { kNone, kSharper, kBroken };
  class Pending;

  void add(const FormulaPtr& body, const FormulaPtr& head, const std::string& name);
  void add_property(int predicate, Head head, const std::string& name);
  void add_properties(const Predicate& predicate, int number);
  void add_definition(const Predicate& predicate, int number);
  void add_parts(const FormulaPtr& definition, const FormulaPtr& is_not, const std::string& name);
  void find_readers(const System& system);
  Effect apply(const Constraint& constraint, Structure& structure, Pending& pending,
               std::vector<int>& individuals) const;
  Effect apply_property(const Constraint& constraint, Structure& structure, Pending& pending) const;
  static void sharpen_pair(const CommonDefinition& definition, Kleene holds, int individual, Structure& structure,
                           Pending& pending);
  Effect apply_common(const Constraint& constraint, Structure& structure, Pending& pending) const;
  static Effect apply_closure(const Closure& closure, Structure& structure, Pending& pending);
  static Effect apply_reached(const Reached& reached, Structure& structure, Pending& pending);
  static Effect apply_ordered(const Ordered& ordered, Structure& structure, Pending& pending);
  static Effect enforce(const Constraint& constraint, const std::vector<int>& individuals, Structure& structure,
                        Pending& pending);
  std::optional<Breach> run(Structure& structure, Pending& pending) const;

  const System& system_;
  int sm_;
  std::vector<Constraint> all_;
  std::vector<std::vector<int>> readers_;  // by predicate: the constraints that it concerns
};

}  // namespace concord::engine::shape
