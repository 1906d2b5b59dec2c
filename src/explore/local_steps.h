// Steps that concern nobody but the thread itself: they look only at its local variables and change only those.
//
// Such a step commutes with every step of the others, and neither enables nor disables any. So a thread may take it at once,
// as a part of the step before: no state is lost but those in between, in which the others find nothing that they do not find
// before or after. Five things keep it from going too far. A thread stops at the head of a loop and before a call of a procedure
// that calls itself, so that it does not go on for ever by such steps only, the others waiting. It stops before a step that may
// go wrong, since the others may go on while it has not. It stops where the specification watches it, since what the steps then
// mean depends on what is shared (step_table.cc), and inside regions that others must keep out of. And it does not set out at all if it might come to very many places.
#pragma once

#include <vector>

#include "explore/machine.h"
#include "explore/parts.h"

namespace concord::explore {

class LocalSteps {
 public:
  // Places that may be come to by such steps; a thread that could come to more does not move.
  static constexpr std::size_t kMost = 1000;

  // `are_joined`: others may wait for the end of a thread.
  LocalSteps(const Machine& machine, bool are_joined, Defect defect);

  // Is every operation that the thread may perform next a local one, and none a round of a loop?
  bool are_next(const ThreadState& thread) const;
  // Nothing is to be said about the step. Where something is, a thread stops before it.
  bool is_plain(const Transition& step) const;

 private:
  enum class Where { kNowhere, kInside, kAnywhere };  // `kInside`: if it is not the last frame that the thread leaves
  Where at(const plato::Flow& flow, int node) const;
  Where of(const plato::Flow& flow, const plato::FlowEdge& edge) const;
  bool is_local(const plato::Expr& expr) const;
  bool are_local(const std::vector<plato::ExprPtr>& list) const;
  bool is_local(const plato::Stmt& statement) const;
  bool may_be_called(const plato::Procedure& procedure) const;
  bool may_be_left(const plato::Procedure& procedure) const;

  const Machine& machine_;
  const plato::Program& program_;
  const bool are_joined_;
  const Defect defect_;
  std::vector<bool> is_recursive_;         // by procedure
  std::vector<std::vector<Where>> where_;  // by procedure and node
};

}  // namespace concord::explore
