// Classes and what they inherit.
//
// The fields of a class are numbered along its chain, those of the root first, so that a field has one number in every
// class that has it. That is the number in FieldExpr, Ref, ShapeExpr and NewObject. Without `extends` it is the place in
// Class::fields.
#pragma once

#include <string>

#include "plato/syntax.h"

namespace concord::plato {

// The class itself, or the one at the end of the `extends` from it.
int root_class(const Program& program, int class_index);
// Itself, or through `extends`.
bool is_subclass(const Program& program, int class_index, int of);
// The nearest class that both are subclasses of, or -1.
int common_class(const Program& program, int a, int b);

int inherited_fields(const Program& program, int class_index);  // how many; its own fields follow
int field_count(const Program& program, int class_index);
// Where field `number` of the class is declared: in which class, and its place there.
struct FieldHome {
  int class_index = -1;
  int place = -1;
};
FieldHome field_home(const Program& program, int class_index, int number);
const Variable& field_of(const Program& program, int class_index, int number);
int field_named(const Program& program, int class_index, const std::string& name);  // its number, or -1

}  // namespace concord::plato
