// Which variables hold references that matter: some expression compares them, follows them, locks what they refer to, or speaks of
// them in a clause; or they are passed on to a variable of which that is true. All others only hand on what nobody looks at, as a queue
// does with the objects that are put into it.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plato/syntax.h"

namespace concord::plato {

class Observed {
 public:
  explicit Observed(const Program& program);  // resolved

  bool variable(int index) const { return places_.contains({Kind::kShared, {index, 0}}); }
  bool field(int class_index, int place) const { return places_.contains({Kind::kField, {class_index, place}}); }
  bool local(int procedure, int slot) const { return places_.contains({Kind::kLocal, {procedure, slot}}); }
  bool result(int procedure) const { return places_.contains({Kind::kResult, {procedure, 0}}); }

 private:
  enum class Kind { kShared, kField, kLocal, kResult };
  using Place = std::pair<Kind, std::pair<int, int>>;

  bool find(const Expr& expr, int procedure, int owner, Place& place) const;
  void look(const Expr& expr, int procedure, int owner);
  void move(const Expr& from, int procedure, const Place& to);
  void move(const Rhs& from, int procedure, const Expr* target, const Place& to);
  void pass(const CallTarget& call, int procedure);
  void visit(const Stmt& statement, int procedure);
  void propagate();

  const Program& program_;
  std::set<Place> places_;
  std::map<Place, std::vector<Place>> comes_from_;
  std::set<const Expr*> in_code_;  // whole expressions
  std::set<const Expr*> moved_;    // of them: where only what they are part of is looked at
};

}  // namespace concord::plato
