#include "plato/type.h"

namespace concord::plato {

namespace {

bool same(const std::shared_ptr<const Type>& a, const std::shared_ptr<const Type>& b) {
  if (!a || !b) return !a && !b;
  return *a == *b;
}

}  // namespace

bool operator==(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Type::Kind::kNamed) return a.name == b.name;
  return a.decl == b.decl && same(a.first, b.first) && same(a.second, b.second);
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return "no value";
    case Type::Kind::kError: return "an unknown type";
    case Type::Kind::kBool: return "bool";
    case Type::Kind::kInt: return "int";
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
