#include "simulation/world.h"

#include <algorithm>

#include "base/check.h"
#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Type class_type(const Program& program, int class_index) {
  Type type;
  type.kind = Type::Kind::kClass;
  type.name = program.classes[static_cast<std::size_t>(class_index)].name;
  type.decl = class_index;
  return type;
}

bool is_of_objects(Part::Kind kind) {
  switch (kind) {
    case Part::Kind::kField:
    case Part::Kind::kFieldHolder:
    case Part::Kind::kFieldDepth:
    case Part::Kind::kObjectHolder:
    case Part::Kind::kObjectDepth:
    case Part::Kind::kElements: return true;
    default: return false;
  }
}

bool is_existence(Part::Kind kind) { return kind == Part::Kind::kAllocated || kind == Part::Kind::kAlive; }
bool is_hidden(Part::Kind kind) { return is_existence(kind) || kind == Part::Kind::kMade; }

World::World(Pool& pool, const Program& program, engine::IntMode ints, bool initialises)
    : pool_(pool),
      program_(program),
      ints_(ints),
      initialises_(initialises),
      tid_(pool.uninterpreted("Thread")),
      none_(pool.constant("none", tid_)),
      made_(made_values(program)),
      monitor_classes_(monitor_classes(program)) {
  number_classes();
  const auto look_at = [&](const Rhs& rhs) {
    if (const auto* it = std::get_if<NewObject>(&rhs)) {
      const Type made = class_type(program_, it->class_index);
      allocating_[reference_name(made)] = true;
      made_types_.emplace(made.name, made);
    } else if (const auto* array = std::get_if<NewArray>(&rhs)) {
      Type made;
      made.kind = Type::Kind::kArray;
      made.first = std::make_shared<Type>(array->element);
      allocating_[to_string(made)] = true;
      made_types_.emplace(to_string(made), made);
    }
  };
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      starting_ = starting_ || starts_thread(statement) || may_do_anything(statement);
      unknown_code_ = unknown_code_ || may_do_anything(statement);
      if (const auto* it = std::get_if<Assign>(&statement.node)) look_at(it->value);
      if (const auto* it = std::get_if<LocalDecl>(&statement.node); it != nullptr && it->init) look_at(*it->init);
    });
  }
}

std::string World::reference_name(const Type& reference) const {
  if (reference.kind != Type::Kind::kClass) return to_string(reference);
  return program_.classes[static_cast<std::size_t>(root_class(program_, reference.decl))].name;
}

// A class, then everything below it, then the next one.
void World::number_classes() {
  const std::size_t count = program_.classes.size();
  class_number_.assign(count, 0);
  last_subclass_.assign(count, 0);
  std::vector<std::vector<int>> below(count);
  std::vector<int> open;
  for (std::size_t c = count; c-- > 0;) {
    const int base = program_.classes[c].base;
    if (base >= 0) below[static_cast<std::size_t>(base)].push_back(static_cast<int>(c));
    if (base < 0) open.push_back(static_cast<int>(c));
  }
  std::vector<std::size_t> order;
  while (!open.empty()) {
    const auto top = static_cast<std::size_t>(open.back());
    open.pop_back();
    class_number_[top] = last_subclass_[top] = static_cast<std::int64_t>(order.size());
    order.push_back(top);
    open.insert(open.end(), below[top].begin(), below[top].end());
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const int base = program_.classes[order[i]].base;
    if (base < 0) continue;
    std::int64_t& last = last_subclass_[static_cast<std::size_t>(base)];
    last = std::max(last, last_subclass_[order[i]]);
  }
}

Term World::class_of(int class_index, Term object) {
  const std::string& root = program_.classes[static_cast<std::size_t>(root_class(program_, class_index))].name;
  return pool_.apply("class " + root, {object}, pool_.integer());
}

Term World::is_instance(int class_index, Term object) {
  const auto c = static_cast<std::size_t>(class_index);
  if (program_.classes[c].base < 0) return pool_.truth(true);  // the sort has no others
  const Term own = class_of(class_index, object);
  if (class_number_[c] == last_subclass_[c]) return pool_.eq(own, pool_.number(class_number_[c]));
  return is_within(own, {class_number_[c], last_subclass_[c]});
}

Term World::is_of_type(const Type& reference, Term object) {
  if (reference.kind != Type::Kind::kClass) return pool_.truth(true);
  const auto c = static_cast<std::size_t>(reference.decl);
  std::int64_t first = last_subclass_[c] + 1;
  std::int64_t last = class_number_[c] - 1;
  for (const auto& [name, made] : made_types_) {
    if (made.kind != Type::Kind::kClass || !is_subclass(program_, made.decl, reference.decl)) continue;
    first = std::min(first, class_number_[static_cast<std::size_t>(made.decl)]);
    last = std::max(last, class_number_[static_cast<std::size_t>(made.decl)]);
  }
  if (program_.classes[c].base < 0 || unknown_code_ || first > last) return is_instance(reference.decl, object);
  const Term own = class_of(reference.decl, object);
  return first == last ? pool_.eq(own, pool_.number(first)) : is_within(own, {first, last});
}

Term World::is_within(Term number, Range range) const {
  return pool_.and_(pool_.le(pool_.number(range.low), number), pool_.le(number, pool_.number(range.high)));
}

Term World::is_exactly(int class_index, Term object) {
  const auto c = static_cast<std::size_t>(class_index);
  if (program_.classes[c].base < 0 && class_number_[c] == last_subclass_[c]) return pool_.truth(true);
  return pool_.eq(class_of(class_index, object), pool_.number(class_number_[c]));
}

const Made* World::made(int index) const {
  const Part& it = part(index);
  if (it.kind == Part::Kind::kField) {
    const auto found = made_.fields.find({it.index, it.field});
    return found == made_.fields.end() ? nullptr : &found->second;
  }
  // As long as a variable changes not everything is initialised.
  if (it.kind != Part::Kind::kVariable || it.changes) return nullptr;
  const auto found = made_.variables.find(it.index);
  return found == made_.variables.end() ? nullptr : &found->second;
}

bool World::is_allocating(const Type& reference) const {
  return unknown_code_ || allocating_.contains(reference_name(reference));
}

// ----------------------------------------------------------------------------------------------------------- sorts, values

Sort World::sort(const Type& type, Half half) {
  switch (type.kind) {
    case Type::Kind::kBool: return pool_.boolean();
    case Type::Kind::kInt:
    case Type::Kind::kFloat: return pool_.integer();
    case Type::Kind::kTid: return tid_;
    case Type::Kind::kMonitor: return half == Half::kHolder ? tid_ : pool_.integer();
    case Type::Kind::kEnum: {
      std::vector<std::string> constants;
      for (const auto& it : program_.enums[static_cast<std::size_t>(type.decl)].constants) constants.push_back(it.name);
      return pool_.enumeration("enum " + type.name, constants);
    }
    case Type::Kind::kClass:
    case Type::Kind::kArray: return pool_.uninterpreted("ref " + reference_name(type));
    case Type::Kind::kSet: return pool_.array(sort(*type.first), pool_.boolean());
    case Type::Kind::kMap: return pool_.array(sort(*type.first), sort(*type.second, half));
    default: base::internal_error(__FILE__, __LINE__, "a type without values: " + to_string(type));
  }
}

Term World::null(const Type& reference) { return pool_.constant("null " + reference_name(reference), sort(reference)); }

Term World::default_value(const Type& type, Half half) {
  switch (type.kind) {
    case Type::Kind::kBool: return pool_.truth(false);
    case Type::Kind::kInt:
    case Type::Kind::kFloat: return pool_.number(0);
    case Type::Kind::kTid: return none_;
    case Type::Kind::kMonitor: return half == Half::kHolder ? none_ : pool_.number(0);
    case Type::Kind::kEnum: return pool_.enum_const(sort(type), 0);
    case Type::Kind::kClass:
    case Type::Kind::kArray: return null(type);
    case Type::Kind::kSet: return pool_.const_array(sort(type), pool_.truth(false));
    case Type::Kind::kMap: return pool_.const_array(sort(type, half), default_value(*type.second, half));
    default: base::internal_error(__FILE__, __LINE__, "a type without values: " + to_string(type));
  }
}

Term World::constant(int index) {
  const Const& it = program_.consts[static_cast<std::size_t>(index)];
  return pool_.constant("const " + it.name, sort(it.type));
}

Term World::thread(int declaration) {
  return pool_.constant("thread " + program_.threads[static_cast<std::size_t>(declaration)].name, tid_);
}

Term World::place_of(Term it) { return pool_.apply("place of " + it->sort->name, {it}, pool_.integer()); }

Term World::exists(Term last, Term it) { return pool_.le(place_of(it), last); }

Term World::is_next(Term last, Term it) { return pool_.eq(place_of(it), pool_.add(last, pool_.number(1))); }

Term World::entry_of(Term thread) { return pool_.apply("entry", {thread}, pool_.integer()); }

Term World::length(const Type& array, Term reference) {
  return pool_.apply("length " + reference_name(array), {reference}, pool_.integer());
}

Term World::size(const Type& set, Term value) {
  sized_[reference_name(*set.first)] = sort(*set.first);
  return pool_.apply("size " + reference_name(*set.first), {value}, pool_.integer());
}

// The laws of `size` hold of finite sets; all sets of a program are. Without that they would contradict each other: the
// set of all integers cannot lose one element after the other and still have a size.
Term World::finite(const Type& set, Term value) { return finite_set(reference_name(*set.first), value); }

Term World::finite_set(const std::string& element, Term value) {
  return pool_.apply("finite " + element, {value}, pool_.boolean());
}

Term World::set_function(const std::string& function, const Type& set, Term left, Term right) {
  const std::string name = function + " " + reference_name(*set.first);
  set_functions_[name] = {function, sort(set)};
  return pool_.apply(name, {left, right}, sort(set));
}

std::vector<Term> World::axioms() {
  std::vector<Term> out;
  // Named threads exist from the start and are different.
  std::vector<Term> named{none_};
  for (std::size_t i = 0; i < program_.threads.size(); ++i) {
    const Thread& declared = program_.threads[i];
    if (declared.name.empty()) continue;
    const Term it = thread(static_cast<int>(i));
    for (Term other : named) out.push_back(pool_.ne(it, other));
    named.push_back(it);
    out.push_back(pool_.eq(entry_of(it), pool_.number(declared.target.index)));
  }
  for (const Part& part : parts_) {
    if (!is_existence(part.kind) || !part.changes) continue;
    // Each has a place of its own.
    const Term it = pool_.bound("o", part.of);
    const Term place = place_of(it);
    out.push_back(
        pool_.forall({it}, pool_.eq(pool_.apply("at place " + part.of->name, {place}, part.of), it), {{place}}));
  }
  for (const auto& [name, which] : set_functions_) {
    const Term a = pool_.bound("a", which.second);
    const Term b = pool_.bound("b", which.second);
    const Term e = pool_.bound("e", which.second->key);
    const Term made = pool_.select(pool_.apply(name, {a, b}, which.second), e);
    const Term in_a = pool_.select(a, e);
    const Term in_b = pool_.select(b, e);
    const Term wanted = which.first == "union"          ? pool_.or_(in_a, in_b)
                        : which.first == "intersection" ? pool_.and_(in_a, in_b)
                                                        : pool_.and_(in_a, pool_.not_(in_b));
    out.push_back(pool_.forall({a, b, e}, pool_.eq(made, wanted), {{made}}));
  }
  for (const auto& [name, element] : sized_) {
    const Sort set = pool_.array(element, pool_.boolean());
    const Term empty = pool_.const_array(set, pool_.truth(false));
    const auto size_of = [&, &key = name](Term value) { return pool_.apply("size " + key, {value}, pool_.integer()); };
    const auto finite = [&, &key = name](Term value) { return finite_set(key, value); };
    const Term s = pool_.bound("s", set);
    const Term e = pool_.bound("e", element);
    const Term has = pool_.select(s, e);
    const Term one = pool_.number(1);
    const Term zero = pool_.number(0);
    out.push_back(finite(empty));
    out.push_back(pool_.forall(
        {s},
        pool_.implies(finite(s),
                      pool_.and_(pool_.le(zero, size_of(s)), pool_.eq(pool_.eq(size_of(s), zero), pool_.eq(s, empty)))),
        {{size_of(s)}}));
    const std::pair<bool, Term> changes[] = {{true, pool_.add(size_of(s), pool_.ite(has, zero, one))},
                                             {false, pool_.sub(size_of(s), pool_.ite(has, one, zero))}};
    for (const auto& [added, expected] : changes) {
      const Term changed = pool_.store(s, e, pool_.truth(added));
      out.push_back(pool_.forall({s, e}, pool_.eq(finite(changed), finite(s)), {{finite(changed)}}));
      out.push_back(
          pool_.forall({s, e}, pool_.implies(finite(s), pool_.eq(size_of(changed), expected)), {{size_of(changed)}}));
    }
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------- parts of the state

int World::add(const std::string& key, Part part, Sort sort) {
  const auto [found, is_new] = by_key_.emplace(key, static_cast<int>(parts_.size()));
  if (!is_new) return found->second;
  part.now = pool_.constant(key, sort);
  part.before = part.changes ? pool_.constant(key + "@before", sort) : part.now;
  by_constant_[part.now] = found->second;
  by_constant_[part.before] = found->second;
  parts_.push_back(std::move(part));
  return found->second;
}

int World::part_of(Term constant) const {
  const auto found = by_constant_.find(constant);
  return found == by_constant_.end() ? -1 : found->second;
}

int World::variable(int index) {
  const Variable& it = program_.variables[static_cast<std::size_t>(index)];
  Part part;
  part.index = index;
  part.name = it.name;
  part.is_final = it.is_final;
  part.changes = !it.is_final || (initialises_ && !it.init);
  return add("var " + it.name, part, sort(it.type));
}

int World::monitor(int index, Half half) {
  const Variable& it = program_.variables[static_cast<std::size_t>(index)];
  Part part;
  part.kind = half == Half::kHolder ? Part::Kind::kHolder : Part::Kind::kDepth;
  part.index = index;
  part.name = it.name + (half == Half::kHolder ? ".holder" : ".depth");
  return add("var " + part.name, part, sort(it.type, half));
}

int World::field(int class_index, int number) {
  const FieldHome home = field_home(program_, class_index, number);
  const Variable& it = field_of(program_, class_index, number);
  const Type owner = class_type(program_, home.class_index);
  Part part;
  allocated(owner);  // what is known of a field is known of the objects that exist
  part.kind = Part::Kind::kField;
  part.index = home.class_index;
  part.field = home.place;
  part.name = owner.name + "." + it.name;
  part.changes = !it.is_final;  // allocation writes nothing: an object that does not exist yet has its value already
  return add("field " + part.name, part, pool_.array(sort(owner), sort(it.type)));
}

int World::field_monitor(int class_index, int number, Half half) {
  const FieldHome home = field_home(program_, class_index, number);
  const Variable& it = field_of(program_, class_index, number);
  const Type owner = class_type(program_, home.class_index);
  allocated(owner);
  Part part;
  part.kind = half == Half::kHolder ? Part::Kind::kFieldHolder : Part::Kind::kFieldDepth;
  part.index = home.class_index;
  part.field = home.place;
  part.name = owner.name + "." + it.name + (half == Half::kHolder ? ".holder" : ".depth");
  return add("field " + part.name, part, pool_.array(sort(owner), sort(it.type, half)));
}

int World::object_monitor(int class_index, Half half) {
  CONCORD_CHECK(has_object_monitor(class_index), "an object whose monitor nobody uses");
  const Type owner = class_type(program_, monitor_classes_[static_cast<std::size_t>(class_index)]);
  allocated(owner);
  Part part;
  part.kind = half == Half::kHolder ? Part::Kind::kObjectHolder : Part::Kind::kObjectDepth;
  part.index = owner.decl;
  part.name = owner.name + (half == Half::kHolder ? ".holder" : ".depth");
  return add("monitor " + part.name, part, pool_.array(sort(owner), half == Half::kHolder ? tid_ : pool_.integer()));
}

int World::elements(const Type& array) {
  allocated(array);
  Part part;
  part.kind = Part::Kind::kElements;
  part.type = reference_name(array);
  part.name = part.type;
  return add("elements " + part.type, part, pool_.array(sort(array), pool_.array(pool_.integer(), sort(*array.first))));
}

int World::allocated(const Type& reference) {
  Part part;
  part.kind = Part::Kind::kAllocated;
  part.type = reference_name(reference);
  part.name = "objects of " + part.type;
  part.of = sort(reference);
  part.changes = is_allocating(reference);
  return add("allocated " + part.type, part, pool_.integer());
}

int World::made(const Type& reference) {
  Part part;
  part.kind = Part::Kind::kMade;
  part.index = reference.kind == Type::Kind::kClass ? reference.decl : -1;
  part.name = "new " + to_string(reference);
  part.of = sort(reference);
  part.changes = false;
  return add(part.name, part, pool_.boolean());
}

std::set<int> World::makings(Sort of) {
  std::set<int> out;
  for (const auto& [name, type] : made_types_) {
    if (sort(type) == of) out.insert(made(type));
  }
  return out;
}

std::set<int> World::makings(int class_index) {
  std::set<int> out;
  for (const auto& [name, type] : made_types_) {
    if (type.kind == Type::Kind::kClass && is_subclass(program_, type.decl, class_index)) out.insert(made(type));
  }
  return out;
}

int World::alive() {
  Part part;
  part.kind = Part::Kind::kAlive;
  part.name = "threads";
  part.of = tid_;
  part.changes = starting_;
  return add("alive", part, pool_.integer());
}

}  // namespace concord::simulation
