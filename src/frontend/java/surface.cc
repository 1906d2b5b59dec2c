#include "frontend/java/surface.h"

#include <algorithm>

#include "frontend/java/walk.h"

namespace concord::frontend::java {

namespace {

template <class T>
bool has(const std::vector<T>& list, const T& it) {
  return std::find(list.begin(), list.end(), it) != list.end();
}

}  // namespace

Surface::Surface(const Classes& classes) : classes_(classes) {
  for (const ClassDecl* it : classes.all()) {
    if (is_stub(it->symbol) || !is_accessible(it->symbol)) continue;
    if (!classes.symbol(it->symbol).is_interface) offered_.push_back(it->symbol);
    add_supertypes(it->symbol, types_);
  }
  find_taken();
  find_converted();
  bool grows = true;
  while (grows) grows = add_library_classes();
}

// Those that some argument may be of, and then what their constructors take; false if there is nothing new.
bool Surface::add_library_classes() {
  const std::size_t before = of_library_.size();
  for (const ClassDecl* it : classes_.all()) {
    const Symbol& symbol = classes_.symbol(it->symbol);
    if (!is_stub(it->symbol) || symbol.is_abstract || symbol.is_interface || !symbol.is_public) continue;
    const bool is_taken = std::any_of(taken_.begin(), taken_.end(), [&](SymbolId type) {
      return is_stub(type) && classes_.is_subclass(it->symbol, type);
    });
    if (!is_taken || has(of_library_, it->symbol)) continue;
    of_library_.push_back(it->symbol);
    for (SymbolId member : symbol.members) {
      const Symbol& made = classes_.symbol(member);
      if (made.name != "<init>" || made.is_private) continue;
      for (TypeId parameter : made.parameters) take(parameter);
    }
  }
  return of_library_.size() > before;
}

bool Surface::is_stub(SymbolId type) const {
  const ClassDecl* it = classes_.declaration(type);
  return it != nullptr && has(classes_.unit().stub_files, it->range.file);
}

bool Surface::is_accessible(SymbolId type) const {
  const Symbol& it = classes_.symbol(type);
  if (!it.is_from_source || is_stub(type)) return true;
  if (it.is_private || it.is_local || it.is_annotation) return false;
  return it.outer < 0 || (it.is_public && is_accessible(it.outer));
}

// Code of the same package can name it.
bool Surface::is_nameable(SymbolId type) const {
  for (SymbolId at = type; at >= 0; at = classes_.symbol(at).outer) {
    if (classes_.symbol(at).is_private || classes_.symbol(at).is_local) return false;
  }
  return true;
}

// Clients can write a class that implements the interface: itself, or one below it that is not sealed.
bool Surface::is_open(SymbolId type) const {
  const std::vector<Symbol>& all = classes_.unit().symbols;
  for (std::size_t id = 0; id < all.size(); ++id) {
    const auto below = static_cast<SymbolId>(id);
    if (all[id].kind != Symbol::Kind::kClass || !all[id].is_interface || !all[id].permits.empty()) continue;
    if (is_nameable(below) && classes_.is_subclass(below, type)) return true;
  }
  return false;
}

bool Surface::is_offered(SymbolId class_symbol) const { return has(offered_, class_symbol); }

// The type and what it inherits from, those of the program.
void Surface::add_supertypes(SymbolId type, std::vector<SymbolId>& to) const {
  if (type < 0 || classes_.declaration(type) == nullptr || has(to, type)) return;
  to.push_back(type);
  add_supertypes(classes_.symbol(type).superclass, to);
  for (SymbolId it : classes_.symbol(type).interfaces) add_supertypes(it, to);
}

// ------------------------------------------------------------------------------------------------------ what goes in and out

SymbolId Surface::class_of(TypeId type) const {
  const JavaType* it = classes_.type_or_null(type);
  while (it != nullptr && it->kind == JavaType::Kind::kArray) it = classes_.type_or_null(it->element);
  return it != nullptr && it->kind == JavaType::Kind::kClass ? it->symbol : -1;
}

void Surface::take(TypeId type) {
  const JavaType* whole = classes_.type_or_null(type);
  has_arrays_ = has_arrays_ || (whole != nullptr && whole->kind == JavaType::Kind::kArray);
  const SymbolId it = class_of(type);
  if (it < 0) return;
  taken_.insert(it);
  takes_object_ = takes_object_ || classes_.is_class(it, "java.lang.Object");
}

void Surface::give(TypeId type) {
  const JavaType* whole = classes_.type_or_null(type);
  has_arrays_ = has_arrays_ || (whole != nullptr && whole->kind == JavaType::Kind::kArray);
  if (const SymbolId it = class_of(type); it >= 0) given_.insert(it);
}

void Surface::find_taken() {
  for (const ClassDecl* declaration : classes_.all()) {
    if (is_stub(declaration->symbol)) continue;
    for (SymbolId member : classes_.symbol(declaration->symbol).members) {
      const Symbol& it = classes_.symbol(member);
      if (it.kind == Symbol::Kind::kField && it.is_public) {
        give(it.type);
        if (!it.is_final) take(it.type);
      }
      const bool is_constructor = it.name == "<init>";
      if (it.kind != Symbol::Kind::kMethod || (is_constructor ? it.is_private : !it.is_public)) continue;
      if (!is_constructor) give(it.type);
      for (TypeId parameter : it.parameters) take(parameter);
    }
  }
}

// Types that something of another type is taken for: by a cast or a test, or where a type parameter is filled in.
void Surface::find_converted() {
  const auto convert = [&](TypeId type) {
    if (const SymbolId it = class_of(type); it >= 0) converted_.insert(it);
  };
  const auto parameters_of = [&](SymbolId method) {
    for (TypeId it : classes_.symbol(method).parameters) convert(it);
  };
  const auto generic = [&](SymbolId symbol, TypeId type) {
    if (symbol >= 0 && classes_.symbol(symbol).type != type) convert(type);
  };
  for (const auto& declaration : classes_.unit().classes) {
    walk(
        *declaration,
        [&](const Expr& expr) {
          if (const auto* it = std::get_if<Cast>(&expr.node)) convert(it->to);
          if (const auto* it = std::get_if<InstanceOf>(&expr.node)) convert(it->tested);
          if (const auto* it = std::get_if<Call>(&expr.node)) generic(it->method, expr.type);
          if (const auto* it = std::get_if<Name>(&expr.node)) generic(it->symbol, expr.type);
          if (const auto* it = std::get_if<Select>(&expr.node)) generic(it->symbol, expr.type);
          if (const auto* it = std::get_if<Lambda>(&expr.node)) {
            for (const Parameter& one : it->parameters) convert(classes_.symbol(one.symbol).type);
          }
          if (const auto* it = std::get_if<MethodRef>(&expr.node); it != nullptr && it->target >= 0) {
            parameters_of(it->target);
            convert(classes_.symbol(classes_.symbol(it->target).owner).type);
          }
        },
        [](const Stmt&) {},
        [&](const ClassDecl& it) {
          for (SymbolId member : classes_.symbol(it.symbol).members) {
            if (!classes_.symbol(member).overrides.empty()) parameters_of(member);
          }
        });
  }
}

// A type of the library of whose objects clients can do no more than call what its stub has, if anything.
bool Surface::is_understood(SymbolId type) const {
  static const std::set<std::string> kPlain = {"java.lang.Object",  "java.lang.String",   "java.lang.Integer",
                                               "java.lang.Long",    "java.lang.Short",    "java.lang.Byte",
                                               "java.lang.Boolean", "java.lang.Character"};
  const Symbol& it = classes_.symbol(type);
  if (kPlain.contains(it.qualified)) return true;
  for (SymbolId at = type; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.is_class(at, "java.lang.Throwable") || classes_.is_class(at, "java.lang.Thread")) return true;
  }
  if (!is_stub(type)) return it.is_from_source;
  // Those that hold objects of any type hand them on.
  return !it.is_interface && !it.is_abstract && it.name.find("Reference") == std::string::npos;
}

bool Surface::has_default_methods(SymbolId type) const {
  const std::vector<SymbolId>& members = classes_.symbol(type).members;
  return std::any_of(members.begin(), members.end(), [&](SymbolId it) {
    const Symbol& method = classes_.symbol(it);
    return method.kind == Symbol::Kind::kMethod && !method.is_abstract && !method.is_static && !method.is_private;
  });
}

std::vector<std::string> Surface::not_followed() const {
  std::set<std::string> out;
  for (const std::set<SymbolId>* types : {&taken_, &given_, &converted_}) {
    for (SymbolId it : *types) {
      if (!is_understood(it))
        out.insert("what clients do with objects of the library's type " + classes_.symbol(it).name);
    }
  }
  bool has_lambdas = false;
  for (const ClassDecl* declaration : classes_.all()) {
    const SymbolId type = declaration->symbol;
    if (is_stub(type)) continue;
    const Symbol& it = classes_.symbol(type);
    const bool is_met = taken_.contains(type) || converted_.contains(type) || has_default_methods(type);
    if (it.is_interface && is_met && is_open(type)) {
      out.insert("objects of clients' own classes that implement " + it.name);
    }
    const SymbolId above = it.superclass;
    if (above >= 0 && !classes_.symbol(above).is_from_source && !it.is_enum && !it.is_record && !is_understood(above)) {
      out.insert("what " + it.name + " inherits from the library");
    }
    walk(
        *declaration,
        [&](const Expr& expr) {
          has_lambdas =
              has_lambdas || std::holds_alternative<Lambda>(expr.node) || std::holds_alternative<MethodRef>(expr.node);
        },
        [](const Stmt&) {}, [](const ClassDecl&) {});
  }
  const bool gives_anything =
      std::any_of(given_.begin(), given_.end(), [&](SymbolId it) { return classes_.is_class(it, "java.lang.Object"); });
  if (has_lambdas && gives_anything) out.insert("what clients do with lambdas that they get as an Object");
  return {out.begin(), out.end()};
}

bool Surface::takes(SymbolId type) const {
  return std::any_of(taken_.begin(), taken_.end(), [&](SymbolId it) { return classes_.is_subclass(type, it); });
}

std::set<SymbolId> Surface::asked() const {
  std::set<SymbolId> out = taken_;
  out.insert(converted_.begin(), converted_.end());
  return out;
}

bool Surface::may_be_implemented(SymbolId type) const {
  if (!classes_.symbol(type).is_interface || !is_accessible(type) || !is_open(type)) return false;
  return std::any_of(taken_.begin(), taken_.end(), [&](SymbolId it) {
    return classes_.is_class(it, "java.lang.Object")
               ? converted_.contains(type)
               : classes_.is_subclass(type, it) || (classes_.symbol(it).is_interface && classes_.is_subclass(it, type));
  });
}

bool Surface::may_be_known(SymbolId type) const {
  if (is_offered(type) || has(of_library_, type)) return true;
  const auto throwable = [&] {
    for (SymbolId at = type; at >= 0; at = classes_.symbol(at).superclass) {
      if (classes_.is_class(at, "java.lang.Throwable")) return true;
    }
    return false;
  };
  return throwable() ||
         std::any_of(given_.begin(), given_.end(), [&](SymbolId it) { return classes_.is_subclass(type, it); });
}

// -------------------------------------------------------------------------------------------------------------------- members

std::vector<SymbolId> Surface::constructors() const {
  std::vector<SymbolId> out;
  const auto add = [&](SymbolId class_symbol) {
    const Symbol& symbol = classes_.symbol(class_symbol);
    if (symbol.is_abstract || symbol.is_enum) return;
    for (SymbolId member : symbol.members) {
      const Symbol& it = classes_.symbol(member);
      if (it.name == "<init>" && !it.is_private) out.push_back(member);
    }
  };
  for (SymbolId it : offered_) add(it);
  for (SymbolId it : of_library_) add(it);
  return out;
}

// valueOf of an enum gives what the public constants give.
std::vector<SymbolId> Surface::static_methods() const {
  std::vector<SymbolId> out;
  for (SymbolId type : types_) {
    if (is_stub(type)) continue;
    for (SymbolId member : classes_.symbol(type).members) {
      const Symbol& it = classes_.symbol(member);
      const bool is_value_of = it.name == "valueOf" && classes_.method(member) == nullptr;
      if (it.kind == Symbol::Kind::kMethod && it.is_static && it.is_public && !is_value_of) out.push_back(member);
    }
  }
  return out;
}

std::vector<SymbolId> Surface::fields() const {
  std::vector<SymbolId> out;
  for (SymbolId type : types_) {
    if (is_stub(type)) continue;
    for (SymbolId member : classes_.symbol(type).members) {
      const Symbol& it = classes_.symbol(member);
      if (it.kind == Symbol::Kind::kField && it.is_public) out.push_back(member);
    }
  }
  return out;
}

// Locks and threads of the library are not for clients to use as they like: what they must observe is not written in stubs.
bool Surface::may_be_called(SymbolId method) const {
  const Symbol& it = classes_.symbol(method);
  const Symbol& owner = classes_.symbol(it.owner);
  return it.kind == Symbol::Kind::kMethod && it.is_public && !it.is_static && it.name != "<init>" &&
         owner.qualified != "java.lang.Thread" && !owner.qualified.starts_with("java.util.concurrent.locks.");
}

std::vector<SymbolId> Surface::methods_of(SymbolId type) const {
  std::vector<SymbolId> all;
  add_supertypes(type, all);
  std::vector<SymbolId> seen;  // through which a client sees the object, and what they inherit from
  for (SymbolId it : all) {
    if (is_accessible(it)) add_supertypes(it, seen);
  }
  std::vector<SymbolId> out;
  for (SymbolId at : all) {
    for (SymbolId member : classes_.symbol(at).members) {
      if (!may_be_called(member)) continue;
      const std::vector<SymbolId>& overrides = classes_.symbol(member).overrides;
      const bool is_visible = has(seen, at) || std::any_of(overrides.begin(), overrides.end(), [&](SymbolId it) {
                                return is_accessible(classes_.symbol(it).owner);
                              });
      const SymbolId runs = is_visible ? classes_.implementation(member, type) : -1;
      if (runs >= 0 && !has(out, runs)) out.push_back(runs);
    }
  }
  return out;
}

}  // namespace concord::frontend::java
