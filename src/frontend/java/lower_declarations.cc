// The declarations of classes and variables, made when everything else is known.
#include <algorithm>
#include <utility>

#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

plato::Variable Lowering::box_field(Prim primitive, SourceRange range) const {
  plato::Variable out;
  out.name = "value";
  out.type = primitive_type(primitive);
  out.is_final = true;
  out.range = range;
  out.name_range = range;
  return out;
}

plato::Variable Lowering::string_content() const {
  plato::Variable out;
  out.name = content_field_;
  out.type = build::simple(Type::Kind::kInt);
  out.is_final = true;
  return out;
}

plato::Class Lowering::make_class(SymbolId symbol) {
  const Symbol& it = classes_.symbol(symbol);
  plato::Class out;
  out.name = class_names_.at(symbol);
  out.range = it.range;
  out.name_range = it.range;
  if (it.superclass >= 0 && class_names_.contains(it.superclass)) out.extends = class_names_.at(it.superclass);
  const auto add = [&](std::string name, Type type, SourceRange range) -> plato::Variable& {
    plato::Variable field;
    field.name = std::move(name);
    field.type = std::move(type);
    field.range = range;
    field.name_range = range;
    out.fields.push_back(std::move(field));
    return out.fields.back();
  };
  const ClassDecl* declaration = classes_.declaration(symbol);
  if (declaration != nullptr) {
    if (it.has_outer_instance) add(outer_field(symbol), type_of_class(it.outer), it.range).is_final = true;
    const ClassDecl* above = it.superclass < 0 ? nullptr : classes_.declaration(it.superclass);
    const std::vector<SymbolId> inherited = above == nullptr ? std::vector<SymbolId>{} : classes_.captured(*above);
    for (SymbolId local : classes_.captured(*declaration)) {
      if (std::find(inherited.begin(), inherited.end(), local) != inherited.end()) continue;
      add(captured_field(local), type_of(classes_.symbol(local).type), it.range).is_final = true;
    }
    for (SymbolId member : it.members) {
      const Symbol& field = classes_.symbol(member);
      if (field.kind != Symbol::Kind::kField || field.is_static) continue;
      if (is_stub(it.range) && !fields_.contains(member)) continue;  // no code of the program needs it
      const AtomicField* atomic = atomic_field(member);
      if (atomic != nullptr && atomic->is_stamped) {
        add(stamp_name(member), primitive_type(Prim::kInt), field.range).is_volatile = true;
      }
      plato::Variable& made = add(field_name(member), field_type(member), field.range);
      made.is_volatile = field.is_volatile || atomic != nullptr;
      made.is_final = is_rigid(member) && atomic == nullptr;
      add_field_clauses(made, member);
    }
    add_marks(out, symbol);
    add_ghosts(out, symbol);
    add_clauses(&out, symbol);
  }
  for (const auto& [primitive, name] : boxes_) {
    if (name == out.name) out.fields.push_back(box_field(primitive, it.range));
  }
  if (it.qualified == "java.lang.String" && !content_field_.empty()) out.fields.push_back(string_content());
  return out;
}

// In the end: any clause may ask for it.
void Lowering::add_identity() {
  if (identity_field_.empty()) return;
  const std::string& thread = class_names_.at(thread_symbol());
  const auto found = std::find_if(program_.classes.begin(), program_.classes.end(),
                                  [&](const plato::Class& it) { return it.name == thread; });
  if (found == program_.classes.end()) return;
  plato::Variable identity;
  identity.name = identity_field_;
  identity.type = build::simple(Type::Kind::kTid);
  identity.is_unraced = true;
  identity.range = found->range;
  identity.name_range = found->range;
  found->fields.push_back(std::move(identity));
}

// When everything else is known. Making a class may ask for another one.
void Lowering::emit_classes() {
  std::vector<plato::Class> made;
  std::size_t asked = 0;
  for (; asked < classes_made_.size(); ++asked) made.push_back(make_class(classes_made_[asked]));
  for (const ClassDecl* it : classes_.all()) {
    if (!class_names_.contains(it->symbol)) add_clauses(nullptr, it->symbol);
  }
  for (const Closure* it : closure_order_) {
    if (!it->is_used) continue;
    plato::Class out;
    out.name = it->class_name;
    out.range = it->range;
    out.name_range = it->range;
    const auto add = [&](std::string name, Type type) {
      plato::Variable field;
      field.name = std::move(name);
      field.type = std::move(type);
      field.is_final = true;
      field.range = it->range;
      field.name_range = it->range;
      out.fields.push_back(std::move(field));
    };
    for (SymbolId local : it->captured) add(captured_field(local), type_of(classes_.symbol(local).type));
    if (it->captures_this) add("outer", type_of_class(it->around));
    if (it->reference != nullptr && it->reference->receiver) add("receiver", type_of(it->reference->receiver->type));
    made.push_back(std::move(out));
  }
  for (const auto& [symbol, name] : statics_) type_of(classes_.symbol(symbol).type);
  for (; asked < classes_made_.size(); ++asked) made.push_back(make_class(classes_made_[asked]));
  const auto add_plain = [&](const std::string& name) {
    plato::Class out;
    out.name = name;
    made.push_back(std::move(out));
  };
  for (const auto& box : boxes_) {
    const Prim primitive = box.first;
    const std::string& name = box.second;
    const auto is_it = [&](const plato::Class& it) { return it.name == name; };
    if (std::any_of(made.begin(), made.end(), is_it)) continue;
    add_plain(name);
    made.back().fields.push_back(box_field(primitive, {}));
    const auto number = class_names_.find(find_class("java.lang.Number"));
    const bool is_number = primitive != Prim::kBoolean && primitive != Prim::kChar;
    if (is_number && number != class_names_.end()) made.back().extends = number->second;
  }
  if (!string_class_.empty()) {
    add_plain(string_class_);
    if (!content_field_.empty()) made.back().fields.push_back(string_content());
  }
  if (!throwable_class_.empty()) add_plain(throwable_class_);
  emit_client_class(made);
  if (!object_class_.empty()) {
    for (plato::Class& it : made) {
      if (it.extends.empty()) it.extends = object_class_;
    }
    plato::Class root;
    root.name = object_class_;
    if (has_client()) root.fields.push_back(mark_of_known());
    made.insert(made.begin(), std::move(root));
  }
  // Classes come first in the text.
  std::vector<plato::Item> items;
  for (plato::Class& it : made) {
    items.push_back({plato::Item::Kind::kClass, static_cast<int>(program_.classes.size())});
    program_.classes.push_back(std::move(it));
  }
  for (const auto& [value, name] : strings_) {
    emit_variable(name, build::named(string_class()), -1);
    program_.variables.back().is_final = is_initialised_;
  }
  if (!thread_map_.empty()) {
    emit_variable(thread_map_, build::map_of(build::simple(Type::Kind::kTid), type_of_class(thread_symbol())), -1);
    program_.variables.back().is_unraced = true;
  }
  for (const auto& [symbol, name] : statics_) { emit_variable(name, type_of(classes_.symbol(symbol).type), symbol); }
  // Clauses of static variables may have asked for more of these.
  for (const auto& [symbol, name] : monitors_) emit_variable(name, build::simple(Type::Kind::kMonitor), -1);
  add_identity();
  auto& all = program_.modules.front().items;
  std::stable_partition(all.begin(), all.end(),
                        [](const plato::Item& it) { return it.kind == plato::Item::Kind::kVariable; });
  all.insert(all.begin(), items.begin(), items.end());
}

void Lowering::emit_variable(std::string name, Type type, SymbolId id) {
  const Symbol* symbol = id < 0 ? nullptr : &classes_.symbol(id);
  plato::Variable out;
  out.name = std::move(name);
  out.type = std::move(type);
  if (symbol != nullptr) {
    out.is_volatile = symbol->is_volatile;
    out.range = symbol->range;
    out.name_range = symbol->range;
    const std::optional<std::string>& constant = symbol->constant;
    if (constant && out.type.kind == Type::Kind::kInt) out.init = build::number(std::stoll(*constant), symbol->range);
    if (constant && out.type.kind == Type::Kind::kFloat)
      out.init = build::floating(out.type.decl, *constant, symbol->range);
    if (constant && out.type.kind == Type::Kind::kBool) {
      out.init = build::truth(*constant == "true" || *constant == "1", symbol->range);
    }
    add_field_clauses(out, id);
    const bool is_plain = std::all_of(out.clauses.begin(), out.clauses.end(), [](const plato::FieldClause& it) {
      return it.kind == plato::FieldClause::Kind::kElemsUnwritableByEnvIf;
    });
    out.is_final = symbol->is_final && (constant || is_initialised_) && is_plain;
  }
  add_item(plato::Item::Kind::kVariable, program_.variables.size());
  program_.variables.push_back(std::move(out));
}

}  // namespace concord::frontend::java
