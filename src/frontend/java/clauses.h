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
  std::string through;    // its field that has `this`, if it is a lambda's object
  bool has_this = false;  // there is a `this`
  // The variable of that name of the method around it: its name in Plato, and its type.
  struct Variable {
    std::string name;
    TypeId type = -1;
    std::string object = {};  // whose field it is, if a lambda captured it
    bool is_known = true;     // false: the code around has it, but the code here does not use it
  };
  std::function<std::optional<Variable>(const std::string&)> local;
};

// The method, or an initialiser of the class, declares a local variable of that name before that place.
bool has_local(const Classes& classes, SymbolId around, const SourceRange& before, const std::string& name);

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
  SymbolId class_named(const std::string& name, SourceRange range) const { return find_class(name, range); }
  bool uses_this() const { return uses_this_; }                     // in what was translated so far
  Value instance_around(SymbolId class_symbol, SourceRange range);  // C.this; null: there is none

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
  Value self(SourceRange range) const;  // `this`; null: there is none, or it goes without saying
  void refuse_unused(const std::string& name, SourceRange range);
  Typed instance_of(Value& expr);
  Typed of_type(TypeId type) const;
  Typed of_plato(const plato::Type& type) const;
  // A Thread, as the thread it is.
  void to_tid(Value& expr, const Typed& typed);
  SymbolId find_field(SymbolId class_symbol, const std::string& name) const;
  SymbolId find_class(const std::string& name, SourceRange range) const;

  Lowering& lowering_;
  const Classes& classes_;
  Place place_;
  std::vector<std::pair<std::string, Typed>> bound_;
  bool uses_this_ = false;
};

}  // namespace concord::frontend::java
