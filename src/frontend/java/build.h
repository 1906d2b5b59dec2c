// Making Plato: one short function per node, so that lowering reads like the program it makes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plato/copy.h"
#include "plato/syntax.h"

namespace concord::frontend::java::build {

using base::SourceRange;
using plato::ExprPtr;
using plato::StmtPtr;
using plato::Type;

// ---- types
Type simple(Type::Kind kind);
Type named(std::string name);
Type integer(const std::string& name);  // int8, …; int: unbounded
Type array_of(Type element);
Type map_of(Type key, Type value);

// ---- expressions
ExprPtr make(plato::Expr::Node node, SourceRange range);
ExprPtr name(std::string name, SourceRange range);
ExprPtr number(std::int64_t value, SourceRange range);
ExprPtr truth(bool value, SourceRange range);
ExprPtr null(SourceRange range);
ExprPtr self(SourceRange range);  // `this` of a clause
ExprPtr none(SourceRange range);
ExprPtr tid(SourceRange range);
ExprPtr field(ExprPtr object, std::string field, SourceRange range);
ExprPtr element(ExprPtr array, ExprPtr index, SourceRange range);
ExprPtr unary(plato::UnaryOp op, ExprPtr operand, SourceRange range);
ExprPtr binary(plato::BinaryOp op, ExprPtr left, ExprPtr right, SourceRange range);
ExprPtr conditional(ExprPtr condition, ExprPtr then, ExprPtr otherwise, SourceRange range);
ExprPtr wrap(ExprPtr operand, int bits, bool is_signed, SourceRange range);
ExprPtr floating(int size, const std::string& text, SourceRange range);  // as Java prints it: 1.5, 1.0E10, NaN
ExprPtr floating(plato::FloatOp op, ExprPtr left, ExprPtr right, SourceRange range);  // right may be null
ExprPtr cast(ExprPtr operand, std::string class_name, SourceRange range);
ExprPtr instance_of(ExprPtr operand, std::string class_name, SourceRange range);
ExprPtr is_null(ExprPtr operand, SourceRange range);
ExprPtr negation(ExprPtr operand, SourceRange range);
// The conjunction, or disjunction, of several; true, or false, of none.
ExprPtr all_of(std::vector<ExprPtr> parts, SourceRange range);
ExprPtr any_of(std::vector<ExprPtr> parts, SourceRange range);
using plato::copy;

// ---- statements
StmtPtr make(plato::Stmt::Node node, SourceRange range);
StmtPtr block(std::vector<StmtPtr> statements, SourceRange range);
StmtPtr local(std::string name, Type type, std::optional<plato::Rhs> init, SourceRange range);
StmtPtr assign(ExprPtr target, plato::Rhs value, SourceRange range);
StmtPtr if_else(ExprPtr condition, std::vector<StmtPtr> then, std::vector<StmtPtr> otherwise, SourceRange range);
StmtPtr loop_while(ExprPtr condition, std::vector<StmtPtr> body, SourceRange range);
StmtPtr labeled(std::string label, StmtPtr body, SourceRange range);
StmtPtr labeled(std::string label, std::vector<StmtPtr> body, SourceRange range);
StmtPtr leave(std::string label, SourceRange range);  // break; an empty label: the innermost loop
plato::CallTarget target(std::string procedure, std::vector<ExprPtr> arguments, SourceRange range);

}  // namespace concord::frontend::java::build
