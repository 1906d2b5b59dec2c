// How a Plato program looks in logic: the sort of each type, and the parts of the shared state.
//
// A class has a sort of its own, which the classes that extend it share; a field is a map from it. What class an object of
// such a sort is of is a function that never changes, and numbers classes so that those below one are an interval. A field
// of a class has values for the objects of other classes too; nobody looks at them, and they never change. Objects that do not exist yet are elements of the sort as well:
// `new` picks one whose fields happen to have the initial values, so allocation writes no field. They are numbered in the
// order in which they come to exist: those up to a number, which only grows, exist. The same for threads. Monitors are two maps, holder and depth; wait sets are not observed by any specification and a
// thread may always wake up spuriously, so they are left out.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "formula/term.h"
#include "plato/syntax.h"
#include "simulation/made.h"
#include "simulation/monitors.h"

namespace concord::simulation {

using formula::Pool;
using formula::Sort;
using formula::Term;

// One part of the shared state.
struct Part {
  enum class Kind {
    kVariable,  // a shared variable that is no monitor
    kHolder,    // of a monitor variable (or a map of monitors)
    kDepth,
    kField,        // of a class: a map from its objects
    kFieldHolder,  // of a field that is a monitor
    kFieldDepth,
    kObjectHolder,  // of the monitor that every object of a class has
    kObjectDepth,
    kElements,   // of all arrays of one element type: array and index to value
    kAllocated,  // of a class or an array type: which objects exist, as a number
    kAlive,      // which threads exist, as a number
    kMade,       // of a class, exactly, or an array type: stands for the making of one; has no value
  };
  Kind kind = Kind::kVariable;
  int index = -1;         // variable, or class
  int field = -1;         // kField…: its place in the class that declares it
  std::string type;       // kElements, kAllocated: the reference type
  Sort of = nullptr;      // kAllocated, kAlive, kMade: of what there are more and more
  std::string name;       // for people
  Term now = nullptr;     // its current value
  Term before = nullptr;  // its value before the step
  bool changes =
      true;  // false: it never does, `now` is the only value (nobody starts threads or allocates; it is final)
  bool is_final = false;  // if it changes: before `initialised`, and others never change it
};

// Its first key is the object that it belongs to.
bool is_of_objects(Part::Kind kind);
// It says which objects or threads exist.
bool is_existence(Part::Kind kind);
// No program can name it.
bool is_hidden(Part::Kind kind);

class World {
 public:
  // `initialises`: final variables without an initial value change here, namely before `initialised`.
  World(Pool& pool, const plato::Program& program, engine::IntMode ints, bool initialises = false);

  Pool& pool() const { return pool_; }
  const plato::Program& program() const { return program_; }
  engine::IntMode ints() const { return ints_; }

  Sort tid() const { return tid_; }
  // Of values of the type; for a monitor `leaf` says which half.
  enum class Half { kHolder, kDepth };
  Sort sort(const plato::Type& type, Half half = Half::kHolder);
  bool has_monitors(const plato::Type& type) { return sort(type, Half::kHolder) != sort(type, Half::kDepth); }
  Term null(const plato::Type& reference);
  Term none() const { return none_; }
  Term default_value(const plato::Type& type, Half half = Half::kHolder);
  Term constant(int index);      // a `const`
  Term thread(int declaration);  // a named thread
  Term entry_of(Term thread);    // the procedure a thread entered at, as a number
  // An object of the sort is of the class or one that extends it; or of exactly this class.
  Term is_instance(int class_index, Term object);
  Term is_exactly(int class_index, Term object);
  // Of what is read from a place of the type, if it is not null: of a class of which the program makes objects.
  Term is_of_type(const plato::Type& reference, Term object);
  Term length(const plato::Type& array, Term reference);
  static bool is_length(Term term) { return term->op == formula::Op::kApply && term->name.starts_with("length "); }
  // A function of numbers with floating point.
  static constexpr const char* kFloating = "floating ";
  static bool is_floating(Term term) { return term->op == formula::Op::kApply && term->name.starts_with(kFloating); }
  Term is_within(Term number, plato::Range range) const;
  Term size(const plato::Type& set, Term value);
  Term finite(const plato::Type& set, Term value);
  // "union", "intersection" or "difference" of two sets.
  Term set_function(const std::string& function, const plato::Type& set, Term left, Term right);

  // ---- parts of the state; they are made when first asked for, so only what is mentioned exists
  const std::deque<Part>& parts() const { return parts_; }
  int variable(int index);
  int monitor(int index, Half half);       // of a variable
  int field(int class_index, int number);  // as in classes.h: the part is that of the class that declares it
  int field_monitor(int class_index, int number, Half half);
  int object_monitor(int class_index, Half half);
  // Somebody uses the monitors of objects of this class.
  bool has_object_monitor(int class_index) const {
    return monitor_classes_[static_cast<std::size_t>(class_index)] >= 0;
  }
  int elements(const plato::Type& array);
  int allocated(const plato::Type& reference);
  int alive();
  int made(const plato::Type& reference);  // exactly this class
  // The parts for the making of anything of a sort, or of a class and those that extend it.
  std::set<int> makings(Sort of);
  std::set<int> makings(int class_index);
  const Part& part(int index) const { return parts_[static_cast<std::size_t>(index)]; }
  // An object or thread exists in a state with this value of the part that says so.
  Term exists(Term last, Term it);
  // It is the next one to exist.
  Term is_next(Term last, Term it);
  // The part that a constant of the pool is the current or the previous value of, or -1.
  int part_of(Term constant) const;

  // If the part is a field or variable that is never null: what is known of its values; else null.
  const Made* made(int index) const;
  // What is true of the rigid symbols used so far.
  std::vector<Term> axioms();
  bool is_allocating(const plato::Type& reference) const;  // somebody makes such objects
  bool is_starting() const { return starting_; }           // somebody starts threads

 private:
  // "Node", "int[]"; of a class that extends others the root.
  std::string reference_name(const plato::Type& reference) const;
  Term class_of(int class_index, Term object);
  Term place_of(Term it);  // in the order in which those of its sort come to exist
  void number_classes();
  int add(const std::string& key, Part part, Sort sort);
  Term finite_set(const std::string& element, Term value);

  Pool& pool_;
  const plato::Program& program_;
  const engine::IntMode ints_;
  const bool initialises_;
  const Sort tid_;
  const Term none_;
  const MadeValues made_;
  const std::vector<int> monitor_classes_;
  std::deque<Part> parts_;  // references to parts stay valid
  std::map<std::string, int> by_key_;
  std::map<Term, int> by_constant_;
  std::map<std::string, Sort> sized_;                                  // element sorts of sets whose size is used
  std::map<std::string, std::pair<std::string, Sort>> set_functions_;  // by name: which, and the sort of the sets
  std::map<std::string, bool> allocating_;
  std::map<std::string, plato::Type> made_types_;  // that `new` makes, by name
  // By class: its number, and the last one of those that extend it.
  std::vector<std::int64_t> class_number_;
  std::vector<std::int64_t> last_subclass_;
  bool starting_ = false;
  bool unknown_code_ = false;  // that may allocate and start whatever there is
};

plato::Type class_type(const plato::Program& program, int class_index);

}  // namespace concord::simulation
