// What references may refer to, in any run of the threads: objects that were there before they began, and places in the code where
// objects are made. The order of steps does not matter here.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "explore/state.h"
#include "plato/syntax.h"

namespace concord::engine::dynamic {

// 0: null; r > 0: object r of the store; less than 0: whatever is made at one place in the code.
using Target = int;

class Targets {
 public:
  static constexpr Target kNull = 0;
  static constexpr Target kAnything = INT32_MIN;
  // Of resolved code: the procedures that the threads run.
  Targets(const plato::Program& program, const explore::Store& store, std::set<int> procedures);

  // Of an expression in the code of the procedure, or (-1) in a clause.
  std::set<Target> of(int procedure, const plato::Expr& expr) const;
  const std::set<Target>& of_variable(int variable) const { return variables_[static_cast<std::size_t>(variable)]; }
  std::set<Target> of_field(Target object, int field) const;
  // By what has them: fields by object and number; elements of an array.
  const std::map<std::pair<Target, int>, std::set<Target>>& fields() const { return fields_; }
  const std::map<Target, std::set<Target>>& elements() const { return elements_; }
  // The class of an object; -1: it is an array.
  int class_of(Target object) const;
  std::set<int> classes_made() const;  // by the threads
  const plato::Stmt* made_at(Target place) const { return statements_[static_cast<std::size_t>(-place - 1)]; }

 private:
  using Set = std::set<Target>;
  void begin();
  void look_at(int procedure, const plato::Stmt& statement);
  Set value(int procedure, const plato::Stmt& statement, const plato::Rhs& rhs);
  Target made_at(const plato::Stmt& statement, int class_index);
  void assign(int procedure, const plato::Expr& target, const Set& values);
  void call(int procedure, const plato::CallTarget& target);
  void add(Set& to, const Set& more);

  const plato::Program& program_;
  const explore::Store& store_;
  const std::set<int> procedures_;
  std::vector<Set> variables_;
  std::map<std::pair<int, int>, Set> locals_;     // by procedure and slot
  std::map<int, Set> results_;                    // by procedure
  std::map<std::pair<Target, int>, Set> fields_;  // by object and number
  std::map<Target, Set> elements_;                // by array
  std::map<const plato::Stmt*, Target> sites_;
  std::vector<const plato::Stmt*> statements_;  // by place in the code
  std::vector<int> classes_;                    // by place in the code: of what is made there
  bool has_changed_ = false;
};

bool is_reference(const plato::Type& type);

}  // namespace concord::engine::dynamic
