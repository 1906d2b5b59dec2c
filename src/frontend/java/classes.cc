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
    for (const auto& [method, inherited] : unit.symbols[id].inherits) {
      std::vector<SymbolId>& list = overriders_[method];
      if (method != inherited && std::find(list.begin(), list.end(), inherited) == list.end())
        list.push_back(inherited);
    }
  }
  find_throwing();
  for (const ClassDecl* it : all_) needed_[it->symbol] = needed_by(*it);
}

void Classes::index(const ClassDecl& declaration) {
  const auto call = [&](SymbolId method) {
    if (method < 0 || is_class(declaration.symbol, "java.lang.Thread")) return;
    for (SymbolId at = symbol(method).owner; at >= 0; at = symbol(at).superclass) {
      if (is_class(at, "java.lang.Thread") || is_class(at, "concord.Concord"))
        thread_calls_.insert(symbol(method).name);
    }
  };
  const auto declare = [&](SymbolId variable, const ExprPtr& init) {
    const auto* made = init ? std::get_if<New>(&init->node) : nullptr;
    if (made != nullptr) made_[variable] = made->class_symbol;
  };
  const auto assign = [&](const Expr& target) {
    if (const auto* name = std::get_if<Name>(&target.node)) assigned_.insert(name->symbol);
  };
  const auto give = [&](SymbolId variable, const Expr* value) {
    const auto* literal = value == nullptr ? nullptr : std::get_if<Literal>(&value->node);
    if (value == nullptr || (literal != nullptr && literal->kind == Literal::Kind::kNull)) return;
    (std::holds_alternative<New>(value->node) ? new_ : given_).insert(variable);
  };
  const auto give_to = [&](const Expr& target, const Expr& value) {
    if (const auto* name = std::get_if<Name>(&target.node)) give(name->symbol, &value);
    if (const auto* select = std::get_if<Select>(&target.node)) give(select->symbol, &value);
  };
  walk(
      declaration,
      [&](const Expr& expr) {
        if (const auto* it = std::get_if<Assign>(&expr.node)) assign(*it->target), give_to(*it->target, *it->value);
        if (const auto* it = std::get_if<CompoundAssign>(&expr.node)) assign(*it->target);
        if (const auto* it = std::get_if<Unary>(&expr.node); it != nullptr && it->op > UnaryOp::kComplement) {
          assign(*it->operand);
        }
        if (const auto* it = std::get_if<InstanceOf>(&expr.node)) given_.insert(it->binding);
        if (const auto* it = std::get_if<Lambda>(&expr.node)) lambdas_[it->method].push_back(it);
        if (const auto* it = std::get_if<MethodRef>(&expr.node)) references_[it->method].push_back(it);
        if (const auto* it = std::get_if<New>(&expr.node)) instantiated_.insert(it->class_symbol);
        if (const auto* it = std::get_if<MethodRef>(&expr.node);
            it != nullptr && it->is_constructor && it->target >= 0) {
          instantiated_.insert(symbol(it->target).owner);
        }
        if (const auto* it = std::get_if<Call>(&expr.node)) call(it->method);
        if (const auto* it = std::get_if<MethodRef>(&expr.node)) call(it->target);
      },
      [&](const Stmt& statement) {
        if (const auto* it = std::get_if<LocalVar>(&statement.node)) {
          declare(it->symbol, it->init);
          give(it->symbol, it->init.get());
        }
        if (const auto* it = std::get_if<ForEach>(&statement.node)) given_.insert(it->variable);
      },
      [&](const ClassDecl& it) {
        if (!declarations_.emplace(it.symbol, &it).second) return;
        all_.push_back(&it);
        for (const Member& member : it.members) {
          if (const auto* method = std::get_if<MethodDecl>(&member)) methods_[method->symbol] = method;
          if (const auto* field = std::get_if<FieldDecl>(&member)) {
            declare(field->symbol, field->init);
            give(field->symbol, field->init.get());
          }
        }
      });
}

SymbolId Classes::class_made(const Expr& object) const {
  const auto* name = std::get_if<Name>(&object.node);
  const auto* select = std::get_if<Select>(&object.node);
  const SymbolId variable = name != nullptr ? name->symbol : select != nullptr ? select->symbol : -1;
  const auto found = made_.find(variable);
  if (found == made_.end()) return -1;
  const bool is_fixed_field = symbol(variable).kind == Symbol::Kind::kField && symbol(variable).is_final;
  return is_fixed_field || is_fixed(variable) ? found->second : -1;
}

bool Classes::overrides_in_source(const std::string& method) const {
  return std::any_of(methods_.begin(), methods_.end(), [&](const auto& it) {
    return symbol(it.first).name == method && !symbol(it.first).overrides.empty();
  });
}

bool Classes::waits_interruptibly(SymbolId method) const {
  static const std::set<std::string> kPrimitives = {"beginWaiting", "beginJoining", "throwIfInterrupted"};
  const Symbol& it = symbol(method);
  return (is_class(it.owner, "java.lang.Object") && it.name == "wait" && it.parameters.empty()) ||
         (is_class(it.owner, "concord.Concord") && kPrimitives.contains(it.name));
}

bool Classes::is_fixed(SymbolId local) const {
  const Symbol& it = symbol(local);
  return (it.is_final || it.is_effectively_final) && !assigned_.contains(local);
}

const ClassDecl* Classes::declaration(SymbolId class_symbol) const {
  const auto found = declarations_.find(class_symbol);
  return found == declarations_.end() ? nullptr : found->second;
}

const MethodDecl* Classes::method(SymbolId method_symbol) const {
  const auto found = methods_.find(method_symbol);
  return found == methods_.end() ? nullptr : found->second;
}

// Classes whose initialisation the code asks for, in the order of the text, through the methods called.
template <class Root>
void Classes::find_used(const Root& root, Uses& uses) const {
  const auto use_method = [&](SymbolId method) {
    for (SymbolId id : reachable_from(method)) {
      if (symbol(id).is_static) uses.classes.push_back(symbol(id).owner);
      if (uses.visited.insert(id).second) find_used(*this->method(id)->body, uses);
    }
  };
  const auto use_field = [&](SymbolId id) {
    if (id < 0) return;
    const Symbol& it = symbol(id);
    if (it.kind == Symbol::Kind::kField && it.is_static && !it.constant) uses.classes.push_back(it.owner);
  };
  const auto make = [&](SymbolId id) {
    const ClassDecl* made = declaration(id);
    if (made == nullptr || !uses.visited.insert(id).second) return;
    for (const Member& member : made->members) {
      if (const auto* field = std::get_if<FieldDecl>(&member)) {
        if (field->init && !symbol(field->symbol).is_static) find_used(*field->init, uses);
      } else if (const auto* block = std::get_if<Initialiser>(&member)) {
        if (!block->is_static) find_used(*block->body, uses);
      } else if (const auto* method = std::get_if<MethodDecl>(&member)) {
        if (symbol(method->symbol).name == "<init>") use_method(method->symbol);
      }
    }
  };
  walk(
      root,
      [&](const Expr& expr) {
        if (const auto* it = std::get_if<Name>(&expr.node)) use_field(it->symbol);
        if (const auto* it = std::get_if<Select>(&expr.node)) use_field(it->symbol);
        if (const auto* it = std::get_if<Call>(&expr.node)) use_method(it->method);
        if (const auto* it = std::get_if<MethodRef>(&expr.node); it != nullptr && it->target >= 0)
          use_method(it->target);
        if (const auto* it = std::get_if<New>(&expr.node)) {
          uses.classes.push_back(it->class_symbol);
          for (SymbolId at = it->class_symbol; at >= 0; at = symbol(at).superclass) make(at);
        }
      },
      kNothing, kNothing);
}

// Its superclass, and what its static initialisers use.
std::vector<SymbolId> Classes::needed_by(const ClassDecl& initialised) const {
  Uses uses;
  uses.classes.push_back(symbol(initialised.symbol).superclass);
  for (const Member& member : initialised.members) {
    if (const auto* field = std::get_if<FieldDecl>(&member)) {
      if (field->init && symbol(field->symbol).is_static) find_used(*field->init, uses);
    } else if (const auto* block = std::get_if<Initialiser>(&member)) {
      if (block->is_static) find_used(*block->body, uses);
    }
  }
  return std::move(uses.classes);
}

void Classes::initialise(SymbolId class_symbol, std::set<SymbolId>& visited, std::vector<const ClassDecl*>& out) const {
  const ClassDecl* it = class_symbol < 0 ? nullptr : declaration(class_symbol);
  if (it == nullptr || !visited.insert(class_symbol).second) return;
  for (SymbolId needed : needed_.at(class_symbol)) initialise(needed, visited, out);
  out.push_back(it);
}

std::vector<const ClassDecl*> Classes::in_order_of_initialisation(SymbolId first) const {
  std::set<SymbolId> visited;
  std::vector<const ClassDecl*> out;
  initialise(first, visited, out);
  for (const ClassDecl* it : all_) initialise(it->symbol, visited, out);
  return out;
}

bool Classes::has_static_code(const ClassDecl& declaration) const {
  return std::any_of(declaration.members.begin(), declaration.members.end(), [&](const Member& member) {
    if (const auto* block = std::get_if<Initialiser>(&member)) return block->is_static;
    const auto* field = std::get_if<FieldDecl>(&member);
    return field != nullptr && field->init && symbol(field->symbol).is_static && !symbol(field->symbol).constant;
  });
}

bool Classes::needs_itself(const ClassDecl& initialised) const {
  const auto all_needed = [&](const ClassDecl& by) {
    std::set<SymbolId> visited;
    std::vector<const ClassDecl*> needed;
    initialise(by.symbol, visited, needed);
    return needed;
  };
  if (!has_static_code(initialised)) return false;
  const std::vector<const ClassDecl*> needed = all_needed(initialised);
  return std::any_of(needed.begin(), needed.end(), [&](const ClassDecl* other) {
    if (other == &initialised || !has_static_code(*other)) return false;
    const std::vector<const ClassDecl*> again = all_needed(*other);
    return std::find(again.begin(), again.end(), &initialised) != again.end();
  });
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
    for (const auto& [method, inherited] : symbol(at).inherits) {
      if (method == wanted && !symbol(inherited).is_abstract) return inherited;
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

SymbolId Classes::close_method(SymbolId type) const {
  if (type < 0) return -1;
  for (SymbolId member : symbol(type).members) {
    if (symbol(member).name == "close" && symbol(member).parameters.empty()) return member;
  }
  if (const SymbolId found = close_method(symbol(type).superclass); found >= 0) return found;
  for (SymbolId above : symbol(type).interfaces) {
    if (const SymbolId found = close_method(above); found >= 0) return found;
  }
  return -1;
}

std::vector<SymbolId> Classes::stands_for(SymbolId method) const {
  std::vector<SymbolId> out;
  for (const auto& [above, list] : overriders_) {
    if (std::find(list.begin(), list.end(), method) != list.end()) out.push_back(above);
  }
  return out;
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

// Locals that the tree uses, in order of first use; declared in it or not.
template <class Root>
std::vector<SymbolId> used_locals(const Classes& classes, const Root& root) {
  std::vector<SymbolId> used;
  walk(
      root,
      [&](const Expr& expr) {
        const auto* name = std::get_if<Name>(&expr.node);
        if (name == nullptr || name->symbol < 0 || expr.constant) return;
        const Symbol::Kind kind = classes.symbol(name->symbol).kind;
        if (kind != Symbol::Kind::kLocal && kind != Symbol::Kind::kParameter) return;
        if (std::find(used.begin(), used.end(), name->symbol) == used.end()) used.push_back(name->symbol);
      },
      kNothing, kNothing);
  return used;
}

template <class Root>
std::set<SymbolId> declared_locals(const Root& root) {
  std::set<SymbolId> declared;
  const auto parameters = [&](const std::vector<Parameter>& list) {
    for (const Parameter& it : list) declared.insert(it.symbol);
  };
  walk(
      root,
      [&](const Expr& expr) {
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
  return declared;
}

void add_missing(std::vector<SymbolId>& to, const std::vector<SymbolId>& more) {
  for (SymbolId id : more) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

}  // namespace

// Making a local class, or extending one, needs what that one captured.
template <class Root>
std::vector<SymbolId> Classes::captured_by(const Root& root, std::set<SymbolId>& visited) const {
  std::vector<SymbolId> out = used_locals(*this, root);
  const auto need = [&](SymbolId other) {
    const ClassDecl* local = other < 0 ? nullptr : declaration(other);
    if (local != nullptr && symbol(other).is_local && visited.insert(other).second) {
      add_missing(out, captured_by(*local, visited));
    }
  };
  walk(
      root,
      [&](const Expr& expr) {
        if (const auto* made = std::get_if<New>(&expr.node)) need(made->class_symbol);
      },
      kNothing, [&](const ClassDecl& it) { need(symbol(it.symbol).superclass); });
  const std::set<SymbolId> declared = declared_locals(root);
  std::erase_if(out, [&](SymbolId id) { return declared.contains(id); });
  return out;
}

std::vector<SymbolId> Classes::captured(const ClassDecl& declaration) const {
  std::set<SymbolId> visited{declaration.symbol};
  return captured_by(declaration, visited);
}

std::vector<SymbolId> Classes::captured(const Lambda& lambda) const {
  std::vector<SymbolId> out;
  std::set<SymbolId> visited;
  if (lambda.expression) add_missing(out, captured_by(*lambda.expression, visited));
  if (lambda.block) add_missing(out, captured_by(*lambda.block, visited));
  std::erase_if(out, [&](SymbolId id) {
    return std::any_of(lambda.parameters.begin(), lambda.parameters.end(),
                       [&](const Parameter& it) { return it.symbol == id; });
  });
  return out;
}

namespace {

bool is_field_of_this(const Expr& expr) {
  const auto* it = std::get_if<Select>(&expr.node);
  return it != nullptr && it->object && std::holds_alternative<This>(it->object->node);
}

// Leaving its parts aside, the expression uses `this`, explicit or not.
bool uses_this_itself(const Classes& classes, const Expr& expr) {
  if (const auto* it = std::get_if<New>(&expr.node)) {
    return it->body || (classes.symbol(it->class_symbol).has_outer_instance && !it->outer);
  }
  if (const auto* it = std::get_if<Call>(&expr.node)) {
    const Symbol& method = classes.symbol(it->method);
    return method.name != "<init>" && ((!it->receiver && !method.is_static) || it->is_super);
  }
  if (const auto* it = std::get_if<MethodRef>(&expr.node)) return it->receiver != nullptr;
  return std::holds_alternative<This>(expr.node) || std::holds_alternative<Lambda>(expr.node);
}

// `this` is used in the tree for anything but a field of it.
template <class Root>
bool leaks_this(const Classes& classes, const Root& root) {
  bool leaks = false;
  const auto look = [&](const auto& self, const auto& part) -> void {
    if (leaks) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Expr>) {
      if (is_field_of_this(part)) return;
      leaks = uses_this_itself(classes, part);
    }
    const auto again = [&](const auto& inner) { self(self, inner); };
    Parts{again, again, [&](const ClassDecl&) { leaks = true; }}.of(part);
  };
  look(look, root);
  return leaks;
}

}  // namespace

// Classes declared in it have a `this` of their own; making an inner one uses ours.
bool Classes::uses_this(const Lambda& lambda) const {
  bool uses = false;
  std::vector<SymbolId> inside;  // the classes declared in the lambda that are around the part at hand
  const auto is_outside = [&](SymbolId owner) {
    return std::none_of(inside.begin(), inside.end(), [&](SymbolId it) { return is_subclass(it, owner); });
  };
  const auto look_at = [&](const Expr& expr) {
    if (const auto* it = std::get_if<This>(&expr.node)) {
      uses = uses || std::find(inside.begin(), inside.end(), it->class_symbol) == inside.end();
    }
    if (const auto* it = std::get_if<Name>(&expr.node); it != nullptr && it->symbol >= 0) {
      const Symbol& field = symbol(it->symbol);
      uses = uses || (field.kind == Symbol::Kind::kField && !field.is_static && is_outside(field.owner));
    }
    if (const auto* it = std::get_if<Call>(&expr.node); it != nullptr && !it->receiver) {
      const Symbol& called = symbol(it->method);
      uses = uses || (!called.is_static && called.name != "<init>" && is_outside(called.owner));
    }
    if (const auto* it = std::get_if<New>(&expr.node); it != nullptr && !it->outer) {
      const Symbol& made = symbol(it->class_symbol);
      uses = uses || (made.has_outer_instance && is_outside(made.outer));
    }
  };
  const auto look = [&](const auto& self, const auto& part) -> void {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, ClassDecl>) inside.push_back(part.symbol);
    if constexpr (std::is_same_v<Part, Expr>) look_at(part);
    const auto again = [&](const auto& inner) { self(self, inner); };
    Parts{again, again, again}.of(part);
    if constexpr (std::is_same_v<Part, ClassDecl>) inside.pop_back();
  };
  if (lambda.expression) look(look, *lambda.expression);
  if (lambda.block) look(look, *lambda.block);
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
  if (constructs_itself(class_symbol)) return false;
  return symbol(class_symbol).superclass < 0 || computes_privately(symbol(class_symbol).superclass, visited);
}

// A constructor that makes objects of its own class (a list of n nodes), be it in the constructor of another class, cannot be
// unfolded where it is called.
bool Classes::constructs_itself(SymbolId class_symbol) const {
  std::set<SymbolId> reached;
  std::vector<SymbolId> open{class_symbol};
  while (!open.empty()) {
    const SymbolId at = open.back();
    open.pop_back();
    const ClassDecl* it = declaration(at);
    if (it == nullptr) continue;
    const auto reach = [&](SymbolId next) {
      if (next >= 0 && reached.insert(next).second) open.push_back(next);
    };
    const auto look = [&](const auto& root) {
      walk(
          root,
          [&](const Expr& expr) {
            if (const auto* made = std::get_if<New>(&expr.node)) reach(made->class_symbol);
          },
          kNothing, kNothing);
    };
    for (const Member& member : it->members) {
      if (const auto* method = std::get_if<MethodDecl>(&member)) {
        if (symbol(method->symbol).name == "<init>" && method->body) look(*method->body);
      } else if (const auto* block = std::get_if<Initialiser>(&member)) {
        if (!block->is_static) look(*block->body);
      } else if (const auto* field = std::get_if<FieldDecl>(&member)) {
        if (field->init && !symbol(field->symbol).is_static) look(*field->init);
      }
    }
    reach(symbol(at).superclass);
  }
  return reached.contains(class_symbol);
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

template <class Root>
bool Classes::throws_now(const Root* root) const {
  if (root == nullptr) return false;
  return any_part(*root, [&](const auto& part) {
    const auto calls = [&](SymbolId called) {
      if (throwing_.contains(called) || (interrupts() && waits_interruptibly(called))) return true;
      const std::vector<SymbolId> targets = reachable_from(called);
      return std::any_of(targets.begin(), targets.end(), [&](SymbolId id) { return throwing_.contains(id); });
    };
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Stmt>) {
      const auto* attempt = std::get_if<Try>(&part.node);
      return std::holds_alternative<Throw>(part.node) ||
             (attempt != nullptr &&
              std::any_of(attempt->resources.begin(), attempt->resources.end(), [&](const StmtPtr& it) {
                const auto* local = std::get_if<LocalVar>(&it->node);
                const auto* effect = std::get_if<ExprStmt>(&it->node);
                const TypeId java = local != nullptr ? symbol(local->symbol).type : effect->expression->type;
                const SymbolId close = close_method(type(java).symbol);
                return close >= 0 && calls(close);
              }));
    } else {
      if (const auto* it = std::get_if<Call>(&part.node)) return calls(it->method);
      if (const auto* it = std::get_if<New>(&part.node)) return throwing_.contains(it->constructor);
      return false;
    }
  });
}

bool Classes::may_throw(const Lambda& lambda) const {
  return throws_now(lambda.block.get()) || throws_now(lambda.expression.get());
}

// A least fixpoint over the call graph. Catching is not looked at: a method whose every exception is caught counts as throwing,
// which costs a test after its calls and nothing else.
void Classes::find_throwing() {
  const auto initialiser_throws = [&](const ClassDecl& it) {
    return std::any_of(it.members.begin(), it.members.end(), [&](const Member& member) {
      if (const auto* field = std::get_if<FieldDecl>(&member)) {
        return !symbol(field->symbol).is_static && throws_now(field->init.get());
      }
      const auto* block = std::get_if<Initialiser>(&member);
      return block != nullptr && !block->is_static && throws_now(block->body.get());
    });
  };
  const auto constructor_above_throws = [&](const ClassDecl& it) {
    const SymbolId above = symbol(it.symbol).superclass;
    if (above < 0) return false;
    const std::vector<SymbolId>& members = symbol(above).members;
    return std::any_of(members.begin(), members.end(),
                       [&](SymbolId id) { return symbol(id).name == "<init>" && throwing_.contains(id); });
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto add = [&](SymbolId id) { changed = throwing_.insert(id).second || changed; };
    for (const ClassDecl* it : all_) {
      if (is_class(it->symbol, "concord.Concord") || is_class(it->symbol, "concord.PerThread")) continue;  // never run
      const bool initialisers = initialiser_throws(*it);
      for (const Member& member : it->members) {
        const auto* method = std::get_if<MethodDecl>(&member);
        if (method == nullptr || throwing_.contains(method->symbol)) continue;
        const Symbol& self = symbol(method->symbol);
        if (throws_now(method->body.get()) || (self.name == "<init>" && initialisers)) add(method->symbol);
        // The implicit super().
        if (self.name == "<init>" && constructor_above_throws(*it)) add(method->symbol);
      }
      // Constructors that are not in the source; that of an anonymous class passes its arguments on.
      for (SymbolId member : symbol(it->symbol).members) {
        if (symbol(member).name != "<init>" || method(member) != nullptr || throwing_.contains(member)) continue;
        if (initialisers || constructor_above_throws(*it)) add(member);
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
