// Objects that only this thread can reach: made by it, and not yet stored where another thread could find them. Others leave
// them alone.
//
// One map per sort of references says which objects are private; it begins empty. Storing a private reference in anything but
// a local variable or a private object, passing one to a thread or to a callee that is known by its abstraction, makes all
// objects public of which it may be that the stored one refers to them, going by their types. A public object refers to no
// private one, so that storing it changes nothing. Nothing becomes private again. If the program can pick objects out of the air (havoc, direct operations), nothing ever is.
#include <algorithm>
#include <functional>
#include <numeric>

#include "plato/classes.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using formula::Sort;
using formula::SortNode;
using sequential::Command;

namespace {

bool has_references(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kClass:
    case Type::Kind::kArray: return true;
    case Type::Kind::kSet: return has_references(*type.first);
    case Type::Kind::kMap: return has_references(*type.first) || has_references(*type.second);
    default: return false;
  }
}

}  // namespace

bool picks_references(const Program& program) {
  const auto is_star = [](const Variable& it) {
    return it.init && std::holds_alternative<Star>(it.init->node) && has_references(it.type);
  };
  bool out = std::any_of(program.variables.begin(), program.variables.end(), is_star);
  const auto targets = [&](const std::vector<ExprPtr>& list) {
    for (const ExprPtr& it : list) out = out || has_references(it->type);
  };
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const auto* it = std::get_if<Havoc>(&statement.node)) targets(it->targets);
      if (const auto* it = std::get_if<plato::Unsupported>(&statement.node)) targets(it->targets);
      if (const auto* it = std::get_if<Direct>(&statement.node); it != nullptr && it->action.frame) {
        targets(*it->action.frame);
      }
    });
  }
  return out;
}

bool Simulator::refers(Sort sort) const {
  if (sort->kind == SortNode::Kind::kArray) return refers(sort->key) || refers(sort->value);
  return sort->kind == SortNode::Kind::kUninterpreted && sort != world_.tid();
}

// Which objects of the sort are private; null if none ever are.
Term Simulator::private_of(Sort sort) {
  if (!learned_.private_sorts.contains(sort)) return nullptr;
  Term& out = private_[sort];
  if (out == nullptr) out = variable("private", pool().array(sort, pool().boolean()));
  return out;
}

Term Simulator::is_private(Term object) {
  const Term all = private_of(object->sort);
  return all == nullptr ? pool().truth(false) : pool().select(all, object);
}

void Simulator::make_private(Term object, const Type& type, Effect& effect) {
  if (picks_references_ || !initialised_) return;  // what is made before everything is initialised becomes public there
  learned_.private_sorts.insert(object->sort);
  if (type.kind == Type::Kind::kClass)
    learned_.private_classes.insert(type.decl);
  else
    learned_.private_arrays[object->sort] = type;
  const Term all = private_of(object->sort);
  effect.commands.push_back({Command::Kind::kAssign, all, pool().store(all, object, pool().truth(true)), -1, -1});
}

// Whether a value of the type may be private.
bool Simulator::may_be_private(const Type& type) {
  if (type.kind != Type::Kind::kClass) return learned_.private_sorts.contains(world_.sort(type));
  return std::any_of(learned_.private_classes.begin(), learned_.private_classes.end(),
                     [&](int made) { return is_subclass(program(), made, type.decl); });
}

void Simulator::publish(Term unless, Effect& effect) {
  for (const Sort sort : learned_.private_sorts) {
    const Term all = private_of(sort);
    const Term none = pool().const_array(all->sort, pool().truth(false));
    effect.commands.push_back({Command::Kind::kAssign, all, pool().ite(unless, all, none), -1, -1});
  }
}

void Simulator::publish_stored(const Place& place, Term value, Effect& effect) {
  if (place.is_local) return;
  const bool has_owner = is_of_objects(world_.part(place.index).kind);
  std::vector<Term> stored{value};
  for (std::size_t i = has_owner ? 1 : 0; i < place.keys.size(); ++i) stored.push_back(place.keys[i]);  // keys of maps
  std::erase_if(stored, [&](Term it) { return !refers(it->sort); });
  if (stored.empty()) return;
  const auto is_map = [](Term it) { return it->sort->kind == SortNode::Kind::kArray; };
  std::vector<Term> are_public;
  are_public.reserve(stored.size());
  for (Term it : stored) are_public.push_back(is_map(it) ? pool().truth(false) : pool().not_(is_private(it)));
  const Term owned = has_owner ? is_private(place.keys.front()) : pool().truth(false);
  // Once and for all, before anything becomes public.
  const Term unless = variable("stays private", pool().boolean());
  effect.commands.push_back({Command::Kind::kAssign, unless, pool().or_(owned, pool().and_(are_public)), -1, -1});
  if (std::any_of(stored.begin(), stored.end(), is_map)) return publish(unless, effect);
  std::set<Sort, BySortName> go_along;
  for (Term it : stored) go_along.merge(referred_from(it->sort));
  for (const Sort sort : learned_.private_sorts) {
    const Term all = private_of(sort);
    Term others = all;
    for (Term it : stored) {
      if (it->sort == sort) others = pool().store(others, it, pool().truth(false));
    }
    if (go_along.contains(sort)) others = pool().const_array(all->sort, pool().truth(false));
    if (others != all)
      effect.commands.push_back({Command::Kind::kAssign, all, pool().ite(unless, all, others), -1, -1});
  }
}

// The sorts of what a private object of this sort may refer to, by itself or through others.
std::set<Sort, BySortName> Simulator::referred_from(Sort sort) const {
  std::set<Sort, BySortName> out;
  std::vector<Sort> open{sort};
  const std::function<void(Sort)> add = [&](Sort it) {
    if (it->kind == SortNode::Kind::kArray) {
      add(it->key);
      add(it->value);
    } else if (refers(it) && out.insert(it).second) {
      open.push_back(it);
    }
  };
  while (!open.empty()) {
    const Sort at = open.back();
    open.pop_back();
    if (const auto array = learned_.private_arrays.find(at); array != learned_.private_arrays.end())
      add(world_.sort(*array->second.first));
    for (const int made : learned_.private_classes) {
      if (world_.sort(class_type(program(), made)) != at) continue;
      for (int field = 0; field < field_count(program(), made); ++field) {
        add(world_.sort(field_of(program(), made, field).type));
      }
    }
  }
  return out;
}

void Simulator::begin_private() {
  std::vector<Command>& first = block(0).commands;
  for (const auto& [sort, all] : private_) {
    const Term none = pool().const_array(all->sort, pool().truth(false));
    first.insert(first.begin(), {Command::Kind::kAssign, all, none, -1, -1});
  }
}

// Other threads do not change what is private.
void Simulator::assume_private_unchanged(int part) {
  const Part& it = world_.part(part);
  if (!is_of_objects(it.kind) || !learned_.private_sorts.contains(it.now->sort->key)) return;
  if (it.kind != Part::Kind::kElements && !may_be_private(class_type(program(), it.index))) return;
  const Term object = pool().bound("o", it.now->sort->key);
  const Term now = pool().select(it.now, object);
  const Term same = pool().eq(now, pool().select(it.before, object));
  assume(pool().forall({object}, pool().implies(is_private(object), same), {{now}}));
}

// Nor do they come to refer to it: only private objects refer to private ones.
void Simulator::assume_private_unknown(const std::vector<int>& changed) {
  const auto has_changed = [&](int part) { return std::find(changed.begin(), changed.end(), part) != changed.end(); };
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    const Part& part = world_.parts()[i];
    const auto index = static_cast<std::size_t>(part.index);
    if (part.kind == Part::Kind::kVariable && has_changed(static_cast<int>(i))) {
      if (may_be_private(program().variables[index].type)) assume(pool().not_(is_private(part.now)));
    } else if (part.kind == Part::Kind::kField) {
      const Variable& field = program().classes[index].fields[static_cast<std::size_t>(part.field)];
      if (!may_be_private(field.type)) continue;
      const Type owner = class_type(program(), part.index);
      const int allocated = world_.allocated(owner);
      if (!has_changed(part.changes ? static_cast<int>(i) : allocated)) continue;
      const Term object = pool().bound("o", part.now->sort->key);
      const Term refers_to = pool().select(part.now, object);
      const Term is_free = pool().or_({pool().not_(world_.exists(world_.part(allocated).now, object)),
                                       may_be_private(owner) ? is_private(object) : pool().truth(false),
                                       pool().not_(is_private(refers_to))});
      assume(pool().forall({object}, is_free, {{refers_to}}));
    }
  }
}

// Wherever one looks.
void Simulator::assume_private_unknown() {
  std::vector<int> all(world_.parts().size());
  std::iota(all.begin(), all.end(), 0);
  assume_private_unknown(all);
}

}  // namespace concord::simulation
