// A Java program as the JDK's compiler understood it: attributed trees as plain data, closed sum types.
//
// The exporter (exporter/) writes them as JSON, import.h reads them back. Every name is resolved to a symbol, every type is
// erased, every expression has its static type after the conversion its place asks for being left to us: boxing, numeric
// promotion and the casts that erasure hides are not nodes of the tree; lowering compares types (docs/java-export.md).
//
// Reading order: types, symbols, expressions, statements, declarations, Unit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/source.h"

namespace concord::frontend::java {

using base::SourceRange;

// ---------------------------------------------------------------------------------------------------------------- types

using TypeId = int;    // into Unit::types; -1: none
using SymbolId = int;  // into Unit::symbols; -1: none

enum class Prim { kBoolean, kByte, kShort, kChar, kInt, kLong, kFloat, kDouble };

// Erased: a type variable is its bound, List<String> is List.
struct JavaType {
  enum class Kind { kPrimitive, kVoid, kNull, kClass, kArray, kOther } kind = Kind::kOther;  // kOther: of an erroneous or unusual node
  Prim primitive = Prim::kInt;  // kPrimitive
  SymbolId symbol = -1;         // kClass
  TypeId element = -1;          // kArray
  std::string text;             // as in Java: "int", "java.lang.String[]"
};

// -------------------------------------------------------------------------------------------------------------- symbols

struct Symbol {
  enum class Kind { kPackage, kClass, kMethod, kField, kLocal, kParameter, kOther } kind = Kind::kOther;
  std::string name;        // simple; a constructor is "<init>"; an anonymous class is ""
  std::string qualified;   // kClass: binary-like name with dots, "java.util.Map.Entry"; local and anonymous: "Outer$1Local"
  SymbolId owner = -1;     // class of a member, method (or class, for initialisers) of a local
  TypeId type = -1;        // of a field, local, parameter: its erased type; of a class: itself; of a method: what it returns
  // Flags.
  bool is_static = false, is_final = false, is_volatile = false, is_synchronized = false, is_abstract = false, is_native = false;
  bool is_public = false, is_protected = false, is_private = false;
  bool is_interface = false, is_enum = false, is_record = false, is_annotation = false;  // kClass
  bool is_enum_constant = false;                                                          // kField
  bool is_varargs = false, is_default = false, is_generated = false;  // kMethod; is_generated: not in the source (default constructor, values(), accessors)
  bool is_effectively_final = false;                                  // kLocal, kParameter
  bool is_from_source = false;  // declared in one of the files given (or in a stub, see Unit::stub_files)
  // kClass.
  SymbolId superclass = -1;
  std::vector<SymbolId> interfaces;  // direct
  std::vector<SymbolId> permits;     // of a sealed one: those that may extend or implement it directly. From source only
  SymbolId outer = -1;               // lexically enclosing class
  SymbolId outer_method = -1;        // local and anonymous classes: the method around them, unless it is an initialiser
  bool is_local = false;             // local or anonymous
  bool has_outer_instance = false;   // inner: `this` of the class around it is reachable
  std::vector<SymbolId> members;     // fields and methods, in source order; of classes not from source: empty
  // Methods of interfaces, and the inherited method that implements each although it does not override it: in
  // `class C extends B implements I`, where B knows nothing of I. From source only.
  std::vector<std::pair<SymbolId, SymbolId>> inherits;
  // kMethod.
  std::vector<TypeId> parameters;    // erased
  std::vector<SymbolId> overrides;   // methods of superclasses and interfaces that this one overrides or implements, all of them
  std::vector<TypeId> throws_;       // declared
  SymbolId declared_outer = -1;      // unused for other kinds
  // kField, kLocal: the compile-time constant, if it is one.
  std::optional<std::string> constant;  // as Literal::value
  SourceRange range;                    // of the declared name, if from source
};

// ---------------------------------------------------------------------------------------------------------- expressions

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;
struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;
struct ClassDecl;

struct Literal {
  enum class Kind { kInt, kLong, kFloat, kDouble, kBoolean, kChar, kString, kNull } kind = Kind::kInt;
  std::string value;  // decimal; true/false; a char as its number; a string unescaped, in UTF-8
};
struct Name { SymbolId symbol = -1; };                          // a local, parameter, field of some enclosing `this` or static, or class
struct This { SymbolId class_symbol = -1; };                    // `this`, `Outer.this`: the class meant
struct Select { ExprPtr object; SymbolId symbol = -1; bool is_length = false; };  // o.f, C.f (object null if static through a class), a.length
struct ClassLiteral { TypeId of = -1; };
struct Index { ExprPtr array; ExprPtr index; };
enum class UnaryOp { kPlus, kMinus, kNot, kComplement, kPreIncrement, kPreDecrement, kPostIncrement, kPostDecrement };
struct Unary { UnaryOp op; ExprPtr operand; };
enum class BinaryOp {
  kAdd, kSub, kMul, kDiv, kRem, kShl, kShr, kUshr, kLt, kLe, kGt, kGe, kEq, kNe, kAnd, kOr, kXor, kAndAnd, kOrOr,
};
// operand: the type both sides are promoted to (for shifts: of the left), as the compiler chose the operator: int, long, float, double, boolean, String
// (concatenation) or Object (comparison of references).
struct Binary { BinaryOp op; ExprPtr left; ExprPtr right; TypeId operand = -1; };
struct Assign { ExprPtr target; ExprPtr value; };
struct CompoundAssign { BinaryOp op; ExprPtr target; ExprPtr value; TypeId operand = -1; };
struct Conditional { ExprPtr condition; ExprPtr then; ExprPtr otherwise; };
struct Call {
  SymbolId method = -1;
  ExprPtr receiver;                // null: unqualified (of `this` or an outer instance, or static) or static through a class
  bool is_super = false;           // super.m(), Outer.super.m(): the receiver is a This; or super(…) for a constructor
  bool is_this_constructor = false;// this(…)
  std::vector<ExprPtr> arguments;
  TypeId varargs_element = -1;     // the call passes its last arguments as an array of these; -1: it does not
};
struct New {
  SymbolId class_symbol = -1;      // the class made; for an anonymous class that class itself
  SymbolId constructor = -1;
  ExprPtr outer;                   // o.new Inner()
  std::vector<ExprPtr> arguments;
  TypeId varargs_element = -1;
  std::shared_ptr<ClassDecl> body; // anonymous class
};
struct NewArray { TypeId element = -1; std::vector<ExprPtr> dimensions; int extra_dimensions = 0; std::optional<std::vector<ExprPtr>> initialisers; };
struct Cast { ExprPtr operand; TypeId to = -1; };
struct InstanceOf { ExprPtr operand; TypeId tested = -1; SymbolId binding = -1; };   // binding: pattern variable
struct Parameter { SymbolId symbol = -1; SourceRange range; };
struct Lambda {
  SymbolId interface_symbol = -1;  // the functional interface
  SymbolId method = -1;            // its method
  std::vector<Parameter> parameters;
  ExprPtr expression;              // one of the two
  StmtPtr block;
};
struct MethodRef { SymbolId interface_symbol = -1; SymbolId method = -1; SymbolId target = -1; ExprPtr receiver; bool is_constructor = false; bool is_super = false; TypeId of = -1; };
struct SwitchCase {
  std::vector<ExprPtr> labels;     // constants: Literal, or Name/Select of an enum constant; empty and is_default: default
  bool is_default = false;
  bool is_arrow = false;
  std::vector<StmtPtr> body;       // is_arrow: one statement; of a switch expression an expression `-> e` arrives as Yield
  SourceRange range;
};
struct SwitchExpr { ExprPtr selector; std::vector<SwitchCase> cases; };
struct UnsupportedExpr { std::string what; };  // a node the exporter does not know

struct Expr {
  using Node = std::variant<Literal, Name, This, Select, ClassLiteral, Index, Unary, Binary, Assign, CompoundAssign, Conditional, Call, New,
                            NewArray, Cast, InstanceOf, Lambda, MethodRef, SwitchExpr, UnsupportedExpr>;
  Node node;
  SourceRange range;
  TypeId type = -1;                     // erased static type; of a generic call what the call's own type erases to, not the method's
  std::optional<std::string> constant;  // folded by the compiler, as Literal::value
};

// ----------------------------------------------------------------------------------------------------------- statements

struct Block { std::vector<StmtPtr> statements; SourceRange end; };  // end: the closing brace
struct LocalVar { SymbolId symbol = -1; ExprPtr init; };
struct LocalClass { std::shared_ptr<ClassDecl> declaration; };
struct ExprStmt { ExprPtr expression; };
struct If { ExprPtr condition; StmtPtr then; StmtPtr otherwise; };
struct While { ExprPtr condition; StmtPtr body; };
struct DoWhile { StmtPtr body; ExprPtr condition; };
struct For { std::vector<StmtPtr> init; ExprPtr condition; std::vector<StmtPtr> update; StmtPtr body; };
struct ForEach { SymbolId variable = -1; ExprPtr collection; StmtPtr body; };
struct Labeled { std::string label; StmtPtr body; };
struct Switch { ExprPtr selector; std::vector<SwitchCase> cases; };
struct Return { ExprPtr value; };
struct Break { std::string label; };
struct Continue { std::string label; };
struct Yield { ExprPtr value; };
struct Throw { ExprPtr value; };
struct Catch { SymbolId variable = -1; std::vector<TypeId> types; StmtPtr body; SourceRange range; };
struct Try { std::vector<StmtPtr> resources; StmtPtr body; std::vector<Catch> catches; StmtPtr finally; };  // a resource: LocalVar, or ExprStmt
struct Synchronized { ExprPtr lock; StmtPtr body; };
struct Assert { ExprPtr condition; ExprPtr detail; };
struct Empty {};
struct UnsupportedStmt { std::string what; };

struct Stmt {
  using Node = std::variant<Block, LocalVar, LocalClass, ExprStmt, If, While, DoWhile, For, ForEach, Labeled, Switch, Return, Break, Continue, Yield,
                            Throw, Try, Synchronized, Assert, Empty, UnsupportedStmt>;
  Node node;
  SourceRange range;
};

// --------------------------------------------------------------------------------------------------------- declarations

struct Annotation {            // @GuardedBy("this")
  std::string name;            // simple
  std::string argument;        // `value`, if it is one string; else empty
  SourceRange range;
  SourceRange argument_range;  // inside the quotes
};
struct FieldDecl { SymbolId symbol = -1; ExprPtr init; std::vector<Annotation> annotations; SourceRange range; };  // an enum constant has a New as init
struct MethodDecl {
  SymbolId symbol = -1;
  std::vector<Parameter> parameters;
  StmtPtr body;                // null: abstract, native
  std::vector<Annotation> annotations;
  SourceRange range;
};
struct Initialiser { bool is_static = false; StmtPtr body; };
using Member = std::variant<FieldDecl, MethodDecl, Initialiser, std::shared_ptr<ClassDecl>>;
struct ClassDecl {
  SymbolId symbol = -1;
  std::vector<Member> members;  // in source order
  std::vector<Annotation> annotations;
  SourceRange range;
  SourceRange body;             // from { to }
};

struct Comment { SourceRange range; bool is_line = false; };  // whole, marks included

struct Unit {
  std::vector<JavaType> types;
  std::vector<Symbol> symbols;
  std::vector<std::shared_ptr<ClassDecl>> classes;  // top level, all files, in order; stubs last
  std::vector<Comment> comments;                    // in source order, by file
  std::vector<Annotation> local_annotations;        // of parameters and local variables
  std::vector<SourceRange> unchecked;               // where javac warns of an unchecked conversion or call
  std::vector<std::uint32_t> stub_files;            // files of the SourceMap that are library stubs
};

}  // namespace concord::frontend::java
