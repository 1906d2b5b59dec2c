// What each operation does (docs/plato.md, section 5), as commands over the current state.
#include <algorithm>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/classes.h"
#include "plato/printer.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using base::Overloaded;
using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Command;

// -------------------------------------------------------------------------------------------------------------- helpers

Scene Simulator::scene(const Activation& activation) const {
  Scene out;
  out.tid = tid_;
  out.locals = &activation.locals;
  return out;
}

void Simulator::add_assume(Effect& effect, Term term, int premise) {
  if (term != pool().truth(true)) effect.commands.push_back({Command::Kind::kAssume, nullptr, term, premise, -1});
}

void Simulator::add_assert(Effect& effect, Term term, Kind kind, base::SourceRange claim, base::SourceRange at,
                           const std::string& message, const Activation* activation) {
  Obligation made;
  made.claims = {{kind, claim}};
  made.at = at;
  made.message = message;
  made.shown = shown_for(term, activation);
  effect.commands.push_back(assertion(term, obligation(std::move(made))));
}

// What evaluating the expressions takes, in order; and what the language guarantees about what they read.
void Simulator::checks(const Encoder& encoder, const Activation& activation, Effect& effect) {
  add_assume(effect, encoder.all_facts());
  claim_checks(encoder.checks, activation, effect);
}

void Simulator::claim_checks(const std::vector<Check>& checks, const Activation& activation, Effect& effect) {
  for (const Check& it : checks) {
    Term claim = it.holds;
    if (it.is_independent) {
      // Claimed without being assumed behind it: a free disjunct takes the knowledge away again.
      const Term free = variable("independent", pool().boolean());
      effect.commands.push_back({Command::Kind::kHavoc, free, nullptr, -1, -1});
      claim = pool().or_(free, claim);
    }
    add_assert(effect, claim, it.kind, it.range, it.range, std::string(diag::page(it.kind).may_fail), &activation);
  }
  // A run may come past elements that it did not look at: whoever uses that all are well depends on the claim.
  for (const Check& it : checks) {
    if (it.is_independent) add_assume(effect, it.holds, premise(it.kind, it.range));
  }
}

void Simulator::guarded(const Encoder& encoder, const Activation& activation, base::SourceRange at, Effect& effect) {
  if (!initialised_) return;
  for (const Access& access : encoder.accesses) guarded_access(access, activation, at, effect);
  race_free(encoder, activation, at, effect);
}

void Simulator::guarded_access(const Access& access, const Activation& activation, base::SourceRange at,
                               Effect& effect) {
  if (access.variable == nullptr) return;
  for (const FieldClause& clause : access.variable->clauses) {
    if (clause.kind != FieldClause::Kind::kGuardedBy) continue;
    Scene where = scene(activation);
    where.self = access.object;
    where.self_class = access.owner;
    Encoder encoder(world_, where);
    bool is_monitor = false;
    const Place holder = encoder.lock_part(*clause.expr, World::Half::kHolder, is_monitor);
    const Term held = pool().eq(encoder.read(holder, true), tid_);
    add_assume(effect, encoder.all_facts());
    Term claim = pool().implies(access.when, pool().and_(encoder.all_checks(), held));
    if (access.object != nullptr) claim = pool().or_(is_private(access.object), claim);
    if (!access.bound.empty()) claim = pool().forall(access.bound, claim);
    add_assert(effect, claim, Kind::kGuardedBy, clause.range, at,
               "`" + access.variable->name + "` may be accessed without holding `" + print(*clause.expr) + "`",
               &activation);
  }
}

void Simulator::write(Activation& activation, const Place& place, Term value, Effect& effect) {
  const Term target =
      place.is_local ? activation.locals[static_cast<std::size_t>(place.index)] : world_.part(place.index).now;
  publish_stored(place, value, effect);
  effect.commands.push_back({Command::Kind::kAssign, target, with_value(pool(), target, place.keys, value), -1, -1});
  if (place.is_local) return;
  effect.writes.insert(place.index);
  const auto is_shared = [&](Term constant) { return world_.part_of(constant) >= 0; };
  const std::vector<Term> behind =
      place.keys.size() == 1 ? formula::constants_of(place.keys.front()) : std::vector<Term>{};
  if (!behind.empty() && std::none_of(behind.begin(), behind.end(), is_shared)) {
    written_.emplace_back(place.index, place.keys.front());
  }
}

// The place, found now: what is written next does not move it.
Place Simulator::fixed(Place place, Effect& effect) {
  for (Term& key : place.keys) {
    const Term copy = variable("key", key->sort);
    effect.commands.push_back({Command::Kind::kAssign, copy, key, -1, -1});
    key = copy;
  }
  return place;
}

// Any value of the type: what the language guarantees about it.
void Simulator::havoc_value(Term value, const Type& type, Effect& effect) {
  switch (type.kind) {
    case Type::Kind::kFloat: add_assume(effect, world_.is_within(value, bits_of_float(type))); break;
    case Type::Kind::kInt:
      if (type.values) add_assume(effect, world_.is_within(value, *type.values));
      if (input_.ints == engine::IntMode::kJava) add_assume(effect, world_.is_within(value, {INT32_MIN, INT32_MAX}));
      break;
    case Type::Kind::kTid:
      add_assume(effect,
                 pool().or_(pool().eq(value, world_.none()), world_.exists(world_.part(world_.alive()).now, value)));
      break;
    case Type::Kind::kClass:
    case Type::Kind::kArray:
      add_assume(effect, pool().or_(pool().eq(value, world_.null(type)),
                                    pool().and_(world_.exists(world_.part(world_.allocated(type)).now, value),
                                                world_.is_of_type(type, value))));
      break;
    default: break;
  }
}

void Simulator::sets(Activation& activation, const std::vector<GhostSet>& sets, Effect& effect) {
  for (const GhostSet& set : sets) {
    Encoder encoder(world_, scene(activation));
    encoder.log_accesses = true;
    const Place target = encoder.place(*set.target);
    const Term value = encoder.value_as(*set.value, set.target->type);
    steers_atomic(encoder);
    checks(encoder, activation, effect);
    write(activation, target, value, effect);
  }
}

// ----------------------------------------------------------------------------------------------------------- operations

Effect Simulator::effect_of(Activation& activation, const Operation& operation, bool in_atomic) {
  Effect effect;
  in_atomic_ = in_atomic;
  const base::SourceRange at = range_of(operation, procedure(activation.procedure));
  switch (operation.kind) {
    case Operation::Kind::kCondition: {
      if (std::holds_alternative<Star>(operation.condition->node)) return effect;
      Encoder encoder(world_, scene(activation));
      encoder.log_accesses = true;
      const Term holds = encoder.holds(*operation.condition);
      guarded(encoder, activation, at, effect);
      checks(encoder, activation, effect);
      add_assume(effect, operation.wanted ? holds : pool().not_(holds));
      return effect;
    }
    case Operation::Kind::kAssignResult: {
      const Expr& target = *std::get<Assign>(operation.statement->node).target;
      Encoder encoder(world_, scene(activation));
      encoder.log_accesses = true;
      const Place place = encoder.target(target);
      guarded(encoder, activation, at, effect);
      checks(encoder, activation, effect);
      write(activation, place, returned_by(activation, *operation.statement, world_.sort(target.type)), effect);
      return effect;
    }
    case Operation::Kind::kWaitRelease: wait(activation, *operation.statement, false, effect); return effect;
    case Operation::Kind::kWaitAcquire: wait(activation, *operation.statement, true, effect); break;
    case Operation::Kind::kStatement: statement(activation, *operation.statement, effect); break;
    case Operation::Kind::kEnter:
    case Operation::Kind::kLeave: break;
    default: base::internal_error(__FILE__, __LINE__, "not an operation of its own");
  }
  if (operation.kind == Operation::Kind::kStatement) sets(activation, operation.statement->sets, effect);
  return effect;
}

void Simulator::statement(Activation& activation, const Stmt& statement, Effect& effect) {
  const auto impossible = [] { base::internal_error(__FILE__, __LINE__, "a statement that is no operation"); };
  std::visit(
      Overloaded{
          [&](const LocalDecl& it) {
            if (it.init) return assignment(activation, nullptr, it.slot, it.type, *it.init, statement, effect);
            write(activation, {true, it.slot, {}}, world_.default_value(it.type), effect);
          },
          [&](const Assign& it) {
            assignment(activation, it.target.get(), -1, it.target->type, it.value, statement, effect);
          },
          [&](const Assert& it) {
            Encoder encoder(world_, scene(activation));
            encoder.log_accesses = true;
            const Term holds = encoder.holds(*it.condition);
            steers_atomic(encoder);
            checks(encoder, activation, effect);
            const bool is_precondition = engine::kind_of(it) == Kind::kPrecondition;
            const char* message = is_precondition ? "the precondition may not hold" : "the assertion may fail";
            if (!statement.is_assertion_waived) {
              add_assert(effect, holds, engine::kind_of(it), statement.range, statement.range, message, &activation);
              return;
            }
            // The run goes on whether it holds or not: check it on a copy of nothing, that is, do not assume it.
            const Term before = variable("waived", pool().boolean());
            effect.commands.push_back({Command::Kind::kHavoc, before, nullptr, -1, -1});
            add_assert(effect, pool().or_(before, holds), engine::kind_of(it), statement.range, statement.range,
                       message, &activation);
          },
          [&](const Assume& it) {
            Encoder encoder(world_, scene(activation));
            encoder.log_accesses = true;
            const Term holds = encoder.holds(*it.condition);
            race_free(encoder, activation, statement.range, effect);
            // Blocked, it accesses nothing.
            const std::vector<Access> accesses = encoder.accesses;
            checks(encoder, activation, effect);
            add_assume(effect, holds);
            for (const Access& access : accesses) guarded_access(access, activation, statement.range, effect);
          },
          [&](const Havoc& it) {
            for (const ExprPtr& target : it.targets) {
              Encoder encoder(world_, scene(activation));
              encoder.log_accesses = true;
              const Place place = encoder.target(*target);
              const Term value = variable("any", world_.sort(target->type));
              Term low = nullptr, high = nullptr;
              if (it.low) {
                low = encoder.value(*it.low);
                high = encoder.value(*it.high);
              }
              guarded(encoder, activation, statement.range, effect);
              checks(encoder, activation, effect);
              effect.commands.push_back({Command::Kind::kHavoc, value, nullptr, -1, -1});
              havoc_value(value, target->type, effect);
              if (it.low) add_assume(effect, pool().and_(pool().le(low, value), pool().le(value, high)));
              write(activation, place, value, effect);
            }
          },
          [&](const CasSwap& it) {
            Encoder encoder(world_, scene(activation));
            encoder.log_accesses = true;
            const Place location = encoder.target(*it.location);
            const Term expected = encoder.value_as(*it.expected, it.location->type);
            const Place other = encoder.target(*it.value);
            const Term current = encoder.read(location, true);
            const Term mine = encoder.read(other, true);
            guarded(encoder, activation, statement.range, effect);
            checks(encoder, activation, effect);
            const Term equal = pool().eq(current, expected);
            const Term first = variable("swapped", current->sort);
            const Term second = variable("swapped", current->sort);
            effect.commands.push_back({Command::Kind::kAssign, first, pool().ite(equal, mine, current), -1, -1});
            effect.commands.push_back({Command::Kind::kAssign, second, pool().ite(equal, current, mine), -1, -1});
            const Place first_place = fixed(location, effect);
            const Place second_place = fixed(other, effect);
            write(activation, first_place, first, effect);
            write(activation, second_place, second, effect);
          },
          [&](const Acquire& it) { acquire(activation, *it.lock, statement.range, effect); },
          [&](const Release& it) { release(activation, *it.lock, statement.range, effect); },
          [&](const Notify& it) {
            Encoder encoder(world_, scene(activation));
            encoder.log_accesses = true;
            bool is_monitor = false;
            const Place holder = encoder.lock_part(*it.lock, World::Half::kHolder, is_monitor);
            guarded(encoder, activation, statement.range, effect);
            checks(encoder, activation, effect);
            add_assert(effect, pool().eq(encoder.read(holder, true), tid_), Kind::kMonitorState, statement.range,
                       statement.range,
                       std::string(it.all ? "`notifyall`" : "`notify`") + " may happen without holding the monitor",
                       &activation);
          },
          [&](const Start& it) { start(activation, it.target, statement.range, effect); },
          [&](const Join& it) {
            Encoder encoder(world_, scene(activation));
            encoder.log_accesses = true;
            const Term thread = encoder.value(*it.thread);
            guarded(encoder, activation, statement.range, effect);
            checks(encoder, activation, effect);
            add_assert(effect, pool().ne(thread, world_.none()), Kind::kThreadState, statement.range, statement.range,
                       "`join` of what may be none", &activation);
            add_assume(effect, pool().ne(thread, tid_));
          },
          [&](const Skip&) {},
          [&](const Initialised&) {
            base::internal_error(__FILE__, __LINE__, "`initialised` is no operation of a step");
          },
          [&](const Direct& it) { direct(activation, it, statement, effect); },
          [&](const plato::Unsupported& it) {
            for (const ExprPtr& target : it.targets) {
              const Term value = variable("any", world_.sort(target->type));
              effect.commands.push_back({Command::Kind::kHavoc, value, nullptr, -1, -1});
              havoc_value(value, target->type, effect);
              write(activation, {true, std::get<NameExpr>(target->node).ref.index, {}}, value, effect);
            }
            // What is behind it counts as lost (lose_what_is_behind), so there is no need to look at it.
            if (it.targets.empty()) add_assume(effect, pool().truth(false));
          },
          [&](const SetStmt& it) {
            Encoder encoder(world_, scene(activation));
            encoder.log_accesses = true;
            const Place target = encoder.place(*it.set.target);
            const Term value = encoder.value_as(*it.set.value, it.set.target->type);
            steers_atomic(encoder);
            checks(encoder, activation, effect);
            write(activation, target, value, effect);
          },
          [&](const Block&) { impossible(); },
          [&](const If&) { impossible(); },
          [&](const While&) { impossible(); },
          [&](const Choose&) { impossible(); },
          [&](const Loop&) { impossible(); },
          [&](const Labeled&) { impossible(); },
          [&](const Break&) { impossible(); },
          [&](const Continue&) { impossible(); },
          [&](const Return&) { impossible(); },
          [&](const Throw&) { impossible(); },
          [&](const Wait&) { impossible(); },
          [&](const Call&) { impossible(); },
          [&](const Atomic&) { impossible(); },
          [&](const Exclusive&) { impossible(); },
      },
      statement.node);
}

// ---------------------------------------------------------------------------------------------------------- assignments

void Simulator::assignment(Activation& activation, const Expr* target, int slot, const Type& type, const Rhs& rhs,
                           const Stmt& statement, Effect& effect) {
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = true;
  const Place place = target != nullptr ? encoder.target(*target) : Place{true, slot, {}};
  std::visit(
      Overloaded{
          [&](const ExprPtr& it) {
            const Term value = encoder.value_as(*it, type);
            guarded(encoder, activation, statement.range, effect);
            checks(encoder, activation, effect);
            write(activation, place, value, effect);
          },
          [&](const NewObject& it) { write(activation, place, fresh_object(activation, it, encoder, effect), effect); },
          [&](const NewArray& it) {
            write(activation, place, fresh_array(activation, it, type, statement, encoder, effect), effect);
          },
          [&](const CasExpr& it) {
            const Place location = encoder.target(*it.location);
            const Term expected = encoder.value_as(*it.expected, it.location->type);
            const Term value = encoder.value_as(*it.value, it.location->type);
            const Term current = encoder.read(location, true);
            guarded(encoder, activation, statement.range, effect);
            checks(encoder, activation, effect);
            const Term equal = variable("succeeds", pool().boolean());
            effect.commands.push_back({Command::Kind::kAssign, equal, pool().eq(current, expected), -1, -1});
            const Place target_place = fixed(place, effect);
            const Place changed = fixed(location, effect);
            write(activation, changed, pool().ite(equal, value, current), effect);
            write(activation, target_place, equal, effect);
          },
          [&](const CallExpr&) { base::internal_error(__FILE__, __LINE__, "a call is no assignment"); },
          [&](const StartExpr& it) {
            guarded(encoder, activation, statement.range, effect);
            checks(encoder, activation, effect);
            write(activation, place, start(activation, it.target, statement.range, effect), effect);
          },
      },
      rhs);
}

// Every reference in the state and in local variables is null or exists, so it is not the fresh one.
void Simulator::nothing_else_knows(Term fresh, formula::Sort sort, const Activation& activation, Effect& effect) {
  std::vector<Term> values;
  for (const Part& part : world_.parts()) values.push_back(part.now);
  for (const Activation* it = &activation; it != nullptr; it = it->caller) {
    values.insert(values.end(), it->locals.begin(), it->locals.end());
  }
  values.push_back(tid_);
  values.push_back(other_);
  for (Term value : values) {
    const Part* part = nullptr;
    if (const int index = world_.part_of(value); index >= 0) part = &world_.part(index);
    if (part != nullptr && is_existence(part->kind)) continue;
    if (value->sort == sort) {
      if (value != other_) {
        add_assume(effect, pool().ne(value, fresh));
        if (part == nullptr) effect.commands.back().is_aside = true;
      }
      continue;
    }
    if (value->sort->kind != formula::SortNode::Kind::kArray) continue;
    if (value->sort->key == sort && value->sort->value == pool().boolean() && part != nullptr &&
        part->kind == Part::Kind::kVariable) {
      // A set, or a map to bool: only of a set it is known that the fresh one is not in it.
      const Type& type = program().variables[static_cast<std::size_t>(part->index)].type;
      if (type.kind == Type::Kind::kSet) add_assume(effect, pool().not_(pool().select(value, fresh)));
      continue;
    }
    if (part != nullptr && part->kind == Part::Kind::kField) {
      const Class& owner = program().classes[static_cast<std::size_t>(part->index)];
      const Type& type = owner.fields[static_cast<std::size_t>(part->field)].type;
      if (type.kind == Type::Kind::kSet && world_.sort(*type.first) == sort) {
        const Term object = pool().bound("o", value->sort->key);
        const Term exists =
            world_.exists(world_.part(world_.allocated(class_type(program(), part->index))).now, object);
        const Term set = pool().select(value, object);
        add_assume(effect,
                   pool().forall({object}, pool().implies(exists, pool().not_(pool().select(set, fresh))), {{set}}));
        continue;
      }
    }
    if (value->sort->value != sort) continue;
    // A map to references: of the objects that exist if it is a field.
    const Term key = pool().bound("k", value->sort->key);
    Term exists = pool().truth(true);
    for (const Part& allocated : world_.parts()) {
      if (allocated.kind == Part::Kind::kAllocated && allocated.of == key->sort && part != nullptr &&
          part->kind != Part::Kind::kVariable) {
        exists = world_.exists(allocated.now, key);
      }
    }
    const Term entry = pool().select(value, key);
    add_assume(effect, pool().forall({key}, pool().implies(exists, pool().ne(entry, fresh)), {{entry}}));
  }
}

Term Simulator::fresh_object(Activation& activation, const NewObject& it, Encoder& encoder, Effect& effect) {
  const Type type = class_type(program(), it.class_index);
  const Class& owner = program().classes[static_cast<std::size_t>(it.class_index)];
  std::map<int, Term> given;  // by field, evaluated as written
  for (const NewObject::Init& init : it.inits) {
    given[init.index] = encoder.value_as(*init.value, field_of(program(), it.class_index, init.index).type);
  }
  std::vector<std::pair<int, Term>> values;  // of the fields
  Encoder declared(world_, Scene{});         // of constants only, so nothing can go wrong there
  for (int f = 0; f < field_count(program(), it.class_index); ++f) {
    const Variable& field = field_of(program(), it.class_index, f);
    if (world_.has_monitors(field.type)) {
      for (const World::Half half : {World::Half::kHolder, World::Half::kDepth}) {
        values.emplace_back(world_.field_monitor(it.class_index, f, half), world_.default_value(field.type, half));
      }
      continue;
    }
    const auto written = given.find(f);
    const Term value = written != given.end() ? written->second
                       : field.init           ? declared.value_as(*field.init, field.type)
                                              : world_.default_value(field.type);
    values.emplace_back(world_.field(it.class_index, f), value);
  }
  for (const World::Half half : {World::Half::kHolder, World::Half::kDepth}) {
    if (!world_.has_object_monitor(it.class_index)) break;
    const int part = world_.object_monitor(it.class_index, half);
    values.emplace_back(part, half == World::Half::kHolder ? world_.none() : pool().number(0));
  }
  guarded(encoder, activation, it.class_range, effect);
  checks(encoder, activation, effect);
  add_assume(effect, declared.all_facts());
  for (auto& [part, value] : values) {
    const std::vector<Term> constants = formula::constants_of(value);
    if (std::none_of(constants.begin(), constants.end(), [&](Term each) { return world_.part_of(each) >= 0; }))
      continue;
    const Term kept = variable("initial", value->sort);
    effect.commands.push_back({Command::Kind::kAssign, kept, value, -1, -1});
    value = kept;
  }
  effect.allocation.from = effect.commands.size();
  const Term object = variable("new " + owner.name, world_.sort(type));
  effect.commands.push_back({Command::Kind::kHavoc, object, nullptr, -1, -1});
  const int allocated = world_.allocated(type);
  const Term all = world_.part(allocated).now;
  add_assume(effect, pool().ne(object, world_.null(type)));
  add_assume(effect, world_.is_next(all, object));
  add_assume(effect, world_.is_exactly(it.class_index, object));
  nothing_else_knows(object, object->sort, activation, effect);
  for (const auto& [part, value] : values) {
    add_assume(effect, pool().eq(pool().select(world_.part(part).now, object), value));
  }
  effect.commands.push_back({Command::Kind::kAssign, all, pool().add(all, pool().number(1)), -1, -1});
  effect.writes.insert(allocated);
  effect.writes.insert(world_.made(type));
  make_private(object, type, effect);
  effect.allocation.to = effect.commands.size();
  return object;
}

Term Simulator::fresh_array(Activation& activation, const NewArray& it, const Type& type, const Stmt& statement,
                            Encoder& encoder, Effect& effect) {
  const Term size = encoder.value(*it.size);
  guarded(encoder, activation, statement.range, effect);
  checks(encoder, activation, effect);
  add_assert(effect, pool().le(pool().number(0), size), Kind::kNegativeArraySize, statement.range, statement.range,
             "the size of the array may be negative", &activation);
  effect.allocation.from = effect.commands.size();
  const Term array = variable("new array", world_.sort(type));
  effect.commands.push_back({Command::Kind::kHavoc, array, nullptr, -1, -1});
  const int allocated = world_.allocated(type);
  const Term all = world_.part(allocated).now;
  add_assume(effect, pool().ne(array, world_.null(type)));
  add_assume(effect, world_.is_next(all, array));
  nothing_else_knows(array, array->sort, activation, effect);
  add_assume(effect, pool().eq(world_.length(type, array), size));
  add_assume(effect, pool().le(size, pool().number(kMostElements)));
  const Term elements = world_.part(world_.elements(type)).now;
  const Term none = pool().const_array(elements->sort->value, world_.default_value(*type.first));
  add_assume(effect, pool().eq(pool().select(elements, array), none));
  effect.commands.push_back({Command::Kind::kAssign, all, pool().add(all, pool().number(1)), -1, -1});
  effect.writes.insert(allocated);
  effect.writes.insert(world_.made(type));
  make_private(array, type, effect);
  effect.allocation.to = effect.commands.size();
  return array;
}

// ------------------------------------------------------------------------------------------------------ direct operations

void Simulator::direct(Activation& activation, const Direct& it, const Stmt& statement, Effect& effect) {
  if (it.wrong_unless) {
    Encoder encoder(world_, scene(activation));
    encoder.log_accesses = true;
    const Term holds = encoder.holds(*it.wrong_unless);
    steers_atomic(encoder);
    checks(encoder, activation, effect);
    add_assert(effect, holds, Kind::kAssertion, it.wrong_unless->range, it.wrong_unless->range,
               "the condition of the operation may not hold", &activation);
  }
  // The operation may stand inside an atomic block: its own before-state is that of this moment, kept in copies.
  const auto copies = [&](const char* when, Term Part::*copied) {
    formula::Substitution out;
    for (const Part& part : world_.parts()) {
      if (!part.changes) continue;
      const Term copy = variable(part.name + when, part.now->sort);
      effect.commands.push_back({Command::Kind::kAssign, copy, part.now, -1, -1});
      out[part.*copied] = copy;
    }
    return out;
  };
  const formula::Substitution here = copies("@operation", &Part::before);
  std::vector<Term> locals_before;
  for (Term local : activation.locals) {
    locals_before.push_back(variable("local@operation", local->sort));
    effect.commands.push_back({Command::Kind::kAssign, locals_before.back(), local, -1, -1});
  }
  formula::Substitution locals_then;  // the objects of the frame are found with the locals as they were
  for (std::size_t i = 0; i < locals_before.size(); ++i) locals_then[activation.locals[i]] = locals_before[i];
  std::vector<Access> accesses;
  std::vector<std::pair<Place, const Type*>> places;  // found before anything changes
  if (it.action.frame) {
    for (const ExprPtr& item : *it.action.frame) {
      Encoder encoder(world_, scene(activation));
      encoder.log_accesses = true;
      Place place = encoder.target(*item);
      race_free(encoder, activation, statement.range, effect);
      for (Access access : encoder.accesses) {
        if (access.object != nullptr) access.object = pool().substitute(access.object, locals_then);
        accesses.push_back(access);
      }
      checks(encoder, activation, effect);
      place = fixed(std::move(place), effect);
      places.emplace_back(std::move(place), &item->type);
    }
  }
  const std::ptrdiff_t unchanged = std::ssize(effect.commands);  // up to here
  for (const auto& [place, type] : places) {
    const Term value = variable("any", world_.sort(*type));
    effect.commands.push_back({Command::Kind::kHavoc, value, nullptr, -1, -1});
    havoc_value(value, *type, effect);
    write(activation, place, value, effect);
  }
  Scene step;
  step.two_state = true;
  step.uses_old = it.action.uses_old;
  step.tid = tid_;
  step.locals = &activation.locals;
  step.locals_before = &locals_before;
  Encoder encoder(world_, step);
  encoder.log_accesses = true;
  const Term holds = encoder.holds(*it.action.predicate);
  Effect free;
  for (const Access& access : encoder.accesses) {
    race_free_read(access, activation, locals_before, statement.range, free);
  }
  effect.commands.insert(effect.commands.begin() + unchanged, free.commands.begin(), free.commands.end());
  // The objects that the predicate reads may be those of after the operation; their locks are looked at before it.
  const formula::Substitution after = copies("@after", &Part::now);
  for (Access access : encoder.accesses) {
    if (access.object != nullptr) access.object = pool().substitute(access.object, after);
    accesses.push_back(std::move(access));
  }
  add_assume(effect, pool().substitute(encoder.all_facts(), here));
  for (Check& check : encoder.checks) check.holds = pool().substitute(check.holds, here);
  claim_checks(encoder.checks, activation, effect);
  add_assume(effect, pool().substitute(holds, here));
  for (Access access : accesses) {
    access.when = pool().truth(true);  // more than is really read: never too few obligations
    if (access.object != nullptr) access.object = pool().substitute(access.object, here);
    Effect guard;
    guarded_access(access, activation, statement.range, guard);
    // Judged in the state before the operation.
    formula::Substitution back;
    for (const Part& part : world_.parts()) {
      if (const auto copy = here.find(part.before); copy != here.end()) back[part.now] = copy->second;
    }
    for (Command command : guard.commands) {
      command.term = pool().substitute(command.term, back);
      effect.commands.push_back(command);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------- locks

void Simulator::acquire(Activation& activation, const Expr& lock, base::SourceRange at, Effect& effect) {
  learned_.locks[activation.number].insert(&lock);
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = true;  // of a plain lock, and of what leads to a monitor
  bool is_monitor = false;
  const Place holder = encoder.lock_part(lock, World::Half::kHolder, is_monitor);
  const Term who = encoder.read(holder, true);
  writes_elements(encoder);
  if (!is_monitor) {
    guarded(encoder, activation, at, effect);
    checks(encoder, activation, effect);
    add_assume(effect, pool().eq(who, world_.none()));
    lock_orders(activation, holder, is_monitor, at, effect);
    write(activation, holder, tid_, effect);
    return;
  }
  const std::vector<Access> accesses = encoder.accesses;
  const Place depth = encoder.lock_part(lock, World::Half::kDepth, is_monitor);
  encoder.accesses = accesses;
  const Term levels = encoder.read(depth, true);
  guarded(encoder, activation, at, effect);
  checks(encoder, activation, effect);
  add_assume(effect, pool().eq(pool().eq(who, world_.none()), pool().eq(levels, pool().number(0))));
  add_assume(effect, pool().le(pool().number(0), levels));
  add_assume(effect, pool().or_(pool().eq(who, world_.none()), pool().eq(who, tid_)));
  lock_orders(activation, holder, is_monitor, at, effect);
  const Term deeper = variable("depth", pool().integer());
  const Place taken = fixed(holder, effect);
  const Place counted = fixed(depth, effect);
  effect.commands.push_back({Command::Kind::kAssign, deeper, pool().add(levels, pool().number(1)), -1, -1});
  write(activation, taken, tid_, effect);
  write(activation, counted, deeper, effect);
}

void Simulator::release(Activation& activation, const Expr& lock, base::SourceRange at, Effect& effect) {
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = true;
  bool is_monitor = false;
  const Place holder = encoder.lock_part(lock, World::Half::kHolder, is_monitor);
  const Term who = encoder.read(holder, true);
  writes_elements(encoder);
  guarded(encoder, activation, at, effect);
  checks(encoder, activation, effect);
  add_assert(effect, pool().eq(who, tid_), Kind::kMonitorState, at, at,
             "the lock may be released by a thread that does not hold it", &activation);
  if (!is_monitor) return write(activation, holder, world_.none(), effect);
  Encoder again(world_, scene(activation));
  const Place depth = again.lock_part(lock, World::Half::kDepth, is_monitor);
  const Term levels = again.read(depth, true);
  add_assume(effect, pool().le(pool().number(1), levels));
  const Term left = variable("depth", pool().integer());
  const Place freed = fixed(holder, effect);
  const Place counted = fixed(depth, effect);
  effect.commands.push_back({Command::Kind::kAssign, left, pool().sub(levels, pool().number(1)), -1, -1});
  write(activation, freed, pool().ite(pool().eq(left, pool().number(0)), world_.none(), tid_), effect);
  write(activation, counted, left, effect);
}

// Gives back all levels; then, whenever the monitor is free, takes them back: wake-ups may be spurious.
void Simulator::wait(Activation& activation, const Stmt& statement, bool wakes, Effect& effect) {
  const Expr& lock = *std::get<Wait>(statement.node).lock;
  // The lock is found once, when the waiting begins.
  std::vector<Term>& keys = waited_keys_[{activation.number, &statement}];
  Term& saved = saved_depth_[{activation.number, &statement}];
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = !wakes;
  bool is_monitor = false;
  Place holder = encoder.lock_part(lock, World::Half::kHolder, is_monitor);
  Encoder again(world_, scene(activation));
  again.log_accesses = true;
  Place depth = again.lock_part(lock, World::Half::kDepth, is_monitor);
  if (saved == nullptr) {
    saved = variable("saved depth", pool().integer());
    for (Term key : holder.keys) keys.push_back(variable("waited", key->sort));
  }
  if (!wakes) {
    const Term who = encoder.read(holder, true);
    guarded(encoder, activation, statement.range, effect);
    checks(encoder, activation, effect);
    add_assert(effect, pool().eq(who, tid_), Kind::kMonitorState, statement.range, statement.range,
               "`wait` may happen without holding the monitor", &activation);
    effect.commands.push_back({Command::Kind::kAssign, saved, encoder.read(depth, true), -1, -1});
    add_assume(effect, pool().le(pool().number(1), saved));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      effect.commands.push_back({Command::Kind::kAssign, keys[i], holder.keys[i], -1, -1});
    }
    for (const LoopKey& loop : loops_) {
      if (learned_.given_up[loop].insert(holder.index).second) learned_.is_settled = false;
    }
    holder.keys = keys;
    depth.keys = keys;
    write(activation, holder, world_.none(), effect);
    write(activation, depth, pool().number(0), effect);
    return;
  }
  holder.keys = keys;
  depth.keys = keys;
  // The monitor is accessed once more, but not what led to it: that is found already.
  if (!again.accesses.empty() && lock.type.kind != Type::Kind::kClass) {
    Access access = again.accesses.back();
    if (access.object != nullptr) access.object = keys.front();
    access.when = pool().truth(true);
    guarded_access(access, activation, statement.range, effect);
  }
  add_assume(effect, pool().eq(encoder.read(holder, true), world_.none()));
  lock_orders(activation, holder, is_monitor, statement.range, effect);
  write(activation, holder, tid_, effect);
  write(activation, depth, saved, effect);
}

// Taking the lock at `taken`, not held yet, while no later one is held. Orders between locks without an index are transitive.
void Simulator::lock_orders(Activation& activation, const Place& taken, bool is_monitor, base::SourceRange at,
                            Effect& effect) {
  const std::vector<const LockOrder*>& orders = specification().lock_orders;
  if (orders.empty()) return;
  const auto same_place = [&](const Place& a, const Place& b) {
    if (a.index != b.index || a.keys.size() != b.keys.size()) return pool().truth(false);
    std::vector<Term> equal;
    for (std::size_t i = 0; i < a.keys.size(); ++i) equal.push_back(pool().eq(a.keys[i], b.keys[i]));
    return pool().and_(equal);
  };
  struct Order {
    const LockOrder* it;
    Place before, after;
    Term when, defined;
    std::vector<Term> bound;
    Term reached;
  };
  Term held_already = pool().truth(false);
  {
    Encoder encoder(world_, scene(activation));
    if (is_monitor) held_already = pool().eq(encoder.read(taken, true), tid_);
  }
  std::vector<Order> all;
  for (const LockOrder* it : orders) {
    Order order{it, {}, {}, nullptr, nullptr, {}, nullptr};
    Scene where = scene(activation);
    where.now_is_before = true;  // held is what was held before the whole operation
    for (const std::string& name : it->bound) {
      order.bound.push_back(pool().bound(name, pool().integer()));
      where.bound.push_back(order.bound.back());
    }
    Encoder encoder(world_, where);
    bool monitor = false;
    order.before = encoder.lock_part(*it->before, World::Half::kHolder, monitor);
    order.after = encoder.lock_part(*it->after, World::Half::kHolder, monitor);
    order.when = it->when ? encoder.holds(*it->when) : pool().truth(true);
    order.defined = encoder.definite_checks();
    order.reached = same_place(order.before, taken);
    all.push_back(std::move(order));
  }
  for (std::size_t round = 0; round < all.size(); ++round) {
    for (Order& later : all) {
      if (!later.bound.empty()) continue;
      for (const Order& earlier : all) {
        if (!earlier.bound.empty() || &earlier == &later) continue;
        const Term through =
            pool().and_({earlier.reached, earlier.defined, earlier.when, same_place(earlier.after, later.before)});
        later.reached = pool().or_(later.reached, through);
      }
    }
  }
  for (const Order& order : all) {
    Scene where = scene(activation);
    where.now_is_before = true;
    const Encoder encoder(world_, where);
    const Term held = pool().eq(encoder.read(order.after, true), tid_);
    Term broken = pool().and_({order.defined, order.reached, order.when, held});
    if (!order.bound.empty()) broken = pool().exists(order.bound, broken);
    add_assert(effect, pool().or_(held_already, pool().not_(broken)), Kind::kLockOrder, order.it->range, at,
               "a lock may be acquired against the declared order, while a later one is held", &activation);
  }
}

// --------------------------------------------------------------------------------------------------------------- threads

Term Simulator::start(Activation& activation, const CallTarget& target, base::SourceRange at, Effect& effect) {
  const Procedure& entered = procedure(target.index);
  Encoder encoder(world_, scene(activation));
  encoder.log_accesses = true;
  Started made;
  made.at = at;
  made.procedure = target.index;
  std::vector<Term> values;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    values.push_back(encoder.value_as(*target.arguments[i], entered.parameters[i].type));
  }
  guarded(encoder, activation, at, effect);
  checks(encoder, activation, effect);
  if (std::any_of(values.begin(), values.end(), [&](Term it) { return refers(it->sort); })) {
    publish(pool().truth(false), effect);
  }
  for (Term value : values) {
    made.arguments.push_back(variable("argument", value->sort));
    effect.commands.push_back({Command::Kind::kAssign, made.arguments.back(), value, -1, -1});
  }
  made.thread = variable("started", world_.tid());
  made.happened = variable("happened", pool().boolean());
  effect.commands.push_back({Command::Kind::kHavoc, made.thread, nullptr, -1, -1});
  const int alive = world_.alive();
  const Term all = world_.part(alive).now;
  add_assume(effect, pool().ne(made.thread, world_.none()));
  add_assume(effect, world_.is_next(all, made.thread));
  nothing_else_knows(made.thread, world_.tid(), activation, effect);
  add_assume(effect, pool().eq(world_.entry_of(made.thread), pool().number(target.index)));
  effect.commands.push_back({Command::Kind::kAssign, all, pool().add(all, pool().number(1)), -1, -1});
  effect.writes.insert(alive);
  not_alone(effect);
  if (in_atomic_ && !entered.contract.requires_.empty()) {
    // The precondition is looked at when the block ends, for the last thread that was started here: it must be the only one.
    Obligation only;
    for (const ExprPtr& expr : entered.contract.requires_) only.claims.push_back({Kind::kPrecondition, expr->range});
    only.at = at;
    only.message =
        "one atomic block may start several threads here; what `" + entered.name + "` requires is then not checked";
    effect.commands.push_back(assertion(pool().not_(made.happened), obligation(std::move(only))));
  }
  effect.commands.push_back({Command::Kind::kAssign, made.happened, pool().truth(true), -1, -1});
  (in_atomic_ ? atomic_started_ : started_).push_back(made);
  return made.thread;
}

}  // namespace concord::simulation
