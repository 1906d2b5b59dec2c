// Annotations in terms of the program that is made: Java's names become Plato's, `tid` and expressions of type Thread are
// comparable, `this` is what it is at that place. Types are checked afterwards, by Plato's own checker.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/java/lowering.h"

namespace concord::frontend::java {

// Where an annotation stands.
struct Place {
  SymbolId class_symbol = -1;
  std::string self;       // the parameter that is `this`; empty: a clause of the class, or nothing
  bool has_this = false;  // there is a `this`
  // The variable of that name of the method around it: its name in Plato, and its type.
  struct Variable {
    std::string name;
    TypeId type = -1;
  };
  std::function<std::optional<Variable>(const std::string&)> local;
};

class Clauses {
 public:
  Clauses(Lowering& lowering, Place place)
      : lowering_(lowering), classes_(lowering.classes()), place_(std::move(place)) {}

  void translate(Value& expr);
  void translate(std::vector<Value>& list);
  void translate(plato::TwoState& predicate);
  void translate(plato::Contract& contract);
  void translate(plato::LoopSpec& spec);
  void translate(plato::GhostSet& set);
  plato::Type translate(const plato::Type& type);
  SymbolId class_named(const std::string& name) const { return find_class(name); }
  bool uses_this() const { return uses_this_; }  // in what was translated so far

 private:
  // What an expression is, as far as names depend on it.
  struct Typed {
    enum class Kind { kOther, kTid, kNull, kObject, kArray } kind = Kind::kOther;
    SymbolId class_symbol = -1;  // kObject
    TypeId java = -1;            // kArray
  };
  Typed visit(Value& expr);
  Typed name(Value& expr);
  Typed field(Value& expr);
  void static_field(Value& expr, SymbolId field, bool primed);
  Typed comparison(Value& expr);
  Typed instance_of(Value& expr);
  Typed of_type(TypeId type) const;
  Typed of_plato(const plato::Type& type) const;
  // A Thread, as the thread it is.
  void to_tid(Value& expr, const Typed& typed);
  SymbolId find_field(SymbolId class_symbol, const std::string& name) const;
  SymbolId find_class(const std::string& name) const;

  Lowering& lowering_;
  const Classes& classes_;
  Place place_;
  std::vector<std::pair<std::string, Typed>> bound_;
  bool uses_this_ = false;
};

}  // namespace concord::frontend::java
