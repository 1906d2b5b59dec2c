#include "frontend/java/build.h"

#include <memory>

#include "base/check.h"
#include "base/overloaded.h"

namespace concord::frontend::java::build {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

// ---------------------------------------------------------------------------------------------------------------- types

Type simple(Type::Kind kind) {
  Type out;
  out.kind = kind;
  return out;
}

Type named(std::string name) {
  Type out;
  out.kind = Type::Kind::kNamed;
  out.name = std::move(name);
  return out;
}

Type integer(const std::string& name) {
  Type out = simple(Type::Kind::kInt);
  out.values = plato::range_named(name);
  return out;
}

Type array_of(Type element) {
  Type out;
  out.kind = Type::Kind::kArray;
  out.first = std::make_shared<const Type>(std::move(element));
  return out;
}

Type map_of(Type key, Type value) {
  Type out;
  out.kind = Type::Kind::kMap;
  out.first = std::make_shared<const Type>(std::move(key));
  out.second = std::make_shared<const Type>(std::move(value));
  return out;
}

// ---------------------------------------------------------------------------------------------------------- expressions

ExprPtr make(Expr::Node node, SourceRange range) {
  auto out = std::make_unique<Expr>();
  out->node = std::move(node);
  out->range = range;
  return out;
}

ExprPtr name(std::string name, SourceRange range) { return make(NameExpr{std::move(name), false, {}}, range); }
ExprPtr number(std::int64_t value, SourceRange range) { return make(IntLit{value}, range); }
ExprPtr truth(bool value, SourceRange range) { return make(BoolLit{value}, range); }
ExprPtr null(SourceRange range) { return make(NullLit{}, range); }
ExprPtr self(SourceRange range) { return make(ThisExpr{}, range); }
ExprPtr none(SourceRange range) { return make(NoneLit{}, range); }
ExprPtr tid(SourceRange range) { return make(TidExpr{true}, range); }

ExprPtr field(ExprPtr object, std::string field, SourceRange range) {
  FieldExpr out;
  out.object = std::move(object);
  out.field = std::move(field);
  out.field_range = range;
  return make(std::move(out), range);
}

ExprPtr element(ExprPtr array, ExprPtr index, SourceRange range) {
  return make(IndexExpr{std::move(array), std::move(index), false}, range);
}

ExprPtr unary(UnaryOp op, ExprPtr operand, SourceRange range) { return make(UnaryExpr{op, std::move(operand)}, range); }

ExprPtr binary(BinaryOp op, ExprPtr left, ExprPtr right, SourceRange range) {
  return make(BinaryExpr{op, std::move(left), std::move(right)}, range);
}

ExprPtr conditional(ExprPtr condition, ExprPtr then, ExprPtr otherwise, SourceRange range) {
  return make(ConditionalExpr{std::move(condition), std::move(then), std::move(otherwise)}, range);
}

ExprPtr wrap(ExprPtr operand, int bits, bool is_signed, SourceRange range) {
  return make(WrapExpr{std::move(operand), bits, is_signed}, range);
}

ExprPtr floating(int size, const std::string& text, SourceRange range) {
  const std::optional<std::int64_t> bits = plato::float_bits(size, text);
  if (!bits) base::internal_error(__FILE__, __LINE__, "no floating-point number: " + text);
  return make(FloatLit{size, *bits}, range);
}

ExprPtr floating(plato::FloatOp op, ExprPtr left, ExprPtr right, SourceRange range) {
  return make(FloatExpr{op, std::move(left), std::move(right)}, range);
}

ExprPtr cast(ExprPtr operand, std::string class_name, SourceRange range) {
  return make(CastExpr{std::move(operand), std::move(class_name), range, -1}, range);
}

ExprPtr instance_of(ExprPtr operand, std::string class_name, SourceRange range) {
  InstanceOf out;
  out.thread = std::move(operand);
  out.procedure = std::move(class_name);
  out.procedure_range = range;
  return make(std::move(out), range);
}

ExprPtr is_null(ExprPtr operand, SourceRange range) {
  return binary(BinaryOp::kEq, std::move(operand), null(range), range);
}

ExprPtr negation(ExprPtr operand, SourceRange range) {
  if (auto* inner = std::get_if<UnaryExpr>(&operand->node); inner != nullptr && inner->op == UnaryOp::kNot) {
    return std::move(inner->operand);
  }
  return unary(UnaryOp::kNot, std::move(operand), range);
}

namespace {

ExprPtr chain(BinaryOp op, bool empty, std::vector<ExprPtr> parts, SourceRange range) {
  if (parts.empty()) return truth(empty, range);
  ExprPtr out = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) out = binary(op, std::move(out), std::move(parts[i]), range);
  return out;
}

}  // namespace

ExprPtr all_of(std::vector<ExprPtr> parts, SourceRange range) {
  return chain(BinaryOp::kAnd, true, std::move(parts), range);
}
ExprPtr any_of(std::vector<ExprPtr> parts, SourceRange range) {
  return chain(BinaryOp::kOr, false, std::move(parts), range);
}

// ----------------------------------------------------------------------------------------------------------- statements

StmtPtr make(Stmt::Node node, SourceRange range) {
  auto out = std::make_unique<Stmt>();
  out->node = std::move(node);
  out->range = range;
  return out;
}

StmtPtr block(std::vector<StmtPtr> statements, SourceRange range) { return make(Block{std::move(statements)}, range); }

StmtPtr local(std::string name, Type type, std::optional<Rhs> init, SourceRange range) {
  LocalDecl out;
  out.name = std::move(name);
  out.name_range = range;
  out.type = std::move(type);
  out.init = std::move(init);
  return make(std::move(out), range);
}

StmtPtr assign(ExprPtr target, Rhs value, SourceRange range) {
  return make(Assign{std::move(target), std::move(value)}, range);
}

StmtPtr if_else(ExprPtr condition, std::vector<StmtPtr> then, std::vector<StmtPtr> otherwise, SourceRange range) {
  StmtPtr other = otherwise.empty() ? nullptr : block(std::move(otherwise), range);
  return make(If{std::move(condition), block(std::move(then), range), std::move(other)}, range);
}

StmtPtr loop_while(ExprPtr condition, std::vector<StmtPtr> body, SourceRange range) {
  While out;
  out.condition = std::move(condition);
  out.body = block(std::move(body), range);
  return make(std::move(out), range);
}

StmtPtr labeled(std::string label, StmtPtr body, SourceRange range) {
  Labeled out;
  out.label = std::move(label);
  out.label_range = range;
  out.body = std::move(body);
  return make(std::move(out), range);
}

StmtPtr labeled(std::string label, std::vector<StmtPtr> body, SourceRange range) {
  return labeled(std::move(label), block(std::move(body), range), range);
}

StmtPtr leave(std::string label, SourceRange range) { return make(Break{std::move(label), range}, range); }

CallTarget target(std::string procedure, std::vector<ExprPtr> arguments, SourceRange range) {
  CallTarget out;
  out.procedure = std::move(procedure);
  out.procedure_range = range;
  out.arguments = std::move(arguments);
  out.range = range;
  return out;
}

}  // namespace concord::frontend::java::build
