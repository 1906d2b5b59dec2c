// The predicates that a program's configurations are made of (Tables I, IV and VIII of the paper).
//
// Threads and objects are individuals. A variable that refers to an object or a thread is a relation rv[x], a truth value a property,
// an enumeration one property for each constant. Integers, floating-point numbers, elements of arrays, sets and maps are not kept: their
// values are unknown. Beside each relation stand what is worth knowing of it when individuals are merged: who has a target
// (has), who is one (r_by) and who is one twice (is); and of a field that \reach and the like follow, whom it leads to (reach) and who is
// reached from the variables that they begin with (rt).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/shape/closure.h"
#include "engine/shape/source/code.h"
#include "engine/shape/source/numbers.h"
#include "engine/shape/system.h"
#include "plato/syntax.h"

namespace concord::engine::shape::source {

// How a variable is kept. A shared one has no first argument, a field the object, a local variable the thread.
struct Place {
  enum class Kind { kUnknown, kBool, kRelation, kEnum, kMonitor, kNumber } kind = Kind::kUnknown;
  int predicate = -1;  // kBool, kRelation, kNumber; kMonitor: who holds it
  int has =
      -1;  // kRelation and kNumber with a first argument: it has a target; with views also without one, of threads
  std::vector<int> constants;  // kEnum: by constant
  int deep = -1;               // kMonitor: held twice or more
  int deeper = -1;             // three times or more
  int taken = -1;              // kMonitor of an object: somebody holds it
  int closure = -1;            // kRelation of a field that claims follow: whom it leads to in one step or more
};

// A relation (or, of shared variables, a property) that refers to individuals.
struct Reference {
  int relation = -1;
  int arity = 1;
  int r_by = -1;  // of a relation: some individual has this target
  int is = -1;    // and two have
};

// An order of objects that nothing changes: a final field leads from each to older ones only, so in no circle.
struct Precedence {
  int closure = -1;   // of the first to the second: the field leads there
  std::string field;  // "Cell.next"
};

class Vocabulary {
 public:
  // `sums`: adding to a number does not wrap around. `views`: configurations are looked at as single threads know them (views.h).
  // `lock_orders`: with what is known of orders that nobody declared.
  Vocabulary(const plato::Program& program, const Code& code, bool tracks_waiting, bool sums, bool views,
             bool lock_orders);

  System& system() { return system_; }
  const System& system() const { return system_; }
  const plato::Program& program() const { return program_; }
  const Code& code() const { return code_; }

  const Place& shared(int variable) const { return shared_[static_cast<std::size_t>(variable)]; }
  const Place& field(int class_index, int number) const;
  const Place& local(const LocalName& name) const;
  const std::map<LocalName, Place>& locals() const { return locals_; }
  const Place& object_monitor() const { return object_monitor_; }
  int class_predicate(int class_index) const { return classes_[static_cast<std::size_t>(class_index)]; }
  int array() const { return array_; }
  const Numbers& numbers() const { return numbers_; }
  bool sums() const { return sums_; }
  int is_number() const { return is_number_; }  // -1: no integer matters
  int zero() const { return zero_; }
  int le() const { return le_; }  // of numbers: the first is not larger
  // Names for the variables of formulas that are used nowhere else.
  std::string new_prefix() const { return std::to_string(prefixes_++); }
  int named_thread(int declaration) const { return named_[static_cast<std::size_t>(declaration)]; }
  int fresh() const { return fresh_; }      // of a thread: started in this very step
  int others() const { return others_; }    // with views: the individual that all other threads are; else -1
  int escaped() const { return escaped_; }  // with views: an object that other threads may know; else -1
  // With views: the one object that this move makes, which happens once at most; else -1.
  int made_at(int move) const {
    const auto found = made_once_.find(move);
    return found == made_once_.end() ? -1 : found->second;
  }
  // It speaks of a thread's local variables: of the thread, or of what one of them refers to.
  bool is_local(int predicate) const { return predicate >= locals_begin_ && predicate < locals_end_; }
  int waiting() const { return waiting_; }  // of a thread: in a wait set, and not notified; -1: not asked
  // The levels that a waiting thread takes back: twice or more, three times or more.
  std::pair<int, int> wait_levels() const { return {wait_deep_, wait_deeper_}; }
  const std::vector<Reference>& references() const { return references_; }
  const std::vector<Reached>& reached() const { return reached_; }  // who is reached from a variable
  const std::vector<Place>& monitors() const { return monitors_; }  // of all kinds
  // Of objects of which a thread may lock several; then also who holds a monitor that no local variable of it is known to refer to.
  const std::vector<Precedence>& precedences() const { return precedences_; }
  int holds_else() const { return holds_else_; }
  // The local variables that are locked as they are.
  const std::set<LocalName>& locked_locals() const { return locked_; }
  // Objects may be known to something that is not kept, such as an array.
  bool has_hidden_references() const { return has_hidden_references_; }

 private:
  int add(const std::string& name, int arity, bool is_abstraction);
  int define(const std::string& name, const std::vector<Variable>& variables, const FormulaPtr& definition,
             bool is_abstraction);
  Place make_place(const std::string& name, const plato::Type& type, int first_arguments, bool is_number = false);
  void add_numbers();
  void add_relation(Place& place, const std::string& name, int first_arguments, bool tells_targets);
  void find_hidden_references();
  void add_closures();
  void add_made_once();
  void add_holders();
  void add_recursive_closures();
  void add_reached(const Place& from, int closure);
  void add_closure(const plato::ShapeExpr& shape, int owner);
  int follow(Place& field);
  // Whether the thread holds the monitor is worth knowing of each.
  void find_locked();
  using Pairs = std::set<std::pair<LocalName, LocalName>>;
  Pairs pairs_alive(const std::function<bool(const LocalName&, const LocalName&)>& fits) const;
  const plato::Type& type_of(const LocalName& local) const;
  bool are_related(const plato::Type& a, const plato::Type& b) const;
  void relate_locked();
  void add_precedences();
  void order_fields(int class_index, int closure, const plato::Type& type);
  void know_copies();
  void add_monitor(Place& place, const std::string& name, int first_arguments);

  const plato::Program& program_;
  const Code& code_;
  System system_;
  std::vector<Place> shared_;
  std::map<std::pair<int, int>, Place> fields_;  // by class that declares it, and place there
  std::map<LocalName, Place> locals_;
  Place object_monitor_;
  std::vector<int> classes_;
  std::vector<int> named_;
  const Numbers numbers_;
  const bool sums_;
  int is_number_ = -1;
  int zero_ = -1;
  int le_ = -1;
  mutable int prefixes_ = 0;
  int array_ = -1;
  int fresh_ = -1;
  int others_ = -1;
  int escaped_ = -1;
  std::map<int, int> made_once_;  // by move
  int locals_begin_ = -1;
  int locals_end_ = -1;
  int waiting_ = -1;
  int wait_deep_ = -1;
  int wait_deeper_ = -1;
  std::vector<Reference> references_;
  std::vector<Reached> reached_;
  std::vector<Place> monitors_;
  std::set<LocalName> locked_;
  std::vector<Precedence> precedences_;
  int holds_else_ = -1;
  bool has_hidden_references_ = false;
};

}  // namespace concord::engine::shape::source
