// Expressions of a program as formulas about a configuration, for the thread that a variable stands for.
//
// A reference is a formula that says of an individual whether it is the one; a truth value is a formula; of numbers nothing is known.
// What evaluating needs on the way (references that are not null, casts), what it looks at (for races) and which relations should be
// definite for it (focus) is collected besides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diag/kinds.h"
#include "engine/shape/formula.h"
#include "engine/shape/source/vocabulary.h"
#include "plato/syntax.h"

namespace concord::engine::shape::source {

struct Term {
  enum class Kind { kUnknown, kBool, kRelation, kEnum, kNumber } kind = Kind::kUnknown;
  FormulaPtr truth;                               // kBool
  std::function<FormulaPtr(const Variable&)> is;  // kRelation: this individual is meant
  FormulaPtr is_null;                             // kRelation: none is; kNumber: the value is not known
  std::int64_t plus = 0;                          // kNumber: added to it
  std::vector<FormulaPtr> constants;              // kEnum: by constant
  // kRelation: the way to it, as literals, and the variable at its end; empty: there is none.
  std::vector<FormulaPtr> way;
  Variable end;
  bool is_shared = false;  // a shared variable
  Variable itself;         // kRelation: it is what this variable stands for; empty: that is to be found
};

// Something that can be locked: a monitor variable, that of an object, or a variable that is a plain lock.
struct Lock {
  const Place* place = nullptr;  // null: a plain lock, `plain`
  bool has_object = false;
  Term object;  // whose monitor it is
  Term plain;
};

class Terms {
 public:
  // `label`: where the thread stands; -1: wherever.
  Terms(const Vocabulary& vocabulary, Variable thread, int procedure, int label = -1);

  Term term(const plato::Expr& expr);
  FormulaPtr truth(const plato::Expr& expr);
  // `at`: where it is told that the object is null.
  Lock lock(const plato::Expr& expr, base::SourceRange at);
  // Whoever has it; that somebody other than the thread has it; that the thread has it.
  static FormulaPtr held_by(const Lock& lock, const Variable& whom);
  FormulaPtr is_taken(const Lock& lock) const;
  FormulaPtr is_deep(const Lock& lock, int predicate) const;

  // A shared variable, or a field of the object.
  Term of_place(const Place& place, const plato::Type& type, const Term* object);
  Term unknown(const plato::Type& type) const;
  FormulaPtr has_type(const plato::Type& type, const Variable& it) const;
  // Of two numbers: the first plus `by` is not larger than the second.
  FormulaPtr not_larger(const Term& a, const Term& b, std::int64_t by);
  Term number(const plato::Expr& expr);
  FormulaPtr equal_terms(const Term& a, const Term& b, const Variable& fresh);
  Variable new_variable();
  const Variable& thread() const { return thread_; }

  // In place of a local variable of a procedure that is entered.
  void give(int slot, const Term& term) { given_[slot] = term; }
  // In a clause of a class.
  void give_this(const Variable& object, int class_index) { give_this(itself(object), class_index); }
  void give_this(const Term& object, int class_index) { this_ = object, this_class_ = class_index; }
  void give_result(const Term& term) { result_ = term; }

  struct Need {
    diag::Kind kind;
    base::SourceRange at;
    FormulaPtr holds;
  };
  struct Access {
    const plato::Variable* variable = nullptr;
    bool has_object = false;
    Term object;
    bool is_element = false;  // of an array that the variable may refer to
    bool is_write = false;
    bool is_local = false;  // the object is what a local variable refers to
  };
  std::vector<Need> needs;
  std::vector<Access> accesses;
  std::vector<FormulaPtr> focus;
  bool looks_at_shared = false;  // at something that other threads may change, other than:
  std::vector<int> created;      // what new individuals are: predicates
  std::vector<Term> touched;     // objects some field of which is looked at or written, and is not final

  void need(diag::Kind kind, base::SourceRange at, const FormulaPtr& holds);
  void focus_on(const Term& term);
  // From here on it is not known whether what is needed holds, since it is about another state or other individuals.
  void forget_needs(std::size_t from);
  // The object of a field, and of what is locked.
  void need_object(const Term& object, base::SourceRange at) {
    need(diag::Kind::kNullDereference, at, negation_of(object));
  }

 private:
  static FormulaPtr negation_of(const Term& object);
  // Said of the individual that is meant.
  static FormulaPtr of(const Term& object, const Variable& fresh,
                       const std::function<FormulaPtr(const Variable&)>& says);
  Term name(const plato::NameExpr& it, const plato::Type& type);
  Term local(int slot, const plato::Type& type);
  // A local variable that has the same value, or -1.
  int copy_of(const plato::Expr& expr) const;
  Term field(const plato::FieldExpr& it, const plato::Expr& expr);
  Term field_of_object(const Term& object, int class_index, int number);
  Term holder(const Lock& lock);
  Term binary(const plato::BinaryExpr& it, const plato::Expr& expr);
  Term conditional_term(const plato::ConditionalExpr& it, const plato::Expr& expr);
  Term quantified(const plato::QuantifierExpr& it);
  Term reach(const plato::ShapeExpr& it);
  FormulaPtr is_instance(const Term& object, int class_index);
  static Term boolean(const FormulaPtr& truth);
  Term nothing() const;
  Term itself(const Variable& variable) const;
  static FormulaPtr guarded(const std::vector<FormulaPtr>& guards, const FormulaPtr& formula);

  const Vocabulary& vocabulary_;
  const plato::Program& program_;
  const Variable thread_;
  const std::string prefix_;
  const int procedure_;
  const int label_;
  std::map<int, Term> given_;
  Term this_;
  int this_class_ = -1;
  Term result_;
  std::vector<Term> bound_;
  std::vector<FormulaPtr> guards_;
  int count_ = 0;
};

}  // namespace concord::engine::shape::source
