// What lowering asks about the Java program as a whole: who declares what, who extends whom, which methods a call may reach,
// what a local class captures, which constructors keep `this` to themselves, which methods may end with an exception.
//
// The hierarchy is closed: the classes of the program and of the stubs are all there are (said among the assumptions).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/java/tree.h"

namespace concord::frontend::java {

class Classes {
 public:
  explicit Classes(const Unit& unit);

  const Unit& unit() const { return unit_; }
  const Symbol& symbol(SymbolId id) const { return unit_.symbols[static_cast<std::size_t>(id)]; }
  const JavaType& type(TypeId id) const { return unit_.types[static_cast<std::size_t>(id)]; }
  const JavaType* type_or_null(TypeId id) const { return id < 0 ? nullptr : &type(id); }

  // ---- declarations; null if not from source
  const ClassDecl* declaration(SymbolId class_symbol) const;
  const MethodDecl* method(SymbolId method_symbol) const;
  const std::vector<const ClassDecl*>& all() const { return all_; }  // nested and local ones included, outer first

  // All classes, `first` first, but each after those that its static initialisers need: Java initialises a class when its
  // code is first used.
  std::vector<const ClassDecl*> in_order_of_initialisation(SymbolId first) const;
  // Its static initialisers need those of another class, which need its own: which run first depends on who is used first.
  bool needs_itself(const ClassDecl& initialised) const;

  // A local that no assignment names, not even one in code that javac sees cannot run.
  bool is_fixed(SymbolId local) const;
  // The class that the object has exactly, because it is a final field or fixed local declared with `new`; or -1.
  SymbolId class_made(const Expr& object) const;
  // Some code other than Thread's own calls the method of Thread, or the primitive of that name.
  bool calls_thread(const char* method) const { return thread_calls_.contains(method); }
  bool interrupts() const { return calls_thread("interrupt"); }
  // Some class given has a method of that name in place of one of the library.
  bool overrides_in_source(const std::string& method) const;
  // A variable that gets nothing but what `new` makes where it is assigned.
  bool is_always_new(SymbolId variable) const {
    return new_.contains(variable) && !given_.contains(variable) && symbol(variable).kind != Symbol::Kind::kParameter;
  }

  // ---- hierarchy
  bool is_class(SymbolId id, const char* qualified) const { return id >= 0 && symbol(id).qualified == qualified; }
  bool is_reference(TypeId id) const;
  bool is_subclass(SymbolId derived, SymbolId base) const;  // reflexive; through interfaces too
  // Classes of which the program makes instances and that are `base` or below it; the most derived first.
  std::vector<SymbolId> instances_of(SymbolId base) const;
  // The method that runs when `wanted` is called on an instance of exactly `class_symbol`, or -1: none with a body.
  SymbolId implementation(SymbolId wanted, SymbolId class_symbol) const;
  // close() of a resource of that type, or -1: not from source.
  SymbolId close_method(SymbolId type) const;
  void instantiate(SymbolId class_symbol) { instantiated_.insert(class_symbol); }

  // ---- local classes and constructors
  // Locals of methods around a local or anonymous class (or a lambda) that its body uses.
  std::vector<SymbolId> captured(const ClassDecl& declaration) const;
  std::vector<SymbolId> captured(const Lambda& lambda) const;
  bool uses_this(const Lambda& lambda) const;
  // No constructor of the class, nor an initialiser, nor of its superclasses, lets `this` be seen by anyone.
  bool constructs_privately(SymbolId class_symbol) const;
  bool all_construct_privately(SymbolId base) const;  // it and every class below it

  // ---- exceptions
  // The method may end with an exception that the code says (throw, or a call that does). Failed implicit checks are findings.
  bool may_throw(SymbolId method) const { return throwing_.contains(method); }
  bool may_throw(const Lambda& lambda) const;
  bool waits_interruptibly(SymbolId method) const;  // one of the primitives that do
  bool may_throw_in_constructor(SymbolId constructor) const { return throwing_.contains(constructor); }
  // The methods that it overrides, and those that it implements for a class below its own.
  std::vector<SymbolId> stands_for(SymbolId method) const;
  // Every method that overrides or implements it, itself first if it has a body.
  std::vector<SymbolId> reachable_from(SymbolId wanted) const;

 private:
  void index(const ClassDecl& declaration);
  template <class Root>
  std::vector<SymbolId> captured_by(const Root& root, std::set<SymbolId>& visited) const;
  void find_throwing();
  struct Uses {
    std::vector<SymbolId> classes;
    std::set<SymbolId> visited;  // methods, and classes that are made
  };
  template <class Root>
  void find_used(const Root& root, Uses& uses) const;
  std::vector<SymbolId> needed_by(const ClassDecl& initialised) const;
  bool has_static_code(const ClassDecl& declaration) const;
  void initialise(SymbolId class_symbol, std::set<SymbolId>& visited, std::vector<const ClassDecl*>& out) const;
  bool computes_privately(SymbolId class_symbol, std::set<SymbolId>& visited) const;
  bool constructs_itself(SymbolId class_symbol) const;
  template <class Root>
  bool throws_now(const Root* root) const;  // null: no

  const Unit& unit_;
  std::map<SymbolId, const ClassDecl*> declarations_;
  std::map<SymbolId, const MethodDecl*> methods_;
  std::map<SymbolId, std::vector<SymbolId>> overriders_;
  std::vector<const ClassDecl*> all_;
  std::map<SymbolId, std::vector<const Lambda*>> lambdas_;        // by interface method
  std::map<SymbolId, std::vector<const MethodRef*>> references_;  // likewise
  std::set<SymbolId> assigned_;                                   // locals
  std::map<SymbolId, SymbolId> made_;                             // variables declared with `new`: its class
  std::set<std::string> thread_calls_;
  std::set<SymbolId> new_, given_;  // variables assigned a `new`, or something else
  std::set<SymbolId> throwing_;
  std::map<SymbolId, std::vector<SymbolId>> needed_;  // to initialise each class
  std::set<SymbolId> instantiated_;
};

}  // namespace concord::frontend::java
