// Races: that no state can be reached in which two threads are about to access the same location, one of them writing.
//
// Each variable and field x has a predicate p(t, o): thread t may access x of object o in this state. It comes from the
// clauses at x: t holds the lock of `guarded_by`, or the condition of `unwritable_by_env_if` or `writable_if` is true for t;
// without a clause it is always true. To be shown at every step, in the state before it: what it accesses has p(me, o); and
// what it writes has not p(t, o) for any other thread t. Then two threads that access x of o in one state, the first writing,
// contradict each other. Nothing is to be shown of objects that only this thread can reach, and while there is no other
// thread. (So without a clause x may be read freely, and written only while it is private.)
//
// An element of an array belongs to the variables and fields that refer to the array: one of them must allow the access, and
// none of them allow it to others if it is a write. If none of the array's type has a clause, elements may be read freely.
//
// What is shown is about the state before the whole step, and a step that begins in another state may access something else.
// The referee looks at a step and the next one, which begins after it: that is no difference if what decides about the
// accesses is the same in both states, because it does not race either. So a proof depends on the races of what the place of
// an access is computed from, and inside `atomic` of all that is read there.
#include <algorithm>

#include "base/check.h"
#include "plato/classes.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using formula::Sort;
using sequential::Command;

namespace {

bool has_race_of_its_own(const Variable& it) {
  return !it.is_ghost && !it.is_volatile && !it.is_final && !it.is_unraced;
}

// Code that looks at all objects of a class reads those of others too.
bool looks_at_all_objects(const Program& program) {
  bool out = false;
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (std::holds_alternative<Assert>(statement.node)) return;
      for_each_part(
          statement,
          [&](const Expr& expr) {
            for_each_expr(expr, [&](const Expr& part) {
              const auto* quantifier = std::get_if<QuantifierExpr>(&part.node);
              if (quantifier == nullptr) return;
              for (const BoundVariable& it : quantifier->variables) {
                out = out || it.type.kind == Type::Kind::kClass || it.type.kind == Type::Kind::kArray;
              }
            });
          },
          [](const Stmt&) {}, [](const CallTarget&) {});
    });
  }
  return out;
}

bool is_used(const FieldClause& clause, bool of_elements, const Variable& variable) {
  const bool has_element_clauses = std::any_of(variable.clauses.begin(), variable.clauses.end(), [](const auto& it) {
    return it.kind == FieldClause::Kind::kElemsUnwritableByEnvIf;
  });
  if (of_elements && has_element_clauses) return clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf;
  const bool is_array = variable.type.kind == Type::Kind::kArray;
  if (is_array && clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf) return false;
  const bool is_guarded = std::any_of(variable.clauses.begin(), variable.clauses.end(),
                                      [](const auto& it) { return it.kind == FieldClause::Kind::kGuardedBy; });
  return !is_guarded || clause.kind == FieldClause::Kind::kGuardedBy;
}

bool is_always(const FieldClause& clause) {
  const auto* literal = std::get_if<BoolLit>(&clause.expr->node);
  return clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf && literal != nullptr && literal->value;
}

}  // namespace

void Simulator::find_races() {
  if (!input_.races) return;
  objects_are_private_ = !looks_at_all_objects(program());
  synchronising_ = synchronising_locations(program());
  const auto add_owner = [&](const Variable& it, int class_index, int index) {
    if (it.type.kind != Type::Kind::kArray) return;
    ElementsOf& elements = elements_of_[world_.sort(it.type)];
    elements.type = &it.type;
    elements.has_ghosts = elements.has_ghosts || it.is_ghost;
    if (it.is_ghost) return;
    elements.owners.push_back({&it, class_index, index});
    if (!it.is_unraced) elements.claims.push_back({Kind::kRace, it.name_range});
  };
  for (std::size_t i = 0; i < program().variables.size(); ++i) {
    add_owner(program().variables[i], -1, static_cast<int>(i));
  }
  for (std::size_t c = 0; c < program().classes.size(); ++c) {
    const Class& it = program().classes[c];
    const int inherited = inherited_fields(program(), static_cast<int>(c));
    for (std::size_t f = 0; f < it.fields.size(); ++f) {
      add_owner(it.fields[f], static_cast<int>(c), inherited + static_cast<int>(f));
    }
  }
  const auto add_allocation = [&](const Rhs& rhs, const Type& type, const Stmt& statement) {
    if (!std::holds_alternative<NewArray>(rhs)) return;
    ElementsOf& elements = elements_of_[world_.sort(type)];
    elements.type = &type;
    elements.claims.push_back({Kind::kRace, statement.range});
  };
  for (const Procedure& procedure : program().procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const auto* it = std::get_if<Assign>(&statement.node)) add_allocation(it->value, it->target->type, statement);
      if (const auto* it = std::get_if<LocalDecl>(&statement.node); it != nullptr && it->init) {
        add_allocation(*it->init, it->type, statement);
      }
    });
  }
  find_copied_on_write();
}

// Elements that are written only while the array belongs to its maker: whoever else knows the array sees them stay as they
// are, if there are no races. So it is where no clause of a variable or field that may refer to it allows more than reading.
void Simulator::find_copied_on_write() {
  if (!objects_are_private_ || picks_references_) return;
  std::set<Sort, BySortName> seen;  // even while they belong to somebody
  for (const Type& it : quantified_.arrays) seen.insert(world_.sort(it));
  const auto only_reads = [](const Variable& it) {
    return std::all_of(it.clauses.begin(), it.clauses.end(),
                       [&](const FieldClause& clause) { return !is_used(clause, true, it) || is_always(clause); });
  };
  for (const auto& [sort, elements] : elements_of_) {
    if (elements.claims.empty() || elements.has_ghosts || seen.contains(sort) ||
        elements.type->first->kind == Type::Kind::kClass || elements.type->first->kind == Type::Kind::kArray)
      continue;
    if (std::all_of(elements.owners.begin(), elements.owners.end(),
                    [&](const Owner& it) { return only_reads(*it.variable); })) {
      copied_on_write_.emplace(world_.elements(*elements.type), elements.claims.front());
    }
  }
  // What `elems_unwritable_by_env_if[i] true` asks for then is that all that is written is private; and of a field, that no
  // object refers to it already, be it private too.
  for (std::size_t i = 0; i < relies_.size(); ++i) {
    const spec::Rely& rely = specification().relies[i];
    if (rely.kind != spec::Rely::Kind::kElements || rely.variable->type.kind != Type::Kind::kArray) continue;
    const int part = world_.elements(rely.variable->type);
    if (!copied_on_write_.contains(part) || !relies_other_[i]) continue;
    const Term is_own = clauses_.changes_only(part, {}, [&](Term array) { return is_private(array); });
    relies_[i].reset();
    Formula& to_show = *relies_other_[i];
    if (rely.class_index >= 0) {
      to_show.holds = pool().and_(is_own, to_show.holds);
      to_show.parts.insert(part);
    } else {
      to_show.holds = is_own;
      to_show.facts = pool().truth(true);
      to_show.parts = {part};
    }
  }
}

bool Simulator::may_race(const Variable& variable) {
  return has_race_of_its_own(variable) && !world_.has_monitors(variable.type) &&
         !synchronising_.variables.contains(&variable);
}

// ---------------------------------------------------------------------------------------------------------- disciplines

namespace {

bool has_discipline(const Variable& variable, bool of_elements) {
  return std::any_of(variable.clauses.begin(), variable.clauses.end(),
                     [&](const FieldClause& it) { return is_used(it, of_elements, variable); });
}

bool speaks_of_entries(const Variable& variable) {
  return variable.type.kind == Type::Kind::kMap &&
         std::any_of(variable.clauses.begin(), variable.clauses.end(), [&](const FieldClause& it) {
           return it.kind == FieldClause::Kind::kElemsUnwritableByEnvIf && is_used(it, false, variable);
         });
}

}  // namespace

// p(t, o), in the state before the step; of the element or entry `key`, if there are clauses about those.
Term Simulator::may_access(const Variable& variable, int owner, Term object, Term key, bool of_elements, Term thread,
                           std::vector<Term>& facts) {
  std::vector<Term> allowed;
  for (const FieldClause& clause : variable.clauses) {
    if (!is_used(clause, of_elements, variable)) continue;
    Scene where;
    where.now_is_before = true;
    where.self = object;
    where.self_class = owner;
    where.tid = thread;
    if (clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf) where.bound.push_back(key);
    Encoder encoder(world_, where);
    if (clause.kind == FieldClause::Kind::kGuardedBy) {
      bool is_monitor = false;
      const Place holder = encoder.lock_part(*clause.expr, World::Half::kHolder, is_monitor);
      const Term holds = pool().eq(encoder.read(holder, true), thread);
      allowed.push_back(pool().and_(encoder.all_checks(), holds));
    } else {
      allowed.push_back(encoder.clause(*clause.expr));
    }
    for (Term fact : encoder.facts) {
      if (!fact->has_bound) facts.push_back(fact);
    }
  }
  return has_discipline(variable, of_elements) ? pool().or_(allowed) : pool().truth(true);
}

// A variable or field: I may access it, and if I write it nobody else may.
Term Simulator::variable_allows(const Access& access, std::vector<Term>& facts) {
  const Variable& variable = *access.variable;
  const auto allows = [&](Term key) {
    Term out = may_access(variable, access.owner, access.object, key, false, tid_, facts);
    if (!access.is_write || input_.defect == Defect::kWritesMayRace) return out;
    return pool().and_(out, pool().not_(may_access(variable, access.owner, access.object, key, false, other_, facts)));
  };
  if (!speaks_of_entries(variable)) return allows(nullptr);
  const Sort sort = world_.sort(*variable.type.first);
  if (access.key == nullptr || !access.bound.empty()) {
    const Term key = pool().bound("entry", sort);
    return pool().forall({key}, allows(key));
  }
  // What others may look at can be told only of threads and objects that exist.
  Term exists = pool().truth(true);
  if (sort == world_.tid()) {
    exists =
        pool().or_(pool().eq(access.key, world_.none()), world_.exists(world_.part(world_.alive()).before, access.key));
  } else if (sort->kind == formula::SortNode::Kind::kUninterpreted) {
    exists = pool().or_(pool().eq(access.key, world_.null(*variable.type.first)),
                        world_.exists(world_.part(world_.allocated(*variable.type.first)).before, access.key));
  }
  return pool().and_(exists, allows(access.key));
}

// An element: what some variable or field that refers to the array allows me, and none of them others. If no clause speaks of
// the array, nobody may write to it, and so everybody may read.
Term Simulator::owners_allow(const ElementsOf& elements, const Access& access, std::vector<Term>& facts) {
  std::vector<Term> mine;
  std::vector<Term> not_others;
  std::vector<Term> nothing_said;
  for (const Owner& it : elements.owners) {
    const bool speaks = has_discipline(*it.variable, true);
    if (it.class_index < 0) {
      const Term refers = pool().eq(world_.part(world_.variable(it.index)).before, access.object);
      const auto allows = [&](Term thread) {
        return pool().and_(refers, may_access(*it.variable, -1, nullptr, access.key, true, thread, facts));
      };
      mine.push_back(allows(tid_));
      if (speaks) nothing_said.push_back(pool().not_(refers));
      not_others.push_back(pool().not_(allows(other_)));
      continue;
    }
    const Type type = class_type(program(), it.class_index);
    const Term object = pool().bound("owner", world_.sort(type));
    const Term value = pool().select(world_.part(world_.field(it.class_index, it.index)).before, object);
    const Term exists = pool().and_(pool().ne(object, world_.null(type)),
                                    world_.exists(world_.part(world_.allocated(type)).before, object));
    const Term refers =
        pool().and_({exists, world_.is_instance(it.class_index, object), pool().eq(value, access.object)});
    const auto allows = [&](Term thread) {
      return pool().and_(refers, may_access(*it.variable, it.class_index, object, access.key, true, thread, facts));
    };
    mine.push_back(pool().exists({object}, allows(tid_), {{value}}));
    if (speaks) nothing_said.push_back(pool().forall({object}, pool().not_(refers), {{value}}));
    not_others.push_back(pool().forall({object}, pool().not_(allows(other_)), {{value}}));
  }
  if (!access.is_write) mine.push_back(pool().and_(nothing_said));
  if (!access.is_write || input_.defect == Defect::kWritesMayRace) return pool().or_(mine);
  return pool().and_(pool().or_(mine), pool().and_(not_others));
}

// Nobody else can reach the object in the state before the step: it is private, or does not exist yet.
Term Simulator::is_unreachable(Term object, const Type& type) {
  if (input_.defect == Defect::kPrivateForEver) return pool().truth(true);
  if (!objects_are_private_ || picks_references_) return pool().truth(false);
  const Part& allocated = world_.part(world_.allocated(type));
  const Term is_fresh = allocated.changes ? pool().not_(world_.exists(allocated.before, object)) : pool().truth(false);
  return pool().or_(is_private(object), is_fresh);
}

// ------------------------------------------------------------------------------------------------------------- accesses

void Simulator::race_free(const Encoder& encoder, const Activation& activation, base::SourceRange at, Effect& effect) {
  if (!input_.races || input_.derived->is_sequential()) return;
  steers_atomic(encoder);
  if (std::any_of(encoder.accesses.begin(), encoder.accesses.end(),
                  [&](const Access& it) { return it.variable == nullptr || may_race(*it.variable); })) {
    add_assume(effect, encoder.all_facts());
  }
  for (const Access& access : encoder.accesses) race_free(access, activation, at, effect);
}

// A read of a direct operation. It may find its objects in the state after it; those are not followed.
void Simulator::race_free_read(Access access, const Activation& activation, const std::vector<Term>& locals_before,
                               base::SourceRange at, Effect& effect) {
  if (!input_.races || input_.derived->is_sequential() || !initialised_) return;
  formula::Substitution back;  // the operation has not begun
  for (const Part& part : world_.parts()) {
    if (part.changes) back[part.before] = part.now;
  }
  for (std::size_t i = 0; i < locals_before.size(); ++i) back[locals_before[i]] = activation.locals[i];
  bool is_after = false;
  for (Term* term : {&access.object, &access.key}) {
    if (*term == nullptr) continue;
    for (Term it : formula::constants_of(*term)) {
      const int part = world_.part_of(it);
      const bool is_local =
          std::find(activation.locals.begin(), activation.locals.end(), it) != activation.locals.end();
      is_after = is_after || is_local || (part >= 0 && world_.part(part).changes && world_.part(part).now == it);
    }
    *term = pool().substitute(*term, back);
  }
  access.when = pool().truth(true);  // more than is really read: never too few obligations
  if (is_after) {
    access.key = nullptr;
    if (access.object != nullptr) access.object = variable("any", access.object->sort);
  }
  race_free(access, activation, at, effect);
}

void Simulator::race_free(const Access& access, const Activation& activation, base::SourceRange at, Effect& effect) {
  if (input_.defect == Defect::kReadsMayRace && !access.is_write) return;
  if (input_.defect == Defect::kElementsMayRace && access.variable == nullptr) return;
  Obligation made;
  std::vector<Term> facts;
  std::vector<Term> safe;
  std::string what = "an element of the array";
  if (access.variable != nullptr) {
    if (!may_race(*access.variable)) return;
    if (!access.is_write && !has_discipline(*access.variable, false)) return;
    made.claims = {{Kind::kRace, access.variable->name_range}};
    what = "`" + access.variable->name + "`";
    safe.push_back(variable_allows(access, facts));
    if (access.object != nullptr) {
      const Type type = class_type(program(), access.owner);
      safe.push_back(pool().eq(access.object, world_.null(type)));
      safe.push_back(is_unreachable(access.object, type));
    }
  } else {
    const ElementsOf& elements = elements_of_[access.object->sort];
    if (elements.claims.empty()) return;  // nobody makes such an array
    const bool disciplined = std::any_of(elements.owners.begin(), elements.owners.end(),
                                         [](const Owner& it) { return has_discipline(*it.variable, true); });
    const bool is_copied = copied_on_write_.contains(world_.elements(*elements.type));
    if (!access.is_write && (!disciplined || is_copied)) return;
    made.claims = elements.claims;
    if (disciplined && access.key != nullptr && !is_copied) safe.push_back(owners_allow(elements, access, facts));
    if (access.key != nullptr) {
      const Term length = world_.length(*elements.type, access.object);
      safe.push_back(pool().lt(access.key, pool().number(0)));
      safe.push_back(pool().le(length, access.key));
    }
    safe.push_back(pool().eq(access.object, world_.null(*elements.type)));
    safe.push_back(is_unreachable(access.object, *elements.type));
  }
  safe.push_back(pool().not_(access.when));
  safe.push_back(pool().eq(other_, world_.none()));
  safe.push_back(pool().eq(other_, tid_));
  safe.push_back(pool().not_(world_.exists(world_.part(world_.alive()).before, other_)));
  if (alone_ != nullptr) safe.push_back(alone_);
  Term claim = pool().or_(safe);
  if (!access.bound.empty()) claim = pool().forall(access.bound, claim);
  made.at = at;
  made.message = access.is_write ? what + " may be written while another thread accesses it"
                                 : what + " may be read while another thread writes it";
  made.shown = shown_for(claim, &activation);
  for (Term term : {access.when, access.object, access.key}) decided_by(term, at, made);
  for (Term fact : facts) add_assume(effect, fact);
  const int number = obligation(std::move(made));
  if (in_atomic_) atomic_races_.push_back(number);
  // A run goes on behind a race, and nothing else is to depend on it: a free disjunct takes the knowledge away again.
  const Term free = variable("independent", pool().boolean());
  effect.commands.push_back({Command::Kind::kHavoc, free, nullptr, -1, -1});
  effect.commands.push_back(assertion(pool().or_(free, claim), number));
}

// ------------------------------------------------------------------------------------- what decides about the accesses

// The claims that what is read here does not race. Races of what is `unraced` are no findings, so they are not excluded.
void Simulator::claims_of_reading(const Variable& variable, base::SourceRange at, std::vector<Claim>& needed,
                                  std::optional<Unsupported>& unraced) {
  if (may_race(variable)) needed.push_back({Kind::kRace, variable.name_range});
  if (variable.is_unraced) unraced = {at, "what is accessed depends on `" + variable.name + "`, which is `unraced`"};
}

void Simulator::decided_by(Term term, base::SourceRange at, Obligation& made) {
  if (term == nullptr) return;
  std::optional<Unsupported> unraced;
  for (Term it : formula::constants_of(term)) {
    const int index = world_.part_of(it);
    if (index < 0) continue;
    const Part& part = world_.part(index);
    if (part.kind == Part::Kind::kVariable) {
      claims_of_reading(program().variables[static_cast<std::size_t>(part.index)], at, made.leans_on, unraced);
    } else if (part.kind == Part::Kind::kField) {
      const Class& owner = program().classes[static_cast<std::size_t>(part.index)];
      claims_of_reading(owner.fields[static_cast<std::size_t>(part.field)], at, made.leans_on, unraced);
    } else if (part.kind == Part::Kind::kElements) {
      const std::vector<Claim>& claims = elements_of_[part.now->sort->key].claims;
      made.leans_on.insert(made.leans_on.end(), claims.begin(), claims.end());
    }
  }
  if (!unraced) return;
  for (const Claim& claim : made.claims) out_.lost.push_back({claim, *unraced});
}

void Simulator::steers_atomic(const Encoder& encoder) {
  if (!input_.races || !in_atomic_) return;
  for (const Access& access : encoder.accesses) {
    if (access.variable == nullptr) {
      const std::vector<Claim>& claims = elements_of_[access.object->sort].claims;
      atomic_reads_.insert(atomic_reads_.end(), claims.begin(), claims.end());
    } else if (!access.is_write) {
      const base::SourceRange at = access.variable->name_range;
      claims_of_reading(*access.variable, at, atomic_reads_, atomic_unraced_);
    } else if (access.variable->is_unraced) {
      // By what it writes there others may find, right after the step, what was private before it.
      atomic_unraced_ = {access.variable->name_range,
                         "an atomic step writes `" + access.variable->name + "`, which is `unraced`"};
    }
  }
}

// What is read in some atomic block may decide about every access in one: too many premises, never too few.
void Simulator::finish_races() {
  for (const int number : atomic_races_) {
    Obligation& it = out_.obligations[static_cast<std::size_t>(number)];
    it.leans_on.insert(it.leans_on.end(), atomic_reads_.begin(), atomic_reads_.end());
    if (!atomic_unraced_) continue;
    for (const Claim& claim : it.claims) out_.lost.push_back({claim, *atomic_unraced_});
  }
}

void Simulator::writes_elements(Encoder& encoder) {
  for (Access& access : encoder.accesses) access.is_write = access.is_write || access.variable == nullptr;
}

// --------------------------------------------------------------------------------------------------------- no other thread

// The program's one declared thread has entered the procedure, and nobody has been started.
void Simulator::begin_alone() {
  if (!input_.races || program().threads.size() != 1 || input_.derived->has_unknown_code()) return;
  const Thread& only = program().threads.front();
  if (only.count != Thread::Count::kNumber || only.number != 1 || only.target.index != input_.procedure) return;
  alone_ = variable("alone", pool().boolean());
  assign(alone_, pool().truth(true));
}

void Simulator::not_alone(Effect& effect) {
  if (alone_ == nullptr) return;
  effect.commands.push_back({Command::Kind::kAssign, alone_, pool().truth(false), -1, -1});
}

}  // namespace concord::simulation
