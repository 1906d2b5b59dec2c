#include "replay/terms.h"

#include "base/check.h"

namespace concord::replay {

using plato::Type;

bool Terms::has_monitors(const Type& type) {
  return type.kind == Type::Kind::kMonitor || (type.kind == Type::Kind::kMap && has_monitors(*type.second));
}

Sort Terms::sort(const Type& type, Half half) {
  switch (type.kind) {
    case Type::Kind::kBool: return pool_.boolean();
    case Type::Kind::kInt: return pool_.integer();
    case Type::Kind::kTid: return tid();
    case Type::Kind::kMonitor: return half == Half::kDepth ? pool_.integer() : tid();
    case Type::Kind::kEnum: {
      std::vector<std::string> constants;
      for (const auto& it : program_.enums[static_cast<std::size_t>(type.decl)].constants) constants.push_back(it.name);
      return pool_.enumeration("enum " + type.name, constants);
    }
    case Type::Kind::kMap: return pool_.array(sort(*type.first), sort(*type.second, half));
    default: throw NotKnown{type.range, "the type " + to_string(type)};
  }
}

Term Terms::default_value(const Type& type, Half half) {
  switch (type.kind) {
    case Type::Kind::kBool: return pool_.truth(false);
    case Type::Kind::kInt: return pool_.number(0);
    case Type::Kind::kTid: return none();
    case Type::Kind::kMonitor: return half == Half::kDepth ? pool_.number(0) : none();
    case Type::Kind::kEnum: return pool_.enum_const(sort(type), 0);
    case Type::Kind::kMap: return pool_.const_array(sort(type, half), default_value(*type.second, half));
    default: throw NotKnown{type.range, "the type " + to_string(type)};
  }
}

Term Terms::constant(int index) {
  const plato::Const& it = program_.consts[static_cast<std::size_t>(index)];
  return pool_.constant("const " + std::to_string(index) + " " + it.name, sort(it.type));
}

Term Terms::within(Term value, const Type& type) {
  Term out = pool_.truth(true);
  if (value->sort != pool_.integer() || value->op == formula::Op::kNumber) return out;
  if (type.values) out = in_range(value, *type.values);
  return has_java_ints_ ? pool_.and_(out, in_range(value, kJavaInts)) : out;
}

State Terms::state(const std::string& when) {
  State out;
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const plato::Variable& it = program_.variables[v];
    const std::string name = "var " + std::to_string(v) + " " + it.name;
    out.value.push_back(nullptr), out.holder.push_back(nullptr), out.depth.push_back(nullptr);
    try {
      if (has_monitors(it.type)) {
        out.holder.back() = pool_.constant(name + ".holder" + when, sort(it.type, Half::kHolder));
        out.depth.back() = pool_.constant(name + ".depth" + when, sort(it.type, Half::kDepth));
      } else {
        out.value.back() = pool_.constant(name + when, sort(it.type));
      }
    } catch (const NotKnown&) { continue; }
  }
  return out;
}

}  // namespace concord::replay
