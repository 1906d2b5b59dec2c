#include "engine/dynamic/flat_variables.h"

#include <algorithm>
#include <deque>

#include "engine/dynamic/heap.h"
#include "engine/dynamic/made.h"
#include "plato/classes.h"
#include "plato/copy.h"

namespace concord::engine::dynamic {

using explore::Scalar;
using explore::Value;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// As an expression; null: there is none.
ExprPtr literal(const Program& program, Scalar value, const Type& type, SourceRange range) {
  switch (type.kind) {
    case Type::Kind::kInt: return make_number(value, range);
    case Type::Kind::kBool: return make_truth(value != 0, range);
    case Type::Kind::kEnum: {
      const Enum& of = program.enums[static_cast<std::size_t>(type.decl)];
      return make_name(of.constants[static_cast<std::size_t>(value)].name, range);
    }
    case Type::Kind::kFloat: return make(FloatLit{type.decl, value}, range);
    case Type::Kind::kTid: return value == 0 ? make(NoneLit{}, range) : nullptr;
    default: return nullptr;
  }
}

Variable variable(std::string name, Type type, SourceRange range) {
  Variable out;
  out.name = std::move(name);
  out.type = std::move(type);
  out.range = out.name_range = range;
  return out;
}

ExprPtr star(SourceRange range) { return make(Star{}, range); }

void add_initially(Flat& out, ExprPtr predicate, SourceRange range) {
  Clause made;
  made.kind = Clause::Kind::kInitially;
  made.predicate.predicate = std::move(predicate);
  made.predicate.range = made.range = range;
  out.program.clauses.push_back(std::move(made));
}

// With what it has at first.
void declare_with(const Program& program, Flat& out, Variable made, const Value& first) {
  const SourceRange range = made.range;
  const Type type = made.type;
  if (first == explore::default_value(type)) {
    made.init = nullptr;
    return out.program.variables.push_back(std::move(made));
  }
  if (first.composite == nullptr) {
    made.init = literal(program, first.scalar, type, range);
    if (!made.init) throw Refusal{range, "what the initialisers leave in this variable"};
    return out.program.variables.push_back(std::move(made));
  }
  const bool is_map = type.kind == Type::Kind::kMap && type.first->kind == Type::Kind::kInt &&
                      first.composite->rest.composite == nullptr;
  if (!is_map) throw Refusal{range, "what the initialisers leave in this variable"};
  const std::string name = made.name;
  made.init = star(range);
  out.program.variables.push_back(std::move(made));
  std::vector<ExprPtr> others;
  for (const auto& [key, value] : first.composite->entries) {
    ExprPtr content = value.composite == nullptr ? literal(program, value.scalar, *type.second, range) : nullptr;
    if (!content) throw Refusal{range, "what the initialisers leave in this variable"};
    ExprPtr entry = make_element(make_name(name, range), make_number(key, range), range);
    add_initially(out, make_binary(BinaryOp::kEq, std::move(entry), std::move(content), range), range);
    others.push_back(make_binary(BinaryOp::kNe, make_name("k.other", range), make_number(key, range), range));
  }
  ExprPtr content = literal(program, first.composite->rest.scalar, *type.second, range);
  if (!content) throw Refusal{range, "what the initialisers leave in this variable"};
  ExprPtr entry = make_element(make_name(name, range), make_name("k.other", range), range);
  ExprPtr rest = make_binary(BinaryOp::kEq, std::move(entry), std::move(content), range);
  QuantifierExpr all;
  all.variables.push_back({"k.other", type_of_kind(Type::Kind::kInt), range});
  all.body = make_connective(BinaryOp::kImplies, make_all(std::move(others), range), std::move(rest), range);
  add_initially(out, make(std::move(all), range), range);
}

}  // namespace

FlatVariables::FlatVariables(const Program& program, const explore::Store& store, const Targets& targets)
    : program_(program), store_(store), targets_(targets), names_(store.objects.size()) {
  find_names();
}

// By the way to it from the variables.
void FlatVariables::find_names() {
  std::deque<Target> open;
  const auto found = [&](Scalar object, const std::string& name) {
    if (object <= 0 || !names_[static_cast<std::size_t>(object - 1)].empty()) return;
    names_[static_cast<std::size_t>(object - 1)] = name;
    open.push_back(static_cast<Target>(object));
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const Variable& it = program_.variables[v];
    if (is_reference(it.type)) found(store_.variables[v].scalar, it.name);
  }
  while (!open.empty()) {
    const Target at = open.front();
    open.pop_front();
    const explore::Object& it = object(at);
    for (std::size_t f = 0; f < it.fields.size(); ++f) {
      if (it.class_index < 0) {
        if (it.element != nullptr && is_reference(*it.element))
          found(it.fields[f].scalar, name_of(at) + "[" + std::to_string(f) + "]");
        continue;
      }
      const Variable& field = field_of(program_, it.class_index, static_cast<int>(f));
      if (is_reference(field.type)) found(it.fields[f].scalar, name_of(at) + "." + field.name);
    }
  }
}

std::string FlatVariables::name_of(const Holder& holder) const {
  if (holder.object == 0) return program_.variables[static_cast<std::size_t>(holder.number)].name;
  return name_of(holder.object) + "." + field_of(program_, object(holder.object).class_index, holder.number).name;
}

std::string FlatVariables::field(Target object, int number) {
  fields_.emplace(object, number);
  return name_of(Holder{object, number});
}

std::string FlatVariables::monitor(Target object) {
  monitors_.insert(object);
  return name_of(object) + ".monitor";
}

Home FlatVariables::array(Target array) {
  const Home home{name_of(array), "", static_cast<std::int64_t>(object(array).fields.size())};
  arrays_.emplace(array, home);
  return home;
}

std::set<Target> FlatVariables::contents(const Holder& holder) const {
  return holder.object == 0 ? targets_.of_variable(holder.number) : targets_.of_field(holder.object, holder.number);
}

std::vector<std::pair<Holder, std::set<Target>>> FlatVariables::holders() const {
  std::vector<std::pair<Holder, std::set<Target>>> out;
  for (int v = 0; v < std::ssize(program_.variables); ++v) {
    if (!targets_.of_variable(v).empty()) out.emplace_back(Holder{0, v}, targets_.of_variable(v));
  }
  for (const auto& [field, contents] : targets_.fields()) out.emplace_back(Holder{field.first, field.second}, contents);
  return out;
}

Home FlatVariables::growing(const Holder& holder, SourceRange at) {
  if (const auto known = growing_.find(holder); known != growing_.end()) return known->second.home;
  const std::set<Target> own = contents(holder);
  const auto is_own = [&](Target it) { return it == Targets::kAnything || own.contains(it); };
  const char* elsewhere = "an array that is in several variables";
  if (own.contains(Targets::kNull) || own.contains(Targets::kAnything))
    throw Refusal{at, "an array that may be missing, or any"};
  for (const auto& [other, others] : holders()) {
    if (other == holder) continue;
    if (std::any_of(others.begin(), others.end(), is_own)) throw Refusal{at, elsewhere};
  }
  for (const auto& [array, others] : targets_.elements()) {
    if (std::any_of(others.begin(), others.end(), is_own)) throw Refusal{at, elsewhere};
  }
  const Value& first = holder.object == 0 ? store_.variables[static_cast<std::size_t>(holder.number)]
                                          : object(holder.object).fields[static_cast<std::size_t>(holder.number)];
  const std::string name = name_of(holder);
  Grown made{{name, name + ".length", 0}, static_cast<Target>(first.scalar), at};
  growing_.emplace(holder, made);
  return made.home;
}

void FlatVariables::declare_elements(Flat& out, const Home& home, Target first) const {
  const explore::Object& it = object(first);
  if (it.element == nullptr) throw Refusal{it.site, "an array without a type"};
  const SourceRange range = it.site;
  Variable made = variable(home.elements, type_of_elements(*it.element), range);
  const bool are_alike =
      std::all_of(it.fields.begin(), it.fields.end(), [&](const Value& value) { return value == it.fields.front(); });
  const bool are_plain =
      std::all_of(it.fields.begin(), it.fields.end(), [](const Value& value) { return value.composite == nullptr; });
  const auto content = [&](const Value& value) {
    ExprPtr entry = are_plain ? literal(program_, value.scalar, *it.element, range) : nullptr;
    if (!entry) throw Refusal{range, "an array of this type"};
    return entry;
  };
  const std::string name = made.name;
  if (it.fields.empty() || (are_alike && it.fields.front() == explore::default_value(*it.element))) {
    return out.program.variables.push_back(std::move(made));
  }
  made.init = are_alike ? make(MapConst{content(it.fields.front())}, range) : star(range);
  out.program.variables.push_back(std::move(made));
  for (std::size_t i = 0; i < it.fields.size() && !are_alike; ++i) {
    ExprPtr entry = make_element(make_name(name, range), make_number(static_cast<std::int64_t>(i), range), range);
    add_initially(out, make_binary(BinaryOp::kEq, std::move(entry), content(it.fields[i]), range), range);
  }
}

const Variable& FlatVariables::declared(const Holder& holder) const {
  if (holder.object == 0) return program_.variables[static_cast<std::size_t>(holder.number)];
  return field_of(program_, targets_.class_of(holder.object), holder.number);
}

// Which declarations each variable is about.
void FlatVariables::list_shared(Flat& out) const {
  for (int v = 0; v < std::ssize(program_.variables); ++v) {
    const Variable& it = program_.variables[static_cast<std::size_t>(v)];
    if (!is_reference(it.type))
      out.shared.push_back({it.name_range, it.name, it.is_volatile, left_out_.contains({0, v})});
  }
  for (const auto& [owner, number] : fields_) {
    const Holder holder{owner, number};
    const Variable& it = declared(holder);
    out.shared.push_back({it.name_range, name_of(holder), it.is_volatile, left_out_.contains(holder)});
  }
  const auto add_elements = [&](const std::set<Target>& arrays, const Home& home) {
    for (const auto& [holder, contents] : holders()) {
      const bool has_one = std::any_of(contents.begin(), contents.end(),
                                       [&](Target it) { return it == Targets::kAnything || arrays.contains(it); });
      if (holder.object != Targets::kAnything && has_one)
        out.shared.push_back({declared(holder).name_range, home.elements, false});
    }
    for (const Target it : arrays) {
      if (it > 0) out.shared.push_back({object(it).site, home.elements, false});
      if (it < 0) out.shared.push_back({targets_.made_at(it)->range, home.elements, false});
    }
  };
  for (const auto& [array, home] : arrays_) add_elements({array}, home);
  for (const auto& [holder, it] : growing_) {
    const Variable& field = declared(holder);
    out.shared.push_back({field.name_range, it.home.length, field.is_volatile, left_out_.contains(holder)});
    add_elements(contents(holder), it.home);
  }
  for (const Holder& it : references_) out.not_followed.push_back(declared(it).name_range);
  for (const int made : targets_.classes_made()) {
    for (int f = 0; f < field_count(program_, made); ++f)
      out.not_followed.push_back(field_of(program_, made, f).name_range);
  }
}

void FlatVariables::declare(Flat& out) const {
  list_shared(out);
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const Variable& it = program_.variables[v];
    if (is_reference(it.type)) continue;
    if (refers_to_objects(it.type)) continue;  // nothing may ask for it
    Variable made = variable(it.name, it.type, it.range);
    made.name_range = it.name_range;
    made.is_ghost = it.is_ghost;
    // What the initialiser must not look at keeps what it says of itself.
    const bool is_free = it.init && depends_on_free(program_, *it.init);
    made.is_final = it.is_final && is_free;
    if (is_free || it.type.kind == Type::Kind::kMonitor || program_.initialiser < 0) {
      if (it.init) made.init = copy(*it.init);
      out.program.variables.push_back(std::move(made));
    } else {
      declare_with(program_, out, std::move(made), store_.variables[v]);
    }
  }
  for (const auto& [owner, number] : fields_) {
    const explore::Object& of = object(owner);
    const Variable& it = field_of(program_, of.class_index, number);
    if (refers_to_objects(it.type)) throw Refusal{it.range, "a map of objects"};
    Variable made = variable(name_of(Holder{owner, number}), it.type, it.range);
    made.name_range = it.name_range;
    made.is_ghost = it.is_ghost;
    declare_with(program_, out, std::move(made), of.fields[static_cast<std::size_t>(number)]);
  }
  for (const Target it : monitors_) {
    const auto& monitor = object(it).monitor.composite;
    if (monitor != nullptr && monitor->depth != 0) throw Refusal{object(it).site, "a lock that an initialiser keeps"};
    out.program.variables.push_back(
        variable(name_of(it) + ".monitor", type_of_kind(Type::Kind::kMonitor), object(it).site));
  }
  for (const auto& [array, home] : arrays_) declare_elements(out, home, array);
  for (const auto& [holder, it] : growing_) {
    declare_elements(out, it.home, it.first);
    Variable length = variable(it.home.length, type_of_lengths(), it.at);
    length.init = make_number(std::ssize(object(it.first).fields), it.at);
    out.program.variables.push_back(std::move(length));
    out.growing.push_back({it.home.length, it.home.elements, it.at});
    // What every length is; the invariant may need it.
    Clause made;
    made.kind = Clause::Kind::kGlobalInvariant;
    made.range = made.predicate.range = it.at;
    ExprPtr least = make_binary(BinaryOp::kLe, make_number(0, it.at), make_name(it.home.length, it.at), it.at);
    ExprPtr most =
        make_binary(BinaryOp::kLe, make_name(it.home.length, it.at), make_number(kMostElements, it.at), it.at);
    made.predicate.predicate = make_connective(BinaryOp::kAnd, std::move(least), std::move(most), it.at);
    out.program.clauses.push_back(std::move(made));
  }
}

}  // namespace concord::engine::dynamic
