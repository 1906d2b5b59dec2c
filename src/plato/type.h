// The types of Plato (docs/plato.md, section 2). A Type is a small immutable value.
#pragma once

#include <memory>
#include <string>

#include "base/source.h"

namespace concord::plato {

struct Type {
  enum class Kind {
    kNone,   // no type: a procedure without result
    kError,  // ill-typed; already reported
    kBool,
    kInt,
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
  int decl = -1;     // kEnum, kClass
  std::shared_ptr<const Type> first;
  std::shared_ptr<const Type> second;
  base::SourceRange range;  // where it is written; not part of equality
};

bool operator==(const Type& a, const Type& b);
// As the user writes it: "map<int, Node[]>".
std::string to_string(const Type& type);

}  // namespace concord::plato
