#include "plato/classes.h"

#include "base/check.h"

namespace concord::plato {

namespace {

const Class& class_at(const Program& program, int index) { return program.classes[static_cast<std::size_t>(index)]; }

}  // namespace

int root_class(const Program& program, int class_index) {
  while (class_at(program, class_index).base >= 0) class_index = class_at(program, class_index).base;
  return class_index;
}

bool is_subclass(const Program& program, int class_index, int of) {
  while (class_index >= 0 && class_index != of) class_index = class_at(program, class_index).base;
  return class_index >= 0;
}

int common_class(const Program& program, int a, int b) {
  while (a >= 0 && !is_subclass(program, b, a)) a = class_at(program, a).base;
  return a;
}

int inherited_fields(const Program& program, int class_index) {
  int count = 0;
  for (int at = class_at(program, class_index).base; at >= 0; at = class_at(program, at).base) {
    count += static_cast<int>(class_at(program, at).fields.size());
  }
  return count;
}

int field_count(const Program& program, int class_index) {
  return inherited_fields(program, class_index) + static_cast<int>(class_at(program, class_index).fields.size());
}

FieldHome field_home(const Program& program, int class_index, int number) {
  int first = inherited_fields(program, class_index);
  while (number < first) {
    class_index = class_at(program, class_index).base;
    first -= static_cast<int>(class_at(program, class_index).fields.size());
  }
  CONCORD_CHECK(number - first < std::ssize(class_at(program, class_index).fields), "no such field");
  return {class_index, number - first};
}

const Variable& field_of(const Program& program, int class_index, int number) {
  const FieldHome home = field_home(program, class_index, number);
  return class_at(program, home.class_index).fields[static_cast<std::size_t>(home.place)];
}

int field_named(const Program& program, int class_index, const std::string& name) {
  for (; class_index >= 0; class_index = class_at(program, class_index).base) {
    const std::vector<Variable>& fields = class_at(program, class_index).fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name == name) return inherited_fields(program, class_index) + static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace concord::plato
