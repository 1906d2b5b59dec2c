// Annotations in terms of the program that is made: Java's names become Plato's, `tid` and expressions of type Thread are
// comparable, `this` is what it is at that place. Types are checked afterwards, by Plato's own checker.
#pragma once

#include <functional>
#include <memory>
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
  TypeId result = -1;  // what \result is in `ensures`
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
  void translate(plato::FieldClause& clause);
  void translate(plato::LockOrder& order);
  void translate_initial(Value& init, const plato::Type& type);  // `type`: of the ghost, as written
  plato::Type translate(const plato::Type& type);
  SymbolId class_named(const std::string& name, SourceRange range) const {
    return find_class(name, place_.class_symbol, range);
  }
  bool uses_this() const { return uses_this_; }               // in what was translated so far
  Value instance_around(SymbolId wanted, SourceRange range);  // C.this; null: there is none

 private:
  // What an expression is, as far as names and threads depend on it.
  struct Typed {
    enum class Kind {
      kOther,    // a number or truth value, or a monitor of its own
      kRefused,  // already reported
      kFloat,
      kTid,
      kNull,
      kObject,
      kArray,
      kSet,
      kMap
    } kind = Kind::kOther;
    SymbolId class_symbol = -1;                      // kObject
    std::shared_ptr<const Typed> element = nullptr;  // kArray, kSet; of a map: what it maps to. Null: of {}
    std::shared_ptr<const Typed> key = nullptr;      // kMap; null: of map(e)
    SymbolId atomic = -1;                            // the field, if its atomic variable is part of its object
  };
  // A field of Java, or a ghost field.
  struct Member {
    SymbolId field = -1;
    const plato::Type* ghost = nullptr;
    SymbolId owner = -1;
    bool is_ambiguous = false;  // inherited from here and from elsewhere
  };
  // What a bare name means at this place, as Java has it.
  struct Found {
    enum class Kind { kNothing, kBound, kLocal, kMember, kCaptured, kUnused } kind = Kind::kNothing;
    Typed bound;
    Place::Variable local;
    Member member;
    SymbolId captured = -1;
    SymbolId around = -1;  // kMember, kCaptured: the class whose instance has it
  };

  Typed visit(Value& expr);
  Typed visit_any(Value& expr);  // an atomic variable too
  Typed content(Value& expr, const Typed& atomic);
  Typed compare_atomics(Value& expr, const Typed& left, const Typed& right);
  void refuse_atomic(SourceRange range, const Typed& atomic);
  Typed name(Value& expr);
  Typed main_thread(Value& expr);
  Typed thread_number(Value& expr);
  // The number of threads, or what each of them is given, if the name means that.
  std::optional<Typed> of_threads(Value& expr);
  Typed field(Value& expr);
  Typed index(plato::IndexExpr& it);
  Typed conditional(plato::ConditionalExpr& it);
  Typed quantifier(plato::QuantifierExpr& it);
  Typed set_literal(plato::SetLit& it);
  Typed map_update(plato::MapUpdate& it);
  Typed cast(plato::CastExpr& it);
  void shape(plato::ShapeExpr& it);
  Typed static_field(Value& expr, SymbolId field, bool primed);
  Typed binary(Value& expr);
  void compare_thread(Value& expr, bool is_left);  // the Thread object is the left side
  Typed instance_of(Value& expr);
  Typed of_instance(Value& expr, SymbolId around, const std::string& field, const Typed& type);
  Value self(SourceRange range);  // `this`; null: there is none, or it goes without saying
  Value named(const std::string& name, SourceRange range);
  void refuse_unused(const std::string& name, SourceRange range);
  void refuse_variable(const char* word, const char* hint, SourceRange range);
  Typed refuse_ambiguous(const std::string& name, SourceRange range);
  void refuse_field(const Typed& object, const std::string& name, SourceRange range);
  std::string did_you_mean(const std::string& name, const std::vector<SymbolId>& owners) const;
  Typed of_type(TypeId type) const;
  Typed of_plato(const plato::Type& type, SymbolId around) const;  // as written in that class
  Typed of_member(const Member& member) const;
  std::string member_name(const Member& member, const std::string& name);
  bool is_thread(const Typed& typed) const;
  bool is_box(const Typed& typed) const;
  Typed common(const Typed& left, const Typed& right) const;
  // As a value of the type `to`: null is no thread.
  void fit(Value& expr, const Typed& from, const Typed& to);
  Found look_up(const std::string& name) const;
  std::optional<Member> find_member(SymbolId class_symbol, const std::string& name) const;
  bool is_inherited(const Member& member, SymbolId class_symbol) const;
  // C, or C.D, if it is the name of a class at this place. `is_literal`: before `.class`, where it cannot be a variable.
  SymbolId class_of_path(const plato::Expr& expr, bool is_literal) const;
  SymbolId find_class(const std::string& name, SymbolId around, SourceRange range) const;
  SymbolId find_around(const std::string& name, SymbolId around, SourceRange range) const;
  template <class Fits>
  SymbolId only_class(const std::string& name, SourceRange range, const Fits& fits) const;

  Lowering& lowering_;
  const Classes& classes_;
  Place place_;
  Typed result_;
  std::vector<std::pair<std::string, Typed>> bound_;
  bool uses_this_ = false;
};

}  // namespace concord::frontend::java
