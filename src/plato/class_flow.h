// Which classes the objects have that may be in a variable, in any run of the program: from where they are made they go where
// they are assigned, passed, returned, thrown and stored. The order of steps does not matter here, nor which object has a field,
// nor which array an element.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "plato/syntax.h"

namespace concord::plato {

class ClassFlow {
 public:
  explicit ClassFlow(const Program& program);  // resolved

  // Whether the expression, in the code of the procedure, may be an object of this class or of one below it.
  bool may_be(int procedure, const Expr& object, int class_index) const;
  // Likewise of a field, by class that declares it and place there, and of a shared variable.
  bool field_may_be(std::pair<int, int> field, int class_index) const;
  bool variable_may_be(int variable, int class_index) const;

 private:
  using Places = std::vector<int>;  // numbers of places

  bool has(int place, int class_index) const;
  Places places_of(int procedure, const Expr& expr) const;  // where its value may come from
  void flow(const Places& from, const Places& to);
  void flow(int procedure, const Rhs& from, const Places& to);
  void make(int class_index, const Places& to);
  void pass(int procedure, const CallTarget& call);
  void look_at(int procedure, const Stmt& statement);
  void look_at(const Variable& variable, int place);
  void forget_all();
  void propagate();

  const Program& program_;
  struct Contents {
    std::set<int> classes;
    bool is_anything = false;
    std::set<int> flows_to;  // places
  };
  std::vector<Contents> contents_;  // by place
  // The numbers of places: of the first of each kind that comes in a row, by what it belongs to.
  int anything_ = 0;          // what nobody says where it comes from
  int elements_ = 0;          // of arrays
  int shared_ = 0;            // variables
  std::vector<int> fields_;   // by class: its own
  std::vector<int> locals_;   // by procedure
  std::vector<int> results_;  // by procedure; behind it is what it throws
};

}  // namespace concord::plato
