// What clients of classes without a main method can see: public and package-private classes, those that are public inside
// them, their constructors that are not private, and what is public in them, inherited or not.
#pragma once

#include <set>
#include <vector>

#include "frontend/java/classes.h"

namespace concord::frontend::java {

class Surface {
 public:
  explicit Surface(const Classes& classes);

  // The classes of the program that a client can name; abstract ones too, no interfaces.
  const std::vector<SymbolId>& offered() const { return offered_; }
  // Classes of the library, with a stub, that clients make because some argument has such a type.
  const std::vector<SymbolId>& of_library() const { return of_library_; }

  std::vector<SymbolId> constructors() const;
  std::vector<SymbolId> static_methods() const;
  std::vector<SymbolId> fields() const;
  // The methods that a client can call on an object of exactly this class (or of a lambda for this interface), if it has one:
  // each is what really runs.
  std::vector<SymbolId> methods_of(SymbolId type) const;
  bool is_offered(SymbolId class_symbol) const;
  bool is_accessible(SymbolId type) const;  // clients can name it
  // A client can have an object of that class, or of a lambda for that interface.
  bool may_be_known(SymbolId type) const;

  // Some argument (or public field) can be of that type.
  bool takes(SymbolId type) const;
  bool takes_anything() const { return takes_object_; }  // Object is the type of some argument
  const std::set<SymbolId>& taken() const { return taken_; }
  // Types that the program asks for: those of arguments, and those that something of another type is taken for.
  std::set<SymbolId> asked() const;
  // What clients may do beyond what is followed, in words; empty: nothing.
  std::vector<std::string> not_followed() const;
  bool has_arrays() const { return has_arrays_; }  // among what clients give or get
  // A client can implement the interface, and such an object can come to a variable of that type.
  bool may_be_implemented(SymbolId type) const;

 private:
  bool is_stub(SymbolId type) const;
  bool is_understood(SymbolId type) const;
  bool has_default_methods(SymbolId type) const;
  bool is_nameable(SymbolId type) const;
  bool is_open(SymbolId type) const;
  bool may_be_called(SymbolId method) const;
  void find_taken();
  bool add_library_classes();
  void find_converted();
  void take(TypeId type);
  void give(TypeId type);
  void add_supertypes(SymbolId type, std::vector<SymbolId>& to) const;
  SymbolId class_of(TypeId type) const;

  const Classes& classes_;
  std::vector<SymbolId> offered_, of_library_;
  std::vector<SymbolId> types_;  // whose members can be named: offered classes, interfaces, and what those inherit from
  std::set<SymbolId> taken_, given_, converted_;
  bool takes_object_ = false, has_arrays_ = false;
};

}  // namespace concord::frontend::java
