// An action in the making: several changes of one predicate are one update.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/shape/source/terms.h"
#include "engine/shape/system.h"

namespace concord::engine::shape::source {

class ActionBuilder {
 public:
  ActionBuilder(const Vocabulary& vocabulary, std::string title, base::SourceRange range);

  // Says for which arguments, u and v of a relation, v of a property; null: for none.
  void change(int predicate, const FormulaPtr& adds, const FormulaPtr& removes);
  // The variable gets this value. `first`: of a field or a local variable, whose it is (of u for a relation, else of v).
  using First = std::function<FormulaPtr(const Variable&)>;
  void assign(const Place& place, const First& first, const Term& value);
  // It has no value any more.
  void clear(const Place& place, const First& first);

  // Else nothing comes of it; what it says is said all the same.
  void require(const FormulaPtr& condition) { goes_on_.push_back(condition); }
  // Its free variables stand for each choice that satisfies it.
  void choose(const FormulaPtr& condition) { action_.precondition = condition; }
  void say(const FormulaPtr& condition, int property, const std::string& text, base::SourceRange range);
  void focus(const FormulaPtr& formula) { action_.focus.push_back(formula); }
  void create() { action_.creates = true; }
  bool creates() const { return action_.creates; }

  // With the updates of instrumentation predicates.
  Action finish();

 private:
  void assign_number(const Place& place, const First& first, const Term& value);

  struct Changes {
    std::vector<FormulaPtr> adds;
    std::vector<FormulaPtr> removes;
  };

  const Vocabulary& vocabulary_;
  Action action_;
  std::vector<FormulaPtr> goes_on_;
  std::map<int, Changes> changes_;
};

}  // namespace concord::engine::shape::source
