// The types of Plato (docs/plato.md, section 2). A Type is a small immutable value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/source.h"

namespace concord::plato {

// A range of integers, both ends included.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Type {
  enum class Kind {
    kNone,   // no type: a procedure without result
    kError,  // ill-typed; already reported
    kBool,
    kInt,
    kFloat,  // decl: its bits, 32 or 64 (floating.h)
    kTid,
    kMonitor,
    kNamed,   // as the reader leaves it: an enum or class, not resolved yet
    kEnum,    // decl: index into Program::enums
    kClass,   // decl: index into Program::classes
    kArray,   // first: element type
    kSet,     // first: element type
    kMap,     // first: key type, second: value type
    kNull,    // of the literal null: fits every class and array
    kAnySet,  // of the literal {}: fits every set
    kAnyMap,  // of map(e); second: type of e: fits every map with such values
  };

  Kind kind = Kind::kNone;
  std::string name;  // kNamed, kEnum, kClass
  int decl = -1;     // kEnum, kClass, kFloat
  std::shared_ptr<const Type> first;
  std::shared_ptr<const Type> second;
  base::SourceRange range;      // where it is written; not part of equality
  std::optional<Range> values;  // kInt: int32 and the like; of an expression: what it can be. Absent: any integer
};

bool operator==(const Type& a, const Type& b);
// Of the kinds that need no more than that.
Type type_of_kind(Type::Kind kind);
inline constexpr std::int64_t kMostElements = INT32_MAX;  // of an array: making a longer one blocks
Type float_type(int size);                                // 32 or 64
Range bits_of_float(const Type& type);
inline int float_size(const Type& type) { return type.kind == Type::Kind::kFloat ? type.decl : 0; }
// int8, int16, int32, int64, uint8, uint16: their values; absent: no such type.
std::optional<Range> range_named(const std::string& name);
// Objects or arrays are among its values, or in them.
bool refers_to_objects(const Type& type);
// As the user writes it: "map<int, Node[]>".
std::string to_string(const Type& type);

}  // namespace concord::plato
