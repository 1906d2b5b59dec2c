#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "engine/shape/source/lowering.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Lowered Lowering::run() {
  out_.code = make_code(program_);
  out_.refused = out_.code.refused;
  find_properties();
  if (out_.refused.empty()) out_.refused = refusal();
  if (!out_.refused.empty()) return std::move(out_);
  out_.vocabulary = std::make_unique<Vocabulary>(program_, out_.code, tracks_waiting_,
                                                 task_.settings.ints == IntMode::kMath, by_views_, needs_lock_orders());
  system().defect = defect_;
  out_.by_views = by_views_;
  find_clauses();
  find_watched();
  if (by_views_) out_.refused = refusal_of_views();
  if (!out_.refused.empty()) return std::move(out_);
  find_lock_orders();
  out_.may_collect =
      !vocabulary().has_hidden_references() && out_.may_forget_threads && task_.settings.reductions.dead_locals;
  for (std::size_t d = 0; d < program_.threads.size(); ++d) {
    if (const int named = vocabulary().named_thread(static_cast<int>(d)); named >= 0)
      out_.named_threads.push_back(named);
  }
  find_accesses();
  for (std::size_t m = 0; m < out_.code.moves.size(); ++m) lower(static_cast<int>(m));
  find_stops();
  add_invariants();
  add_entries();
  add_deadlock();
  add_meetings();
  return std::move(out_);
}

namespace {

// Where all threads are at the same time matters, which no thread knows.
bool is_about_threads(diag::Kind kind) {
  switch (kind) {
    case diag::Kind::kDeadlock:
    case diag::Kind::kCyclicDeadlock:
    case diag::Kind::kNestedMonitor:
    case diag::Kind::kIgnoredNotify:
    case diag::Kind::kMutualExclusion: return true;
    default: return false;
  }
}

}  // namespace

void Lowering::find_properties() {
  out_.is_decided.assign(task_.properties.size(), false);
  for (std::size_t p = 0; p < task_.properties.size(); ++p) {
    const Property& it = task_.properties[p];
    if (it.kind == diag::Kind::kDeadlock) deadlock_ = static_cast<int>(p);
    if (it.kind == diag::Kind::kCyclicDeadlock) cyclic_ = static_cast<int>(p);
    if (by_views_ && is_about_threads(it.kind)) continue;  // but for what an order of locks excludes
    by_claim_[claimed(it.kind, it.claim)] = static_cast<int>(p);
    out_.is_decided[p] = is_judged(it.kind);
    if (it.kind == diag::Kind::kNestedMonitor) nested_ = static_cast<int>(p);
    tracks_waiting_ = tracks_waiting_ || it.kind == diag::Kind::kIgnoredNotify;
  }
  tracks_waiting_ = tracks_waiting_ || (!by_views_ && (deadlock_ >= 0 || cyclic_ >= 0 || nested_ >= 0));
  const auto leave = [&](int property) {
    if (property >= 0) out_.is_decided[static_cast<std::size_t>(property)] = false;
  };
  for (const LockOrder& it : program_.lock_orders) {
    if (!is_followed(it)) leave(find(diag::Kind::kLockOrder, it.range));
  }
  for (const AbstractThread& machine : program_.abstract_threads) {
    for (const AbstractThread::Node& node : machine.nodes) {
      if (node.assertion) leave(find(diag::Kind::kAssertion, node.assertion->range));
    }
  }
}

// Some of what others may rely on is looked at where it could be broken: at writes.
void Lowering::find_clauses() {
  const auto decide = [&](base::SourceRange claim) {
    if (const int property = find(diag::Kind::kEnvAssumption, claim); property >= 0)
      out_.is_decided[static_cast<std::size_t>(property)] = true;
  };
  for (const Numbers::Rising& it : vocabulary().numbers().rising) decide(it.clause->range);
  const auto look = [&](const plato::Variable& it) {
    const bool is_whole =
        it.type.kind != Type::Kind::kMap && it.type.kind != Type::Kind::kSet && it.type.kind != Type::Kind::kMonitor;
    for (const FieldClause& clause : it.clauses) {
      if (is_whole &&
          (clause.kind == FieldClause::Kind::kUnwritableByEnvIf || clause.kind == FieldClause::Kind::kWritableIf))
        decide(clause.range);
      out_.may_forget_threads = false;
    }
  };
  for (const plato::Variable& it : program_.variables) look(it);
  for (const Class& it : program_.classes) {
    for (const plato::Variable& field : it.fields) look(field);
  }
}

int Lowering::find(diag::Kind kind, base::SourceRange at) const {
  const auto found = by_claim_.find(claimed(kind, at));
  return found == by_claim_.end() ? -1 : found->second;
}

// Several claims may stand at one place; then the finding is about the place.
void Lowering::say(ActionBuilder& builder, const FormulaPtr& broken, diag::Kind kind, base::SourceRange claim,
                   base::SourceRange at) const {
  const int property = find(kind, claim);
  CONCORD_CHECK(property >= 0 || !task_.settings.only.empty(), "something may go wrong that no property is about");
  if (property >= 0) builder.say(broken, property, "", at);
}

std::string Lowering::refusal() const {
  for (const Clause& it : program_.clauses) {
    if (it.kind == Clause::Kind::kInitially) return "`initially` is not known to the shape engine";
  }
  for (const plato::Variable& it : program_.variables) {
    const bool refers = refers_to_objects(it.type) || it.type.kind == Type::Kind::kTid;
    const bool is_plain =
        !it.init || std::holds_alternative<NullLit>(it.init->node) || std::holds_alternative<NoneLit>(it.init->node);
    if (refers && !is_plain) return fmt::format("the initial value of `{}` is not known to the shape engine", it.name);
  }
  for (const Thread& it : program_.threads) {
    for (const ExprPtr& argument : it.target.arguments) {
      const bool refers = refers_to_objects(argument->type) || argument->type.kind == Type::Kind::kTid;
      const bool is_plain =
          std::holds_alternative<NullLit>(argument->node) || std::holds_alternative<NoneLit>(argument->node);
      if (refers && !is_plain) return "a thread that begins with an object is not known to the shape engine";
    }
  }
  return "";
}

// Invariants of a class speak of all its objects, quantifiers of all objects of a class or of all threads: it matters which there are, and
// what the fields of each are, whoever knows them.
void Lowering::find_watched() {
  const auto watch = [&](int predicate) {
    if (std::find(out_.watched.begin(), out_.watched.end(), predicate) == out_.watched.end())
      out_.watched.push_back(predicate);
  };
  const auto watch_class = [&](int class_index) {
    for (std::size_t c = 0; c < program_.classes.size(); ++c) {
      if (is_subclass(program_, static_cast<int>(c), class_index))
        watch(vocabulary().class_predicate(static_cast<int>(c)));
    }
  };
  for (std::size_t m = 0; m < out_.code.moves.size(); ++m) {
    if (const int once = vocabulary().made_at(static_cast<int>(m)); once >= 0) watch(once);
  }
  // In views, those that somebody knows have to do.
  for (const Clause& it : program_.clauses) {
    if (!by_views_ && it.class_index >= 0 && is_invariant(it)) watch_class(it.class_index);
  }
  for_each_whole_expr(program_, [&](const Expr& whole, int) {
    for_each_expr(whole, [&](const Expr& part) {
      const auto* it = std::get_if<QuantifierExpr>(&part.node);
      for (std::size_t v = 0; it != nullptr && v < it->variables.size(); ++v) {
        const Type& type = it->variables[v].type;
        if (!by_views_ && type.kind == Type::Kind::kClass) watch_class(type.decl);
        if (type.kind == Type::Kind::kTid) watch(system().is_thread);
      }
    });
  });
}

bool is_judged(diag::Kind kind) {
  switch (kind) {
    case diag::Kind::kAssertion:
    case diag::Kind::kInvariant:
    case diag::Kind::kPrecondition:
    case diag::Kind::kPostcondition:
    case diag::Kind::kNullDereference:
    case diag::Kind::kArrayBounds:
    case diag::Kind::kNegativeArraySize:
    case diag::Kind::kDivisionByZero:
    case diag::Kind::kClassCast:
    case diag::Kind::kMonitorState:
    case diag::Kind::kThreadState:
    case diag::Kind::kLockOrder:
    case diag::Kind::kMutualExclusion:
    case diag::Kind::kRace:
    case diag::Kind::kDeadlock:
    case diag::Kind::kCyclicDeadlock:
    case diag::Kind::kNestedMonitor:
    case diag::Kind::kUseAfterFree:
    case diag::Kind::kIgnoredNotify: return true;
    default: return false;
  }
}

Lowered lower(const Task& task, bool by_views, Defect defect) { return Lowering(task, by_views, defect).run(); }

}  // namespace concord::engine::shape::source
