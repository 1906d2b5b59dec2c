// Calls and returns: bodies used in place, and abstractions used instead of bodies.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "plato/classes.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Command;
using sequential::Invariant;

void Simulator::check_requires(const CallTarget& target, const std::vector<Term>& locals, Term tid,
                               base::SourceRange at, Effect& effect, const Activation* activation) {
  const Procedure& it = procedure(target.index);
  for (const ExprPtr& expr : it.contract.requires_) {
    Scene where;
    where.tid = tid;
    where.locals = &locals;
    Encoder encoder(world_, where);
    const Term holds = encoder.clause(*expr);
    if (target.is_within_requires) {
      add_assume(effect, encoder.all_facts());
      add_assume(effect, holds);
      continue;
    }
    add_assert(effect, pool().implies(encoder.all_facts(), holds), Kind::kPrecondition, expr->range, at,
               "the precondition of `" + it.name + "` may not hold at this call", activation);
  }
}

namespace {

// The shared variable whose value a local variable keeps, if it is used for nothing else; otherwise the expression itself.
const Expr& origin(const Procedure& procedure, const Expr& expr) {
  if (const auto* it = std::get_if<UnaryExpr>(&expr.node); it != nullptr && it->op == UnaryOp::kNonNull)
    return origin(procedure, *it->operand);
  const auto is_kept_in = [](const Expr& target, int slot) {
    const auto* it = std::get_if<NameExpr>(&target.node);
    return it != nullptr && it->ref.kind == Ref::Kind::kLocal && it->ref.index == slot;
  };
  const auto* name = std::get_if<NameExpr>(&expr.node);
  if (name == nullptr || name->ref.kind != Ref::Kind::kLocal) return expr;
  const int slot = name->ref.index;
  const Expr* out = nullptr;
  bool is_changed = slot < std::ssize(procedure.parameters);
  for_each_stmt(*procedure.body, [&](const Stmt& statement) {
    for_each_target(statement, [&](const Expr& target) { is_changed = is_changed || is_kept_in(target, slot); });
    const CallTarget* call = called(statement);
    is_changed = is_changed || (call != nullptr && call->catch_slot == slot);
    const auto* declared = std::get_if<LocalDecl>(&statement.node);
    if (declared == nullptr || declared->slot != slot) return;
    const auto* init = declared->init ? std::get_if<ExprPtr>(&*declared->init) : nullptr;
    is_changed = is_changed || out != nullptr || init == nullptr;
    if (init != nullptr) out = init->get();
  });
  const auto* kept = out == nullptr ? nullptr : std::get_if<NameExpr>(&out->node);
  return !is_changed && kept != nullptr && kept->ref.kind == Ref::Kind::kShared ? *out : expr;
}

}  // namespace

// What a contract says of one state, if that is the same whenever the call is made: it may be known elsewhere too.
void Simulator::learn_atoms(const Procedure& callee, const std::vector<Term>& arguments) {
  const auto is_of_one_state = [](const Expr& expr) {
    bool out = !mentions_result(expr);
    for_each_expr(expr, [&](const Expr& part) { out = out && !std::holds_alternative<OldExpr>(part.node); });
    return out;
  };
  for (const auto* list : {&callee.contract.requires_, &callee.contract.ensures}) {
    std::vector<const Expr*> parts;
    for (const ExprPtr& expr : *list) collect_conjuncts(*expr, parts);
    for (const Expr* part : parts) {
      if (!is_of_one_state(*part)) continue;
      Scene where;
      where.tid = tid_;
      where.locals = &arguments;
      Encoder encoder(world_, where);
      StateFormula made{encoder.clause(*part), nullptr};
      made.facts = encoder.all_facts();
      bool is_rigid = true;
      for (Term root : {made.holds, made.facts}) {
        for (Term it : formula::constants_of(root)) is_rigid = is_rigid && !variables_.contains(it);
      }
      const auto is_same = [&](const StateFormula& it) { return it.holds == made.holds; };
      if (is_rigid && std::none_of(learned_.atoms.begin(), learned_.atoms.end(), is_same))
        learned_.atoms.push_back(made);
    }
  }
}

// Where the result of a call waits until the next operation puts it in its place.
Term Simulator::returned_by(const Activation& activation, const Stmt& call, formula::Sort sort) {
  Term& out = returned_[{activation.number, &call}];
  if (out == nullptr) out = variable("returned", sort);
  return out;
}

void Simulator::call(Activation& activation, const Operation& operation, int target_block, int throw_block,
                     bool in_atomic) {
  const CallTarget& target = *called(*operation.statement);
  const Procedure& callee = procedure(target.index);
  const base::SourceRange at = operation.statement->range;

  in_atomic_ = in_atomic;
  Activation entered;
  entered.number = activations_++;
  entered.procedure = target.index;
  entered.caller = &activation;
  entered.return_block = target_block;
  entered.throw_block = throw_block;
  entered.in_atomic = in_atomic;
  entered.atomic = atomic_;
  entered.loops = loops_;
  for (const Local& local : callee.locals) entered.locals.push_back(variable(local.name, world_.sort(local.type)));
  for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
    parameters_[entered.locals[i]] = callee.parameters[i].name;
  }
  if (callee.result.kind != Type::Kind::kNone) entered.result = variable("result", world_.sort(callee.result));
  if (callee.throws.kind != Type::Kind::kNone) entered.exception = variable("exception", world_.sort(callee.throws));

  // The call itself: a step of the caller that evaluates the arguments.
  Effect effect;
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = true;
  std::vector<Term> values;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    values.push_back(encoder.value_as(*target.arguments[i], callee.parameters[i].type));
  }
  guarded(encoder, activation, at, effect);
  checks(encoder, activation, effect);
  for (std::size_t i = 0; i < callee.locals.size(); ++i) {
    const Term value = i < values.size() ? values[i] : world_.default_value(callee.locals[i].type);
    effect.commands.push_back({Command::Kind::kAssign, entered.locals[i], value, -1, -1});
  }
  check_requires(target, entered.locals, tid_, at, effect, &activation);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Expr& from = origin(procedure(activation.procedure), *target.arguments[i]);
    Encoder of_origin(world_, scene(activation));
    if (&from != target.arguments[i].get()) values[i] = of_origin.value_as(from, callee.parameters[i].type);
  }
  for (std::size_t i = values.size(); i < callee.locals.size(); ++i) {
    values.push_back(world_.default_value(callee.locals[i].type));
  }
  learn_atoms(callee, values);
  std::set<int> parts = accessed(effect.commands);
  // What a postcondition calls \old is the state of this moment, so nothing of it may be put off.
  if (!callee.contract.ensures.empty() || !callee.contract.signals.empty()) {
    parts.merge(parts_of_contract(target.index, entered.locals));
  }
  if (in_atomic) {
    look_in_atomic(parts, {});
  } else {
    add_parts_of_step(procedure(activation.procedure).module, {}, parts);
    let_act(parts);
    begin_step(!parts.empty());
  }
  for (const Command& command : effect.commands) emit(command);
  if (!in_atomic) end_step({}, procedure(activation.procedure).module, at, &activation);
  snapshot(entered.entry, "entry");

  if (callee.contract.has_abstraction() && !callee.contract.is_inline && initialised_) {
    call_by_abstraction(entered, activation, operation);
    take_over(entered, activation, operation);
    return;
  }
  for (const Activation* it = &activation; it != nullptr; it = it->caller) {
    if (it->procedure == target.index) {
      throw Unsupported{at, "recursion through `" + callee.name +
                                "`, which has no abstraction (give it `action` or `modifies` clauses)"};
    }
  }
  const int body = new_block();
  go_to(body);
  translate(entered, body, in_atomic);
  loops_ = entered.loops;
  entered.needed.clear();
  take_over(entered, activation, operation);
}

// What the call is for, where its returns come together, and where its exceptions do.
void Simulator::take_over(const Activation& entered, Activation& caller, const Operation& operation) {
  const int catch_slot = called(*operation.statement)->catch_slot;
  const bool may_cut = !entered.in_atomic && initialised_;
  if (entered.throw_block >= 0) {
    at_ = entered.throw_block;
    if (may_cut && learned_.cuts.contains(at_)) cut(entered, entered.entry);
    assign(caller.locals[static_cast<std::size_t>(catch_slot)], entered.exception);
  }
  at_ = entered.return_block;
  if (may_cut && learned_.cuts.contains(at_)) cut(entered, entered.entry);
  if (entered.throw_block >= 0) {
    const Type& type = procedure(entered.procedure).throws;
    assign(caller.locals[static_cast<std::size_t>(catch_slot)], world_.null(type));
  }
  if (std::holds_alternative<Call>(operation.statement->node)) return;
  CONCORD_CHECK(entered.result != nullptr, "a call for a result that there is not");
  const int slot = direct_result_slot(*operation.statement);
  if (slot >= 0) {
    assign(caller.locals[static_cast<std::size_t>(slot)], entered.result);
  } else {
    assign(returned_by(caller, *operation.statement, entered.result->sort), entered.result);
  }
}

Effect Simulator::returned_value(const Activation& activation, const Operation& operation) {
  Effect effect;
  if (activation.result == nullptr) return effect;
  const Procedure& it = procedure(activation.procedure);
  Term value = world_.default_value(it.result);
  if (operation.statement != nullptr) {
    const Return& statement = std::get<Return>(operation.statement->node);
    if (statement.value) {
      Encoder encoder(world_, scene(activation));
      encoder.log_accesses = true;
      value = encoder.value_as(*statement.value, it.result);
      guarded(encoder, activation, range_of(operation, it), effect);
      checks(encoder, activation, effect);
    }
  }
  effect.commands.push_back({Command::Kind::kAssign, activation.result, value, -1, -1});
  return effect;
}

Effect Simulator::thrown_value(const Activation& activation, const Operation& operation) {
  Effect effect;
  const Procedure& it = procedure(activation.procedure);
  const base::SourceRange at = operation.statement->range;
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = true;
  const Term value = encoder.value_as(*std::get<Throw>(operation.statement->node).value, it.throws);
  guarded(encoder, activation, at, effect);
  checks(encoder, activation, effect);
  add_assert(effect, pool().ne(value, world_.null(it.throws)), Kind::kNullDereference, at, at,
             "what is thrown may be null", &activation);
  effect.commands.push_back({Command::Kind::kAssign, activation.exception, value, -1, -1});
  return effect;
}

// By `return`, by the end of the body, or by an exception.
void Simulator::leave(Activation& activation, const Operation& operation, bool in_atomic) {
  const Procedure& it = procedure(activation.procedure);
  const base::SourceRange at = range_of(operation, it);
  const bool throws = operation.kind == Operation::Kind::kThrow;
  in_atomic_ = in_atomic;
  const Effect effect = throws ? thrown_value(activation, operation) : returned_value(activation, operation);
  const bool is_outermost = activation.caller == nullptr;
  std::set<int> parts = accessed(effect.commands);
  const bool has_claims = throws ? !it.contract.signals.empty() : !it.contract.ensures.empty();
  if (has_claims) parts.merge(parts_of_contract(activation.procedure, activation.locals));
  if (in_atomic) {
    look_in_atomic(parts, {});
  } else {
    add_parts_of_step(it.module, {}, parts);
    if (is_outermost && !positions_.empty()) parts.merge(position_parts());
    if (input_.defect != Defect::kNoStepBeforeReturn) let_act(parts);
    begin_step(!parts.empty());
  }
  for (const Command& command : effect.commands) emit(command);
  if (!in_atomic) end_step({}, it.module, at, &activation);
  check_ensures(activation, throws, at);
  if (!is_outermost) return go_to(throws ? activation.throw_block : activation.return_block);
  check_all_performed(activation, throws, at);
}

// All actions have happened: for the value that is returned; when an exception leaves the procedure, for some value.
void Simulator::check_all_performed(const Activation& activation, bool throws, base::SourceRange at) {
  const Procedure& it = procedure(activation.procedure);
  if (positions_.empty() || machine() != nullptr || input_.defect == Defect::kLastActionUnchecked) return;
  if (result_ != nullptr && !throws) assume(pool().eq(result_, activation.result));
  Obligation made;
  for (const Action& action : it.contract.actions) made.claims.push_back({Kind::kAbstractionStep, action.range});
  if (made.claims.empty()) return;
  made.at = at;
  made.message = "`" + it.name + (throws ? "` may throw" : "` may return") + " without having performed this action";
  made.first_position = 0;
  for (Term position : positions_) made.shown.push_back({"", position, false});
  for (Obligation::Shown& value : shown_for(tid_, &activation)) made.shown.push_back(std::move(value));
  Term performed = positions_.back();
  if (throws && !unbound_.empty()) performed = pool().or_({performed, unbound_.back(), bound_.back()});
  assert_(performed, obligation(std::move(made)));
}

// What a postcondition speaks of: now, and with \old the entry.
Scene Simulator::return_scene(const Activation& activation, bool throws) const {
  Scene out = scene(activation);
  out.two_state = true;
  out.uses_old = true;
  out.entry = activation.entry;
  out.result = throws ? activation.exception : activation.result;
  return out;
}

void Simulator::check_ensures(const Activation& activation, bool throws, base::SourceRange at) {
  const Procedure& it = procedure(activation.procedure);
  for (const ExprPtr& expr : throws ? it.contract.signals : it.contract.ensures) {
    Encoder encoder(world_, return_scene(activation, throws));
    const Term holds = encoder.clause(*expr);
    Effect effect;
    add_assert(effect, pool().implies(encoder.all_facts(), holds), Kind::kPostcondition, expr->range, at,
               "`" + it.name + (throws ? "` may throw" : "` may return") + " while its postcondition does not hold",
               &activation);
    for (const Command& command : effect.commands) emit(command);
  }
}

// --------------------------------------------------------------------------------------------- abstractions for bodies

void Simulator::havoc_frame(const std::vector<FrameItem>& frame, std::set<int>& writes) {
  for (const FrameItem& item : frame) {
    const Part& part = world_.part(item.part);
    writes.insert(item.part);
    if (item.keys.empty()) {
      havoc(part.now);
      continue;
    }
    // The keys are about the state before the step; `before` was copied when it began.
    formula::Sort sort = part.now->sort;
    for (std::size_t i = 0; i < item.keys.size(); ++i) sort = sort->value;
    const Term value = variable("any", sort);
    havoc(value);
    assign(part.now, with_value(pool(), part.now, item.keys, value));
  }
}

// A callee that starts threads or allocates does so in its stuttering steps too.
void Simulator::grow(int callee, std::set<int>& writes) {
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    const Part& part = world_.parts()[i];
    const bool grows = (part.kind == Part::Kind::kAlive && input_.derived->may_start(callee)) ||
                       (part.kind == Part::Kind::kAllocated && input_.derived->may_allocate(callee));
    if (!grows || !part.changes) continue;
    havoc(part.now);
    writes.insert(static_cast<int>(i));
    writes.merge(world_.makings(part.of));
    assume(clauses_.guaranteed(static_cast<int>(i), tid_));
  }
}

// K*: any number of steps of the callee that change only what it `modifies`, with others in between: a loop. Others have
// acted on every way to its head, so neither a step from there nor what comes after the loop needs that once more. False if
// there are no such steps.
bool Simulator::looks_at(Term term, const std::vector<FrameItem>& frame, Term Part::*when) const {
  const std::vector<Term> constants = formula::constants_of(term);
  return std::any_of(frame.begin(), frame.end(), [&](const FrameItem& item) {
    return std::find(constants.begin(), constants.end(), world_.part(item.part).*when) != constants.end();
  });
}

// What is true of the steps of others may be true of the callee's as well: of what it leaves alone, and elsewhere of what it
// changes. That others leave something alone as long as the callee leaves alone what that depends on says nothing.
std::vector<Term> Simulator::since_call(const std::set<int>& components, const std::vector<FrameItem>& frame) {
  std::vector<Term> out;
  for (const OfOthers& each : true_of_others(components)) {
    const bool constrains = looks_at(each.holds, frame, &Part::now);
    const bool looks = constrains || looks_at(each.holds, frame, &Part::before);
    if (!looks || (constrains && each.part < 0)) out.push_back(each.holds);
    for (const FrameItem& item : frame) {
      if (!looks || each.holds->op != formula::Op::kForall || item.keys.size() != 1) continue;
      const Term bound = each.holds->bound.front();
      const Part& part = world_.part(item.part);
      const bool has_classes = each.class_index >= 0 && part.index >= 0 && part.kind != Part::Kind::kVariable;
      const bool is_same = each.part == item.part || !has_classes ||
                           is_subclass(program(), each.class_index, part.index) ||
                           is_subclass(program(), part.index, each.class_index);
      if (!is_same || bound->sort != item.keys.front()->sort) continue;
      const Term elsewhere = pool().implies(pool().ne(bound, item.keys.front()), each.holds->args.front());
      out.push_back(pool().forall(each.holds->bound, elsewhere, each.holds->patterns));
    }
  }
  return out;
}

// A callee changes objects that it made and nobody else knows, and its abstraction does not speak of that. As long as everybody
// speaks of each object by itself, it is as if they came to exist later, as they are then. But that there is one shows when it
// does; and what only the caller knows of them is not shown in the callee's own proof.
Simulator::OwnParts Simulator::own_parts(int callee) {
  OwnParts out;
  if (!input_.derived->may_allocate(callee)) return out;
  const spec::Specification& known = input_.derived->of(callee);
  std::set<int> unknown;  // what relies speak of that the callee does not know
  for (std::size_t i = 0; i < relies_.size(); ++i) {
    const spec::Rely& rely = specification().relies[i];
    const auto same = [&](const spec::Rely& it) { return it.claim == rely.claim; };
    if (std::any_of(known.relies.begin(), known.relies.end(), same)) continue;
    for (const std::optional<Formula>* it : {&relies_[i], &relies_other_[i]}) {
      if (*it) unknown.insert((*it)->parts.begin(), (*it)->parts.end());
    }
  }
  std::map<int, Term> existed;  // by part
  for (int i = 0; i < std::ssize(world_.parts()); ++i) {
    const Part& part = world_.part(i);
    if (!part.changes || !is_of_objects(part.kind) || !(quantified_.asks_for_some || unknown.contains(i))) continue;
    for (int a = 0; a < std::ssize(world_.parts()); ++a) {
      const Part& allocated = world_.part(a);
      if (allocated.kind != Part::Kind::kAllocated || allocated.of != part.now->sort->key || !allocated.changes)
        continue;
      Term& before = existed[a];
      if (before == nullptr) {
        before = variable("existed at call", allocated.now->sort);
        assign(before, allocated.now);
      }
      out.emplace_back(i, before);
    }
  }
  return out;
}

void Simulator::change_own(const OwnParts& own, std::set<int>& writes) {
  for (const auto& [index, existed] : own) {
    const Part& part = world_.part(index);
    const Term expected = variable("expected", part.now->sort);
    assign(expected, part.now);
    havoc(part.now);
    const Term object = pool().bound("o", part.now->sort->key);
    const Term now = pool().select(part.now, object);
    const Term same = pool().eq(now, pool().select(expected, object));
    assume(pool().forall({object}, pool().implies(world_.exists(existed, object), same), {{now}}));
    writes.insert(index);
  }
}

bool Simulator::abstract_stutter(int callee, const std::vector<Term>& locals, const std::set<int>& parts,
                                 const OwnParts& own, base::SourceRange at) {
  const Procedure& it = procedure(callee);
  const bool changes = (it.contract.modifies && !it.contract.modifies->empty()) || input_.derived->may_start(callee) ||
                       input_.derived->may_allocate(callee);
  // Even a step that changes nothing may break a rely that is not reflexive.
  const std::vector<bool>& reflexive = input_.closure.is_reflexive;
  if (!changes && std::all_of(reflexive.begin(), reflexive.end(), [](bool each) { return each; })) return false;
  const auto one_step = [&] {
    begin_step();
    std::set<int> writes;
    havoc_frame(modifies_frame(it, locals), writes);
    grow(callee, writes);
    change_own(own, writes);
    assume_step_of(input_.derived->of(callee), components_of(parts));
    end_step(writes, -1, at, nullptr, &input_.derived->of(callee));
    catch_up(components_of(parts), writes);
  };
  let_act(parts);
  if (input_.defect == Defect::kCalleeStutterOnce) {
    one_step();
    return false;
  }
  std::vector<Term> entry;
  snapshot(entry, "call");
  const int head = new_block();
  const int body = new_block();
  const int after = new_block();
  go_to(head);
  at_ = head;
  block(head).is_loop_head = true;
  formula::Substitution since;
  for (std::size_t i = 0; i < entry.size(); ++i) since[world_.parts()[i].before] = entry[i];
  std::vector<Invariant> invariants;
  const auto add = [&](Term term) {
    if (term == pool().truth(true)) return;
    out_.suggestions.push_back({head, static_cast<int>(invariants.size()), "", at});
    invariants.push_back({term, -1, -1});
  };
  const std::vector<FrameItem> frame = modifies_frame(it, locals);
  for (Term each : since_call(components_of(parts), frame)) add(pool().substitute(each, since));
  for (Term position : positions_) add(position);
  for (const std::vector<Term>* list : {&unbound_, &bound_}) {
    for (Term position : *list) add(position);
  }
  for (const ExprPtr& expr : it.contract.requires_) {
    Scene where;
    where.tid = tid_;
    where.locals = &locals;
    std::vector<const Expr*> conjuncts;
    collect_conjuncts(*expr, conjuncts);
    for (const Expr* conjunct : conjuncts) {
      Encoder encoder(world_, where);
      const Term holds = encoder.clause(*conjunct);
      assume(encoder.all_facts());  // true of every state
      if (!looks_at(holds, frame, &Part::now)) add(pool().implies(encoder.all_facts(), holds));
    }
  }
  block(head).invariants = std::move(invariants);
  assume_more_exists(entry);
  if (input_.defect != Defect::kNoStepAtLoopHead) assume_caught_up(components_of(parts));
  assume_invariants();
  block(head).successors = {body, after};
  at_ = body;
  one_step();
  let_act(parts);
  go_to(head);
  at_ = after;
  return true;
}

void Simulator::call_by_abstraction(const Activation& entered, Activation& caller, const Operation& operation) {
  const int callee = entered.procedure;
  const Procedure& it = procedure(callee);
  const base::SourceRange at = operation.statement->range;
  const spec::Specification& known = input_.derived->of(callee);
  if (input_.derived->may_acquire(callee)) {
    // Which locks it takes does not show in its abstraction; orders that it knows are checked in its body.
    // Orders without an index are transitive: through one that it does not know it may break one that it does.
    Effect effect;
    const auto is_unknown = [&](const LockOrder* order) {
      return std::find(known.lock_orders.begin(), known.lock_orders.end(), order) == known.lock_orders.end();
    };
    const std::vector<const LockOrder*>& orders = specification().lock_orders;
    const bool unknown_link = std::any_of(orders.begin(), orders.end(), [&](const LockOrder* order) {
      return order->bound.empty() && is_unknown(order);
    });
    for (const LockOrder* order : orders) {
      if (!is_unknown(order) && !(order->bound.empty() && unknown_link)) continue;
      add_assert(effect, pool().truth(false), Kind::kLockOrder, order->range, at,
                 "`" + it.name +
                     "` takes locks, and its module does not know all orders that matter here (declare them there)",
                 nullptr);
    }
    for (Command command : effect.commands) {
      command.term = pool().fresh("unchecked", pool().boolean());  // not proved, and nothing follows from it
      emit(command);
    }
  }
  for (const Action& action : it.contract.actions) out_.abstractions.push_back({Kind::kAbstractionStep, action.range});
  if (it.contract.actions.empty()) out_.abstractions.push_back({Kind::kAbstractionStep, it.name_range});
  for (const ExprPtr& expr : it.contract.requires_) out_.abstractions.push_back({Kind::kPrecondition, expr->range});
  if (entered.result != nullptr) havoc(entered.result);
  Effect shared;  // the callee may store what it is given
  if (std::any_of(it.parameters.begin(), it.parameters.end(),
                  [&](const Local& parameter) { return refers(world_.sort(parameter.type)); })) {
    publish(pool().truth(false), shared);
  }
  if (input_.derived->may_start(callee)) not_alone(shared);
  for (const Command& command : shared.commands) emit(command);
  // What its steps have to do with. A thread that it starts may require anything.
  std::set<int> parts = parts_of_contract(callee, entered.locals);
  parts.merge(parts_of_every_step(-1));
  if (!positions_.empty()) parts.merge(position_parts());
  if (input_.derived->may_start(callee)) parts.insert(Learned::kEverything);
  for (Term comes_back : {entered.result, entered.exception}) {
    if (comes_back != nullptr) parts.merge(existence_in(comes_back->sort));
  }
  if (input_.derived->may_allocate(callee)) {
    for (std::size_t i = 0; i < world_.parts().size(); ++i) {  // which may grow meanwhile
      const Part& each = world_.parts()[i];
      if (each.kind == Part::Kind::kAllocated) parts.merge(world_.makings(each.of));
    }
  }
  OwnParts own = own_parts(callee);
  for (const auto& [part, existed] : own) parts.insert(part);
  for (std::size_t i = 0; i <= it.contract.actions.size(); ++i) {
    const bool stuttered = abstract_stutter(callee, entered.locals, parts, own, at);
    if (!stuttered) let_act(parts);
    if (i == it.contract.actions.size()) break;
    begin_step();
    std::set<int> writes;
    havoc_frame(action_frame(it, i, entered.locals), writes);
    grow(callee, writes);
    change_own(std::exchange(own, {}), writes);
    const Term holds = action_formula(it, i, entered.locals, entered.result);
    assume(holds, premise(Kind::kAbstractionStep, it.contract.actions[i].range));
    assume_step_of(known, components_of(parts));
    end_step(writes, -1, at, &caller, &known);
    catch_up(components_of(parts), writes);
  }
  if (entered.throw_block < 0) return end_abstraction(entered, caller, false, at);
  const int fork = at_;
  for (const bool throws : {false, true}) {
    at_ = new_block();
    block(fork).successors.push_back(at_);
    end_abstraction(entered, caller, throws, at);
  }
}

// Its return, or its exception: a step of the caller that changes nothing. What comes back exists now; at the call it may
// not have.
void Simulator::end_abstraction(const Activation& entered, const Activation& caller, bool throws,
                                base::SourceRange at) {
  const Procedure& it = procedure(entered.procedure);
  begin_step();
  if (const Term value = throws ? entered.exception : entered.result; value != nullptr) {
    Effect effect;
    if (throws) effect.commands.push_back({Command::Kind::kHavoc, value, nullptr, -1, -1});
    havoc_value(value, throws ? it.throws : it.result, effect);
    if (throws) add_assume(effect, pool().ne(value, world_.null(it.throws)));
    for (const Command& command : effect.commands) emit(command);
  }
  for (const ExprPtr& expr : throws ? it.contract.signals : it.contract.ensures) {
    Encoder encoder(world_, return_scene(entered, throws));
    const Term holds = encoder.clause(*expr);
    assume(encoder.all_facts());
    assume(holds, premise(Kind::kPostcondition, expr->range));
  }
  // If the last action changes nothing, it may have been the return itself: the positions do not move once more.
  if (it.contract.actions.empty()) {
    end_step({}, -1, at, &caller);
  } else {
    check_step({}, -1, at, &caller, nullptr);
  }
  go_to(throws ? entered.throw_block : entered.return_block);
}

// ------------------------------------------------------------------------------------------------------ initial states

// Nothing has happened yet.
void Simulator::assume_initial_state() {
  const Part& alive = world_.part(world_.alive());
  for (std::size_t i = 0; i < program().threads.size(); ++i) {
    if (!program().threads[i].name.empty()) assume(world_.exists(alive.now, world_.thread(static_cast<int>(i))));
  }
  Effect effect;
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    const Part& part = world_.parts()[i];
    switch (part.kind) {
      case Part::Kind::kVariable: {
        const Variable& declared = program().variables[static_cast<std::size_t>(part.index)];
        if (declared.init && std::holds_alternative<Star>(declared.init->node)) {
          havoc_value(part.now, declared.type, effect);
          break;
        }
        try {
          Encoder encoder(world_, Scene{});
          const Term value =
              declared.init ? encoder.value_as(*declared.init, declared.type) : world_.default_value(declared.type);
          add_assume(effect, pool().eq(part.now, value));
        } catch (const Unsupported&) { havoc_value(part.now, declared.type, effect); }  // more states to begin in
        break;
      }
      case Part::Kind::kHolder:
      case Part::Kind::kDepth: {
        const Type& type = program().variables[static_cast<std::size_t>(part.index)].type;
        const World::Half half = part.kind == Part::Kind::kHolder ? World::Half::kHolder : World::Half::kDepth;
        add_assume(effect, pool().eq(part.now, world_.default_value(type, half)));
        break;
      }
      case Part::Kind::kAllocated: {
        const Term object = pool().bound("o", part.of);
        const Term exists = world_.exists(part.now, object);
        add_assume(effect, pool().forall({object}, pool().not_(exists), {{exists->args.front()}}));
      } break;
      default: break;
    }
  }
  for (const Command& command : effect.commands) emit(command);
  // The threads that exist are the declared ones.
  const Term any = pool().bound("t", world_.tid());
  std::vector<Term> entries;
  for (const Thread& declared : program().threads) {
    entries.push_back(pool().eq(world_.entry_of(any), pool().number(declared.target.index)));
  }
  assume(pool().forall({any}, pool().implies(world_.exists(alive.now, any), pool().or_(entries)),
                       {{world_.entry_of(any)}}));
  for (const Clause& clause : program().clauses) {
    if (clause.kind != Clause::Kind::kInitially) continue;
    try {
      Scene where;
      where.tid = world_.none();
      Encoder encoder(world_, where);
      const Term holds = encoder.holds(*clause.predicate.predicate);
      assume(encoder.all_facts());
      assume(pool().and_(encoder.definite_checks(), holds));
    } catch (const Unsupported&) { continue; }  // more states to begin in
  }
}

void Simulator::check_invariants_first(const std::string& message) {
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (!invariants_[i] || input_.defect == Defect::kNoInitialCheck) continue;
    const base::SourceRange claim = specification().invariants[i]->range;
    Obligation made;
    made.claims = {{Kind::kInvariant, claim}};
    made.at = claim;
    made.message = message;
    made.shown = shown_for(invariants_[i]->holds, nullptr);
    assert_(pool().implies(invariants_[i]->facts, invariants_[i]->holds), obligation(std::move(made)));
  }
}

// What declared threads require where they enter.
void Simulator::check_declared_threads(bool initialising) {
  const Part& alive = world_.part(world_.alive());
  for (std::size_t i = 0; i < program().threads.size(); ++i) {
    if (input_.defect == Defect::kEntryRequiresUnchecked) break;
    const Thread& declared = program().threads[i];
    if (initialising != (program().initialiser < 0 || declared.target.index == program().initialiser)) continue;
    const Procedure& entered = procedure(declared.target.index);
    const bool named = !declared.name.empty();
    const Term thread = named ? world_.thread(static_cast<int>(i)) : variable("thread", world_.tid());
    const Term index = variable("index", pool().integer());
    try {
      Scene where;
      where.tid = thread;
      where.thread_index = index;
      Encoder arguments(world_, where);
      std::vector<Term> locals;
      for (std::size_t a = 0; a < declared.target.arguments.size(); ++a) {
        locals.push_back(arguments.value_as(*declared.target.arguments[a], entered.parameters[a].type));
      }
      std::vector<Term> when{arguments.all_facts(),
                             arguments.definite_checks(),
                             pool().ne(thread, world_.none()),
                             world_.exists(alive.now, thread),
                             pool().le(pool().number(0), index),
                             pool().eq(world_.entry_of(thread), pool().number(declared.target.index))};
      if (declared.count == Thread::Count::kNumber) when.push_back(pool().lt(index, pool().number(declared.number)));
      if (declared.count == Thread::Count::kSymbol) {
        const Const& count = program().consts[static_cast<std::size_t>(declared.const_index)];
        const Term number = count.value ? arguments.value(*count.value) : world_.constant(declared.const_index);
        when.push_back(pool().lt(index, number));
      }
      for (std::size_t n = 0; n < program().threads.size() && !named; ++n) {
        if (!program().threads[n].name.empty()) when.push_back(pool().ne(thread, world_.thread(static_cast<int>(n))));
      }
      for (const ExprPtr& expr : entered.contract.requires_) {
        Scene entry;
        entry.tid = thread;
        entry.locals = &locals;
        Encoder encoder(world_, entry);
        const Term holds = encoder.clause(*expr);
        std::vector<Term> given = when;
        given.push_back(encoder.all_facts());
        Effect check;
        // Not assumed afterwards: threads have nothing to do with one another.
        add_assert(check, pool().implies(pool().and_(given), holds), Kind::kPrecondition, expr->range, declared.range,
                   "`" + entered.name + "` may start while its precondition does not hold", nullptr);
        for (const Command& command : check.commands) emit(command);
      }
    } catch (const Unsupported& why) {
      for (const ExprPtr& expr : entered.contract.requires_) {
        out_.lost.push_back({{Kind::kPrecondition, expr->range}, why});
      }
    }
  }
}

void Simulator::probe_initial_state() {
  base::SourceRange first;
  for (const Clause& clause : program().clauses) {
    if (clause.kind == Clause::Kind::kInitially && first == base::SourceRange{}) first = clause.range;
  }
  probe(first, "no initial state satisfies the `initially` clauses, so nothing ever runs");
}

Simulation Simulator::run_start() {
  at_ = new_block();
  assume_initial_state();
  probe_initial_state();
  if (program().initialiser < 0) check_invariants_first("the invariant may not hold initially");
  check_declared_threads(true);
  return finished();
}

// The other threads enter, and from here on every clause counts.
void Simulator::become_initialised(base::SourceRange at) {
  probe(at, "no run comes to `initialised`, so nothing ever happens behind it and no other thread takes a step", true);
  Effect effect;
  publish(pool().truth(false), effect);
  for (const Command& command : effect.commands) emit(command);
  check_invariants_first("the invariant may not hold when everything is initialised");
  check_declared_threads(false);
  begin_step();  // what is final now was so before each step of others
  catch_up();
  initialised_ = true;
}

}  // namespace concord::simulation
