// What lowering asks about the classes of the program: which of them are locks, throwable, have methods that the compiler made.
#include <algorithm>

#include "base/check.h"
#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

SymbolId Lowering::find_class(const char* qualified) const {
  for (std::size_t id = 0; id < unit_.symbols.size(); ++id) {
    const Symbol& it = unit_.symbols[id];
    if (it.kind == Symbol::Kind::kClass && it.qualified == qualified) return static_cast<SymbolId>(id);
  }
  return -1;
}

SymbolId Lowering::thread_symbol() const { return find_class("java.lang.Thread"); }

SymbolId Lowering::member_of_thread(const char* name) const {
  for (SymbolId member : classes_.symbol(thread_symbol()).members) {
    if (classes_.symbol(member).name == name) return member;
  }
  base::internal_error(__FILE__, __LINE__, std::string("java.lang.Thread without ") + name);
}

// Whose monitors are used: those of classes whose methods say Concord.acquire(this) stand for locks; threads use their own.
void Lowering::find_monitors() {
  const SymbolId thread = thread_symbol();
  const auto may_be_thread = [&](const Expr* object, SymbolId around) {
    const SymbolId made = object == nullptr ? around : classes_.class_made(*object);
    if (made >= 0) return classes_.is_subclass(made, thread);
    const SymbolId type = classes_.type(object->type).symbol;
    return type >= 0 && (classes_.is_subclass(type, thread) || classes_.is_subclass(thread, type));
  };
  for (const ClassDecl* declaration : classes_.all()) {
    const auto look_at = [&](const Expr& expr) {
      const auto* call = std::get_if<Call>(&expr.node);
      if (call == nullptr) return;
      const Symbol& method = classes_.symbol(call->method);
      if (classes_.is_class(method.owner, "concord.Concord") && method.name == "acquire") {
        const auto* self = std::get_if<This>(&call->arguments.front()->node);
        if (self != nullptr) locks_.insert(self->class_symbol);
      }
      if (classes_.is_class(method.owner, "java.lang.Object") && method.name == "wait" && thread >= 0) {
        waits_at_threads_ = waits_at_threads_ || may_be_thread(call->receiver.get(), declaration->symbol);
      }
    };
    const auto look_in = [&](const Stmt& statement) {
      const auto* it = std::get_if<Synchronized>(&statement.node);
      if (it != nullptr && thread >= 0) locks_threads_ = locks_threads_ || may_be_thread(it->lock.get(), -1);
    };
    walk(*declaration, look_at, look_in, [](const ClassDecl&) {});
    for (SymbolId member : classes_.symbol(declaration->symbol).members) {
      const Symbol& method = classes_.symbol(member);
      locks_threads_ = locks_threads_ || (method.is_synchronized && !method.is_static && thread >= 0 &&
                                          classes_.is_subclass(declaration->symbol, thread));
    }
  }
}

bool Lowering::is_lock(SymbolId class_symbol) const {
  return std::any_of(locks_.begin(), locks_.end(), [&](SymbolId lock) {
    return class_symbol == lock || (class_symbol >= 0 && classes_.is_subclass(class_symbol, lock));
  });
}

std::vector<std::string> Lowering::locks_among(SymbolId type) {
  std::vector<std::string> out;
  for (SymbolId lock : locks_) {
    for (SymbolId it : classes_.instances_of(lock)) {
      if (classes_.is_subclass(it, type)) out.push_back(class_name(it));
    }
  }
  return out;
}

bool Lowering::is_stub(SourceRange range) const {
  return std::find(unit_.stub_files.begin(), unit_.stub_files.end(), range.file) != unit_.stub_files.end();
}

bool Lowering::is_throwable(SymbolId class_symbol) const {
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.is_class(at, "java.lang.Throwable")) return true;
  }
  return false;
}

std::optional<Prim> Lowering::unboxed(SymbolId class_symbol) const {
  static const std::map<std::string, Prim> kBoxes = {
      {"java.lang.Boolean", Prim::kBoolean}, {"java.lang.Byte", Prim::kByte},    {"java.lang.Short", Prim::kShort},
      {"java.lang.Character", Prim::kChar},  {"java.lang.Integer", Prim::kInt},  {"java.lang.Long", Prim::kLong},
      {"java.lang.Float", Prim::kFloat},     {"java.lang.Double", Prim::kDouble}};
  const auto found = kBoxes.find(classes_.symbol(class_symbol).qualified);
  return found == kBoxes.end() ? std::nullopt : std::optional(found->second);
}

bool Lowering::uses_current_thread() const {
  return classes_.calls_thread("currentThread") || classes_.calls_thread("interrupted") || classes_.interrupts();
}

bool Lowering::is_rigid(SymbolId field) const {
  const Symbol& it = classes_.symbol(field);
  return it.is_final && !it.is_static && it.is_from_source && classes_.all_construct_privately(it.owner);
}

bool Lowering::has_procedure(SymbolId method) const {
  const MethodDecl* declaration = classes_.method(method);
  if (declaration != nullptr && declaration->body) return true;
  return gives_constants(method) || record_field(method) >= 0;
}

// values() of an enum.
bool Lowering::gives_constants(SymbolId method) const {
  const Symbol& it = classes_.symbol(method);
  return it.is_static && classes_.symbol(it.owner).is_enum && classes_.method(method) == nullptr && it.name == "values";
}

// The field that a generated method gives the value of, or -1.
SymbolId Lowering::record_field(SymbolId method) const {
  const Symbol& it = classes_.symbol(method);
  if (!it.is_generated || !classes_.symbol(it.owner).is_record || !it.parameters.empty()) return -1;
  for (SymbolId member : classes_.symbol(it.owner).members) {
    const Symbol& field = classes_.symbol(member);
    if (field.kind == Symbol::Kind::kField && !field.is_static && field.name == it.name) return member;
  }
  return -1;
}

// The thread is asked who deals with the exception; else it is printed, with those that caused it.
SymbolId Lowering::method_for_uncaught() const {
  static const std::set<std::string> kOfThread = {"getUncaughtExceptionHandler"};
  static const std::set<std::string> kOfException = {"toString", "getMessage", "getLocalizedMessage", "getCause",
                                                     "printStackTrace"};
  for (const ClassDecl* declaration : classes_.all()) {
    const bool is_thread = classes_.is_subclass(declaration->symbol, thread_symbol());
    if (!is_thread && !is_throwable(declaration->symbol)) continue;
    const std::set<std::string>& called = is_thread ? kOfThread : kOfException;
    for (SymbolId member : classes_.symbol(declaration->symbol).members) {
      const Symbol& it = classes_.symbol(member);
      if (called.contains(it.name) && !it.overrides.empty() && classes_.method(member) != nullptr) return member;
    }
  }
  return -1;
}

// Its text is what toString() of its own makes of it, or what the library makes of it by other methods of its own, or of the
// components of a record.
bool Lowering::has_text_method(SymbolId class_symbol) const {
  return has_own(class_symbol, {"toString", "hashCode", "getMessage", "getLocalizedMessage"});
}

bool Lowering::has_own(SymbolId class_symbol, const std::set<std::string>& methods) const {
  std::set<SymbolId> visited;
  return has_own(class_symbol, methods, visited);
}

bool Lowering::has_own(SymbolId class_symbol, const std::set<std::string>& methods, std::set<SymbolId>& visited) const {
  if (!visited.insert(class_symbol).second) return false;
  const auto is_found = [&](const Symbol& owner, SymbolId id) {
    const Symbol& member = classes_.symbol(id);
    if (member.kind == Symbol::Kind::kField && owner.is_record && !member.is_static) {
      const JavaType& type = classes_.type(member.type);
      return type.kind == JavaType::Kind::kClass && has_own(type.symbol, methods, visited);
    }
    return methods.contains(member.name) && !member.overrides.empty() && classes_.method(id) != nullptr;
  };
  return std::any_of(classes_.all().begin(), classes_.all().end(), [&](const ClassDecl* declaration) {
    if (!classes_.is_subclass(declaration->symbol, class_symbol)) return false;
    for (SymbolId at = declaration->symbol; at >= 0; at = classes_.symbol(at).superclass) {
      const Symbol& owner = classes_.symbol(at);
      if (std::any_of(owner.members.begin(), owner.members.end(), [&](SymbolId id) { return is_found(owner, id); })) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace concord::frontend::java
