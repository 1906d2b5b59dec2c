#include "plato/places.h"

#include "plato/classes.h"
#include "plato/printer.h"

namespace concord::plato {

std::string place_of(const Program& program, const Expr& target) {
  if (const auto* name = std::get_if<NameExpr>(&target.node)) {
    return name->ref.kind == Ref::Kind::kShared ? program.variables[static_cast<std::size_t>(name->ref.index)].name
                                                : "";
  }
  if (const auto* field = std::get_if<FieldExpr>(&target.node); field != nullptr) {
    if (field->kind != FieldExpr::Kind::kField) return "";
    const FieldHome home = field_home(program, field->object->type.decl, field->index);
    return program.classes[static_cast<std::size_t>(home.class_index)].name + "." + field->field;
  }
  if (const auto* entry = std::get_if<IndexExpr>(&target.node)) {
    return entry->base->type.kind == Type::Kind::kArray ? "elements of " + to_string(entry->base->type)
                                                        : place_of(program, *entry->base);
  }
  return "";
}

}  // namespace concord::plato
