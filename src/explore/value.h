// Concrete values of Plato, as the referee computes with them.
//
// Types are static, so a value does not carry one. Scalars are one integer: a bool is 0 or 1, a tid is 0 (none) or the
// thread's number from 1, a reference 0 (null) or the object's number from 1, an enum constant its number. Sets, maps and
// monitors are immutable and shared between states. Equal values have equal bytes (append_to), whatever made them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "plato/syntax.h"

namespace concord::explore {

using Scalar = std::int64_t;
struct Composite;

struct Value {
  Scalar scalar = 0;
  std::shared_ptr<const Composite> composite;  // null for scalars

  Value() = default;
  Value(Scalar it) : scalar(it) {}  // NOLINT: scalars are values
  explicit Value(Composite it);
};

struct Composite {
  enum class Kind { kSet, kMap, kMonitor } kind = Kind::kSet;
  std::set<Scalar> elements;        // kSet; kMonitor: the threads in the wait set
  std::map<Scalar, Value> entries;  // kMap: the keys whose value differs from `rest`
  Value rest;                       // kMap: the value of all other keys
  Scalar holder = 0;                // kMonitor
  Scalar depth = 0;                 // kMonitor
};

bool operator==(const Value& a, const Value& b);
void append_to(std::string& bytes, const Value& value);
void append_to(std::string& bytes, Scalar scalar);

Value default_value(const plato::Type& type);
Value make_set(std::set<Scalar> elements);
Value lookup(const Value& map, Scalar key);
// `type` is the map's: if every key of a finite type has an entry, `rest` is chosen canonically.
Value with_entry(const Value& map, Scalar key, Value value, const plato::Type& type, const plato::Program& program);

}  // namespace concord::explore
