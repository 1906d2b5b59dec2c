// Expressions, two-state predicates and types: a Pratt parser over the table of docs/plato.md, section 4.
#include <algorithm>
#include <charconv>
#include <limits>

#include "plato/operators.h"
#include "plato/parser.h"

namespace concord::plato {

namespace {

constexpr int kNotInfix = -1;

const std::vector<std::string>& escaped_words() {
  static const auto* const kWords = [] {
    auto* out =
        new std::vector<std::string>{"\\old",   "\\result", "\\tid",    "\\main", "\\holds",   "\\reach", "\\acyclic",
                                     "\\list",  "\\forall", "\\exists", "\\sum",  "\\wrap",    "\\uwrap", "\\bitand",
                                     "\\bitor", "\\bitxor", "\\shl",    "\\shr",  "\\nonnull", "\\index"};
    for (const FloatWord& it : kFloatWords) out->emplace_back(it.text);
    return out;
  }();
  return *kWords;
}

}  // namespace

ExprPtr Parser::expression() { return parse(kLoosest).expr; }

ExprPtr Parser::expression_without_comparison() { return parse(kComparisonBinding + 1).expr; }

// What can be assigned: x, o.f, m[k].
bool Parser::is_path(const Expr& expr) {
  const Expr* e = &expr;
  while (true) {
    if (const auto* field = std::get_if<FieldExpr>(&e->node)) {
      e = field->object.get();
    } else if (const auto* entry = std::get_if<IndexExpr>(&e->node)) {
      e = entry->base.get();
    } else {
      const bool from_this = std::holds_alternative<ThisExpr>(e->node) && e != &expr;
      return from_this || std::holds_alternative<NameExpr>(e->node);
    }
  }
}

ExprPtr Parser::path(std::string_view what) {
  ExprPtr expr = parse_postfix(parse_primary()).expr;
  if (!is_path(*expr)) fail(expr->range, "expected " + std::string(what) + ": a variable, a field or an entry");
  return expr;
}

ExprPtr Parser::condition() {
  expect(TokenKind::kLeftParen);
  ExprPtr expr = expression_or_star();
  expect(TokenKind::kRightParen);
  return expr;
}

ExprPtr Parser::expression_or_star() {
  if (!at(TokenKind::kStar)) return expression();
  return make(Star{}, advance(), 1).expr;
}

std::vector<ExprPtr> Parser::expressions() {
  std::vector<ExprPtr> list;
  do list.push_back(expression());
  while (accept(TokenKind::kComma));
  return list;
}

std::vector<ExprPtr> Parser::arguments() {
  expect(TokenKind::kLeftParen);
  std::vector<ExprPtr> list;
  if (!at(TokenKind::kRightParen)) list = expressions();
  expect(TokenKind::kRightParen);
  return list;
}

TwoState Parser::two_state() {
  TwoState out;
  const std::uint32_t begin = current().begin;
  if (!accept(TokenKind::kLess)) {
    out.predicate = expression();
    out.range = range_since(begin);
    return out;
  }
  {
    const Flag angle(in_angle_);
    out.predicate = expression();
  }
  expect(TokenKind::kGreater);
  out.frame.emplace();
  if (accept_word("_")) {
    expect(TokenKind::kLeftBrace);
    if (!at(TokenKind::kRightBrace)) out.frame = expressions();
    expect(TokenKind::kRightBrace);
  }
  out.range = range_since(begin);
  return out;
}

// The `>` of `<P>;` and `<P>_{x}`. Neither `>;` nor `>_{` can occur inside an expression.
bool Parser::closes_angle() const {
  if (!in_angle_) return false;
  return ahead(1).kind == TokenKind::kSemicolon || (word_ahead(1, "_") && ahead(2).kind == TokenKind::kLeftBrace);
}

int Parser::infix_binding() const {
  const TokenKind kind = current().kind;
  if (kind == TokenKind::kQuestion)
    return ahead(1).kind == TokenKind::kLess ? kNotInfix : kConditionalBinding;  // `p ? <X>`
  if (kind == TokenKind::kGreater && closes_angle()) return kNotInfix;
  if (kind == TokenKind::kWord) return at_word("in") || at_word("instanceof") ? kComparisonBinding : kNotInfix;
  const Infix* entry = infix(kind);
  return entry == nullptr ? kNotInfix : entry->binding;
}

// An expression of operators that bind at least as tightly as `least`.
Parser::Parsed Parser::parse(int least) {
  const Level level(*this);
  Parsed left = parse_prefix();
  for (int binding = infix_binding(); binding >= least; binding = infix_binding()) {
    left = parse_infix(std::move(left), binding);
  }
  return left;
}

Parser::Parsed Parser::parse_infix(Parsed left, int binding) {
  if (at(TokenKind::kQuestion)) return parse_conditional(std::move(left));
  if (at_word("instanceof")) {
    advance();
    Name procedure = procedure_name();
    const SourceRange whole = join(left.expr->range, procedure.range);
    return make(InstanceOf{std::move(left.expr), std::move(procedure.text), procedure.range}, whole, left.height + 1);
  }
  const Infix& entry = *infix(current().kind);
  advance();
  Parsed right = parse(entry.right_associative ? binding : binding + 1);
  const SourceRange whole = join(left.expr->range, right.expr->range);
  const int height = std::max(left.height, right.height) + 1;
  return make(BinaryExpr{entry.op, std::move(left.expr), std::move(right.expr)}, whole, height);
}

Parser::Parsed Parser::parse_conditional(Parsed condition) {
  expect(TokenKind::kQuestion);
  Parsed then = parse(kLoosest);
  expect(TokenKind::kColon);
  Parsed otherwise = parse(kConditionalBinding);
  const SourceRange whole = join(condition.expr->range, otherwise.expr->range);
  const int height = std::max({condition.height, then.height, otherwise.height}) + 1;
  return make(ConditionalExpr{std::move(condition.expr), std::move(then.expr), std::move(otherwise.expr)}, whole,
              height);
}

Parser::Parsed Parser::parse_prefix() {
  if (at(TokenKind::kNot)) return parse_unary(UnaryOp::kNot);
  if (at(TokenKind::kMinus)) return parse_unary(UnaryOp::kMinus);
  return parse_cast(parse_postfix(parse_primary()));
}

// o as C, tighter than `!` and `-`.
Parser::Parsed Parser::parse_cast(Parsed operand) {
  while (at_word("as")) {
    advance();
    Name wanted = name("the name of a class");
    const SourceRange whole = join(operand.expr->range, wanted.range);
    const int height = operand.height + 1;
    operand = make(CastExpr{std::move(operand.expr), std::move(wanted.text), wanted.range}, whole, height);
  }
  return operand;
}

Parser::Parsed Parser::parse_unary(UnaryOp op) {
  const Level level(*this);
  const SourceRange sign = advance();
  if (op == UnaryOp::kMinus && at(TokenKind::kNumber) && text(current()) == "9223372036854775808") {
    const SourceRange whole = join(sign, advance());
    return make(IntLit{std::numeric_limits<std::int64_t>::min()}, whole, 1);
  }
  Parsed operand = parse_prefix();
  const SourceRange whole = join(sign, operand.expr->range);
  return make(UnaryExpr{op, std::move(operand.expr)}, whole, operand.height + 1);
}

Parser::Parsed Parser::parse_primary() {
  switch (current().kind) {
    case TokenKind::kNumber: return parse_number();
    case TokenKind::kWord: return parse_word();
    case TokenKind::kEscaped: return parse_escaped();
    case TokenKind::kLeftParen: return parse_parenthesised();
    case TokenKind::kLeftBrace: return parse_set();
    case TokenKind::kStar:
      fail_here("`*` stands only alone: as the condition of `if` and `while`, and as an initial value");
    case TokenKind::kPlusPlus:
    case TokenKind::kMinusMinus:
      fail_expected("an expression", "`x++` and `x--` are statements, with the operator behind the variable");
    default: fail_expected("an expression");
  }
}

Parser::Parsed Parser::parse_number() {
  const std::string_view digits = text(current());
  if (in_annotation_ && digits.size() > 1 && digits.front() == '0') {
    fail_here("a number that begins with 0 is octal in Java", "numbers of clauses are decimal: leave out the 0");
  }
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) { fail_here("this number is too large", "literals go up to 9223372036854775807"); }
  return make(IntLit{value}, advance(), 1);
}

Parser::Parsed Parser::parse_word() {
  const std::string_view word = text(current());
  if (word == "true" || word == "false") return make(BoolLit{word == "true"}, advance(), 1);
  if (word == "tid") return make(TidExpr{}, advance(), 1);
  if (word == "none") return make(NoneLit{}, advance(), 1);
  if (word == "null") return make(NullLit{}, advance(), 1);
  if (word == "this") return make(ThisExpr{}, advance(), 1);
  if (word == "forall" || word == "exists") return parse_quantifier(word == "forall");
  const std::uint32_t begin = current().begin;
  const bool called = ahead(1).kind == TokenKind::kLeftParen;
  if (called && (word == "map" || word == "size")) {
    advance();
    Parsed inner = parse_argument();
    const SourceRange whole = range_since(begin);
    const int height = inner.height + 1;
    if (word == "map") return make(MapConst{std::move(inner.expr)}, whole, height);
    return make(SizeExpr{std::move(inner.expr)}, whole, height);
  }
  if (called) {
    fail_here("a call cannot be part of an expression",
              "a call is a statement: assign its result to a local variable first");
  }
  if (word == "new" || word == "start") {
    fail_here(found() + " cannot be part of an expression", "it stands alone, on the right of an assignment");
  }
  if (word == "index" && in_thread_arguments_) return make(ThreadIndex{}, advance(), 1);
  Name plain = name("an expression");
  return make(NameExpr{std::move(plain.text), false, {}}, plain.range, 1);
}

Parser::Parsed Parser::parse_argument() {
  expect(TokenKind::kLeftParen);
  Parsed inner = parse(kLoosest);
  expect(TokenKind::kRightParen);
  return inner;
}

Parser::Parsed Parser::parse_escaped() {
  const std::string_view word = text(current());
  if (word == "\\tid") return make(TidExpr{true}, advance(), 1);
  if (word == "\\index") return make(ThreadIndex{}, advance(), 1);
  if (word == "\\result") return make(ResultExpr{}, advance(), 1);
  if (word == "\\main") return make(NameExpr{"main", false, {}, true}, advance(), 1);
  if (word == "\\reach") return parse_shape(ShapeExpr::Kind::kReach);
  if (word == "\\acyclic") return parse_shape(ShapeExpr::Kind::kAcyclic);
  if (word == "\\list") return parse_shape(ShapeExpr::Kind::kList);
  if (word == "\\old" || word == "\\holds") {
    const std::uint32_t begin = advance().begin;
    Parsed inner = parse_argument();
    const int height = inner.height + 1;
    if (word == "\\old") return make(OldExpr{std::move(inner.expr)}, range_since(begin), height);
    return make(HoldsExpr{std::move(inner.expr)}, range_since(begin), height);
  }
  if (word == "\\nonnull") {
    const std::uint32_t begin = advance().begin;
    Parsed inner = parse_argument();
    return make(UnaryExpr{UnaryOp::kNonNull, std::move(inner.expr)}, range_since(begin), inner.height + 1);
  }
  if (word == "\\wrap" || word == "\\uwrap") return parse_wrap(word == "\\wrap");
  if (const Prefix* entry = prefix(word)) return parse_two_arguments(entry->op);
  if (const FloatWord* entry = float_word(word)) return parse_float(*entry);
  if (word == "\\forall" || word == "\\exists") {
    fail_here(found() + " stands directly behind `(`", "write `(" + std::string(word) + " T x; P)`");
  }
  if (word == "\\sum")
    fail_here(found() + " stands directly behind `(`", "write `(\\sum int k; lo <= k && k < hi; e)`");
  if (word == "\\nothing") fail_here("Plato has no `\\nothing`", "write `modifies;` or an empty frame `{}`");
  const std::string near = diag::nearest(std::string(word), escaped_words());
  fail_here("unknown word " + found(), near.empty() ? "" : "did you mean `" + near + "`?");
}

Parser::Parsed Parser::parse_wrap(bool is_signed) {
  const std::uint32_t begin = advance().begin;
  expect(TokenKind::kLeftParen);
  Parsed operand = parse(kLoosest);
  expect(TokenKind::kComma);
  const std::string_view digits = text(current());
  const bool is_width = digits == "8" || digits == "16" || digits == "32" || (digits == "64" && is_signed);
  if (!is_width) {
    fail_expected(
        is_signed ? "a number of bits: 8, 16, 32 or 64" : "a number of bits: 8, 16 or 32",
        digits == "64" ? "an unsigned number of 64 bits does not fit into an integer of the exploration" : "");
  }
  int bits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  advance();
  expect(TokenKind::kRightParen);
  return make(WrapExpr{std::move(operand.expr), bits, is_signed}, range_since(begin), operand.height + 1);
}

Parser::Parsed Parser::parse_float(const FloatWord& word) {
  const std::uint32_t begin = advance().begin;
  expect(TokenKind::kLeftParen);
  if (at(TokenKind::kString) && (word.op == FloatOp::kToFloat32 || word.op == FloatOp::kToFloat64)) {
    const int size = word.op == FloatOp::kToFloat32 ? 32 : 64;
    const std::string_view quoted = text(current());
    const std::optional<std::int64_t> bits = float_bits(size, std::string(quoted.substr(1, quoted.size() - 2)));
    if (!bits) fail_expected("a number, like \"1.5\", \"1e10\", \"NaN\" or \"-Infinity\"");
    advance();
    expect(TokenKind::kRightParen);
    return make(FloatLit{size, *bits}, range_since(begin), 1);
  }
  Parsed left = parse(kLoosest);
  int height = left.height;
  ExprPtr second;
  if (word.operands == 2) {
    expect(TokenKind::kComma);
    Parsed right = parse(kLoosest);
    height = std::max(height, right.height);
    second = std::move(right.expr);
  }
  expect(TokenKind::kRightParen);
  return make(FloatExpr{word.op, std::move(left.expr), std::move(second)}, range_since(begin), height + 1);
}

Parser::Parsed Parser::parse_two_arguments(BinaryOp op) {
  const std::uint32_t begin = advance().begin;
  expect(TokenKind::kLeftParen);
  Parsed left = parse(kLoosest);
  expect(TokenKind::kComma);
  Parsed right = parse(kLoosest);
  expect(TokenKind::kRightParen);
  const int height = std::max(left.height, right.height) + 1;
  return make(BinaryExpr{op, std::move(left.expr), std::move(right.expr)}, range_since(begin), height);
}

// The range of an expression includes its parentheses.
Parser::Parsed Parser::parse_parenthesised() {
  const std::uint32_t begin = advance().begin;
  Parsed inner;
  if (at(TokenKind::kEscaped) && (text(current()) == "\\forall" || text(current()) == "\\exists")) {
    inner = parse_jml_quantifier(text(current()) == "\\forall");
  } else if (at(TokenKind::kEscaped) && text(current()) == "\\sum") {
    inner = parse_sum();
  } else {
    inner = parse(kLoosest);
  }
  expect(TokenKind::kRightParen);
  const auto* word = std::get_if<NameExpr>(&inner.expr->node);
  if (in_annotation_ && word != nullptr && !word->primed && begins_operand()) {
    const Level level(*this);
    CastExpr cast{nullptr, word->name, inner.expr->range};
    Parsed operand = parse_prefix();
    cast.operand = std::move(operand.expr);
    return make(std::move(cast), range_since(begin), operand.height + 1);
  }
  inner.expr->range = range_since(begin);
  return inner;
}

// Behind `(C)`: what follows is cast, as in Java.
bool Parser::begins_operand() const {
  if (at(TokenKind::kWord)) {
    const bool goes_on = at_word("in") || at_word("instanceof") || at_word("as") || at_word("when");
    return !goes_on && !begins_clause();
  }
  return at(TokenKind::kEscaped) || at(TokenKind::kLeftParen);
}

Parser::Parsed Parser::parse_quantifier(bool is_forall) {
  const std::uint32_t begin = advance().begin;
  QuantifierExpr out;
  out.is_forall = is_forall;
  do {
    Name variable = name("the name of a bound variable");
    expect(TokenKind::kColon);
    out.variables.push_back({std::move(variable.text), type(), variable.range});
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kColonColon);
  Parsed body = parse(kLoosest);
  out.body = std::move(body.expr);
  return make(std::move(out), range_since(begin), body.height + 1);
}

// Behind the `(` of (\sum int k; lo <= k && k < hi; e).
Parser::Parsed Parser::parse_sum() {
  const std::uint32_t begin = advance().begin;
  SumExpr out;
  out.variable.type = type();
  Name variable = name("the name of a bound variable");
  out.variable.name = std::move(variable.text);
  out.variable.range = variable.range;
  expect(TokenKind::kSemicolon);
  Parsed range = parse(kLoosest);
  expect(TokenKind::kSemicolon);
  Parsed body = parse(kLoosest);
  const int height = std::max(range.height, body.height) + 1;
  out.range = std::move(range.expr);
  out.body = std::move(body.expr);
  return make(std::move(out), range_since(begin), height);
}

// Behind the `(` of (\forall T x, y; P) or (\forall T x, y; R; P).
Parser::Parsed Parser::parse_jml_quantifier(bool is_forall) {
  const std::uint32_t begin = advance().begin;
  QuantifierExpr out;
  out.is_forall = is_forall;
  const Type variable_type = type();
  do {
    Name variable = name("the name of a bound variable");
    out.variables.push_back({std::move(variable.text), variable_type, variable.range});
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kSemicolon);
  Parsed body = parse(kLoosest);
  if (accept(TokenKind::kSemicolon)) {
    Parsed rest = parse(kLoosest);
    const BinaryOp op = is_forall ? BinaryOp::kImplies : BinaryOp::kAnd;
    const SourceRange both = join(body.expr->range, rest.expr->range);
    const int height = std::max(body.height, rest.height) + 1;
    body = make(BinaryExpr{op, std::move(body.expr), std::move(rest.expr)}, both, height);
  }
  out.body = std::move(body.expr);
  return make(std::move(out), range_since(begin), body.height + 1);
}

Parser::Parsed Parser::parse_set() {
  const std::uint32_t begin = advance().begin;
  SetLit out;
  int height = 0;
  while (!at(TokenKind::kRightBrace)) {
    Parsed element = parse(kLoosest);
    height = std::max(height, element.height);
    out.elements.push_back(std::move(element.expr));
    if (at(TokenKind::kRightBrace)) break;
    if (!accept(TokenKind::kComma)) fail_expected("`,` or `}`");
    if (at(TokenKind::kRightBrace)) fail_expected("an expression");
  }
  advance();
  return make(std::move(out), range_since(begin), height + 1);
}

Parser::Parsed Parser::parse_shape(ShapeExpr::Kind kind) {
  const std::uint32_t begin = advance().begin;
  ShapeExpr out{kind, nullptr, "", {}, nullptr};
  expect(TokenKind::kLeftParen);
  Parsed from = parse(kLoosest);
  out.from = std::move(from.expr);
  expect(TokenKind::kComma);
  Name field = name("the name of a field");
  out.field = std::move(field.text);
  out.field_range = field.range;
  int height = from.height;
  if (kind == ShapeExpr::Kind::kReach) {
    expect(TokenKind::kComma);
    Parsed to = parse(kLoosest);
    out.to = std::move(to.expr);
    height = std::max(height, to.height);
  }
  expect(TokenKind::kRightParen);
  return make(std::move(out), range_since(begin), height + 1);
}

Parser::Parsed Parser::parse_postfix(Parsed base) {
  while (true) {
    if (at(TokenKind::kDot)) {
      base = parse_field(std::move(base));
    } else if (at(TokenKind::kLeftBracket)) {
      base = parse_bracket(std::move(base));
    } else if (at(TokenKind::kPrime)) {
      prime(base);
    } else {
      return base;
    }
  }
}

Parser::Parsed Parser::parse_field(Parsed object) {
  advance();
  Name field;
  if (in_annotation_ && at_word("class")) {  // C.class of Java
    field.text = "class";
    field.range = advance();
  } else {
    field = name("the name of a field");
  }
  const SourceRange whole = join(object.expr->range, field.range);
  FieldExpr out;
  out.object = std::move(object.expr);
  out.field = std::move(field.text);
  out.field_range = field.range;
  return make(std::move(out), whole, object.height + 1);
}

// base[index] or base[key := value]
Parser::Parsed Parser::parse_bracket(Parsed base) {
  advance();
  Parsed index = parse(kLoosest);
  int height = std::max(base.height, index.height);
  const std::uint32_t begin = base.expr->range.begin;
  if (accept(TokenKind::kColonEqual)) {
    Parsed value = parse(kLoosest);
    expect(TokenKind::kRightBracket);
    height = std::max(height, value.height) + 1;
    return make(MapUpdate{std::move(base.expr), std::move(index.expr), std::move(value.expr)}, range_since(begin),
                height);
  }
  expect(TokenKind::kRightBracket);
  return make(IndexExpr{std::move(base.expr), std::move(index.expr)}, range_since(begin), height + 1);
}

void Parser::prime(Parsed& base) {
  Expr& expr = *base.expr;
  bool* primed = nullptr;
  if (auto* plain = std::get_if<NameExpr>(&expr.node)) primed = &plain->primed;
  if (auto* field = std::get_if<FieldExpr>(&expr.node)) primed = &field->primed;
  if (auto* entry = std::get_if<IndexExpr>(&expr.node)) primed = &entry->primed;
  if (primed == nullptr) fail_here("a prime belongs to a variable, a field or an entry");
  if (*primed) fail_here("one prime is enough: there is one state after the step");
  *primed = true;
  expr.range = join(expr.range, advance());
}

// --------------------------------------------------------------------------------------------------------------- types

Type Parser::type() {
  const Level level(*this);
  Type out = base_type();
  int height = 0;
  while (at(TokenKind::kLeftBracket) && ahead(1).kind == TokenKind::kRightBracket) {
    if (depth_ + ++height > kMostNesting) too_deep(out.range);
    Type array;
    array.kind = Type::Kind::kArray;
    advance();
    array.range = join(out.range, advance());
    array.first = std::make_shared<const Type>(std::move(out));
    out = std::move(array);
  }
  return out;
}

Type Parser::base_type() {
  if (!at(TokenKind::kWord)) fail_expected("a type");
  Type out;
  const std::string_view word = text(current());
  const std::uint32_t begin = current().begin;
  if (word == "bool") out.kind = Type::Kind::kBool;
  if (word == "int") out.kind = Type::Kind::kInt;
  if ((out.values = range_named(std::string(word)))) out.kind = Type::Kind::kInt;
  if (word == "float32") out = float_type(32);
  if (word == "float64") out = float_type(64);
  if (word == "tid") out.kind = Type::Kind::kTid;
  if (word == "monitor") out.kind = Type::Kind::kMonitor;
  if (word == "set") out.kind = Type::Kind::kSet;
  if (word == "map") out.kind = Type::Kind::kMap;
  if (out.kind == Type::Kind::kNone) {
    out.kind = Type::Kind::kNamed;
    Name plain = name("a type");
    out.name = std::move(plain.text);
    out.range = plain.range;
    return out;
  }
  advance();
  if (out.kind == Type::Kind::kSet || out.kind == Type::Kind::kMap) {
    expect(TokenKind::kLess);
    out.first = std::make_shared<const Type>(type());
    if (out.kind == Type::Kind::kMap) {
      expect(TokenKind::kComma);
      out.second = std::make_shared<const Type>(type());
    }
    close_type();
  }
  out.range = range_since(begin);
  return out;
}

// `set<int>= {}` has a `>=` where a type ends.
void Parser::close_type() {
  if (!at(TokenKind::kGreaterEqual)) {
    expect(TokenKind::kGreater);
    return;
  }
  Token& token = tokens_[at_];
  token.kind = TokenKind::kAssign;
  ++token.begin;
  last_end_ = token.begin;
}

}  // namespace concord::plato
