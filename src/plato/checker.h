// The checker of well-formedness, from the inside (wellformed.h is what others see).
//
// Three files: wellformed.cc has declarations and the order of work, check_expr.cc expressions, check_stmt.cc statements.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "plato/syntax.h"

namespace concord::plato {

// A name declared in a module or at the top of a file.
struct Declared {
  enum class Kind { kEnum, kEnumConst, kClass, kConst, kVariable, kProcedure, kThread, kAbstractThread } kind;
  int index = -1;     // in the list of Program; kEnumConst: the enum
  int constant = -1;  // kEnumConst: its number
  int module = 0;
  SourceRange range;
};

// Which states an expression speaks of.
enum class States {
  kOne,     // the current state
  kStep,    // before and after one step
  kReturn,  // an `ensures` or `signals`: at return, and \old at entry
};

struct ExprContext {
  int module = 0;
  int class_index = -1;  // the class of `this`, or -1
  States states = States::kOne;
  bool is_spec = false;      // ghosts may be read
  bool is_constant = false;  // no shared variables, no tid
  bool has_tid = true;
  bool has_thread_index = false;
  bool locals_change = false;                               // a direct operation may prime locals
  int consts_known = std::numeric_limits<int>::max();       // in a constant's value: only those declared before it
  const Type* result = nullptr;                             // type of \result, or null
  const std::vector<std::string>* implicit_ints = nullptr;  // lock_order: names bound implicitly, outermost first
  std::vector<const BoundVariable*> bound;

  // What was seen, for the rules about two-state predicates.
  bool saw_prime = false;
  bool saw_old = false;
  bool in_old = false;
  std::vector<int> shared_seen;  // variables mentioned, by index
  bool saw_heap = false;         // a field, element or monitor was mentioned
};

class Checker {
 public:
  Checker(const base::SourceMap& sources, Program& program, diag::Sink& sink)
      : sources_(sources), program_(program), sink_(sink) {}
  void run();

 private:
  // Declarations (wellformed.cc).
  void declare_all();
  void declare(const std::string& name, Declared what);
  void resolve_modules();
  void resolve_bases();
  void resolve_types();
  void resolve(Type& type, int module);
  void check_classes();
  void check_variables();
  void check_variable(Variable& variable, int class_index);
  void check_field_clauses(Variable& variable, int class_index);
  void check_final(const Variable& variable);
  void check_consts();
  void check_clauses();
  void check_lock_index(const Expr& side, const std::vector<std::string>& bound);
  void check_lock_orders();
  void check_threads();
  void check_thread(Thread& thread);
  void check_abstracted(Abstracted& it, int module);
  void check_abstract_threads();
  void check_abstract_thread(AbstractThread& machine);
  void check_reachable(const AbstractThread& machine);
  void check_checks();
  void check_kind(const std::string& kind, SourceRange at);
  void check_waivers(const std::vector<Waiver>& waivers);
  void check_procedure(Procedure& procedure);
  void check_contract(Procedure& procedure);
  void check_atomic_calls();
  void check_loop_frames();
  void check_initialised();

  // Names.
  const Declared* find(const std::string& name, int module, SourceRange at, const char* what);
  bool check_argument_count(const CallTarget& target, const Procedure& procedure);
  const Declared* find_procedure(CallTarget& target, int module);
  const Procedure* procedure_with_local(const std::string& name) const;
  void unknown_name(const std::string& name, SourceRange at, const std::string& what, bool (*wanted)(const Declared&));

  // Expressions (check_expr.cc).
  Type check(Expr& expr, ExprContext& context);
  Type type_of(Expr& expr, ExprContext& context);
  Type check_name(Expr& expr, NameExpr& name, ExprContext& context);
  bool resolve_local(NameExpr& name, Type& type, ExprContext& context, SourceRange at);
  Type check_class_member(Expr& expr, NameExpr& name, ExprContext& context);
  Type check_field(Expr& expr, FieldExpr& field, ExprContext& context);
  Type check_index(Expr& expr, IndexExpr& index, ExprContext& context);
  Type check_float(FloatExpr& expr, ExprContext& context);
  Type check_unary(UnaryExpr& unary, ExprContext& context);
  Type check_binary(Expr& expr, BinaryExpr& binary, ExprContext& context);
  Type check_conditional(Expr& expr, ConditionalExpr& conditional, ExprContext& context);
  Type check_old(Expr& expr, OldExpr& old, ExprContext& context);
  Type check_quantifier(QuantifierExpr& quantifier, ExprContext& context);
  Type check_sum(SumExpr& sum, ExprContext& context);
  void check_bound(BoundVariable& variable, ExprContext& context);
  Type check_set_literal(Expr& expr, SetLit& literal, ExprContext& context);
  Type check_map_update(Expr& expr, MapUpdate& update, ExprContext& context);
  Type check_instance_of(InstanceOf& instance, ExprContext& context);
  int check_class_name(const Expr& operand, const std::string& name, SourceRange at, const ExprContext& context);
  Type check_cast(CastExpr& cast, ExprContext& context);
  Type check_shape(ShapeExpr& shape, ExprContext& context);
  void note_prime(bool primed, const Expr& expr, ExprContext& context);
  void check_ghost_read(const Variable& variable, const Expr& expr, const ExprContext& context);
  // False, and reported, if the type does not fit.
  bool expect(const Expr& expr, const Type& actual, const Type& expected, const std::string& what);
  void check_bool(Expr& expr, ExprContext& context, const std::string& what);
  void check_two_state(TwoState& predicate, ExprContext& context, const std::string& what);
  void check_marks(const Expr& predicate, const std::optional<std::vector<const Expr*>>& frame,
                   const ExprContext& context, const std::string& what, bool& uses_old);
  void check_frame(std::vector<ExprPtr>& frame, const ExprContext& context);
  void check_lock(Expr& lock, ExprContext& context);
  // The variable or field that a place is (an entry of); null if it is a local, an element or no place.
  const Variable* variable_of(const Expr& place) const;
  // False, and reported, if it is final.
  bool check_not_final(const Expr& place);
  bool is_set_element(const Type& type) const;
  // May a value of type `actual` stand where `expected` is wanted?
  bool fits(const Type& actual, const Type& expected) const;
  // The type that both fit; nothing if there is none.
  std::optional<Type> common(const Type& a, const Type& b) const;
  Type class_type(int class_index) const;

  // Statements (check_stmt.cc).
  struct Body;  // the procedure at hand
  void find_waived_assertions();
  void check_body(Procedure& procedure);
  void check_statement(Stmt& statement, Body& body);
  void check_node(Stmt& statement, Body& body);
  void check_block(Block& block, Body& body);
  void check_local(Stmt& statement, LocalDecl& local, Body& body);
  Type check_rhs(Rhs& rhs, const Type& target, SourceRange at, Body& body);
  Type check_new_object(NewObject& object, Body& body);
  void check_assignable(Expr& target, bool ghost, Body& body);
  void check_path_has_no_ghost(const Expr& target);
  void check_arguments(CallTarget& target, Body& body);
  void check_condition(Expr& condition, Body& body);
  void check_label(const Labeled& labeled, const Body& body);
  static std::size_t regions_around(const std::string& label, const Body& body);
  void check_leave(const Exclusive& leave, Body& body);
  void jump_missing(const Stmt& leave);
  void check_jump(const std::string& word, const std::string& label, SourceRange at, const Body& body);
  void check_loop_spec(LoopSpec& spec, Body& body);
  void check_return(Return& statement, SourceRange at, Body& body);
  void check_throw(Throw& statement, SourceRange at, Body& body);
  void check_catch(CallTarget& target, const Body& body);
  void check_catch_differs(const Expr& target, const Rhs& value);
  void check_havoc(Havoc& havoc, Body& body);
  void check_unsupported(Unsupported& unsupported, Body& body);
  void check_cas(Expr& location, Expr& expected, Expr& value, Body& body);
  void check_direct(Direct& direct, Body& body);
  void check_set(GhostSet& set, Body& body);
  void check_sets(Stmt& statement, Body& body);
  void check_witness(const Stmt& statement, const Body& body);
  void check_may_block(const Stmt& statement, const Body& body);
  ExprContext code_context(const Body& body) const;
  ExprContext spec_context(const Body& body) const;

  const base::SourceMap& sources_;
  Program& program_;
  std::vector<SourceRange> waived_assertions_;
  diag::Sink& sink_;
  std::unordered_map<std::string, Declared> names_;
  // The locals in scope, innermost last; set while a procedure's body or contract is checked.
  const std::vector<Local>* locals_ = nullptr;
  std::vector<std::pair<std::string, int>> local_scope_;
};

inline Type simple_type(Type::Kind kind) { return type_of_kind(kind); }

}  // namespace concord::plato
