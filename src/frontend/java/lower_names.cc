// The names and types that the things of Java have in Plato. To ask for a name is to ask for the thing: it will be declared.
#include <algorithm>

#include "base/check.h"
#include "frontend/java/lowering.h"
#include "plato/reader.h"

namespace concord::frontend::java {

using plato::Type;

std::string Names::fresh(const std::string& wanted) {
  static const std::set<std::string> kReserved(plato::reserved_words().begin(), plato::reserved_words().end());
  std::string base;
  for (const char c : wanted) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    base += is_plain ? c : '_';
  }
  if (base.empty() || (base.front() >= '0' && base.front() <= '9')) base.insert(0, "_");
  std::string name = base;
  for (int i = 2; kReserved.contains(name) || !is_free(name); ++i) name = base + "_" + std::to_string(i);
  taken_.insert(name);
  if (outer_ != nullptr) outer_->inner_.insert(name);
  return name;
}

bool Names::is_free(const std::string& name) const {
  return !taken_.contains(name) && !inner_.contains(name) && (outer_ == nullptr || !outer_->taken_.contains(name));
}

// Its own name, or Outer_Inner where that is not the only class of the name.
std::string Lowering::name_of_class(SymbolId symbol) const {
  const Symbol& it = classes_.symbol(symbol);
  const std::string own = it.name.empty() ? "anonymous" : it.name;
  const auto has_name = [&](const ClassDecl* other) { return classes_.symbol(other->symbol).name == it.name; };
  const bool is_unique = !it.name.empty() && std::count_if(classes_.all().begin(), classes_.all().end(), has_name) == 1;
  return it.outer < 0 || is_unique ? own : name_of_class(it.outer) + "_" + own;
}

std::string Lowering::class_name(SymbolId symbol) {
  if (const auto found = class_names_.find(symbol); found != class_names_.end()) return found->second;
  const Symbol& it = classes_.symbol(symbol);
  if (it.qualified == "java.lang.Object") return object_class();
  CONCORD_CHECK(!it.is_interface, "an interface has no class of its own");
  if (it.superclass >= 0 && !classes_.is_class(it.superclass, "java.lang.Object")) class_name(it.superclass);
  const std::string name = names_.fresh(name_of_class(symbol));
  class_names_[symbol] = name;
  classes_made_.push_back(symbol);
  return name;
}

std::string Lowering::object_class() {
  if (object_class_.empty()) object_class_ = names_.fresh("Object");
  return object_class_;
}

std::string Lowering::string_class() {
  if (const SymbolId symbol = find_class("java.lang.String"); symbol >= 0) return class_name(symbol);
  if (string_class_.empty()) string_class_ = names_.fresh("String");
  return string_class_;
}

std::string Lowering::throwable_class() {
  if (const SymbolId symbol = find_class("java.lang.Throwable"); symbol >= 0) return class_name(symbol);
  if (throwable_class_.empty()) throwable_class_ = names_.fresh("Throwable");
  return throwable_class_;
}

std::string Lowering::box_class(Prim primitive) {
  static const std::map<Prim, const char*> kBoxes = {
      {Prim::kBoolean, "java.lang.Boolean"}, {Prim::kByte, "java.lang.Byte"},    {Prim::kShort, "java.lang.Short"},
      {Prim::kChar, "java.lang.Character"},  {Prim::kInt, "java.lang.Integer"},  {Prim::kLong, "java.lang.Long"},
      {Prim::kFloat, "java.lang.Float"},     {Prim::kDouble, "java.lang.Double"}};
  if (const auto found = boxes_.find(primitive); found != boxes_.end()) return found->second;
  const std::string qualified = kBoxes.at(primitive);
  const SymbolId symbol = find_class(qualified.c_str());
  // A program may box without ever naming the class.
  boxes_[primitive] = symbol >= 0 ? class_name(symbol) : names_.fresh(qualified.substr(qualified.rfind('.') + 1));
  return boxes_[primitive];
}

std::string Lowering::field_name(SymbolId field) {
  if (const auto found = fields_.find(field); found != fields_.end()) return found->second;
  // Unique along the chain of superclasses; simplest is unique among all classes with the same root.
  const Symbol& it = classes_.symbol(field);
  std::set<std::string> taken;
  for (const auto& [other, name] : fields_) {
    const SymbolId owner = classes_.symbol(other).owner;
    if (classes_.is_subclass(owner, it.owner) || classes_.is_subclass(it.owner, owner)) taken.insert(name);
  }
  static const std::set<std::string> kOurs = {"outer", "receiver", "identity", "shared", "freed", "gone"};
  const auto begins = [&](const char* prefix) { return it.name.starts_with(prefix); };
  const bool is_ours = kOurs.contains(it.name) || begins("outer_") || begins("captured_") || begins("stamp_of_");
  const std::string wanted = is_ours ? "own_" + it.name : it.name;
  Names names;
  std::string name = names.fresh(wanted);
  while (taken.contains(name)) name = names.fresh(wanted);
  class_name(it.owner);
  return fields_[field] = name;
}

// Each inner class of a chain of superclasses may have another instance around it.
std::string Lowering::outer_field(SymbolId class_symbol) {
  int above = 0;
  for (SymbolId at = classes_.symbol(class_symbol).superclass; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.declaration(at) != nullptr && classes_.symbol(at).has_outer_instance) ++above;
  }
  return above == 0 ? "outer" : "outer_" + std::to_string(above + 1);
}

std::string Lowering::captured_field(SymbolId local) {
  if (const auto found = captured_fields_.find(local); found != captured_fields_.end()) return found->second;
  std::string name = "captured_" + classes_.symbol(local).name;
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(captured_fields_.begin(), captured_fields_.end(),
                       [&](const auto& it) { return it.second == wanted; });
  };
  for (int i = 2; is_taken(name); ++i) name = "captured_" + classes_.symbol(local).name + "_" + std::to_string(i);
  return captured_fields_[local] = name;
}

std::string Lowering::identity_field() {
  class_name(thread_symbol());
  return identity_field_ = "identity";
}

std::string Lowering::thread_map() {
  if (thread_map_.empty()) thread_map_ = names_.fresh("thread_of");
  return thread_map_;
}

std::string Lowering::content_field() {
  string_class();
  return content_field_ = "content";
}

std::string Lowering::static_name(SymbolId field) {
  if (const auto found = statics_.find(field); found != statics_.end()) return found->second;
  const Symbol& it = classes_.symbol(field);
  return statics_[field] = names_.fresh(name_of_class(it.owner) + "_" + it.name);
}

std::string Lowering::class_monitor(SymbolId symbol) {
  if (const auto found = monitors_.find(symbol); found != monitors_.end()) return found->second;
  return monitors_[symbol] = names_.fresh(name_of_class(symbol) + "_class");
}

std::string Lowering::string_literal(const std::string& value) {
  string_class();
  if (const auto found = strings_.find(value); found != strings_.end()) return found->second;
  return strings_[value] = names_.fresh("text_" + std::to_string(strings_.size() + 1));
}

Type Lowering::type_of_class(SymbolId symbol) {
  const Symbol& it = classes_.symbol(symbol);
  if (it.qualified == "concord.PerThread")
    return build::map_of(build::simple(Type::Kind::kTid), integer_type(Prim::kInt));
  if (it.is_interface) return build::named(object_class());
  return build::named(class_name(symbol));
}

Type Lowering::integer_type(Prim primitive) const {
  switch (primitive) {
    case Prim::kByte: return build::integer("int8");
    case Prim::kShort: return build::integer("int16");
    case Prim::kChar: return build::integer("uint16");
    case Prim::kInt: return build::integer(options_.unbounded_ints ? "int" : "int32");
    case Prim::kLong: return build::integer(options_.unbounded_ints ? "int" : "int64");
    default: return build::integer("int");
  }
}

Type Lowering::primitive_type(Prim primitive) const {
  switch (primitive) {
    case Prim::kBoolean: return build::simple(Type::Kind::kBool);
    case Prim::kFloat: return plato::float_type(32);
    case Prim::kDouble: return plato::float_type(64);
    default: return integer_type(primitive);
  }
}

Type Lowering::type_of(TypeId id) {
  if (id < 0) return build::simple(Type::Kind::kNone);
  const JavaType& it = classes_.type(id);
  switch (it.kind) {
    case JavaType::Kind::kPrimitive: return primitive_type(it.primitive);
    case JavaType::Kind::kVoid: return build::simple(Type::Kind::kNone);
    case JavaType::Kind::kNull: return build::named(object_class());
    case JavaType::Kind::kClass: return type_of_class(it.symbol);
    case JavaType::Kind::kArray: return build::array_of(type_of(it.element));
    case JavaType::Kind::kOther: return build::named(object_class());
  }
  base::internal_error(__FILE__, __LINE__, "a type of no kind");
}

}  // namespace concord::frontend::java
