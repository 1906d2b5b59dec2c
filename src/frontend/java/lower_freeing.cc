// Which objects Concord.free gives back. A mark in each of them says so: `freed` if Concord.reused takes objects of their class
// again, `gone` if it does not. The marks are in the topmost class of the program, so that every variable that may refer to
// such an object can ask for them.
#include <algorithm>

#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

void Lowering::find_freed() {
  const auto note = [&](std::set<SymbolId>& classes, TypeId type, SourceRange range) {
    const JavaType& it = classes_.type(type);
    const ClassDecl* declaration = it.kind == JavaType::Kind::kClass ? classes_.declaration(it.symbol) : nullptr;
    const bool is_thread =
        thread_symbol() >= 0 && declaration != nullptr && classes_.is_subclass(it.symbol, thread_symbol());
    const bool fits =
        declaration != nullptr && !classes_.symbol(it.symbol).is_interface && !is_stub(declaration->range);
    if (fits && !is_thread) return void(classes.insert(it.symbol));
    error(range,
          "what is freed is an object of a class of the program that is no thread, and this is a `" + it.text + "`",
          "pass it as what it is, or cast it");
  };
  for (const ClassDecl* declaration : classes_.all()) {
    if (is_stub(declaration->range)) continue;
    const auto look_at = [&](const Expr& expr) {
      const auto* call = std::get_if<Call>(&expr.node);
      if (call == nullptr || !classes_.is_class(classes_.symbol(call->method).owner, "concord.Concord")) return;
      const std::string& name = classes_.symbol(call->method).name;
      if (name == "free") note(freed_, call->arguments.front()->type, call->arguments.front()->range);
      if (name != "reused") return;
      const auto* literal = std::get_if<ClassLiteral>(&call->arguments.front()->node);
      if (literal != nullptr) return note(reused_, literal->of, call->arguments.front()->range);
      error(call->arguments.front()->range, "`reused` has to be told the class itself", "write `reused(Node.class)`");
    };
    walk(
        *declaration, look_at, [](const Stmt&) {}, [](const ClassDecl&) {});
  }
}

// The topmost class of the program above it.
SymbolId Lowering::freed_root(SymbolId class_symbol) const {
  SymbolId root = class_symbol;
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    const ClassDecl* declaration = classes_.declaration(at);
    if (declaration != nullptr && !is_stub(declaration->range)) root = at;
  }
  return root;
}

bool Lowering::may_share_objects(SymbolId one, SymbolId other) const {
  return classes_.is_subclass(one, other) || classes_.is_subclass(other, one) || classes_.symbol(one).is_interface ||
         classes_.symbol(other).is_interface;
}

bool Lowering::is_taken_again(SymbolId class_symbol) const {
  return std::any_of(reused_.begin(), reused_.end(),
                     [&](SymbolId reused) { return classes_.is_subclass(class_symbol, reused); });
}

Value Lowering::tests_taken_again(const Value& object, SourceRange range) {
  std::vector<Value> any;
  for (const SymbolId reused : reused_) {
    any.push_back(build::instance_of(build::copy(*object), class_name(reused), range));
  }
  return build::any_of(std::move(any), range);
}

bool Lowering::may_be_freed(SymbolId type) const {
  return std::any_of(freed_.begin(), freed_.end(), [&](SymbolId freed) {
    return may_share_objects(type, freed) && std::any_of(reused_.begin(), reused_.end(), [&](SymbolId reused) {
             return may_share_objects(type, reused) && may_share_objects(freed, reused);
           });
  });
}

bool Lowering::may_be_gone(SymbolId type) const {
  return std::any_of(freed_.begin(), freed_.end(), [&](SymbolId freed) {
    return may_share_objects(type, freed) && !is_taken_again(type) && !is_taken_again(freed);
  });
}

std::vector<SymbolId> Lowering::freed_roots(SymbolId type) const {
  std::set<SymbolId> out;
  for (const SymbolId freed : freed_) {
    if (may_share_objects(type, freed)) out.insert(freed_root(freed));
  }
  return {out.begin(), out.end()};
}

Value Lowering::is_freed(const plato::Expr& object, SymbolId type, bool for_reading, SourceRange range) {
  std::vector<Value> any;
  for (const SymbolId root : freed_roots(type)) {
    const bool is_below = classes_.is_subclass(type, root);
    const SymbolId known = is_below ? type : root;
    const std::string root_class = class_name(root);
    std::vector<Value> marks;
    const auto ask = [&](const char* mark) {
      Value it = build::copy(object);
      if (!is_below) it = build::cast(std::move(it), root_class, range);
      marks.push_back(build::field(std::move(it), mark, range));
    };
    if (may_be_gone(known)) ask(gone_mark());
    if (!for_reading && may_be_freed(known)) ask(freed_mark());
    if (marks.empty()) continue;
    Value either = build::any_of(std::move(marks), range);
    if (!is_below) {
      Value is_one = build::instance_of(build::copy(object), root_class, range);
      either = build::binary(plato::BinaryOp::kAnd, std::move(is_one), std::move(either), range);
    }
    any.push_back(std::move(either));
  }
  return any.empty() ? nullptr : build::any_of(std::move(any), range);
}

// They are written in the step that frees and read in the one that takes again, which so orders what comes before and after.
void Lowering::add_marks(plato::Class& out, SymbolId class_symbol) const {
  if (freed_root(class_symbol) != class_symbol || is_stub(classes_.symbol(class_symbol).range)) return;
  const auto add = [&](const char* name) {
    plato::Variable mark;
    mark.name = name;
    mark.type = build::simple(plato::Type::Kind::kBool);
    mark.is_volatile = true;
    mark.range = out.range;
    mark.name_range = out.range;
    out.fields.push_back(std::move(mark));
  };
  if (may_be_freed(class_symbol)) add(freed_mark());
  if (may_be_gone(class_symbol)) add(gone_mark());
}

}  // namespace concord::frontend::java
