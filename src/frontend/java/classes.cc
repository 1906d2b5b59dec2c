#include "frontend/java/classes.h"

#include <algorithm>

#include "frontend/java/walk.h"

namespace concord::frontend::java {

namespace {

const auto kNothing = [](const auto&) {};

}  // namespace

Classes::Classes(const Unit& unit) : unit_(unit) {
  for (const auto& it : unit.classes) index(*it);
  for (std::size_t id = 0; id < unit.symbols.size(); ++id) {
    for (SymbolId base : unit.symbols[id].overrides) overriders_[base].push_back(static_cast<SymbolId>(id));
  }
  find_throwing();
}

void Classes::index(const ClassDecl& declaration) {
  walk(
      declaration,
      [&](const Expr& expr) {
        if (const auto* it = std::get_if<Lambda>(&expr.node)) lambdas_[it->method].push_back(it);
        if (const auto* it = std::get_if<MethodRef>(&expr.node)) references_[it->method].push_back(it);
        if (const auto* it = std::get_if<New>(&expr.node)) instantiated_.insert(it->class_symbol);
        if (const auto* it = std::get_if<MethodRef>(&expr.node);
            it != nullptr && it->is_constructor && it->target >= 0) {
          instantiated_.insert(symbol(it->target).owner);
        }
      },
      kNothing,
      [&](const ClassDecl& it) {
        if (!declarations_.emplace(it.symbol, &it).second) return;
        all_.push_back(&it);
        for (const Member& member : it.members) {
          if (const auto* method = std::get_if<MethodDecl>(&member)) methods_[method->symbol] = method;
        }
      });
}

const ClassDecl* Classes::declaration(SymbolId class_symbol) const {
  const auto found = declarations_.find(class_symbol);
  return found == declarations_.end() ? nullptr : found->second;
}

const MethodDecl* Classes::method(SymbolId method_symbol) const {
  const auto found = methods_.find(method_symbol);
  return found == methods_.end() ? nullptr : found->second;
}

// ------------------------------------------------------------------------------------------------------------- hierarchy

bool Classes::is_reference(TypeId id) const {
  if (id < 0) return false;
  const JavaType::Kind kind = type(id).kind;
  return kind == JavaType::Kind::kClass || kind == JavaType::Kind::kArray || kind == JavaType::Kind::kNull;
}

bool Classes::is_subclass(SymbolId derived, SymbolId base) const {
  if (derived == base || is_class(base, "java.lang.Object")) return true;
  if (derived < 0) return false;
  const Symbol& it = symbol(derived);
  if (it.superclass >= 0 && is_subclass(it.superclass, base)) return true;
  return std::any_of(it.interfaces.begin(), it.interfaces.end(),
                     [&](SymbolId above) { return is_subclass(above, base); });
}

std::vector<SymbolId> Classes::instances_of(SymbolId base) const {
  std::vector<SymbolId> out;
  for (const ClassDecl* it : all_) {
    if (instantiated_.contains(it->symbol) && is_subclass(it->symbol, base)) out.push_back(it->symbol);
  }
  std::stable_sort(out.begin(), out.end(), [&](SymbolId a, SymbolId b) {
    const auto depth = [&](SymbolId id) {
      int levels = 0;
      for (; id >= 0; id = symbol(id).superclass) ++levels;
      return levels;
    };
    return depth(a) > depth(b);
  });
  return out;
}

SymbolId Classes::implementation(SymbolId wanted, SymbolId class_symbol) const {
  const auto fits = [&](SymbolId id) {
    const Symbol& it = symbol(id);
    return it.kind == Symbol::Kind::kMethod && !it.is_abstract &&
           (id == wanted || std::find(it.overrides.begin(), it.overrides.end(), wanted) != it.overrides.end());
  };
  for (SymbolId at = class_symbol; at >= 0; at = symbol(at).superclass) {
    for (SymbolId member : symbol(at).members) {
      if (fits(member)) return member;
    }
  }
  // A default method of an interface: the most derived that overrides it.
  SymbolId found = -1;
  for (const auto& [id, declaration] : methods_) {
    const Symbol& it = symbol(id);
    if (!fits(id) || !symbol(it.owner).is_interface || !is_subclass(class_symbol, it.owner)) continue;
    if (found < 0 || is_subclass(it.owner, symbol(found).owner)) found = id;
  }
  return found;
}

std::vector<SymbolId> Classes::reachable_from(SymbolId wanted) const {
  std::vector<SymbolId> out;
  if (const MethodDecl* own = method(wanted); own != nullptr && own->body) out.push_back(wanted);
  if (const auto found = overriders_.find(wanted); found != overriders_.end()) {
    for (SymbolId id : found->second) {
      if (const MethodDecl* it = method(id); it != nullptr && it->body) out.push_back(id);
    }
  }
  return out;
}

// ------------------------------------------------------------------------------------------- local classes, constructors

namespace {

// Locals that the tree uses and does not declare, in order of first use.
template <class Root>
std::vector<SymbolId> free_locals(const Classes& classes, const Root& root) {
  std::vector<SymbolId> used;
  std::set<SymbolId> declared;
  const auto parameters = [&](const std::vector<Parameter>& list) {
    for (const Parameter& it : list) declared.insert(it.symbol);
  };
  walk(
      root,
      [&](const Expr& expr) {
        if (const auto* name = std::get_if<Name>(&expr.node); name != nullptr && name->symbol >= 0) {
          const Symbol::Kind kind = classes.symbol(name->symbol).kind;
          const bool is_constant = expr.constant.has_value();
          if (!is_constant && (kind == Symbol::Kind::kLocal || kind == Symbol::Kind::kParameter)) {
            if (std::find(used.begin(), used.end(), name->symbol) == used.end()) used.push_back(name->symbol);
          }
        }
        if (const auto* it = std::get_if<Lambda>(&expr.node)) parameters(it->parameters);
        if (const auto* it = std::get_if<InstanceOf>(&expr.node)) declared.insert(it->binding);
      },
      [&](const Stmt& statement) {
        if (const auto* it = std::get_if<LocalVar>(&statement.node)) declared.insert(it->symbol);
        if (const auto* it = std::get_if<ForEach>(&statement.node)) declared.insert(it->variable);
        if (const auto* it = std::get_if<Try>(&statement.node)) {
          for (const Catch& handler : it->catches) declared.insert(handler.variable);
        }
      },
      [&](const ClassDecl& it) {
        for (const Member& member : it.members) {
          if (const auto* method = std::get_if<MethodDecl>(&member)) parameters(method->parameters);
        }
      });
  std::erase_if(used, [&](SymbolId id) { return declared.contains(id); });
  return used;
}

void add_missing(std::vector<SymbolId>& to, const std::vector<SymbolId>& more) {
  for (SymbolId id : more) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

}  // namespace

std::vector<SymbolId> Classes::captured(const ClassDecl& declaration) const {
  std::vector<SymbolId> out = free_locals(*this, declaration);
  // Making another local class needs what that one captured.
  walk(
      declaration,
      [&](const Expr& expr) {
        const auto* made = std::get_if<New>(&expr.node);
        if (made == nullptr || made->body || made->class_symbol == declaration.symbol) return;
        const ClassDecl* other = this->declaration(made->class_symbol);
        if (other != nullptr && symbol(made->class_symbol).outer_method >= 0) {
          add_missing(out, free_locals(*this, *other));
        }
      },
      kNothing, kNothing);
  return out;
}

std::vector<SymbolId> Classes::captured(const Lambda& lambda) const {
  std::vector<SymbolId> out;
  if (lambda.expression) add_missing(out, free_locals(*this, *lambda.expression));
  if (lambda.block) add_missing(out, free_locals(*this, *lambda.block));
  std::erase_if(out, [&](SymbolId id) {
    return std::any_of(lambda.parameters.begin(), lambda.parameters.end(),
                       [&](const Parameter& it) { return it.symbol == id; });
  });
  return out;
}

namespace {

// `this`, explicit or not, is used in the expression for anything but a field of it.
bool leaks_this(const Classes& classes, const Expr& root) {
  bool leaks = false;
  const auto look = [&](const auto& self, const Expr& expr) -> void {
    if (leaks) return;
    if (const auto* it = std::get_if<Select>(&expr.node);
        it != nullptr && it->object && std::holds_alternative<This>(it->object->node)) {
      return;
    }
    if (std::holds_alternative<This>(expr.node) || std::holds_alternative<Lambda>(expr.node)) leaks = true;
    if (const auto* it = std::get_if<New>(&expr.node)) {
      leaks = leaks || it->body || (classes.symbol(it->class_symbol).has_outer_instance && !it->outer);
    }
    if (const auto* it = std::get_if<Call>(&expr.node)) {
      const Symbol& method = classes.symbol(it->method);
      leaks = leaks || (!it->receiver && !method.is_static && method.name != "<init>") ||
              (it->is_super && method.name != "<init>");
    }
    if (const auto* it = std::get_if<MethodRef>(&expr.node)) leaks = leaks || it->receiver != nullptr;
    Parts{[&](const Expr& part) { self(self, part); },
          [&](const Stmt& part) {
            Parts{[&](const Expr& inner) { self(self, inner); }, kNothing, kNothing}.of(part);
          },
          kNothing}
        .of(expr);
  };
  look(look, root);
  return leaks;
}

bool leaks_this(const Classes& classes, const Stmt& root) {
  bool leaks = false;
  walk(
      root, kNothing,
      [&](const Stmt& statement) {
        leaks = leaks || std::holds_alternative<LocalClass>(statement.node);
        Parts{[&](const Expr& expr) { leaks = leaks || leaks_this(classes, expr); }, kNothing, kNothing}.of(statement);
      },
      [&](const ClassDecl&) { leaks = true; });
  return leaks;
}

}  // namespace

bool Classes::uses_this(const Lambda& lambda) const {
  bool uses = false;
  const auto look = [&](const auto& root) {
    walk(
        root,
        [&](const Expr& expr) {
          if (std::holds_alternative<This>(expr.node)) uses = true;
          if (const auto* it = std::get_if<Name>(&expr.node); it != nullptr && it->symbol >= 0) {
            const Symbol& self = symbol(it->symbol);
            uses = uses || (self.kind == Symbol::Kind::kField && !self.is_static);
          }
          if (const auto* it = std::get_if<Call>(&expr.node)) {
            uses = uses || (!it->receiver && !symbol(it->method).is_static);
          }
          if (const auto* it = std::get_if<New>(&expr.node)) {
            uses = uses || (symbol(it->class_symbol).has_outer_instance && !it->outer);
          }
        },
        kNothing, kNothing);
  };
  if (lambda.expression) look(*lambda.expression);
  if (lambda.block) look(*lambda.block);
  return uses;
}

bool Classes::constructs_privately(SymbolId class_symbol) const {
  std::set<SymbolId> visited;
  return computes_privately(class_symbol, visited);
}

bool Classes::all_construct_privately(SymbolId base) const {
  return std::all_of(all_.begin(), all_.end(), [&](const ClassDecl* it) {
    return !is_subclass(it->symbol, base) || constructs_privately(it->symbol);
  });
}

bool Classes::computes_privately(SymbolId class_symbol, std::set<SymbolId>& visited) const {
  const ClassDecl* it = declaration(class_symbol);
  if (it == nullptr) return true;  // of the library: nothing of it is modelled
  if (!visited.insert(class_symbol).second) return true;
  for (const Member& member : it->members) {
    if (const auto* field = std::get_if<FieldDecl>(&member)) {
      if (field->init && !symbol(field->symbol).is_static && leaks_this(*this, *field->init)) return false;
    } else if (const auto* block = std::get_if<Initialiser>(&member)) {
      if (!block->is_static && leaks_this(*this, *block->body)) return false;
    } else if (const auto* method = std::get_if<MethodDecl>(&member)) {
      if (symbol(method->symbol).name == "<init>" && method->body && leaks_this(*this, *method->body)) return false;
    }
  }
  // A constructor that makes objects of its own class (a list of n nodes) cannot be unfolded where it is called.
  bool recursive = false;
  for (const Member& member : it->members) {
    const auto* method = std::get_if<MethodDecl>(&member);
    if (method == nullptr || symbol(method->symbol).name != "<init>" || !method->body) continue;
    walk(
        *method->body,
        [&](const Expr& expr) {
          const auto* made = std::get_if<New>(&expr.node);
          recursive = recursive || (made != nullptr && is_subclass(made->class_symbol, class_symbol));
        },
        kNothing, kNothing);
  }
  if (recursive) return false;
  return symbol(class_symbol).superclass < 0 || computes_privately(symbol(class_symbol).superclass, visited);
}

// ------------------------------------------------------------------------------------------------------------ exceptions

namespace {

// Something in the tree, nested classes and lambdas apart, satisfies the predicate.
template <class Root, class Predicate>
bool any_part(const Root& root, const Predicate& predicate) {
  bool found = false;
  const auto look = [&](const auto& self, const auto& part) -> void {
    if (found) return;
    found = predicate(part);
    if (found) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Expr>) {
      if (std::holds_alternative<Lambda>(part.node)) return;
    }
    const auto again = [&](const auto& inner) { self(self, inner); };
    Parts{again, again, kNothing}.of(part);
  };
  look(look, root);
  return found;
}

}  // namespace

bool Classes::throws_now(const Stmt* statement) const {
  if (statement == nullptr) return false;
  return any_part(*statement, [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Stmt>) {
      return std::holds_alternative<Throw>(part.node);
    } else {
      if (const auto* it = std::get_if<Call>(&part.node)) {
        if (throwing_.contains(it->method)) return true;
        const std::vector<SymbolId> targets = reachable_from(it->method);
        return std::any_of(targets.begin(), targets.end(), [&](SymbolId id) { return throwing_.contains(id); });
      }
      if (const auto* it = std::get_if<New>(&part.node)) return throwing_.contains(it->constructor);
      return false;
    }
  });
}

bool Classes::may_throw(const Stmt& statement) const { return throws_now(&statement); }

bool Classes::may_throw(const Lambda& lambda) const {
  if (lambda.block) return throws_now(lambda.block.get());
  return any_part(*lambda.expression, [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Expr>) {
      if (const auto* it = std::get_if<Call>(&part.node)) return throwing_.contains(it->method);
      if (const auto* it = std::get_if<New>(&part.node)) return throwing_.contains(it->constructor);
    }
    return false;
  });
}

// A least fixpoint over the call graph. Catching is not looked at: a method whose every exception is caught counts as throwing,
// which costs a test after its calls and nothing else.
void Classes::find_throwing() {
  const auto initialiser_throws = [&](const ClassDecl& it) {
    return std::any_of(it.members.begin(), it.members.end(), [&](const Member& member) {
      if (const auto* field = std::get_if<FieldDecl>(&member)) {
        if (!field->init || symbol(field->symbol).is_static) return false;
        return any_part(*field->init, [&](const auto& part) {
          if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Expr>) {
            if (const auto* call = std::get_if<Call>(&part.node)) return throwing_.contains(call->method);
            if (const auto* made = std::get_if<New>(&part.node)) return throwing_.contains(made->constructor);
          }
          return false;
        });
      }
      const auto* block = std::get_if<Initialiser>(&member);
      return block != nullptr && !block->is_static && throws_now(block->body.get());
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto add = [&](SymbolId id) { changed = throwing_.insert(id).second || changed; };
    for (const ClassDecl* it : all_) {
      if (is_class(it->symbol, "concord.Concord")) continue;  // never run
      const bool initialisers = initialiser_throws(*it);
      for (const Member& member : it->members) {
        const auto* method = std::get_if<MethodDecl>(&member);
        if (method == nullptr || throwing_.contains(method->symbol)) continue;
        const Symbol& self = symbol(method->symbol);
        if (throws_now(method->body.get()) || (self.name == "<init>" && initialisers)) add(method->symbol);
        // The implicit super().
        if (self.name == "<init>" && symbol(it->symbol).superclass >= 0) {
          for (SymbolId above : symbol(symbol(it->symbol).superclass).members) {
            if (symbol(above).name == "<init>" && symbol(above).parameters.empty() && throwing_.contains(above)) {
              add(method->symbol);
            }
          }
        }
      }
      // Constructors that are not in the source.
      for (SymbolId member : symbol(it->symbol).members) {
        if (symbol(member).name == "<init>" && method(member) == nullptr && initialisers) add(member);
      }
    }
    for (const auto& [method, list] : lambdas_) {
      for (const Lambda* it : list) {
        if (may_throw(*it)) add(method);
      }
    }
    for (const auto& [method, list] : references_) {
      for (const MethodRef* it : list) {
        if (throwing_.contains(it->target)) add(method);
      }
    }
    // A call of an overridden method may end as any of those that override it: they must agree.
    for (const auto& [base, list] : overriders_) {
      if (throwing_.contains(base)) continue;
      if (std::any_of(list.begin(), list.end(), [&](SymbolId id) { return throwing_.contains(id); })) add(base);
    }
  }
}

}  // namespace concord::frontend::java
