// One application of an action (section 5 of the paper): focus, coerce, precondition, messages, update, coerce.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/shape/coerce.h"
#include "engine/shape/evaluate.h"
#include "engine/shape/focus.h"
#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

// What came out of a structure.
struct Successors {
  struct Alarm {
    int message = -1;  // of the action
    Kleene value = Kleene::kTrue;
    int thread = -1;  // that moves, if one does
  };
  // After the update something is broken that must hold: the action is wrong, or the constraint.
  struct Breach {
    int constraint = -1;
    int thread = -1;
  };
  std::vector<Structure> after;
  std::vector<Alarm> alarms;
  std::vector<Breach> breaches;
};

// An action of a system, made ready. Along an edge of a system with threads, the thread `tr` moves too.
class Step {
 public:
  // Structures that are coerced already are only coerced where something changes, and after each formula that is focused on.
  Step(const System& system, const Constraints& constraints, const Action& action, const Edge* edge,
       bool are_coerced = false);

  Successors apply(const Structure& structure) const;

 private:
  struct Assignment {
    std::optional<Evaluation> value;
    int predicate = -1;
    // Instead of the value: what held and is not removed, and what is added.
    std::optional<Evaluation> adds = std::nullopt;
    std::optional<Evaluation> removes = std::nullopt;
    std::size_t arguments = 0;  // the last free variables; those before them are bound by the precondition
  };

  std::vector<Structure> focused(const Structure& structure) const;
  bool is_consistent(Structure& structure, const Changed& changed) const;
  std::vector<Variable> of_one(const Formula& formula) const;
  void add_update(const Update& update);
  static Row updated_row(const Assignment& assignment, const Structure& before, const std::vector<int>& individuals,
                         const Row& old, Touched* touched);
  void find_settled();
  void settle_all(const std::vector<Touched>& touched, const Structure& before, Structure& after) const;
  void move_thread(const Edge& edge);
  FormulaPtr updated(int predicate, const Variable& variable) const;
  void take(const Structure& structure, const std::vector<int>& bound, Successors& out) const;
  int mover(const std::vector<int>& bound) const;
  std::vector<Structure> with_new(const Structure& structure, const std::vector<int>& bound) const;
  void update(const Structure& structure, const Structure& before, const std::vector<int>& bound,
              Successors& out) const;
  std::vector<Structure> without_gone(const Structure& structure, Structure after, const std::vector<int>& bound) const;

  const System& system_;
  const Constraints& constraints_;
  const Action& action_;
  std::vector<Focus> focus_;
  std::optional<Evaluation> precondition_;
  std::optional<Evaluation> goes_on_;
  std::vector<Variable> bound_;  // by the precondition
  std::vector<Evaluation> messages_;
  std::vector<Assignment> updates_;
  std::optional<Evaluation> created_for_;
  std::optional<Evaluation> retained_;
  std::optional<Evaluation> halts_;
  const bool are_coerced_;
  std::vector<Changed> focus_changes_;  // by formula
  Changed update_changes_;
  std::vector<std::pair<int, CommonDefinition>> settled_;  // predicates that follow from those that are updated
  std::vector<Closure> closures_;                          // likewise
  std::vector<Reached> reached_;
  std::vector<Ordered> ordered_;
  std::vector<int> places_;  // by predicate: which of the updates is its, or -1
  bool moves_ = false;
  bool lets_others_run_ = false;
};

}  // namespace concord::engine::shape
