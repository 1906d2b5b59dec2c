#include "simulation/clauses.h"

#include <algorithm>

#include "base/check.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using spec::Rely;

Formula Clauses::close(Term holds, const std::vector<Term>& facts, Term self, int class_index) const {
  Formula out;
  out.holds = holds;
  out.facts = pool().and_(facts);
  for (Term root : {out.holds, out.facts}) {
    for (Term it : formula::constants_of(root)) {
      const int part = world_.part_of(it);
      if (part < 0 || !world_.part(part).changes) continue;
      (is_existence(world_.part(part).kind) ? out.existence : out.parts).insert(part);
    }
  }
  // New objects matter to a formula about all that exist afterwards.
  std::set<Term> seen;
  std::vector<Term> open{holds};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!top->has_bound || !seen.insert(top).second) continue;
    open.insert(open.end(), top->args.begin(), top->args.end());
    for (const int part : out.existence) {
      if (top->op != formula::Op::kLe || top->args[1] != world_.part(part).now) continue;
      const Term object = top->args[0]->args.empty() ? nullptr : top->args[0]->args.front();
      if (object == nullptr || object->op != formula::Op::kBound) continue;
      const std::set<int> made = object == self ? world_.makings(class_index) : world_.makings(object->sort);
      out.parts.insert(made.begin(), made.end());
      if (world_.part(part).kind == Part::Kind::kAlive) out.parts.insert(part);
    }
  }
  return out;
}

namespace {

// Reads of a map at the bound variable: what E-matching can look for.
std::vector<std::vector<Term>> reads_at(Term body, Term bound) {
  std::vector<std::vector<Term>> out;
  std::vector<Term> open{body};
  std::set<Term> seen;
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    if (top->op == formula::Op::kSelect && top->args[1] == bound && !top->args[0]->has_bound) out.push_back({top});
    open.insert(open.end(), top->args.begin(), top->args.end());
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a[0]->id < b[0]->id; });
  return out;
}

bool mentions(Term term, Term wanted) {
  return term == wanted ||
         std::any_of(term->args.begin(), term->args.end(), [&](Term it) { return mentions(it, wanted); });
}

bool mentions(const std::vector<Term>& pattern, Term wanted) {
  return std::any_of(pattern.begin(), pattern.end(), [&](Term it) { return mentions(it, wanted); });
}

}  // namespace

template <class Body>
Formula Clauses::for_each_object(int class_index, bool before, Body body) {
  std::vector<Term> facts;
  if (class_index < 0) {
    const Term holds = body(nullptr, facts);
    return close(holds, facts);
  }
  const Type type = class_type(world_.program(), class_index);
  const Term self = pool().bound("this", world_.sort(type));
  const Part& allocated = world_.part(world_.allocated(type));
  const Term exists =
      pool().and_({pool().ne(self, world_.null(type)), world_.exists(before ? allocated.before : allocated.now, self),
                   world_.is_instance(class_index, self)});
  const Term holds = body(self, facts);
  const std::vector<std::vector<Term>> patterns = reads_at(holds, self);
  for (Term& fact : facts) {
    if (fact->has_bound) fact = pool().forall({self}, fact, patterns);
  }
  const std::vector<std::vector<Term>> inner = holds->op == formula::Op::kForall ? holds->patterns : patterns;
  const bool is_found_by_inner =
      !inner.empty() && std::all_of(inner.begin(), inner.end(), [&](const auto& it) { return mentions(it, self); });
  if (holds->op != formula::Op::kForall || !is_found_by_inner) {
    return close(pool().forall({self}, pool().implies(exists, holds), patterns), facts, self, class_index);
  }
  // One quantifier instead of two: then what the inner one looks for finds the object too.
  std::vector<Term> bound{self};
  bound.insert(bound.end(), holds->bound.begin(), holds->bound.end());
  return close(pool().forall(bound, pool().implies(exists, holds->args.front()), inner), facts, self, class_index);
}

Formula Clauses::invariant(const Clause& clause) {
  return for_each_object(clause.class_index, false, [&](Term self, std::vector<Term>& facts) {
    Scene scene;
    scene.self = self;
    scene.self_class = clause.class_index;
    scene.tid = world_.none();
    Encoder encoder(world_, scene);
    Term holds = encoder.clause(*clause.predicate.predicate);
    if (clause.kind == Clause::Kind::kMonitorInvariant && world_.has_object_monitor(clause.class_index)) {
      const Part& holder = world_.part(world_.object_monitor(clause.class_index, World::Half::kHolder));
      holds = pool().implies(pool().eq(pool().select(holder.now, self), world_.none()), holds);
    }
    facts = encoder.facts;
    facts.insert(facts.end(), encoder.bound_facts.begin(), encoder.bound_facts.end());
    return holds;
  });
}

Formula Clauses::guarantee(const Clause& clause, Term tid) { return of_step(clause, tid); }

Formula Clauses::of_step(const Clause& clause, Term tid) {
  return for_each_object(clause.class_index, true, [&](Term self, std::vector<Term>& facts) {
    Scene scene;
    scene.self = self;
    scene.self_class = clause.class_index;
    scene.tid = tid;
    std::vector<int> all;
    for (std::size_t i = 0; i < world_.parts().size(); ++i) all.push_back(static_cast<int>(i));
    const Formula inner = two_state(clause.predicate, scene, all);
    facts.push_back(inner.facts);
    return inner.holds;
  });
}

Formula Clauses::two_state(const TwoState& predicate, const Scene& scene, const std::vector<int>& all_parts) {
  Scene step = scene;
  step.two_state = true;
  step.uses_old = predicate.uses_old;
  Encoder encoder(world_, step);
  std::vector<Term> holds;
  if (predicate.frame) {
    const std::vector<FrameItem> items = frame(*predicate.frame, scene);
    for (const int part : all_parts) holds.push_back(changes_only(part, items));
  }
  holds.push_back(encoder.clause(*predicate.predicate));
  std::vector<Term> facts = encoder.facts;
  facts.insert(facts.end(), encoder.bound_facts.begin(), encoder.bound_facts.end());
  return close(pool().and_(holds), facts);
}

// ------------------------------------------------------------------------------------------------------------------ relies

Formula Clauses::rely(const Rely& rely, Term tid) {
  if (rely.variable != nullptr && world_.has_monitors(rely.variable->type)) {
    throw Unsupported{rely.claim, "a write discipline for monitors"};
  }
  switch (rely.kind) {
    case Rely::Kind::kClause: return of_step(*rely.clause, tid);
    case Rely::Kind::kUnwritable:
    case Rely::Kind::kWritable:
    case Rely::Kind::kGuarded: return unwritable(rely, tid);
    case Rely::Kind::kElements: return elements(rely, tid);
  }
  base::internal_error(__FILE__, __LINE__, "unknown rely");
}

Formula Clauses::unwritable(const Rely& rely, Term tid) {
  return for_each_object(rely.class_index, true, [&](Term self, std::vector<Term>& facts) {
    const Part& part =
        world_.part(rely.class_index < 0 ? world_.variable(rely.index) : world_.field(rely.class_index, rely.index));
    const Term same = self == nullptr ? pool().eq(part.now, part.before)
                                      : pool().eq(pool().select(part.now, self), pool().select(part.before, self));
    Scene scene;
    scene.now_is_before = true;
    scene.self = self;
    scene.self_class = rely.class_index;
    scene.tid = tid;
    Encoder encoder(world_, scene);
    Term condition = nullptr;
    if (rely.kind == Rely::Kind::kGuarded) {
      bool is_monitor = false;
      const Place holder = encoder.lock_part(*rely.field_clause->expr, World::Half::kHolder, is_monitor);
      condition = pool().and_(encoder.all_checks(), pool().eq(encoder.read(holder, true), tid));
      facts = encoder.facts;
      return pool().or_(same, pool().not_(condition));
    }
    condition = encoder.holds(*rely.field_clause->expr);
    const bool must_hold = rely.kind == Rely::Kind::kWritable;
    const Term allowed = pool().and_(encoder.all_checks(), must_hold ? condition : pool().not_(condition));
    facts = encoder.facts;
    return pool().or_(same, allowed);
  });
}

Formula Clauses::elements(const Rely& rely, Term tid) {
  CONCORD_CHECK(rely.variable != nullptr, "elements of no variable");
  return for_each_object(rely.class_index, true, [&](Term self, std::vector<Term>& facts) {
    const Type& type = rely.variable->type;
    const bool is_array = type.kind == Type::Kind::kArray;
    const Part& root =
        world_.part(rely.class_index < 0 ? world_.variable(rely.index) : world_.field(rely.class_index, rely.index));
    const auto at_self = [&](Term map) { return self == nullptr ? map : pool().select(map, self); };
    Term now = at_self(root.now);
    Term before = at_self(root.before);
    const Term key = pool().bound(rely.field_clause->bound, is_array ? pool().integer() : world_.sort(*type.first));
    Term relevant = pool().truth(true);
    if (is_array) {
      const Part& all = world_.part(world_.elements(type));
      const Term array = before;
      now = pool().select(all.now, array);
      before = pool().select(all.before, array);
      relevant = pool().and_({pool().ne(array, world_.null(type)), pool().le(pool().number(0), key),
                              pool().lt(key, world_.length(type, array))});
    }
    Scene scene;
    scene.now_is_before = true;
    scene.self = self;
    scene.self_class = rely.class_index;
    scene.tid = tid;
    scene.bound = {key};
    Encoder encoder(world_, scene);
    const Term condition = encoder.holds(*rely.field_clause->expr);
    const Term allowed = pool().and_(encoder.all_checks(), pool().not_(condition));
    facts = encoder.facts;
    const Term same = pool().eq(pool().select(now, key), pool().select(before, key));
    return pool().forall({key}, pool().implies(relevant, pool().or_(same, allowed)),
                         {{pool().select(now, key)}, {pool().select(before, key)}});
  });
}

Term Clauses::guaranteed(int part, Term tid) {
  const Part& it = world_.part(part);
  if (!it.changes) return pool().truth(true);
  const auto entry = [&](Term map, Term key) { return key == nullptr ? map : pool().select(map, key); };
  const auto half_of = [&](const Part& half) {
    const bool fits = (it.kind == Part::Kind::kHolder && half.kind == Part::Kind::kDepth) ||
                      (it.kind == Part::Kind::kFieldHolder && half.kind == Part::Kind::kFieldDepth) ||
                      (it.kind == Part::Kind::kObjectHolder && half.kind == Part::Kind::kObjectDepth);
    return fits && half.index == it.index && half.field == it.field;
  };
  switch (it.kind) {
    case Part::Kind::kAlive:
    case Part::Kind::kAllocated: return pool().le(it.before, it.now);
    case Part::Kind::kHolder:
    case Part::Kind::kFieldHolder:
    case Part::Kind::kObjectHolder: {
      const bool is_map = it.now->sort != world_.tid();
      if (is_map && it.now->sort->value != world_.tid()) return pool().truth(true);  // maps of maps: not worth it
      const Term key = is_map ? pool().bound("k", it.now->sort->key) : nullptr;
      const Term now = entry(it.now, key);
      const Term mine = pool().eq(entry(it.before, key), tid);
      std::vector<Term> facts{pool().eq(mine, pool().eq(now, tid))};
      std::vector<std::vector<Term>> patterns{{now}};
      for (const Part& depth : world_.parts()) {
        if (!half_of(depth)) continue;
        facts.push_back(pool().implies(mine, pool().eq(entry(depth.now, key), entry(depth.before, key))));
        patterns.push_back({entry(depth.now, key)});
      }
      const Term all = pool().and_(facts);
      return is_map ? pool().forall({key}, all, patterns) : all;
    }
    default: return pool().truth(true);
  }
}

// ------------------------------------------------------------------------------------------------------------------ frames

std::vector<FrameItem> Clauses::frame(const std::vector<ExprPtr>& items, const Scene& scene) {
  std::vector<FrameItem> out;
  for (const ExprPtr& item : items) {
    Scene before = scene;
    before.two_state = false;
    before.now_is_before = true;
    if (before.locals_before != nullptr) before.locals = before.locals_before;
    Encoder encoder(world_, before);
    const auto add = [&](const Place& place) {
      if (!place.is_local) out.push_back({place.index, place.keys, encoder.all_checks()});
    };
    const auto* field = std::get_if<FieldExpr>(&item->node);
    const auto* name = std::get_if<NameExpr>(&item->node);
    if (field != nullptr && field->kind == FieldExpr::Kind::kHolder) {
      bool is_monitor = false;
      add(encoder.lock_part(*field->object, World::Half::kHolder, is_monitor));
      add(encoder.lock_part(*field->object, World::Half::kDepth, is_monitor));
    } else if (name != nullptr && name->ref.kind == Ref::Kind::kMonitorHolder) {
      for (const World::Half half : {World::Half::kHolder, World::Half::kDepth}) {
        out.push_back({world_.object_monitor(scene.self_class, half), {scene.self}, pool().truth(true)});
      }
    } else if (world_.has_monitors(item->type)) {
      bool is_monitor = false;
      add(encoder.lock_part(*item, World::Half::kHolder, is_monitor));
      add(encoder.lock_part(*item, World::Half::kDepth, is_monitor));
    } else {
      add(encoder.place(*item));
    }
  }
  return out;
}

Term Clauses::is_made(Term object) {
  for (const Part& allocated : world_.parts()) {
    if (allocated.kind != Part::Kind::kAllocated || allocated.of != object->sort || !allocated.changes) continue;
    return pool().not_(world_.exists(allocated.before, object));
  }
  return pool().truth(false);  // nobody allocates any
}

Term Clauses::changes_only(int part, const std::vector<FrameItem>& frame) {
  return changes_only(part, frame, [this](Term object) { return is_made(object); });
}

Term Clauses::changes_only(int part, const std::vector<FrameItem>& frame, const std::function<Term(Term)>& is_exempt) {
  const Part& it = world_.part(part);
  if (!it.changes || is_hidden(it.kind)) return pool().truth(true);
  Term expected = it.before;
  for (const FrameItem& item : frame) {
    if (item.part != part) continue;
    if (item.keys.empty()) return pool().truth(true);
    Term now = it.now;
    for (Term key : item.keys) now = pool().select(now, key);
    expected = pool().ite(item.defined, with_value(pool(), expected, item.keys, now), expected);
  }
  if (!is_of_objects(it.kind)) return pool().eq(it.now, expected);
  const Term object = pool().bound("o", it.now->sort->key);
  const Term exempt = is_exempt(object);
  if (exempt == pool().truth(false)) return pool().eq(it.now, expected);
  const Term now = pool().select(it.now, object);
  return pool().forall({object}, pool().or_(exempt, pool().eq(now, pool().select(expected, object))), {{now}});
}

}  // namespace concord::simulation
