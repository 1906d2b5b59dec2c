#include "explore/value.h"

#include <utility>

namespace concord::explore {

using plato::Type;

Value::Value(Composite it) : composite(std::make_shared<const Composite>(std::move(it))) {}

bool operator==(const Value& a, const Value& b) {
  if (a.composite == b.composite) return a.scalar == b.scalar;
  if (!a.composite || !b.composite) return false;
  const Composite& x = *a.composite;
  const Composite& y = *b.composite;
  return x.kind == y.kind && x.elements == y.elements && x.entries == y.entries && x.rest == y.rest &&
         x.holder == y.holder && x.depth == y.depth;
}

void append_to(std::string& bytes, Scalar scalar) {
  // Zigzag, then seven bits a byte: small numbers of either sign take one byte.
  auto rest = (static_cast<std::uint64_t>(scalar) << 1U) ^ static_cast<std::uint64_t>(scalar >> 63);
  while (rest >= 0x80U) {
    bytes.push_back(static_cast<char>(rest | 0x80U));
    rest >>= 7U;
  }
  bytes.push_back(static_cast<char>(rest));
}

void append_to(std::string& bytes, const Value& value) {
  if (!value.composite) return append_to(bytes, value.scalar);
  const Composite& it = *value.composite;
  append_to(bytes, static_cast<Scalar>(it.elements.size()));
  for (const Scalar element : it.elements) append_to(bytes, element);
  if (it.kind == Composite::Kind::kMap) {
    append_to(bytes, static_cast<Scalar>(it.entries.size()));
    for (const auto& [key, entry] : it.entries) {
      append_to(bytes, key);
      append_to(bytes, entry);
    }
    append_to(bytes, it.rest);
  }
  append_to(bytes, it.holder);
  append_to(bytes, it.depth);
}

Value default_value(const Type& type) {
  Composite composite;
  switch (type.kind) {
    case Type::Kind::kSet: composite.kind = Composite::Kind::kSet; break;
    case Type::Kind::kMap:
      composite.kind = Composite::Kind::kMap;
      composite.rest = default_value(*type.second);
      break;
    case Type::Kind::kMonitor: composite.kind = Composite::Kind::kMonitor; break;
    default: return 0;
  }
  return Value(std::move(composite));
}

Value make_set(std::set<Scalar> elements) {
  Composite composite;
  composite.kind = Composite::Kind::kSet;
  composite.elements = std::move(elements);
  return Value(std::move(composite));
}

Value lookup(const Value& map, Scalar key) {
  const auto found = map.composite->entries.find(key);
  return found == map.composite->entries.end() ? map.composite->rest : found->second;
}

namespace {

// How many values a finite key type has; 0 for the others.
std::size_t domain_size(const Type& key, const plato::Program& program) {
  if (key.kind == Type::Kind::kBool) return 2;
  if (key.kind == Type::Kind::kEnum) return program.enums[key.decl].constants.size();
  return 0;
}

}  // namespace

Value with_entry(const Value& map, Scalar key, Value value, const Type& type, const plato::Program& program) {
  Composite copy = *map.composite;
  const std::size_t keys = domain_size(*type.first, program);
  if (keys > 0) {
    // Write the map out in full, so that one function has one form.
    std::map<Scalar, Value> full;
    for (std::size_t k = 0; k < keys; ++k) full[static_cast<Scalar>(k)] = lookup(map, static_cast<Scalar>(k));
    full[key] = std::move(value);
    copy.rest = full.begin()->second;
    copy.entries = std::move(full);
    std::erase_if(copy.entries, [&](const auto& entry) { return entry.second == copy.rest; });
    return Value(std::move(copy));
  }
  if (value == copy.rest) {
    copy.entries.erase(key);
  } else {
    copy.entries[key] = std::move(value);
  }
  return Value(std::move(copy));
}

}  // namespace concord::explore
