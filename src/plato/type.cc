#include "plato/type.h"

namespace concord::plato {

namespace {

bool same(const std::shared_ptr<const Type>& a, const std::shared_ptr<const Type>& b) {
  if (!a || !b) return !a && !b;
  return *a == *b;
}

struct NamedRange {
  const char* name;
  Range range;
};
constexpr NamedRange kRanges[] = {
    {"int8", {INT8_MIN, INT8_MAX}},    {"int16", {INT16_MIN, INT16_MAX}}, {"int32", {INT32_MIN, INT32_MAX}},
    {"int64", {INT64_MIN, INT64_MAX}}, {"uint8", {0, UINT8_MAX}},         {"uint16", {0, UINT16_MAX}},
};

}  // namespace

Type type_of_kind(Type::Kind kind) {
  Type out;
  out.kind = kind;
  return out;
}

Type float_type(int size) {
  Type out = type_of_kind(Type::Kind::kFloat);
  out.decl = size;
  return out;
}

Range bits_of_float(const Type& type) {
  return type.decl == 32 ? Range{INT32_MIN, INT32_MAX} : Range{INT64_MIN, INT64_MAX};
}

std::optional<Range> range_named(const std::string& name) {
  for (const NamedRange& it : kRanges) {
    if (name == it.name) return it.range;
  }
  return std::nullopt;
}

bool operator==(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Type::Kind::kNamed) return a.name == b.name;
  if (a.kind == Type::Kind::kInt) return a.values == b.values;
  return a.decl == b.decl && same(a.first, b.first) && same(a.second, b.second);
}

bool refers_to_objects(const Type& type) {
  if (type.kind == Type::Kind::kClass || type.kind == Type::Kind::kArray) return true;
  return (type.first && refers_to_objects(*type.first)) || (type.second && refers_to_objects(*type.second));
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return "no value";
    case Type::Kind::kError: return "an unknown type";
    case Type::Kind::kBool: return "bool";
    case Type::Kind::kInt:
      for (const NamedRange& it : kRanges) {
        if (type.values == it.range) return it.name;
      }
      return "int";
    case Type::Kind::kFloat: return "float" + std::to_string(type.decl);
    case Type::Kind::kTid: return "tid";
    case Type::Kind::kMonitor: return "monitor";
    case Type::Kind::kNamed:
    case Type::Kind::kEnum:
    case Type::Kind::kClass: return type.name;
    case Type::Kind::kArray: return to_string(*type.first) + "[]";
    case Type::Kind::kSet: return "set<" + to_string(*type.first) + ">";
    case Type::Kind::kMap: return "map<" + to_string(*type.first) + ", " + to_string(*type.second) + ">";
    case Type::Kind::kNull: return "null";
    case Type::Kind::kAnySet: return "the empty set";
    case Type::Kind::kAnyMap: return "a map to " + to_string(*type.second);
  }
  return "";
}

}  // namespace concord::plato
