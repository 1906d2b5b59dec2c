#include "explore/monitor.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "explore/describe.h"
#include "plato/classes.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::explore {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

std::string because(const std::string& trouble) { return trouble.empty() ? "" : "; " + trouble; }

// Equal as far as a specification can tell: it cannot name the wait set of a monitor.
bool look_equal(const Value& a, const Value& b) {
  if (a == b) return true;
  if (!a.composite || !b.composite || a.composite->kind != b.composite->kind) return false;
  const Composite& x = *a.composite;
  const Composite& y = *b.composite;
  if (x.kind == Composite::Kind::kMonitor) return x.holder == y.holder && x.depth == y.depth;
  if (x.kind != Composite::Kind::kMap || !look_equal(x.rest, y.rest)) return false;
  const auto covers = [](const Value& map, const Value& other) {
    return std::all_of(map.composite->entries.begin(), map.composite->entries.end(),
                       [&](const auto& entry) { return look_equal(entry.second, lookup(other, entry.first)); });
  };
  return covers(a, b) && covers(b, a);
}

bool look_equal(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Value& x, const Value& y) { return look_equal(x, y); });
}

// Nothing that existed before has changed, as far as a specification can tell.
bool unchanged(const Store& before, const Store& after, Scalar objects) {
  if (!look_equal(before.variables, after.variables)) return false;
  for (Scalar i = 0; i < objects; ++i) {
    if (!look_equal(before.objects[i].fields, after.objects[i].fields)) return false;
    if (!look_equal(before.objects[i].monitor, after.objects[i].monitor)) return false;
  }
  return true;
}

bool same(const AbstractPlace& a, const AbstractPlace& b) {
  if (a.next != b.next || a.result != b.result || a.pending.size() != b.pending.size()) return false;
  const auto bytes = [](const AbstractPlace& place) {
    std::string out;
    for (const AbstractPlace::Pending& it : place.pending) append_to(out, it);
    return out;
  };
  return bytes(a) == bytes(b);
}

void add_place(std::vector<AbstractPlace>& places, AbstractPlace place) {
  for (const AbstractPlace& it : places) {
    if (same(it, place)) return;
  }
  places.push_back(std::move(place));
}

bool same_lock(const Lock& a, const Lock& b) {
  return a.object == b.object && (a.object != 0 || same_place(a.place, b.place));
}

// What is said of several threads is looked at for each of them, although it may have no value for one within our limits: so what is
// found does not depend on their order.
class Each {
 public:
  template <class Look>
  void operator()(Look&& look) {
    try {
      look();
    } catch (const Limit& limit) {
      if (!limit_) limit_ = limit;
    }
  }
  void end() const {
    if (limit_) throw Limit{*limit_};
  }

 private:
  std::optional<Limit> limit_;
};

}  // namespace

const Variable* declaration_of(const Program& program, const Store& store, const Location& location) {
  if (location.kind == Location::Kind::kVariable) return &program.variables[location.index];
  if (location.kind != Location::Kind::kField) return nullptr;
  return &field_of(program, store.objects[location.object - 1].class_index, location.index);
}

Monitor::Monitor(Machine& machine)
    : machine_(machine), program_(machine.program()), active_(program_.modules.size(), false) {
  for (const Thread& thread : program_.threads) {
    for (const int module : {thread.module, program_.procedures[thread.target.index].module}) {
      for (std::size_t m = 0; m < active_.size(); ++m) {
        if (program_.modules[module].sees[m]) active_[m] = true;
      }
    }
  }
  machine_.on_operation = [this](const State& before, Scalar self, Transition& step, std::size_t first) {
    check_accesses(before, self, step, first);
  };
}

Monitor::Objects Monitor::objects_of(const Store& store, int class_index) const {
  if (class_index < 0) return {0};
  Objects out;
  for (std::size_t r = 0; r < store.objects.size(); ++r) {
    const int own = store.objects[r].class_index;  // of an array: -1
    if (own >= 0 && is_subclass(program_, own, class_index)) out.push_back(static_cast<Scalar>(r + 1));
  }
  return out;
}

// -------------------------------------------------------------------------------------------------------------- states

void Monitor::check_state(State& state, std::vector<Breach>& breaches) {
  if (!state.is_initialised) return;
  check_invariants(state, breaches);
  check_nodes(state, breaches);
}

void Monitor::check_invariants(const State& state, std::vector<Breach>& breaches) {
  for (const Clause& clause : program_.clauses) {
    const bool monitor_invariant = clause.kind == Clause::Kind::kMonitorInvariant;
    if ((clause.kind != Clause::Kind::kGlobalInvariant && !monitor_invariant) || !active_[clause.module]) continue;
    for (const Scalar object : objects_of(state.store, clause.class_index)) {
      if (monitor_invariant && state.store.objects[object - 1].monitor.composite->holder != 0) continue;
      Scene where = machine_.scene(state, 0);
      where.self_object = object;
      Evaluator evaluator(where);
      std::string trouble;
      if (clause_holds(evaluator, *clause.predicate.predicate, trouble)) continue;
      breaches.push_back({Kind::kInvariant, clause.range,
                          std::string("the invariant does not hold") +
                              (monitor_invariant ? " although the object's monitor is free" : "") + because(trouble)});
    }
  }
}

void Monitor::check_final(const State& state, std::vector<Breach>& breaches) {
  for (const Clause& clause : program_.clauses) {
    if (clause.kind != Clause::Kind::kFinally || !active_[clause.module]) continue;
    const Scene where = machine_.scene(state, 0);
    Evaluator evaluator(where);
    std::string trouble;
    if (clause_holds(evaluator, *clause.predicate.predicate, trouble)) continue;
    breaches.push_back(
        {Kind::kFinalState, clause.range, "all threads have finished, and this is not so" + because(trouble)});
  }
}

void Monitor::check_nodes(State& state, std::vector<Breach>& breaches) {
  Each each;
  for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
    each([&] { check_nodes(state, self, breaches); });
  }
  each.end();
}

void Monitor::check_nodes(State& state, Scalar self, std::vector<Breach>& breaches) {
  ThreadState& thread = state.threads[self - 1];
  if (thread.nodes.empty()) return;
  const AbstractThread& machine =
      program_.abstract_threads[abstracted(program_, thread.declaration, thread.entry).index];
  bool failed = false;
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    if (!thread.nodes[n] || !machine.nodes[n].assertion) continue;
    const Scene where = machine_.scene(state, self);
    Evaluator evaluator(where);
    std::string trouble;
    if (clause_holds(evaluator, *machine.nodes[n].assertion, trouble)) continue;
    failed = true;
    breaches.push_back({Kind::kAssertion, machine.nodes[n].assertion->range,
                        machine_.thread_name(state, self) + " may be in node " + machine.nodes[n].name +
                            ", whose assertion does not hold" + because(trouble)});
  }
  // The abstract thread went wrong: from here on it says nothing about the concrete one.
  if (failed) thread.nodes.clear();
}

// --------------------------------------------------------------------------------------------------------------- steps

Scene Monitor::step_scene(const State& before, const State& after, Scalar self, bool uses_old) {
  Scene out = machine_.scene(before, self);
  out.threads_after = &after.threads;
  out.after = &after.store;
  out.uses_old = uses_old;
  return out;
}

bool Monitor::changes_only(const Scene& before_scene, const std::vector<const Expr*>& frame, const Store& before,
                           const Store& after, Scalar objects) {
  Store patched = before;
  Scene after_scene = before_scene;
  after_scene.before = &after;
  after_scene.after = nullptr;
  Scene one_state = before_scene;
  one_state.after = nullptr;
  for (const Expr* item : frame) {
    try {
      const auto* field = std::get_if<FieldExpr>(&item->node);
      const auto* name = std::get_if<NameExpr>(&item->node);
      if (field != nullptr && field->kind == FieldExpr::Kind::kHolder) {
        const Lock lock = Evaluator(one_state).lock(*field->object);
        if (lock.object != 0) {
          patched.objects[lock.object - 1].monitor = after.objects[lock.object - 1].monitor;
          continue;
        }
        item = field->object.get();
      } else if (name != nullptr && name->ref.kind == Ref::Kind::kMonitorHolder) {
        patched.objects[one_state.self_object - 1].monitor = after.objects[one_state.self_object - 1].monitor;
        continue;
      }
      Place place = Evaluator(one_state).place(*item);
      place.after = false;
      std::vector<Value> no_locals;
      write(program_, patched, no_locals, place, Evaluator(after_scene).read(place));
    } catch (const Failure&) {
      continue;  // `o.f` with o null allows nothing
    }
  }
  return unchanged(patched, after, objects);
}

namespace {

std::vector<const Expr*> items(const std::vector<ExprPtr>& list) {
  std::vector<const Expr*> out;
  out.reserve(list.size());
  for (const ExprPtr& it : list) out.push_back(it.get());
  return out;
}

}  // namespace

bool Monitor::step_satisfies(const State& before, const State& after, Scalar self, Scalar object,
                             const TwoState& predicate, std::string& trouble) {
  Scene where = step_scene(before, after, self, predicate.uses_old);
  where.self_object = object;
  if (predicate.frame &&
      !changes_only(where, items(*predicate.frame), before.store, after.store, std::ssize(before.store.objects))) {
    trouble = "it changes more than " + print(predicate) + " allows";
    return false;
  }
  Evaluator evaluator(where);
  return clause_holds(evaluator, *predicate.predicate, trouble);
}

void Monitor::check_step(const State& before, Scalar self, Transition& step) {
  check_lock_orders(before, self, step);
  if (before.is_initialised) {
    check_relies(before, self, step);
    check_guarantees(before, self, step);
    check_write_disciplines(before, self, step);
    move_places(before, self, step);
    move_nodes(before, self, step);
  }
  check_state(step.after, step.breaches);
}

void Monitor::check_relies(const State& before, Scalar self, Transition& step) {
  Each each;
  for (const Clause& clause : program_.clauses) {
    if (clause.kind != Clause::Kind::kEnvAssumption || !active_[clause.module]) continue;
    for (Scalar other = 1; other <= std::ssize(before.threads); ++other) {
      if (other == self) continue;
      for (const Scalar object : objects_of(before.store, clause.class_index)) {
        each([&] {
          std::string trouble;
          if (step_satisfies(before, step.after, other, object, clause.predicate, trouble)) return;
          step.breaches.push_back({Kind::kEnvAssumption, clause.range,
                                   "this step of " + machine_.thread_name(before, self) + " breaks what " +
                                       machine_.thread_name(before, other) + " assumes of the others" +
                                       because(trouble)});
        });
      }
    }
  }
  each.end();
}

void Monitor::check_guarantees(const State& before, Scalar self, Transition& step) {
  const int module = program_.procedures[step.procedure].module;
  for (const Clause& clause : program_.clauses) {
    if (clause.kind != Clause::Kind::kGuarantee || clause.module != module) continue;
    for (const Scalar object : objects_of(before.store, clause.class_index)) {
      std::string trouble;
      if (step_satisfies(before, step.after, self, object, clause.predicate, trouble)) continue;
      step.breaches.push_back({Kind::kGuarantee, clause.range, "this step breaks the guarantee" + because(trouble)});
    }
  }
}

bool Monitor::allows_idling(const State& state) {
  const std::set<std::string> bounds = machine_.bounds();
  bool out = false;
  try {
    out = keeps_all_by_idling(state) && machine_.bounds() == bounds;  // else it is not known
  } catch (const Limit&) { out = false; }
  machine_.bounds() = bounds;
  return out;
}

bool Monitor::keeps_all_by_idling(const State& state) {
  for (const Clause& clause : program_.clauses) {
    const bool speaks_of_steps = clause.kind == Clause::Kind::kEnvAssumption || clause.kind == Clause::Kind::kGuarantee;
    if (!speaks_of_steps || !active_[clause.module]) continue;
    for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
      for (const Scalar object : objects_of(state.store, clause.class_index)) {
        std::string trouble;
        if (!step_satisfies(state, state, self, object, clause.predicate, trouble)) return false;
      }
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------- write disciplines

bool Monitor::clause_for(const State& before, Scalar self, Scalar object, const Expr& condition, const Scalar* bound,
                         bool if_no_value) {
  Scene where = machine_.scene(before, self);
  where.self_object = object;
  where.locals = nullptr;
  Evaluator evaluator(where);
  if (bound != nullptr) evaluator.bind(*bound);
  try {
    return evaluator.holds(condition);
  } catch (const Failure&) { return if_no_value; }
}

void Monitor::check_write_disciplines(const State& before, Scalar self, Transition& step) {
  const Store& after = step.after.store;
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    check_field(before, self, step, program_.variables[v], 0, before.store.variables[v], after.variables[v]);
  }
  for (std::size_t o = 0; o < before.store.objects.size(); ++o) {
    const Object& object = before.store.objects[o];
    if (object.class_index < 0) continue;
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      check_field(before, self, step, field_of(program_, object.class_index, static_cast<int>(f)),
                  static_cast<Scalar>(o + 1), object.fields[f], after.objects[o].fields[f]);
    }
  }
}

void Monitor::check_field(const State& before, Scalar self, Transition& step, const Variable& variable, Scalar object,
                          const Value& old_value, const Value& new_value) {
  if (!active_[variable.module]) return;
  const bool changed = !look_equal(old_value, new_value);
  for (const FieldClause& clause : variable.clauses) {
    if (clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf) {
      check_elements(before, self, step, variable, object, clause, old_value, new_value);
    } else if (clause.kind == FieldClause::Kind::kWritableIf) {
      if (changed && !clause_for(before, self, object, *clause.expr, nullptr, false)) {
        step.breaches.push_back(
            {Kind::kEnvAssumption, clause.range, "`" + variable.name + "` is written when not allowed"});
      }
    } else if (clause.kind == FieldClause::Kind::kUnwritableByEnvIf && changed) {
      Each each;
      for (Scalar other = 1; other <= std::ssize(before.threads); ++other) {
        each([&] {
          if (other == self || !clause_for(before, other, object, *clause.expr, nullptr, true)) return;
          step.breaches.push_back({Kind::kEnvAssumption, clause.range,
                                   "`" + variable.name + "` is written when not allowed: " +
                                       machine_.thread_name(before, other) + " relies on it"});
        });
      }
      each.end();
    }
  }
}

void Monitor::check_elements(const State& before, Scalar self, Transition& step, const Variable& variable,
                             Scalar object, const FieldClause& clause, const Value& old_value, const Value& new_value) {
  std::vector<Scalar> changed;
  const Type key_type =
      variable.type.kind == Type::Kind::kArray ? type_of_kind(Type::Kind::kInt) : *variable.type.first;
  if (variable.type.kind == Type::Kind::kArray) {
    const Scalar array = old_value.scalar;
    if (array == 0) return;
    const std::vector<Value>& old_elements = before.store.objects[array - 1].fields;
    const std::vector<Value>& new_elements = step.after.store.objects[array - 1].fields;
    for (std::size_t i = 0; i < old_elements.size(); ++i) {
      if (!(old_elements[i] == new_elements[i])) changed.push_back(static_cast<Scalar>(i));
    }
  } else {
    std::set<Scalar> keys;
    for (const Value* map : {&old_value, &new_value}) {
      for (const auto& [key, entry] : map->composite->entries) keys.insert(key);
    }
    if (!(old_value.composite->rest == new_value.composite->rest)) {
      for (const Value& key : machine_.domain(before, *variable.type.first, "keys of a map")) keys.insert(key.scalar);
    }
    for (const Scalar key : keys) {
      if (!(lookup(old_value, key) == lookup(new_value, key))) changed.push_back(key);
    }
  }
  Each each;
  for (const Scalar index : changed) {
    for (Scalar other = 1; other <= std::ssize(before.threads); ++other) {
      each([&] {
        if (other == self || !clause_for(before, other, object, *clause.expr, &index, true)) return;
        step.breaches.push_back({Kind::kEnvAssumption, clause.range,
                                 "`" + variable.name + "[" + describe(machine_, before, key_type, index) +
                                     "]` is written when not allowed: " + machine_.thread_name(before, other) +
                                     " relies on it"});
      });
    }
  }
  each.end();
}

// -------------------------------------------------------------------------------------------- guarded_by, thread_local

// Can anyone but `self` reach the object?
bool Monitor::has_escaped(const State& state, Scalar object, Scalar self) const {
  std::set<Scalar> seen;
  std::vector<Scalar> todo;
  const auto is_reference = [](const Type& it) {
    return it.kind == Type::Kind::kClass || it.kind == Type::Kind::kArray;
  };
  const auto refer = [&](Scalar reference) {
    if (reference != 0 && seen.insert(reference).second) todo.push_back(reference);
  };
  const std::function<void(const Type&, const Value&)> visit = [&](const Type& type, const Value& value) {
    if (is_reference(type)) refer(value.scalar);
    if (type.kind == Type::Kind::kSet && is_reference(*type.first)) {
      for (const Scalar element : value.composite->elements) refer(element);
    }
    if (type.kind == Type::Kind::kMap) {
      for (const auto& [key, entry] : value.composite->entries) {
        if (is_reference(*type.first)) refer(key);
        visit(*type.second, entry);
      }
      visit(*type.second, value.composite->rest);
    }
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    if (!program_.variables[v].is_ghost) visit(program_.variables[v].type, state.store.variables[v]);
  }
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    if (static_cast<Scalar>(t + 1) == self) continue;
    for (const Frame& frame : state.threads[t].frames) {
      const Procedure& procedure = program_.procedures[frame.procedure];
      for (std::size_t slot = 0; slot < frame.locals.size(); ++slot)
        visit(procedure.locals[slot].type, frame.locals[slot]);
      if (frame.result_type != nullptr) visit(*frame.result_type, frame.result);
    }
  }
  while (!todo.empty()) {
    const Object& at = state.store.objects[todo.back() - 1];
    todo.pop_back();
    if (at.class_index < 0) {
      for (const Value& element : at.fields) visit(*at.element, element);
      continue;
    }
    for (std::size_t f = 0; f < at.fields.size(); ++f) {
      visit(field_of(program_, at.class_index, static_cast<int>(f)).type, at.fields[f]);
    }
  }
  return seen.contains(object);
}

// Of one operation: the accesses of the step from number `first` on.
void Monitor::check_accesses(const State& before, Scalar self, Transition& step, std::size_t first) {
  for (std::size_t i = first; i < step.accesses.size(); ++i) {
    const Access& access = step.accesses[i];
    const Variable* variable = declaration_of(program_, step.after.store, access.location);
    if (variable == nullptr || !active_[variable->module]) continue;
    const bool is_field = access.location.kind == Location::Kind::kField;
    if (is_field && access.location.object > std::ssize(before.store.objects)) continue;
    check_guarded(before, self, step, *variable, is_field ? access.location.object : 0);
    if (!variable->is_thread_local || !before.is_initialised) continue;
    Location whole = access.location;
    whole.has_key = false;
    whole.key = 0;
    const auto [owner, is_new] = step.after.owners.emplace(whole, self);
    if (owner->second == self) continue;
    step.breaches.push_back({Kind::kConfinement, variable->name_range,
                             "`" + variable->name + "` is thread_local, but " + machine_.thread_name(step.after, self) +
                                 " accesses it after " + machine_.thread_name(step.after, owner->second)});
  }
}

void Monitor::check_guarded(const State& before, Scalar self, Transition& step, const Variable& variable,
                            Scalar object) {
  for (const FieldClause& clause : variable.clauses) {
    if (clause.kind != FieldClause::Kind::kGuardedBy || !before.is_initialised) continue;
    if (object != 0 && !has_escaped(before, object, self)) continue;
    Scene where = machine_.scene(before, self);
    where.self_object = object;
    bool held = false;
    try {
      const Lock lock = Evaluator(where).lock(*clause.expr);
      const Value value = machine_.read_lock(before, lock);
      held = (lock.is_monitor ? value.composite->holder : value.scalar) == self;
    } catch (const Failure&) { held = false; }
    if (held) continue;
    step.breaches.push_back({Kind::kGuardedBy, clause.range,
                             "`" + variable.name + "` is accessed without holding `" + print(*clause.expr) + "`"});
  }
}

// ---------------------------------------------------------------------------------------------------------- lock order

namespace {

// One side of a lock order: a lock, and if the side is `m[i]` with an implicitly bound i, which one i is and its value.
struct Side {
  Lock lock;
  int bound = -1;
  Scalar value = 0;
};

const IndexExpr* indexed_by_bound(const Expr& expr) {
  const auto* index = std::get_if<IndexExpr>(&expr.node);
  if (index == nullptr) return nullptr;
  const auto* name = std::get_if<NameExpr>(&index->index->node);
  return name != nullptr && name->ref.kind == Ref::Kind::kBound ? index : nullptr;
}

// The elements of an array that are locks, or objects.
std::vector<Side> elements_of(const IndexExpr& index, int bound, const Store& store, Evaluator& evaluator) {
  std::vector<Side> out;
  const Scalar array = evaluator.scalar(*index.base);
  if (array == 0) return out;
  const std::vector<Value>& elements = store.objects[static_cast<std::size_t>(array - 1)].fields;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Lock lock{0, {Place::Kind::kElement, array, static_cast<int>(i), false, {}}, elements[i].composite != nullptr};
    if (index.base->type.first->kind == Type::Kind::kClass) {
      if (elements[i].scalar == 0) continue;
      lock = {elements[i].scalar, {}, true};
    }
    out.push_back({std::move(lock), bound, static_cast<Scalar>(i)});
  }
  return out;
}

// The locks that the expression stands for now.
std::vector<Side> sides(const Expr& expr, const Store& store, Evaluator& evaluator) {
  const IndexExpr* index = indexed_by_bound(expr);
  if (index == nullptr) return {{evaluator.lock(expr), -1, 0}};
  const Type& map = index->base->type;
  const int bound = std::get<NameExpr>(index->index->node).ref.index;
  if (map.kind == Type::Kind::kArray) return elements_of(*index, bound, store, evaluator);
  const Place where = evaluator.place(*index->base);
  const Value value = evaluator.read(where);
  const Value& rest = value.composite->rest;
  if (rest.scalar != 0 || (rest.composite && rest.composite->holder != 0)) {
    throw Limit{"a lock order between the entries of a map all of whose entries are locks or taken"};
  }
  std::vector<Side> out;
  for (const auto& [key, entry] : value.composite->entries) {
    Lock lock{0, where, entry.composite != nullptr};
    lock.place.keys.push_back({key, &map});
    if (map.second->kind == Type::Kind::kClass) {
      if (entry.scalar == 0) continue;
      lock = {entry.scalar, {}, true};
    }
    out.push_back({std::move(lock), bound, key});
  }
  return out;
}

// Those of the sides that are this lock. An entry that is free need not be stored, so it is found by its place.
std::vector<Side> sides_that_are(const Lock& lock, const Expr& expr, const Store& store, Evaluator& evaluator) {
  std::vector<Side> out;
  const IndexExpr* index = indexed_by_bound(expr);
  if (index != nullptr && index->base->type.kind == Type::Kind::kMap && lock.object == 0) {
    if (lock.place.keys.empty()) return out;
    Place map = lock.place;
    const Scalar key = map.keys.back().key;
    map.keys.pop_back();
    if (same_place(evaluator.place(*index->base), map)) {
      out.push_back({lock, std::get<NameExpr>(index->index->node).ref.index, key});
    }
    return out;
  }
  for (Side& side : sides(expr, store, evaluator)) {
    if (same_lock(side.lock, lock)) out.push_back(std::move(side));
  }
  return out;
}

}  // namespace

// The locks that the order puts after this one.
std::vector<Lock> Monitor::later_locks(const State& before, Scalar self, const LockOrder& order, const Lock& lock) {
  const Scene where = machine_.scene(before, self);
  std::vector<Lock> out;
  try {
    Evaluator evaluator(where);
    for (const Side& first : sides_that_are(lock, *order.before, before.store, evaluator)) {
      for (const Side& second : sides(*order.after, before.store, evaluator)) {
        if (first.bound >= 0 && first.bound == second.bound && first.value != second.value) continue;
        try {
          Evaluator bound(where);
          std::vector<Scalar> values(order.bound.size(), 0);
          if (first.bound >= 0) values[static_cast<std::size_t>(first.bound)] = first.value;
          if (second.bound >= 0) values[static_cast<std::size_t>(second.bound)] = second.value;
          for (const Scalar value : values) bound.bind(value);
          if (!order.when || bound.holds(*order.when)) out.push_back(second.lock);
        } catch (const Failure&) { continue; }  // a condition without a value does not apply
      }
    }
  } catch (const Failure&) { return out; }  // a lock of the clause does not exist (null): it cannot be held
  return out;
}

void Monitor::check_lock_orders(const State& before, Scalar self, Transition& step) {
  const auto was_held = [&](const Lock& lock) {
    const Scalar owner = lock.object != 0 ? lock.object : lock.place.object;
    if (owner > std::ssize(before.store.objects)) return false;  // allocated in this step
    const Value value = machine_.read_lock(before, lock);
    return (value.composite ? value.composite->holder : value.scalar) == self;
  };
  for (const Lock& taken : step.acquired) {
    if (was_held(taken)) continue;  // one level deeper
    std::vector<Lock> reached = {taken};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      for (const LockOrder& order : program_.lock_orders) {
        if (!active_[order.module] || (at > 0 && !order.bound.empty())) continue;
        for (Lock& lock : later_locks(before, self, order, reached[at])) {
          if (was_held(lock)) {
            step.breaches.push_back({Kind::kLockOrder, order.range,
                                     "a lock is acquired against the declared order, while a later one is held"});
          }
          const bool known =
              std::any_of(reached.begin(), reached.end(), [&](const Lock& it) { return same_lock(it, lock); });
          if (!known && order.bound.empty()) reached.push_back(std::move(lock));
        }
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------- abstraction positions

// The places that `place` moves to if the step is its next action. `where` has the step, and the procedure's parameters.
std::vector<AbstractPlace> Monitor::after_action(const Procedure& procedure, const AbstractPlace& place, Scene where) {
  const Action& action = procedure.contract.actions[place.next];
  where.uses_old = action.uses_old;
  AbstractPlace moved = place;
  ++moved.next;
  const auto holds = [&](const Expr& expr) {
    Evaluator evaluator(where);
    std::string trouble;
    return clause_holds(evaluator, expr, trouble);
  };
  if (!mentions_result(*action.ensures)) {
    if (!holds(*action.ensures)) return {};
    return {moved};
  }
  if (moved.result || procedure.result.kind == Type::Kind::kBool || procedure.result.kind == Type::Kind::kEnum) {
    std::vector<Scalar> candidates = {moved.result.value_or(0)};
    if (!moved.result) {
      const bool is_enum = procedure.result.kind == Type::Kind::kEnum;
      const auto count = is_enum ? std::ssize(program_.enums[procedure.result.decl].constants) : 2;
      for (Scalar value = 1; value < count; ++value) candidates.push_back(value);
    }
    std::vector<AbstractPlace> out;
    for (const Scalar candidate : candidates) {
      const Value result = candidate;
      where.result = &result;
      if (!holds(*action.ensures)) continue;
      moved.result = candidate;
      out.push_back(moved);
    }
    return out;
  }
  // Infinitely many results: an equation fixes the value, the rest waits until it is known.
  std::vector<const Expr*> conjuncts;
  collect_conjuncts(*action.ensures, conjuncts);
  for (const Expr* conjunct : conjuncts) {
    if (!mentions_result(*conjunct)) {
      if (!holds(*conjunct)) return {};
      continue;
    }
    const auto* equation = std::get_if<BinaryExpr>(&conjunct->node);
    if (equation == nullptr || equation->op != BinaryOp::kEq || moved.result) continue;
    const bool left = std::holds_alternative<ResultExpr>(equation->left->node);
    const Expr& other = left ? *equation->right : *equation->left;
    if ((!left && !std::holds_alternative<ResultExpr>(equation->right->node)) || mentions_result(other)) continue;
    try {
      const Value value = Evaluator(where).value(other);
      if (!value.composite) moved.result = value.scalar;
    } catch (const Failure&) { return {}; }
  }
  if (moved.result) {
    const Value result = *moved.result;
    where.result = &result;
    if (!holds(*action.ensures)) return {};
  } else {
    moved.pending.push_back({place.next, std::make_shared<const Store>(*where.before),
                             std::make_shared<const Store>(*where.after), std::ssize(*where.threads),
                             std::ssize(*where.threads_after)});
  }
  return {moved};
}

// What the procedure made itself was not there for its caller: its abstraction says nothing of that.
void Monitor::move_places(const State& before, Scalar self, Transition& step) {
  const std::vector<Frame>& frames = before.threads[self - 1].frames;
  std::vector<Frame>& frames_after = step.after.threads[self - 1].frames;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const Frame& frame = frames[f];
    if (frame.places.empty()) continue;
    const Procedure& procedure = program_.procedures[frame.procedure];
    const Contract& contract = procedure.contract;
    Scene where = step_scene(before, step.after, self, false);
    where.locals = &frame.locals;
    std::vector<const Expr*> stutter_frame;
    if (contract.modifies) stutter_frame = items(*contract.modifies);
    const bool stutters = changes_only(where, stutter_frame, before.store, step.after.store, frame.entry_objects);
    const int count = static_cast<int>(contract.actions.size());
    std::vector<AbstractPlace> next;
    int furthest = 0;
    for (const AbstractPlace& place : frame.places) {
      furthest = std::max(furthest, place.next);
      if (stutters) add_place(next, place);
      if (place.next >= count) continue;
      std::vector<const Expr*> action_frame = stutter_frame;
      for (const Expr* item : items(contract.actions[place.next].also_modifies)) action_frame.push_back(item);
      if (!changes_only(where, action_frame, before.store, step.after.store, frame.entry_objects)) continue;
      for (AbstractPlace& moved : after_action(procedure, place, where)) add_place(next, std::move(moved));
    }
    if (next.empty()) {
      const base::SourceRange claim =
          count == 0 ? procedure.name_range : contract.actions[std::min(furthest, count - 1)].range;
      step.breaches.push_back(
          {Kind::kAbstractionStep, claim,
           "this step is allowed by no step of the abstraction of `" + procedure.name + "` from here"});
    }
    if (f < frames_after.size()) {
      frames_after[f].places = std::move(next);
    } else if (!next.empty()) {
      check_all_performed(frame, next, self, step);
    }
  }
}

// At return some place of F has performed all actions, with the result that is returned; when an exception leaves the
// procedure, with any result.
void Monitor::check_all_performed(const Frame& frame, const std::vector<AbstractPlace>& places, Scalar self,
                                  Transition& step) {
  const Procedure& procedure = program_.procedures[frame.procedure];
  const std::vector<Action>& actions = procedure.contract.actions;
  const int count = static_cast<int>(actions.size());
  const Value& result = *step.returned;
  int furthest = 0;
  for (const AbstractPlace& place : places) {
    furthest = std::max(furthest, place.next);
    if (place.next < count) continue;
    if (step.thrown) {
      if (!place.pending.empty()) {
        machine_.bounds().insert("which \\result the actions of `" + procedure.name +
                                 "` allow was not tried where it throws");
      }
      return;
    }
    if (place.result && *place.result != result.scalar) continue;
    const bool matches = std::all_of(place.pending.begin(), place.pending.end(), [&](const AbstractPlace::Pending& it) {
      Scene where = machine_.scene(step.after, self);
      where.before = it.before.get();
      where.after = it.after.get();
      where.thread_count = it.threads_before;
      where.thread_count_after = it.threads_after;
      where.uses_old = actions[it.action].uses_old;
      where.locals = &frame.locals;
      where.result = &result;
      Evaluator evaluator(where);
      std::string trouble;
      return clause_holds(evaluator, *actions[it.action].ensures, trouble);
    });
    if (matches) return;
  }
  if (count == 0) return;
  const Action& missing = actions[std::min(furthest, count - 1)];
  const std::string name = missing.name.empty() ? "" : " \"" + missing.name + "\"";
  step.breaches.push_back({Kind::kAbstractionStep, missing.range,
                           furthest < count
                               ? "`" + procedure.name + (step.thrown ? "` throws" : "` returns") +
                                     " without having performed this action" + name
                               : "`" + procedure.name + "` returns a result that its actions do not allow"});
}

void Monitor::move_nodes(const State& before, Scalar self, Transition& step) {
  ThreadState& thread = step.after.threads[self - 1];
  if (thread.nodes.empty()) return;
  const Abstracted& claim = abstracted(program_, thread.declaration, thread.entry);
  const AbstractThread& machine = program_.abstract_threads[claim.index];
  std::vector<bool> next(machine.nodes.size(), false);
  if (machine.idle && unchanged(before.store, step.after.store, std::ssize(before.store.objects))) next = thread.nodes;
  for (const AbstractThread::Edge& edge : machine.edges) {
    if (!thread.nodes[edge.from_index] || next[edge.to_index]) continue;
    std::string trouble;
    if (step_satisfies(before, step.after, self, 0, edge.step, trouble)) next[edge.to_index] = true;
  }
  if (std::none_of(next.begin(), next.end(), [](bool it) { return it; })) {
    std::string possible;
    for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
      if (thread.nodes[n]) possible += (possible.empty() ? "" : ", ") + machine.nodes[n].name;
    }
    step.breaches.push_back({Kind::kConformance, claim.range,
                             "this step is allowed by no edge of `" + machine.name + "` from " + possible});
    next.clear();
  }
  thread.nodes = std::move(next);
}

}  // namespace concord::explore
