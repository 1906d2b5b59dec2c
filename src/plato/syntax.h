// The syntax tree of Plato: plain data, closed sum types.
//
// Reading order: expressions, statements, contracts, declarations, Program. The reader (reader.h) fills names and ranges;
// check_well_formed (wellformed.h) resolves every name in place and fills the fields marked "resolved:". Everything after
// that, engines included, works on a well-formed Program and never looks at a name again except to print it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "plato/floating.h"
#include "plato/type.h"

namespace concord::plato {

using base::SourceRange;

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// ---------------------------------------------------------------------------------------------------------- expressions

// What a name stands for.
struct Ref {
  enum class Kind {
    kUnresolved,
    kShared,     // index into Program::variables
    kConst,      // index into Program::consts
    kEnumConst,  // index: the constant's number; Expr::type has the enum
    kThread,     // index into Program::threads: the identity of a named thread
    kLocal,      // slot in the procedure's frame (parameters first)
    kBound,      // quantified variable: number of binders between it and the root of the clause or statement expression,
                 // outermost first: the depth at which it is bound
    kField,      // in a clause of a class: field `index` of `this`
    kMonitorHolder,  // in a clause of a class: bare `holder`
    kMonitorDepth,   // in a clause of a class: bare `depth`
  };
  Kind kind = Kind::kUnresolved;
  int index = -1;
};

struct IntLit { std::int64_t value = 0; };
struct BoolLit { bool value = false; };
struct FloatLit { int size = 64; std::int64_t bits = 0; };  // \float64("1.5")
struct NullLit {};
struct NoneLit {};
struct TidExpr { bool is_escaped = false; };  // the running thread; is_escaped: spelled `\tid`
struct ThisExpr {};         // in a clause of a class
struct ResultExpr {};       // \result
struct ThreadIndex {};      // `index` in the arguments of a thread declaration
struct Star {};             // `*`: only as a whole condition or initialiser
struct NameExpr {
  std::string name;
  bool primed = false;
  Ref ref;                  // resolved:
  bool is_escaped = false;  // spelled `\main`
};
struct FieldExpr {          // o.f, a.length, m.holder, m.depth
  ExprPtr object;
  std::string field;
  bool primed = false;
  SourceRange field_range;
  enum class Kind { kUnresolved, kField, kLength, kHolder, kDepth } kind = Kind::kUnresolved;  // resolved:
  int index = -1;           // resolved: kField: the field's number in the class of `object` (classes.h)
};
struct IndexExpr {          // m[k], a[i]; which of the two: the type of base
  ExprPtr base;
  ExprPtr index;
  bool primed = false;
};
enum class UnaryOp { kNot, kMinus, kNonNull };  // kNonNull: \nonnull(e), e itself unless it is null
struct UnaryExpr { UnaryOp op; ExprPtr operand; };
enum class BinaryOp {
  kIff, kImplies, kOr, kAnd, kEq, kNe, kLt, kLe, kGt, kGe, kIn,
  kAdd, kSub, kMul, kDiv, kMod, kIntersect,   // kAdd, kSub, kLe on sets too, by type of left
  kBitAnd, kBitOr, kBitXor, kShl, kShr,       // \bitand(a, b), …: of integers in two's complement, as long as needed
};
struct BinaryExpr { BinaryOp op; ExprPtr left; ExprPtr right; };
struct ConditionalExpr { ExprPtr condition; ExprPtr then; ExprPtr otherwise; };
struct OldExpr { ExprPtr operand; };
struct WrapExpr { ExprPtr operand; int bits = 32; bool is_signed = true; };  // \wrap(e, N), \uwrap(e, N)
struct FloatExpr { FloatOp op; ExprPtr left; ExprPtr right; };  // \fadd(a, b), …; right may be null
struct BoundVariable { std::string name; Type type; SourceRange range; };
struct QuantifierExpr {
  bool is_forall = true;
  std::vector<BoundVariable> variables;
  ExprPtr body;             // (\forall T x; R; P) is read as R ==> P, (\exists T x; R; P) as R && P
};
// (\sum int k; lo <= k && k < hi; body): the integers k in a range that has both ends. The range and the body see k.
struct SumExpr {
  BoundVariable variable;
  ExprPtr range;            // exactly two comparisons of k, one from below and one from above (sum_bounds)
  ExprPtr body;
};
struct SetLit { std::vector<ExprPtr> elements; };
struct MapConst { ExprPtr value; };                       // map(e)
struct MapUpdate { ExprPtr map; ExprPtr key; ExprPtr value; };  // m[k := v]
struct SizeExpr { ExprPtr set; };
struct InstanceOf {         // t instanceof p: thread t entered at procedure p; o instanceof C: object o is of class C
  ExprPtr thread;           // or the object
  std::string procedure;    // or the class
  SourceRange procedure_range;
  int index = -1;           // resolved: the procedure; -1: it is a class
  int class_index = -1;     // resolved: the class; -1: it is a procedure
};
struct CastExpr {           // o as C
  ExprPtr operand;
  std::string class_name;
  SourceRange class_range;
  int class_index = -1;     // resolved:
};
struct HoldsExpr { ExprPtr lock; };                       // \holds(l)
struct ShapeExpr {                                        // \reach(x, f, y), \acyclic(x, f), \list(x, f)
  enum class Kind { kReach, kAcyclic, kList } kind;
  ExprPtr from;
  std::string field;
  SourceRange field_range;
  ExprPtr to;               // kReach only
  int index = -1;           // resolved: the field's number
};

struct Expr {
  using Node = std::variant<IntLit, BoolLit, NullLit, NoneLit, TidExpr, ThisExpr, ResultExpr, ThreadIndex, Star, NameExpr,
                            FieldExpr, IndexExpr, UnaryExpr, BinaryExpr, ConditionalExpr, OldExpr, QuantifierExpr, SetLit,
                            MapConst, MapUpdate, SizeExpr, InstanceOf, HoldsExpr, ShapeExpr, WrapExpr,
                            CastExpr, FloatLit, FloatExpr, SumExpr>;
  Node node;
  SourceRange range;
  Type type;                // resolved:
};

// A predicate over a step: with a frame, only the listed locations may change.
struct TwoState {
  ExprPtr predicate;
  std::optional<std::vector<ExprPtr>> frame;
  bool uses_old = false;    // resolved: JML style (\old(x) before, x after); else primes
  SourceRange range;
};

// ----------------------------------------------------------------------------------------------------------- statements

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

struct Block { std::vector<StmtPtr> statements; };

struct CallTarget {         // p(e, …): the procedure and its arguments, of a call or a start
  std::string procedure;
  SourceRange procedure_range;
  std::vector<ExprPtr> arguments;
  SourceRange range;        // of all this
  int index = -1;           // resolved: into Program::procedures
  std::string catches;      // `catch v`, of a call: the local variable that an exception goes to; may be empty
  SourceRange catch_range;  // that name
  int catch_slot = -1;      // resolved:
  bool is_within_requires = false;  // `within requires`, of a call: waits until the precondition holds
};
struct NewObject {
  std::string class_name;
  SourceRange class_range;
  struct Init { std::string field; SourceRange range; ExprPtr value; int index = -1; };  // resolved: index
  std::vector<Init> inits;
  int class_index = -1;     // resolved:
};
struct NewArray { Type element; ExprPtr size; };
struct CasExpr { ExprPtr location; ExprPtr expected; ExprPtr value; };
struct CallExpr { CallTarget target; };
struct StartExpr { CallTarget target; };
// What may stand right of `=` in a statement.
using Rhs = std::variant<ExprPtr, NewObject, NewArray, CasExpr, CallExpr, StartExpr>;

struct LocalDecl {
  std::string name;
  SourceRange name_range;
  Type type;
  std::optional<Rhs> init;
  int slot = -1;            // resolved:
};
struct Assign { ExprPtr target; Rhs value; };   // `x += e`, `x++` are read as `x = x + e`, `x = x + 1`
struct LoopSpec {
  std::vector<ExprPtr> invariants;
  std::optional<std::vector<ExprPtr>> modifies;
};
struct If { ExprPtr condition; StmtPtr then; StmtPtr otherwise; };  // otherwise may be null
struct While { ExprPtr condition; LoopSpec spec; StmtPtr body; };
struct Choose { std::vector<StmtPtr> branches; };
struct Loop { LoopSpec spec; StmtPtr body; };
struct Labeled { std::string label; SourceRange label_range; StmtPtr body; };  // `break` and `continue` may name it
struct Break { std::string label; SourceRange label_range; };     // without a label: the innermost loop
struct Continue { std::string label; SourceRange label_range; };  // likewise
struct Return { ExprPtr value; };               // value may be null
struct Throw { ExprPtr value; };
struct Assert { ExprPtr condition; std::string kind; SourceRange kind_range; };  // kind: of the finding; empty: assertion
// is_await: spelled `await`. is_definition: it says what a local variable is that got any value before; so it never waits. Nobody can write that.
struct Assume { ExprPtr condition; bool is_await = false; bool is_definition = false; };
struct Havoc { std::vector<ExprPtr> targets; ExprPtr low; ExprPtr high; };  // low, high: both or neither
struct CasSwap { ExprPtr location; ExprPtr expected; ExprPtr value; };
struct Acquire { ExprPtr lock; };
struct Release { ExprPtr lock; };
struct Wait { ExprPtr lock; };
struct Notify { ExprPtr lock; bool all = false; };
struct Start { CallTarget target; };
struct Join { ExprPtr thread; };
struct Call { CallTarget target; };
struct Atomic { StmtPtr body; bool trusted = false; };
// `exclusive name { … }`: never are two threads inside regions of one name. Without a body: `leave name;`.
struct Exclusive { std::string region; SourceRange region_range; StmtPtr body; };
struct Skip {};
struct Initialised {};       // from here on the claims hold, final variables do not change, and the other threads run
struct Direct { ExprPtr wrong_unless; TwoState action; };     // p ? <X>_{V}; wrong_unless may be null
struct Unsupported {        // what stands here could not be translated; its effect: these locals get unknown values
  std::string reason;
  SourceRange reason_range;
  std::vector<ExprPtr> targets;  // empty: nothing is known of its effect
};
struct GhostSet { ExprPtr target; ExprPtr value; SourceRange range; };
struct SetStmt { GhostSet set; };               // `set` in its turn inside `atomic`; elsewhere it joins Stmt::sets

struct Waiver {
  std::string kind;
  SourceRange kind_range;
  std::string reason;
  SourceRange range;
  std::optional<SourceRange> covers = {};  // of a program that was translated: the statement there that it belongs to
};

struct Stmt {
  using Node = std::variant<Block, LocalDecl, Assign, If, While, Choose, Loop, Labeled, Break, Continue, Return, Throw, Assert, Assume, Havoc,
                            CasSwap, Acquire, Release, Wait, Notify, Start, Join, Call, Atomic, Exclusive, Skip, Initialised, Direct, Unsupported,
                            SetStmt>;
  Node node;
  SourceRange range;               // the statement itself, without what follows in `sets`
  std::vector<GhostSet> sets;      // ghost assignments in the same operation, in order
  std::string witness;             // `set \witness = "name";`: a hint which action this is; may be empty
  SourceRange witness_range;
  bool may_block = false;
  std::vector<Waiver> waivers;
  bool is_assertion_waived = false;  // resolved: it lies in something with such a waiver
};

// ------------------------------------------------------------------------------------------------------------ contracts

struct Action {
  std::string name;                // may be empty
  std::vector<ExprPtr> also_modifies;
  ExprPtr ensures;
  bool uses_old = false;           // resolved:
  SourceRange range;
};

struct Contract {
  std::vector<ExprPtr> requires_;
  std::vector<ExprPtr> ensures;
  std::vector<ExprPtr> signals;    // as `ensures`, when it throws; \result is the exception
  std::optional<std::vector<ExprPtr>> modifies;
  std::vector<Action> actions;
  bool is_inline = false;
  bool has_abstraction() const { return modifies.has_value() || !actions.empty(); }
};

// --------------------------------------------------------------------------------------------------------- declarations

struct FieldClause {
  enum class Kind { kUnwritableByEnvIf, kElemsUnwritableByEnvIf, kWritableIf, kGuardedBy } kind;
  std::string bound;               // kElemsUnwritableByEnvIf: the element's index, a kBound variable
  ExprPtr expr;
  SourceRange range;
};

// A shared variable, or a field of a class.
struct Variable {
  std::string name;
  Type type;
  ExprPtr init;                    // null: the type's default; may be Star
  bool is_ghost = false;
  bool is_abstract = false;        // spelled `abstract`: a ghost all the same
  bool is_volatile = false;
  bool is_thread_local = false;
  bool is_unraced = false;         // accesses are no races and order nothing: what belongs to the runtime of a language
  bool is_final = false;           // keeps its value for ever: the initial one, that of `new C(f = e)`, or what it has at `initialised`
  std::vector<FieldClause> clauses;
  std::vector<Waiver> waivers;
  SourceRange range;
  SourceRange name_range;
  int module = 0;
};

struct Enum {
  std::string name;
  struct Constant { std::string name; SourceRange range; };
  std::vector<Constant> constants;
  SourceRange range;
  SourceRange name_range;
  int module = 0;
};

// global_invariant, invariant, initially, finally, env_assumption, guarantee. `predicate.frame` only for the two-state kinds.
struct Clause {
  enum class Kind { kGlobalInvariant, kMonitorInvariant, kInitially, kFinally, kEnvAssumption, kGuarantee } kind;
  TwoState predicate;
  int class_index = -1;            // resolved: the class whose `this` it speaks of, or -1
  std::vector<Waiver> waivers;
  SourceRange range;
  int module = 0;
};

struct Class {
  std::string name;
  std::string extends;             // the class whose fields and clauses it has too; may be empty
  SourceRange extends_range;
  int base = -1;                   // resolved: that class, or -1
  std::vector<Variable> fields;    // its own; those it inherits are found with classes.h
  std::vector<int> clauses;        // indices into Program::clauses, in order
  SourceRange range;
  SourceRange name_range;
  int module = 0;
};

struct Const {
  std::string name;
  Type type;
  ExprPtr value;                   // null: symbolic
  SourceRange range;
  SourceRange name_range;
  int module = 0;
};

struct LockOrder {
  ExprPtr before;
  ExprPtr after;
  ExprPtr when;                    // may be null
  // The names of `before`, `after` and `when` that are declared nowhere: implicitly bound integers (kBound).
  std::vector<std::string> bound;  // resolved:
  std::vector<Waiver> waivers;
  SourceRange range;
  int module = 0;
};

struct Local {
  std::string name;
  Type type;
  SourceRange range;
};

// `abstracted by A`: the abstract thread that a thread is checked against.
struct Abstracted {
  std::string by;                  // empty: there is none
  SourceRange range;               // from `abstracted` to that name
  SourceRange name_range;
  int index = -1;                  // resolved: into Program::abstract_threads
};

struct Procedure {
  std::string name;
  std::vector<Local> parameters;
  Type result;                     // kNone: no result
  Type throws;                     // kNone: it does not throw
  Contract contract;
  Abstracted abstracted;           // of each thread that is started here
  StmtPtr body;
  std::vector<Local> locals;       // resolved: every slot of the frame, parameters first
  std::vector<Waiver> waivers;
  SourceRange range;
  SourceRange name_range;
  SourceRange end_range;           // the closing brace: where an implicit return happens
  int module = 0;
};

struct Thread {
  enum class Count { kNumber, kSymbol, kUnbounded } count = Count::kNumber;
  std::int64_t number = 1;         // kNumber
  bool has_brackets = false;       // written as thread[…]
  std::string symbol;              // kSymbol: a constant of type int
  SourceRange symbol_range;
  int const_index = -1;            // resolved: kSymbol
  std::string name;                // may be empty; else count is the number 1
  CallTarget target;
  Abstracted abstracted;
  std::vector<Waiver> waivers;
  SourceRange range;
  int module = 0;
};

struct AbstractThread {
  struct Node { std::string name; bool initial = false; ExprPtr assertion; SourceRange range; };  // assertion may be null
  struct Edge {
    std::string from, to;
    SourceRange from_range, to_range;
    TwoState step;
    int from_index = -1, to_index = -1;  // resolved:
    SourceRange range;
  };
  std::string name;
  bool idle = true;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  SourceRange range;
  SourceRange name_range;
  int module = 0;
};

struct Check { std::vector<std::string> kinds; std::vector<SourceRange> kind_ranges; SourceRange range; int module = 0; };

// One entry of a module in source order: which list of Program, and where in it.
struct Item {
  enum class Kind { kEnum, kClass, kConst, kVariable, kClause, kLockOrder, kProcedure, kThread, kAbstractThread, kCheck } kind;
  int index;
};

struct Module {
  std::string name;                // empty: the unnamed module, always Program::modules[0]
  std::vector<std::string> uses;
  std::vector<SourceRange> uses_ranges;
  std::vector<bool> sees;          // resolved: by module index, itself included
  std::vector<Item> items;         // in source order
  SourceRange range;
  SourceRange name_range;
};

struct Program {
  std::vector<Module> modules;
  std::vector<Enum> enums;
  std::vector<Class> classes;
  std::vector<Const> consts;
  std::vector<Variable> variables;
  std::vector<Clause> clauses;     // of modules and of classes
  std::vector<LockOrder> lock_orders;
  std::vector<Procedure> procedures;
  std::vector<Thread> threads;
  std::vector<AbstractThread> abstract_threads;
  std::vector<Check> checks;
  int initialiser = -1;            // resolved: the procedure with `initialised`, which runs alone up to there; -1: none
};

}  // namespace concord::plato
