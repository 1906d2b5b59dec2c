// Lowering, from the inside (java.h is what others see). Two classes: Lowering knows the program that is made, Body the one
// procedure at hand. lower.cc has the order of work, lower_*.cc the other parts of Lowering; body.cc a procedure from its
// parameters to its end, body_*.cc the other parts of Body; client.cc what both do for the most general client.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frontend/java/annotations.h"
#include "frontend/java/build.h"
#include "frontend/java/classes.h"
#include "frontend/java/java.h"
#include "frontend/java/surface.h"

namespace concord::frontend::java {

using Value = plato::ExprPtr;  // of the program made

// Names of Plato: unique, never a word of the language.
class Names {
 public:
  Names() = default;
  // Of the locals of one procedure: they differ from all names of `outer`, those that it will give later included.
  explicit Names(Names* outer) : outer_(outer) {}
  // `wanted`, or the first of wanted_2, wanted_3, … that is free.
  std::string fresh(const std::string& wanted);

 private:
  bool is_free(const std::string& name) const;

  Names* outer_ = nullptr;
  std::set<std::string> taken_;
  std::set<std::string> inner_;  // given to the locals of some procedure
};

// A lambda or method reference as a class of its own.
struct Closure {
  std::string class_name;
  SymbolId interface_symbol = -1;
  SymbolId method = -1;   // of the interface
  std::string procedure;  // what that method does for it
  std::vector<SymbolId> captured;
  bool captures_this = false;
  SymbolId around = -1;  // the class it is written in
  const Lambda* lambda = nullptr;
  const MethodRef* reference = nullptr;
  SourceRange range;
  bool may_throw = false;
  bool is_used = false;
};

inline constexpr const char* kGenericsHold =
    "generic types hold what they say (javac checks it where it gives no unchecked warning)";

// An atomic variable that is part of the object whose final field holds it.
struct AtomicField {
  bool is_stamped = false;
  SymbolId content = -1;  // the class of what it refers to
};

// A method that a number of threads run.
struct Entry {
  SymbolId method = -1;
  const plato::Thread* threads = nullptr;  // how many
};

class Body;

class Lowering {
 public:
  Lowering(const base::SourceMap& sources, const Unit& unit, const LowerOptions& options, diag::Sink& sink);
  Lowered run();

  // ---- what Body asks for
  const Classes& classes() const { return classes_; }
  const LowerOptions& options() const { return options_; }
  const base::SourceMap& sources() const { return sources_; }
  plato::Type type_of(TypeId id);              // of variables of that Java type
  plato::Type type_of_class(SymbolId symbol);  // Object for interfaces
  std::string class_name(SymbolId symbol);     // the Plato class of a class (not interface)
  std::string object_class();                  // of anything: java.lang.Object
  std::string throwable_class();
  std::string string_class();
  std::string box_class(Prim primitive);  // Integer, …
  plato::Type primitive_type(Prim primitive) const;
  std::string field_name(SymbolId field);      // of an instance field
  std::string static_name(SymbolId field);     // the variable of a static field
  std::string class_monitor(SymbolId symbol);  // of static synchronized methods
  std::string procedure_of(SymbolId method);   // of a method with a body; it will be lowered
  // The method whose contract a call of `method` goes by, though one that overrides it may run; -1: there is none.
  SymbolId specified_by(SymbolId method);
  // A procedure that runs what the object has; its contract is what each of those methods has to keep.
  std::string dispatcher_of(SymbolId specified);
  bool dispatcher_may_throw(SymbolId specified);
  bool has_requires(SymbolId method);
  std::string initialiser_of(SymbolId class_symbol, SymbolId constructor);  // of a constructor that cannot be unfolded
  std::string thread_entry(SymbolId thread_class);  // what a started thread of exactly this class runs
  std::string captured_field(SymbolId local);
  std::string outer_field(SymbolId class_symbol);  // the instance around an object of an inner class
  const Closure& closure(const Expr& expr);
  std::vector<const Closure*> closures_for(SymbolId method);           // whose lambda runs when it is called
  std::vector<const Closure*> closures_of(SymbolId interface_symbol);  // whose objects have that type
  // Which boxes and lambdas there are is known only when everything is lowered: what stands for the answer until then.
  Value is_any_box(Value object, SourceRange range);
  Value is_any_closure(Value object, SymbolId type, SourceRange range);  // `type`: what it is known to be
  // Different objects here, that may be one in Java: boxes of one value, or results of one lambda expression.
  Value may_be_one_box(Value left, Value right, SourceRange range);
  Value may_be_one_closure(Value left, Value right, SymbolId type, SourceRange range);
  Value are_comparable(Value left, Value right, SourceRange range);    // two strings, or two boxes of one class
  Value tests_class(Value value, SymbolId tested, SourceRange range);  // instanceof
  void note_widening(SymbolId from, SymbolId to);
  std::string string_literal(const std::string& value);
  void assume(const std::string& assumption);
  void name_is_users(const std::string& name) { user_names_.insert(name); }
  std::string spelling_of_class(SymbolId symbol);
  void spell(const std::string& name, const std::string& as);  // as the user knows it
  void is_dispatch(plato::Stmt& statement) { dispatches_.insert(&statement); }
  // Once: a clause is translated wherever it is due.
  void error(SourceRange range, const std::string& message, const std::string& hint) {
    if (reported_.insert({range.file, range.begin, message}).second) sink_.error(range, message, hint);
  }
  bool is_rigid(SymbolId field) const;  // assigned only by `new`, nothing ever changes it
  Names& names() { return names_; }
  // The type, as written, of a ghost field that an annotation of the class itself declares; or null.
  const plato::Type* ghost_field(SymbolId class_symbol, const std::string& name);
  Annotations& annotations() { return annotations_; }
  std::string identity_field();                                    // of Thread: its tid, none until it is started
  std::string thread_map();                                        // the Thread of each tid
  const std::string& main_thread() const { return main_thread_; }  // empty: clients run the program
  bool has_thread_map() const { return !thread_map_.empty(); }
  SymbolId thread_symbol() const;
  bool has_procedure(SymbolId method) const;  // it has a body, or one that is easily made
  bool is_throwable(SymbolId class_symbol) const;
  std::optional<Prim> unboxed(SymbolId class_symbol) const;  // what a box of the class has; none: it is no box
  bool is_lock(SymbolId class_symbol) const;                 // its monitor stands for a lock, as that of ReentrantLock
  std::vector<std::string> locks_among(SymbolId type);       // classes of locks that an object of the type may have
  bool locks_threads() const { return locks_threads_; }      // some object that is locked may be a thread
  bool waits_at_threads() const { return waits_at_threads_; }  // …, that is waited at
  bool is_stub(SourceRange range) const;
  void note_wait() { waits_ = true; }  // where an interrupt would end it
  void note_unsupported() { has_unsupported_ = true; }
  void note_unknown() { is_unknown_ = true; }  // code of the library may do anything, interrupt threads too
  bool knows_content() const { return !content_field_.empty(); }
  std::string content_field();                        // of String: the number of a literal, 0 of other strings
  SymbolId member_of_thread(const char* name) const;  // of the stub
  // Objects of the class, or components of theirs that are records, may have such a method of the program.
  bool has_own(SymbolId class_symbol, const std::set<std::string>& methods) const;
  bool has_text_method(SymbolId class_symbol) const;  // making a text of such an object runs code of the program
  // ---- lower_atomics.cc
  const AtomicField* atomic_field(SymbolId field) const;  // null: the field is what it seems
  plato::Type field_type(SymbolId field);                 // of a field of an object
  std::string stamp_name(SymbolId field);                 // the field with the stamp of an atomic variable
  bool is_stamp_array(SymbolId local) const { return stamp_arrays_.contains(local); }

  // ---- lower_freeing.cc: objects that Concord.free gives back
  bool may_be_freed(SymbolId type) const;                           // and be taken again: some object of that type
  bool may_be_gone(SymbolId type) const;                            // freed, and never taken again
  Value tests_taken_again(const Value& object, SourceRange range);  // an object of such a class, if it is freed
  std::vector<SymbolId> freed_roots(SymbolId type) const;  // classes that have the marks, of objects of that type
  // Whether the object must not be used so any more; null: none of its type is ever freed.
  Value is_freed(const plato::Expr& object, SymbolId type, bool for_reading, SourceRange range);
  static const char* freed_mark() { return "freed"; }
  static const char* gone_mark() { return "gone"; }
  SymbolId method_for_uncaught() const;          // of the program, that runs when nobody catches an exception; or -1
  std::string library_equals(SourceRange call);  // equals of what has no such method in the program

  // ---- lower_threads.cc: `threads n`
  bool has_entries() const { return !numbered_.empty(); }
  std::string count_named(const std::string& name) const;  // the constant that `threads` declares; empty: there is none
  std::vector<SymbolId> given(const std::string& name) const;  // parameters of that name: each thread has its own
  std::string input(SymbolId parameter) const;                 // the map with what each thread is given
  std::string thread_number();                                 // the parameter with the number of the running thread

  // ---- client.cc
  std::string client_class(
      SymbolId type) const;  // of objects of that type whose class clients write; empty: there are none
  std::string client_flag(SymbolId interface_symbol);  // its field: the object implements the interface
  bool has_client() const { return surface_ != nullptr; }
  const std::string& known_table() const { return known_table_; }  // what clients know: a map from 0, 1, …
  const std::string& known_count() const { return known_count_; }
  bool has_own_exceptions() const;  // clients may get to know exceptions of classes of the program
  std::vector<std::string> classes_below(SymbolId type);  // of objects of that type, those of lambdas included
  bool extends(const std::string& derived, const std::string& base) const;  // not reflexive

 private:
  using AddBranch = std::function<void(SourceRange, const std::function<void()>&)>;

  void emit_procedure(plato::Procedure procedure);
  void lower_dispatcher(SymbolId specified, const std::string& name);
  bool has_contract(SymbolId method);
  std::set<SymbolId> contracts_for_clients(SymbolId method);
  void lower_method(SymbolId method, const std::string& name);
  void lower_initialiser(SymbolId class_symbol, SymbolId constructor, const std::string& name);
  void lower_generated(SymbolId method, const std::string& name);
  void lower_closure(const Closure& closure);
  void lower_thread_entry(SymbolId thread_class, const std::string& name);
  void lower_static_initialisers();
  void emit_classes();
  void add_identity();
  plato::Class make_class(SymbolId symbol);
  plato::Variable box_field(Prim primitive, SourceRange range) const;
  plato::Variable string_content() const;
  bool has_own(SymbolId class_symbol, const std::set<std::string>& methods, std::set<SymbolId>& visited) const;
  bool gives_constants(SymbolId method) const;
  SymbolId record_field(SymbolId method) const;
  void find_closures();
  void use(Closure& closure);
  void emit_variable(std::string name, plato::Type type, SymbolId id);
  void add_ghosts(plato::Class& out, SymbolId class_symbol);
  void refuse_name(const plato::Variable& ghost, SymbolId class_symbol);
  void add_monitor_of(SymbolId class_symbol, plato::Clause& invariant);
  void add_clauses(plato::Class* out, SymbolId class_symbol);
  void add_field_clauses(plato::Variable& out, SymbolId field);
  void add_machine(plato::AbstractThread& machine, SymbolId class_symbol);
  std::string name_of_machine(SymbolId class_symbol, const std::string& name);
  plato::Abstracted abstraction(const plato::Abstracted& written, SymbolId class_symbol);
  void add_contract(plato::Procedure& out, SymbolId method, const Body& body);
  void lower_main(SymbolId main);
  void find_entries();
  void lower_entries();
  void lower_entry(const Entry& entry);
  void initialise_before_entries();
  void pass_thread_number();
  SymbolId find_main();
  bool uses_current_thread() const;
  void find_monitors();
  void find_freed();
  void find_atomic_fields();
  SymbolId freed_root(SymbolId class_symbol) const;
  bool is_taken_again(SymbolId class_symbol) const;
  bool may_share_objects(SymbolId one, SymbolId other) const;
  void add_marks(plato::Class& out, SymbolId class_symbol) const;
  void add_item(plato::Item::Kind kind, std::size_t index);
  std::string name_of_class(SymbolId symbol) const;
  std::string lower_main_thread(SymbolId main);
  void end_initialisation(Body& body, std::size_t count, SourceRange range);
  void lower_library_equals(const std::string& procedure, SourceRange range);
  void lower_client();  // client.cc, and what follows
  void add_calls(Body& body, const AddBranch& add);
  void add_other_objects(Body& body, const AddBranch& add, SourceRange range);
  std::map<SymbolId, std::vector<std::string>> methods_for_clients();
  bool has_client_objects() const;
  void name_boxes();
  std::vector<SymbolId> classes_of_library() const;
  void emit_client_class(std::vector<plato::Class>& to);
  static plato::Variable mark_of_known();
  void initialise_first(SymbolId class_symbol);
  plato::Type integer_type(Prim primitive) const;
  SymbolId find_class(const char* qualified) const;
  void run_tasks();
  void ask_for_callbacks();
  Value answer_later(std::function<std::vector<Value>()> any, SourceRange range);
  void give_answers();
  std::vector<std::string> closure_classes(SymbolId type) const;

  const base::SourceMap& sources_;
  const Unit& unit_;
  const LowerOptions& options_;
  diag::Sink& sink_;
  Classes classes_;
  Annotations annotations_;
  Names names_;
  plato::Program program_;
  std::vector<std::string> assumptions_;
  std::set<std::string> user_names_;
  std::map<std::string, std::string> spelled_;
  std::set<plato::Stmt*> dispatches_;
  std::map<SymbolId, std::string> dispatchers_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> reported_;  // errors
  std::deque<std::function<void()>> tasks_;
  std::map<SymbolId, std::string> class_names_, procedures_, statics_, monitors_, fields_, captured_fields_, entries_;
  std::map<std::pair<SymbolId, std::string>, std::string> machine_names_;
  std::map<std::pair<SymbolId, SymbolId>, std::string> initialisers_;
  std::set<SymbolId> has_clauses_;      // classes whose clauses the program has
  std::vector<SymbolId> classes_made_;  // in the order they were asked for, superclasses first
  std::map<Prim, std::string> boxes_;
  std::string object_class_, string_class_, throwable_class_, identity_field_, thread_map_, main_thread_;
  std::vector<std::pair<std::string, SourceRange>> library_equals_;  // a procedure for each call
  std::map<std::string, std::string> strings_;
  bool is_initialised_ = false;  // the program says when static variables have been initialised
  std::string content_field_;
  std::set<SymbolId> locks_;
  std::map<SymbolId, AtomicField> atomic_fields_;
  std::set<SymbolId> stamp_arrays_;  // local variables
  std::vector<Entry> numbered_;
  std::map<std::string, std::string> counts_;       // by the name that `threads` gives it
  std::map<SymbolId, std::string> inputs_;          // by the parameter
  std::string thread_number_;                       // empty: nothing asks for it
  std::map<std::string, std::string> own_numbers_;  // by procedure: the parameter, where it has another name
  std::set<SymbolId> freed_, reused_;               // classes that Concord.free and Concord.reused name
  bool locks_threads_ = false, waits_at_threads_ = false, waits_ = false, is_unknown_ = false, has_unsupported_ = false;
  std::map<const Expr*, std::unique_ptr<Closure>> closures_;
  std::vector<Closure*> closure_order_;
  std::unique_ptr<Surface> surface_;  // null: there is a main method
  std::string client_class_, known_table_, known_count_;
  std::map<SymbolId, std::string> client_flags_;
  std::map<std::string, std::function<std::vector<Value>()>> questions_;  // answered when everything is lowered
  std::set<SymbolId> widened_;  // interfaces whose objects are somewhere known as mere Objects
};

// One procedure: statements go to `out_`, the innermost list at hand.
class Body {
 public:
  Body(Lowering& lowering, SymbolId class_symbol, bool has_this);

  using Statements = std::vector<plato::StmtPtr>;

  // ---- the procedure as a whole
  void add_parameter(SymbolId symbol);
  std::string add_parameter(const std::string& wanted, plato::Type type);
  void use_closure(const std::string& name, const Closure& closure);
  void add_lambda_parameter(SymbolId symbol, TypeId given);
  void return_expression(const Expr& expr);
  void call_referenced(const MethodRef& reference, const Symbol& method);
  void make_referenced_array(TypeId array, const Symbol& method, Value size, SourceRange range);
  void initialise_classes(SymbolId first);
  void run_static_initialiser(SymbolId class_symbol, SourceRange range, const std::function<void()>& run);
  void make_strings(const std::map<std::string, std::string>& strings);
  Value command_line(const MethodDecl& main);
  void make_own_thread();  // the Thread of a thread that nobody started
  plato::Procedure finish(std::string name, SourceRange range, SourceRange name_range);
  plato::Procedure finish_without_braces(std::string name, SourceRange range);  // it ends at all of its range
  void set_result(plato::Type type, TypeId java) {
    result_ = std::move(type);
    java_result_ = java;
  }
  void set_throws() { throws_ = true; }
  void assume_outer();  // the instance around `this` is there
  void lower_body(const Stmt& body, bool synchronized_on_this, const std::string& class_monitor);
  Statements& statements() { return *out_; }
  void emit(plato::StmtPtr statement) { out_->push_back(std::move(statement)); }
  // The variable that the name means in an annotation at that place.
  std::optional<std::pair<std::string, TypeId>> variable_named(const std::string& java_name, SourceRange at) const;
  std::optional<std::pair<std::string, TypeId>> parameter_named(const std::string& java_name) const;

  // ---- client.cc
  std::string any_of_type(const plato::Type& type, SourceRange range, const char* wanted);
  Value any_value(TypeId type, SourceRange range);
  Value known_object(SymbolId declared, const std::vector<std::string>& classes, SourceRange range);
  void make_as_client(SymbolId constructor);
  void call_as_client(SymbolId method, SymbolId known, const std::vector<std::string>& receivers);
  void call_as_client(const Closure& closure, SymbolId known);
  void read_as_client(SymbolId field);
  void write_as_client(SymbolId field);
  void make_opaque(const std::string& class_name, std::map<std::string, Value>&& fields, SourceRange range);

  // ---- body_stmt.cc
  void statement(const Stmt& it);

  // ---- body_expr.cc: the value, as an expression over locals; shared accesses are emitted
  Value value(const Expr& expr);
  Value value_as(const Expr& expr, TypeId type);  // converted as by assignment
  void effect(const Expr& expr);                  // the value is not wanted
  Value convert(Value value, TypeId from, TypeId to, SourceRange range);
  Value convert_number(Value value, Prim from, Prim to, SourceRange range);
  Value stable(Value value, const plato::Type& type, SourceRange range);  // a temporary, unless it cannot change
  std::string temporary(const plato::Type& type, std::optional<plato::Rhs> init, SourceRange range,
                        const char* wanted = "t");

  // ---- body_call.cc
  // `ignored`: it may throw, and that is the end of it. `within_requires`: the caller keeps to the contract.
  Value call_procedure(const std::string& procedure, std::vector<Value> arguments, const plato::Type& result,
                       bool may_throw, SourceRange range, bool ignored = false, bool within_requires = false);
  Value this_of(SymbolId wanted, SourceRange range, bool exactly = false);
  Value this_with(const Symbol& member, SourceRange range);  // whose member the bare name means
  void throw_now(Value exception, SourceRange range);
  // `only_new`: waits until it is one that nobody has started, else that is checked.
  void start_thread(Value thread, bool only_new, SourceRange range);
  void note_end(const plato::Expr& thread, SourceRange range);
  void leave_uncaught();  // what ended the last call, if it was an exception

 private:
  friend class Lowering;
  struct Context {
    enum class Kind { kLoop, kBlock, kMonitor, kFinally, kCatch, kYield, kReturn, kRegion } kind = Kind::kBlock;
    std::string java_label;
    std::string break_label;         // empty: plain break of the innermost loop
    std::string continue_label;      // leave this block to go on; empty: plain continue
    bool is_labelled_block = false;  // only `break label` reaches it
    bool is_first_round = false;     // of a loop, and not in it
    Value lock;                      // kMonitor
    SymbolId lock_type = -1;         // -1: of a class
    std::string region;              // kRegion
    std::function<void()> cleanup;   // kFinally
    std::string exception;           // kCatch: where it goes
    std::string result;              // kYield: where the value goes
    TypeId java_type = -1;           // kYield
    bool break_used = false, continue_used = false, catch_used = false;
  };
  // Scalars in place of the fields of an object that is being constructed.
  struct Construction {
    SymbolId class_symbol = -1;
    bool is_straight = false;                // no jumps and no branches: each field is a value
    std::map<SymbolId, Value> values;        // is_straight
    std::map<SymbolId, std::string> fields;  // else: locals
    std::map<SymbolId, Value> stamps;        // of atomic variables, the same
    std::map<SymbolId, Value> captured;
    std::map<SymbolId, Value> outers;  // of it and its superclasses
  };

  // Statements.
  void block(const std::vector<StmtPtr>& statements);
  void plain_statement(const Stmt& it);
  void annotate(const Stmt& it, std::size_t first);
  void let_block(const Stmt& it, const std::vector<plato::Stmt*>& made, SourceRange range);
  plato::LoopSpec loop_spec(const Stmt* source);
  class Clauses clauses(SourceRange at);
  plato::StmtPtr taken_since(std::size_t first, SourceRange range);
  void declare(const LocalVar& it, SourceRange range);
  void if_statement(const If& it, SourceRange range);
  // `source`: where its annotations are.
  void loop(const Expr* condition, const Stmt* body, const std::vector<StmtPtr>* update, bool test_first,
            const std::string& label, const Stmt& source);
  void do_while(const DoWhile& it, const std::string& label, const Stmt& source);
  void for_each(const ForEach& it, const std::string& label, const Stmt& source);
  void labelled(const Labeled& it, const Stmt& source);
  void switch_cases(const Expr& selector, const std::vector<SwitchCase>& cases, SourceRange range);
  void try_statement(const Try& it, SourceRange range);
  void with_resources(const Try& it, std::size_t from, SourceRange range);
  bool guarded(const std::function<void()>& body, std::string& exception, SourceRange range);
  void synchronized_block(const Synchronized& it, SourceRange range);
  void return_statement(const Return& it, SourceRange range);
  void jump_to(std::size_t context, bool go_on, SourceRange range);
  void leave_contexts(std::size_t kept, bool by_exception, SourceRange range);
  Statements into_new_list(const std::function<void()>& work);
  void with_monitor(Value lock, SymbolId type, SourceRange range, SourceRange end, const std::function<void()>& body);
  void release(const Value& lock, SymbolId type, SourceRange range);
  void handle_exception(Value exception, SourceRange range);
  static void emit_before(Statements& list, plato::StmtPtr statement);
  static void emit_before(Statements& list, Statements first);
  bool ends_here(const Statements& list) const;

  // Expressions.
  Value constant(const std::string& text, TypeId type, SourceRange range);
  Value literal(const Literal& it, TypeId type, SourceRange range);
  // `wanted`: the type that the place asks for; -1: the value is not wanted.
  Value name(const Name& it, const Expr& expr, TypeId wanted);
  Value local_variable(SymbolId symbol, SourceRange range);
  Value select(const Select& it, const Expr& expr, TypeId wanted);
  Value read_field(Value object, SymbolId field, const Expr& expr, TypeId wanted);
  Value read_static(SymbolId field, const Expr& expr);
  std::string library_field(const Symbol& field) const;
  Value read(Value place, const plato::Type& type, SourceRange range);
  Value unary(const Unary& it, const Expr& expr, bool wanted);
  Value binary(const Binary& it, const Expr& expr);
  void convert_to_text(const Expr& operand);
  void compare_identities(const std::vector<Value>& sides, const Expr& left, const Expr& right, SourceRange range);
  bool may_be_box(TypeId id) const;      // although it is no box's
  bool may_be_closure(TypeId id) const;  // of a lambda expression
  void refuse_monitor(const Expr& lock, const Value& value);
  Value arithmetic(BinaryOp op, Value left, Value right, TypeId operand, SourceRange range);
  Value float_arithmetic(BinaryOp op, Value left, Value right, SourceRange range);
  Value short_circuit(const Binary& it, const Expr& expr);
  Value conditional(const Conditional& it, const Expr& expr);
  Value assign(const Assign& it, const Expr& expr, bool wanted);
  Value compound(const CompoundAssign& it, const Expr& expr, bool wanted);
  Value update(const Expr& expr, const std::function<Value(Value)>& change, bool old_value, bool wanted,
               SourceRange range);
  Value cast(const Cast& it, const Expr& expr);
  Value narrow(Value value, Prim to, SourceRange range);
  Value unbox_generic(Value value, TypeId from, TypeId to, SourceRange range);
  Value elements_as(Value array, TypeId element, TypeId to, SourceRange range);
  void expect_class(Value condition, bool checked, SourceRange range);
  Value cast_to_class(Value value, TypeId from, TypeId to, bool checked, SourceRange range);
  Value instance_of(const InstanceOf& it, const Expr& expr);
  Value switch_expression(const SwitchExpr& it, const Expr& expr);
  void needs_content(const std::string& text, const std::string& unknown, SourceRange range);
  Value unbox(Value value, TypeId from, SourceRange range);
  Value primitive_value(const Expr& expr);                    // unboxed, if its type is a box
  void discard(Value value, TypeId type, SourceRange range);  // unless nothing can fail in it
  Value box(Value value, Prim primitive, SourceRange range);
  std::optional<Prim> unboxed(TypeId type) const;
  void unsupported(const std::string& what, SourceRange range);  // and may do anything
  Value unsupported(const std::string& what, TypeId type, SourceRange range);
  // All that it does is to give a value: its operands were evaluated, no code of the program runs in it, nothing is thrown.
  Value unknown_value(const std::string& what, const plato::Type& type, SourceRange range);  // no object
  Value unknown_value(const std::string& what, TypeId type, SourceRange range);
  // Evaluates the later operands after the earlier ones: what the later ones could still change is kept in a temporary.
  std::vector<Value> in_order(const std::vector<std::function<Value()>>& operands,
                              const std::vector<plato::Type>& types, SourceRange range);
  bool is_stable(const plato::Expr& expr) const;
  bool may_fail(const plato::Expr& expr) const;
  std::string declare_local(SymbolId symbol, SourceRange range, std::optional<plato::Rhs> init);
  std::string declare_at_start(SymbolId symbol, SourceRange range);  // known in the whole procedure
  const Construction* constructing(const Expr* object) const;
  bool is_member(const Symbol& member) const;  // of the class whose code this is, inherited or not
  struct Target {                              // a place to be assigned
    Value place;                               // evaluated, can be copied
    plato::Type type;
    TypeId java = -1;
    bool is_local = false;
    SymbolId owner = -1;        // class of the object that has the field
    SymbolId constructed = -1;  // a field whose value Construction::values keeps
  };
  Target target(const Expr& expr);
  void write(Target place, plato::Rhs value, SourceRange range);
  Value constructed(const Construction& made, SymbolId field, SourceRange range);
  Value default_value(const plato::Type& type, SourceRange range);
  Value this_value(SourceRange range);

  // Clients.
  Value any_array(TypeId type, SourceRange range);
  Value any_index(const std::string& array, SourceRange range);
  void choose_values(SymbolId method, bool of_object, const std::function<void()>& choose);
  std::vector<Value> any_arguments(SymbolId method, SymbolId known, const std::string& self);
  Value field_as_client(SymbolId field);
  void assume_holds(Value condition, SourceRange range);
  void in_one_step(SourceRange range, const std::function<void()>& work);
  std::string declare_before(const plato::Type& type, SourceRange range, const char* wanted);
  void pick_known(const std::string& target, const plato::Type& type,
                  const std::function<Value(const std::string&)>& condition, SourceRange range);
  void make_known(const std::string& object, SourceRange range);
  void make_known(Value given, const plato::Type& type, SourceRange range);
  Value clients_answer(const Symbol& method, SourceRange range);

  // Calls and objects.
  Value call(const Call& it, const Expr& expr, TypeId wanted);
  void dispatch(const MethodDecl& specified);
  Value call_virtual(SymbolId method, Value receiver, SymbolId type, bool is_this, std::vector<Value> arguments,
                     SourceRange range);
  Value call_method(SymbolId method, Value receiver, std::vector<Value> arguments, SourceRange range);
  std::optional<Value> intrinsic(const Call& it, const Expr& expr);
  std::optional<Value> library_call(const Call& it, const Expr& expr);
  void call_of_interrupts(const char* name, std::vector<Value> arguments, SourceRange range);
  void refuse_locks(const plato::Expr& object, const Expr* written, SourceRange range);
  void wait_at(Value object, SourceRange range);

  // body_atomics.cc
  struct AtomicPlace {
    SymbolId field = -1;
    Value owner;
    SourceRange range;
  };
  SymbolId atomic_variable(const Expr& expr) const;
  Value stamp_variable(const Expr& array) const;
  std::vector<Value> contents(SymbolId field, const std::vector<ExprPtr>& given, SourceRange range);
  Value initial_content(SymbolId field, const Expr& made);
  Value atomic_call(const Call& it, SymbolId field, SourceRange range);
  Value atomic_step(const AtomicPlace& place, const std::string& method, const std::vector<Value>& given,
                    const Value& stamp_variable);

  // body_freeing.cc
  void atomically(SourceRange range, const std::function<void()>& work);
  Value read_of(const plato::Expr& object, SymbolId type, Value place, const plato::Type& of, SourceRange range);
  void free_object(const Call& it, SourceRange range);
  Value reused_object(const Call& it, const Expr& expr);
  void check_not_freed(const plato::Expr& object, SymbolId type, bool for_reading, SourceRange range);

  // body_library.cc
  std::optional<Value> known_library_call(const Call& it, const Expr& expr);
  Value smaller_or_larger(const Call& it, const Expr& expr);
  Value absolute(const Call& it, const Expr& expr);
  Value copy_of_array(const Call& it, const Expr& expr);
  void copy_between_arrays(const Call& it, SourceRange range);
  void fill_array(const Call& it, SourceRange range);
  struct Slice {  // of an array, from `first` on
    Value array, first;
  };
  void copy_elements(const plato::Type& element, const Slice& from, const Slice& to, const plato::Expr& count,
                     bool backwards, SourceRange range);
  void repeat(const plato::Expr& count, const std::function<void(const std::string& index)>& round, SourceRange range);
  bool has_plain_equals(SymbolId class_symbol) const;
  bool has_plain_superclass(SymbolId class_symbol) const;
  Value unknown_answer(const Symbol& method, SymbolId class_symbol, SourceRange range);
  Value compare_in_library(const Symbol& method, const Value& receiver, const plato::Expr& given, SourceRange range);
  Value call_foreign(SymbolId method, const Value& receiver, const std::vector<Value>& arguments, SymbolId type,
                     SourceRange range);
  std::vector<Value> arguments(const Symbol& method, const std::vector<ExprPtr>& given, TypeId varargs_element,
                               SourceRange range);
  Value new_object(const New& it, const Expr& expr);
  Value make_object(SymbolId class_symbol, SymbolId constructor, std::vector<Value> arguments, Value outer,
                    SourceRange range);
  void run_constructor(SymbolId class_symbol, SymbolId constructor, std::vector<Value> arguments, SourceRange range);
  // `given`: the types of the arguments.
  bool constructs_silently(SymbolId class_symbol, const std::vector<TypeId>& given) const;
  bool runs_text_method(const std::vector<TypeId>& given) const;
  void run_initialisers(SymbolId class_symbol);
  void check_requires(const MethodDecl& constructor);
  SymbolId default_constructor(SymbolId class_symbol) const;
  bool is_straight(SymbolId class_symbol) const;
  Value outer_for(SymbolId class_symbol, SourceRange range);
  std::map<SymbolId, Value> outers_for(SymbolId class_symbol, Value own, SourceRange range);
  std::pair<SymbolId, Value> innermost_instance(SourceRange range);
  Value instance_around(SymbolId at, Value object, SymbolId wanted, SourceRange range, bool exactly);
  Value captured_value(SymbolId symbol, SourceRange range) { return local_variable(symbol, range); }
  Value new_array(const NewArray& it, const Expr& expr);
  Value array_of(TypeId array_type, const std::vector<Value>& sizes, std::size_t from, SourceRange range);
  Value array_with(TypeId element, std::vector<std::function<Value()>> elements, SourceRange range);
  Value make_closure(const Expr& expr);
  Value enum_constants(SymbolId enum_symbol, SourceRange range);  // in a new array
  Value ordinal(Value constant, SymbolId enum_symbol, SourceRange range);

  Lowering& lowering_;
  const Classes& classes_;
  SymbolId class_symbol_;  // whose code this is
  std::string this_;       // the parameter; empty: static
  Names names_;
  std::map<SymbolId, std::string> locals_;
  std::set<SymbolId> in_switch_;       // declared by a case, for those after it too
  std::set<std::string> assigned_;     // program locals that may change; temporaries never do
  std::set<std::string> temporaries_;  // not of the source
  Statements at_start_;                // declarations of what is known in the whole procedure
  std::set<SymbolId> at_start_symbols_;
  std::vector<plato::Local> parameters_;
  std::vector<std::pair<SymbolId, std::string>> declared_;  // locals and parameters, in the order they came
  std::vector<std::pair<SymbolId, std::string>> visible_;   // those that the code at hand may name
  std::map<std::string, std::pair<std::string, TypeId>> java_parameters_;
  plato::Type result_;
  TypeId java_result_ = -1;
  bool throws_ = false;
  Statements root_;
  Statements* out_ = &root_;
  bool in_atomic_ = false;             // what is emitted will be part of one operation
  Statements* before_step_ = nullptr;  // client.cc: the list that the step being made will be in
  std::vector<Context> contexts_;
  std::size_t hidden_loop_ =
      0;  // contexts below this number are outside a loop that contexts_ has not: a finally clause runs in it
  std::set<const plato::Stmt*> of_leaving_;  // what jumps do at monitors and finally clauses on their way
  std::vector<Construction*> constructions_;
  std::string closure_;  // the parameter of a lambda's procedure: its object
  bool closure_has_outer_ = false;
  SourceRange closure_range_;    // of the lambda expression
  SymbolId method_around_ = -1;  // that it is written in
  std::set<SymbolId> captured_;  // locals of the code around: fields of the closure
  SymbolId dispatched_ = -1;     // the method that this procedure stands for, whichever runs
  std::string exception_;        // the local that calls leave exceptions in
};

}  // namespace concord::frontend::java
