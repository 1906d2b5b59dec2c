// Statements: docs/plato.md, section 5.
#include <unordered_map>

#include "plato/parser.h"

namespace concord::plato {

namespace {

// Words that begin no statement; if one is not even indented, a `}` is missing before it.
bool begins_only_declarations(std::string_view word) {
  return word == "module" || word == "proc" || word == "class" || word == "enum" || word == "thread" ||
         word == "abstract" || word == "const" || word == "check";
}

bool may_wait(const Stmt& statement) {
  return std::holds_alternative<Assume>(statement.node) || std::holds_alternative<Acquire>(statement.node) ||
         std::holds_alternative<Wait>(statement.node) || std::holds_alternative<Join>(statement.node) ||
         std::holds_alternative<Direct>(statement.node) || std::holds_alternative<Atomic>(statement.node);
}

bool has_body(std::string_view word) {
  return word == "if" || word == "else" || word == "while" || word == "choose" || word == "loop" || word == "label" ||
         word == "atomic" || word == "trusted" || word == "exclusive";
}

}  // namespace

Parser::StatementReader Parser::statement_reader(std::string_view word) {
  static const auto* const kReaders = new std::unordered_map<std::string_view, StatementReader>{
      {"var", &Parser::read_local},
      {"if", &Parser::read_if},
      {"while", &Parser::read_while},
      {"choose", &Parser::read_choose},
      {"loop", &Parser::read_loop},
      {"break", &Parser::read_break},
      {"continue", &Parser::read_continue},
      {"return", &Parser::read_return},
      {"assert", &Parser::read_assert},
      {"assume", &Parser::read_assume},
      {"await", &Parser::read_assume},
      {"havoc", &Parser::read_havoc},
      {"skip", &Parser::read_skip},
      {"CAS", &Parser::read_cas},
      {"start", &Parser::read_start},
      {"atomic", &Parser::read_atomic},
      {"trusted", &Parser::read_atomic},
      {"exclusive", &Parser::read_exclusive},
      {"label", &Parser::read_label},
      {"throw", &Parser::read_throw},
      {"unsupported", &Parser::read_unsupported},
      {"initialised", &Parser::read_initialised},
  };
  const auto found = kReaders->find(word);
  return found == kReaders->end() ? nullptr : found->second;
}

// ------------------------------------------------------------------------------------------------- lists of statements

StmtPtr Parser::block() {
  const Level level(*this);
  auto out = std::make_unique<Stmt>();
  read_block(*out);
  return out;
}

void Parser::read_block(Stmt& out) {
  const SourceRange open = expect(TokenKind::kLeftBrace);
  Block list;
  statements(list);
  close_brace(open);
  out.node = std::move(list);
  out.range = range_since(open.begin);
}

// Up to the `}`, or to what shows that it is missing. Does not throw.
void Parser::statements(Block& list) {
  std::vector<Waiver> outer_waivers = take_waivers();
  bool after_error = false;
  while (!at(TokenKind::kRightBrace) && !at(TokenKind::kEnd)) {
    const bool is_declaration = at(TokenKind::kWord) && begins_only_declarations(text(current()));
    if (is_declaration && !is_indented_from(procedure_begin_)) break;
    const std::size_t start = at_;
    try {
      if (at_word("set")) {
        read_ghost_set(list, after_error);
      } else if (at_word("nowarn")) {
        read_waiver();
      } else {
        list.statements.push_back(statement());
        after_error = false;
        if (!std::holds_alternative<Block>(list.statements.back()->node)) else_is_forgiven_ = false;
      }
    } catch (const Skipped&) {
      after_error = true;
      recover_statement(start);
    }
  }
  refuse_waivers("the end of a block");
  waivers_ = std::move(outer_waivers);
}

StmtPtr Parser::statement() {
  const Level level(*this);
  while (at_word("nowarn")) read_waiver();
  auto out = std::make_unique<Stmt>();
  out->waivers = take_waivers();
  const Token& first = current();
  out->may_block = accept_word("may_block");
  const std::uint32_t begin = current().begin;
  statement_core(*out);
  out->range = range_since(begin);
  if (!std::holds_alternative<Block>(out->node) && tokens_[at_ - 1].kind == TokenKind::kSemicolon) {
    out->range.end = tokens_[at_ - 1].begin;
  }
  if (out->may_block && !may_wait(*out)) {
    report(range(first), "`may_block` belongs before a statement that waits",
           "these are `assume`, `await`, `acquire`, `wait`, `join`, `atomic` and the direct form `<X>_{V};`");
  }
  return out;
}

void Parser::statement_core(Stmt& out) {
  if (at(TokenKind::kLeftBrace)) return read_block(out);
  if (at(TokenKind::kLess)) return read_angle(out);
  if (at(TokenKind::kSemicolon)) fail_here("there is no statement before this `;`", "to do nothing, write `skip;`");
  if (at(TokenKind::kRightBrace) || at(TokenKind::kEnd)) fail_expected("a statement");
  if (!at(TokenKind::kWord)) return read_expression_statement(out);
  const std::string_view word = text(current());
  if (const StatementReader reader = statement_reader(word)) return (this->*reader)(out);
  if (word == "leave" && ahead(1).kind == TokenKind::kWord) return read_leave(out);
  if (at_call()) return read_call(out);
  if (word == "set") fail_here("a `set` belongs behind the statement in whose operation it happens");
  if (word == "else" && else_is_forgiven_) {
    else_is_forgiven_ = false;
    advance();
    return statement_core(out);
  }
  not_a_statement();
  read_expression_statement(out);
}

// Fails at a word that cannot begin a statement here.
void Parser::not_a_statement() {
  const std::string wrong_place = where_it_belongs(text(current()));
  if (current_role() == Role::kLockStatement) fail_here(found() + " needs its lock or thread in parentheses");
  if (!wrong_place.empty()) fail_here(wrong_place);
  if (const std::string hint = hint_for_type(); !hint.empty()) fail_here(found() + " is not a statement", hint);
  if (current_role() != Role::kNone && current_role() != Role::kContextual) return;
  const TokenKind next = ahead(1).kind;
  const bool unknown =
      next == TokenKind::kWord && !word_ahead(1, "in") && !word_ahead(1, "instanceof") && !word_ahead(1, "as");
  if (unknown || next == TokenKind::kNumber || next == TokenKind::kSemicolon || next == TokenKind::kLeftBrace) {
    fail_here(found() + " is not a statement", guess({Role::kStatement, Role::kLockStatement}));
  }
}

void Parser::recover_statement(std::size_t start) {
  const Token& first = tokens_[start];
  const bool keeps_body = first.kind == TokenKind::kWord && has_body(text(first));
  if (first.kind == TokenKind::kWord && text(first) == "if") else_is_forgiven_ = true;
  take_waivers();
  int open = open_braces_since(start);
  while (!at(TokenKind::kEnd) && (open > 0 || !at(TokenKind::kRightBrace))) {
    if (at(TokenKind::kRightBrace)) --open;
    if (accept(TokenKind::kSemicolon)) return;
    const Role role = current_role();
    if (at_ > start && (role == Role::kStatement || role == Role::kDeclaration)) return;
    if (at(TokenKind::kLeftBrace)) {
      if (keeps_body) return;  // its statements deserve a look
      skip_braces();
      accept(TokenKind::kSemicolon);
      return;
    }
    advance();
  }
}

void Parser::read_ghost_set(Block& list, bool after_error) {
  const SourceRange word = range(current());
  if (!waivers_.empty()) refuse_waivers("a `set`");
  const Token& target = tokens_[at_ + 1];
  if (target.kind == TokenKind::kEscaped && text(target) == "\\witness") return read_witness(list);
  GhostSet set = ghost_set();
  if (in_atomic_) {
    auto out = std::make_unique<Stmt>();
    out->range = set.range;
    out->node = SetStmt{std::move(set)};
    list.statements.push_back(std::move(out));
  } else if (!list.statements.empty()) {
    list.statements.back()->sets.push_back(std::move(set));
  } else if (!after_error) {
    report(word, "there is no statement before this `set` in its block",
           "a `set` happens in the same operation as the statement before it; `skip; set g = e;` is an operation of "
           "its own");
  }
}

void Parser::read_witness(Block& list) {
  const std::uint32_t begin = advance().begin;
  advance();
  expect(TokenKind::kAssign);
  std::string name = string_value();
  const SourceRange where = range_since(begin);
  expect_semicolon();
  if (list.statements.empty()) {
    report(where, "there is no statement before this `set` in its block",
           "a witness follows the statement it speaks of");
    return;
  }
  list.statements.back()->witness = std::move(name);
  list.statements.back()->witness_range = where;
}

GhostSet Parser::ghost_set() {
  GhostSet out;
  const std::uint32_t begin = advance().begin;
  out.target = path("what is assigned");
  expect(TokenKind::kAssign);
  out.value = expression();
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

// ------------------------------------------------------------------------------------------------------------- control

void Parser::read_if(Stmt& out) {
  advance();
  If node;
  node.condition = condition();
  node.then = statement();
  if (accept_word("else")) node.otherwise = statement();
  out.node = std::move(node);
}

void Parser::read_while(Stmt& out) {
  advance();
  While node;
  node.condition = condition();
  node.spec = loop_spec();
  node.body = statement();
  out.node = std::move(node);
}

void Parser::read_loop(Stmt& out) {
  advance();
  Loop node;
  node.spec = loop_spec();
  node.body = block();
  out.node = std::move(node);
}

LoopSpec Parser::loop_spec() {
  LoopSpec spec;
  while (current_role() == Role::kLoopClause) {
    const std::size_t start = at_;
    try {
      loop_clause(spec);
    } catch (const Skipped&) { recover_contract(start); }
  }
  return spec;
}

void Parser::loop_clause(LoopSpec& spec) {
  const std::string_view word = text(current());
  advance();
  if (word == "loop_invariant" || word == "maintaining") {
    spec.invariants.push_back(expression());
  } else {
    if (!spec.modifies) spec.modifies.emplace();
    if (!at(TokenKind::kSemicolon)) {
      for (ExprPtr& location : expressions()) spec.modifies->push_back(std::move(location));
    }
  }
  expect_semicolon();
}

void Parser::read_choose(Stmt& out) {
  advance();
  Choose node;
  do node.branches.push_back(block());
  while (accept_word("or"));
  out.node = std::move(node);
}

void Parser::read_atomic(Stmt& out) {
  Atomic node;
  node.trusted = accept_word("trusted");
  expect_word("atomic");
  if (!at(TokenKind::kLeftBrace)) fail_expected("`{` after `atomic`");
  const Flag atomic(in_atomic_);
  node.body = block();
  out.node = std::move(node);
}

void Parser::read_exclusive(Stmt& out) {
  advance();
  Name region = name("the name of a region");
  if (!at(TokenKind::kLeftBrace)) fail_expected("`{` after the name of the region");
  out.node = Exclusive{std::move(region.text), region.range, block()};
}

void Parser::read_leave(Stmt& out) {
  advance();
  Name region = name("the name of a region");
  out.node = Exclusive{std::move(region.text), region.range, nullptr};
  expect_semicolon();
}

void Parser::read_label(Stmt& out) {
  advance();
  Name label = name("a label");
  expect(TokenKind::kColon, "the label");
  out.node = Labeled{std::move(label.text), label.range, statement()};
}

// Of `break` and `continue`; empty: the innermost loop.
Parser::Name Parser::target_label() {
  advance();
  Name label;
  if (at(TokenKind::kWord) && !begins_line(current())) label = name("a label");
  expect_semicolon();
  return label;
}

void Parser::read_break(Stmt& out) {
  Name label = target_label();
  out.node = Break{std::move(label.text), label.range};
}

void Parser::read_continue(Stmt& out) {
  Name label = target_label();
  out.node = Continue{std::move(label.text), label.range};
}

void Parser::read_return(Stmt& out) {
  advance();
  Return node;
  if (!at(TokenKind::kSemicolon) && !at(TokenKind::kRightBrace)) node.value = expression();
  expect_semicolon();
  out.node = std::move(node);
}

void Parser::read_throw(Stmt& out) {
  advance();
  out.node = Throw{expression()};
  expect_semicolon();
}

// --------------------------------------------------------------------------------------------------- simple statements

void Parser::read_local(Stmt& out) {
  advance();
  LocalDecl node;
  Name variable = name("the name of a variable");
  node.name = std::move(variable.text);
  node.name_range = variable.range;
  expect(TokenKind::kColon, "the name of the variable");
  node.type = type();
  if (accept(TokenKind::kAssign)) {
    if (at(TokenKind::kStar)) {
      node.init = expression_or_star();
    } else {
      node.init = right_side();
    }
  }
  if (current_role() == Role::kFieldClause) {
    fail_here(found() + " is for shared variables and fields; this variable is local");
  }
  expect_semicolon();
  out.node = std::move(node);
}

void Parser::read_skip(Stmt& out) {
  advance();
  expect_semicolon();
  out.node = Skip{};
}

void Parser::read_initialised(Stmt& out) {
  advance();
  expect_semicolon();
  out.node = Initialised{};
}

void Parser::read_assert(Stmt& out) {
  advance();
  Assert made;
  if (at(TokenKind::kString)) {
    made.kind_range = range(current());
    made.kind = string_value();
  }
  made.condition = expression();
  expect_semicolon();
  out.node = std::move(made);
}

void Parser::read_assume(Stmt& out) {
  const bool is_await = at_word("await");
  advance();
  out.node = Assume{expression(), is_await};
  expect_semicolon();
}

void Parser::read_havoc(Stmt& out) {
  advance();
  Havoc node;
  do node.targets.push_back(path("what is changed"));
  while (accept(TokenKind::kComma));
  if (at_word("in")) {
    if (node.targets.size() > 1) fail_here("`havoc … in lo .. hi` takes one variable", "write one `havoc` for each");
    advance();
    node.low = expression();
    expect(TokenKind::kDotDot);
    node.high = expression();
  }
  expect_semicolon();
  out.node = std::move(node);
}

void Parser::read_unsupported(Stmt& out) {
  advance();
  Unsupported node;
  node.reason_range = range(current());
  node.reason = string_value();
  if (accept_word("havoc")) {
    do node.targets.push_back(path("a local variable"));
    while (accept(TokenKind::kComma));
  }
  expect_semicolon();
  out.node = std::move(node);
}

CasExpr Parser::cas() {
  expect_word("CAS");
  CasExpr out;
  expect(TokenKind::kLeftParen);
  out.location = path("the location of `CAS`");
  expect(TokenKind::kComma);
  out.expected = expression();
  expect(TokenKind::kComma);
  out.value = expression();
  expect(TokenKind::kRightParen);
  return out;
}

void Parser::read_cas(Stmt& out) {
  CasExpr parts = cas();
  expect_semicolon();
  out.node = CasSwap{std::move(parts.location), std::move(parts.expected), std::move(parts.value)};
}

void Parser::read_start(Stmt& out) {
  advance();
  out.node = Start{call_target()};
  refuse_catch();
  expect_semicolon();
}

bool Parser::at_call() const {
  const Role role = current_role();
  const bool callable = role == Role::kNone || role == Role::kContextual || role == Role::kLockStatement;
  return at(TokenKind::kWord) && callable && ahead(1).kind == TokenKind::kLeftParen && !at_word("size");
}

CallTarget Parser::call_target() {
  CallTarget out;
  Name procedure = procedure_name();
  out.procedure = std::move(procedure.text);
  out.procedure_range = procedure.range;
  out.arguments = arguments();
  out.range = range_since(out.procedure_range.begin);
  return out;
}

// p(e, …) within requires catch v: that the caller waits for the precondition, and where an exception goes.
void Parser::catch_part(CallTarget& target) {
  if (at_word("within") && word_ahead(1, "requires")) {
    advance(), advance();
    target.is_within_requires = true;
  }
  if (!accept_word("catch")) return;
  Name variable = name("the local variable that an exception goes to");
  target.catches = std::move(variable.text);
  target.catch_range = variable.range;
}

void Parser::refuse_catch() {
  if (!at_word("catch")) return;
  fail_here("`start` has no `catch`", "an exception that leaves the procedure of a thread ends that thread");
}

// p(e, …); or one of the statements that look like a call: acquire(l) and so on, with exactly one argument.
void Parser::read_call(Stmt& out) {
  const std::string hint = guess({Role::kStatement, Role::kLockStatement});
  const Role role = current_role();
  CallTarget target = call_target();
  catch_part(target);
  if (!at(TokenKind::kSemicolon) && !begins_line(current()) && role == Role::kNone && !hint.empty()) {
    fail_expected("`;` after the call of `" + target.procedure + "`", hint);
  }
  expect_semicolon();
  if (role != Role::kLockStatement || target.arguments.size() != 1) {
    out.node = Call{std::move(target)};
    return;
  }
  if (!target.catches.empty()) report(target.catch_range, "`" + target.procedure + "` throws nothing");
  ExprPtr argument = std::move(target.arguments[0]);
  const std::string& word = target.procedure;
  if (word == "acquire") out.node = Acquire{std::move(argument)};
  if (word == "release") out.node = Release{std::move(argument)};
  if (word == "wait") out.node = Wait{std::move(argument)};
  if (word == "notify") out.node = Notify{std::move(argument), false};
  if (word == "notifyall") out.node = Notify{std::move(argument), true};
  if (word == "join") out.node = Join{std::move(argument)};
}

// ----------------------------------------------------------------------------------- assignments and direct operations

void Parser::read_angle(Stmt& out) { out.node = direct(nullptr); }

Direct Parser::direct(ExprPtr wrong_unless) {
  Direct out{std::move(wrong_unless), two_state()};
  expect_semicolon();
  return out;
}

// x = …; x += e; x++; or p ? <X>_{V};
void Parser::read_expression_statement(Stmt& out) {
  const std::size_t start = at_;
  ExprPtr left = expression();
  if (accept(TokenKind::kQuestion)) {
    out.node = direct(std::move(left));
    return;
  }
  switch (current().kind) {
    case TokenKind::kAssign:
    case TokenKind::kPlusAssign:
    case TokenKind::kMinusAssign:
    case TokenKind::kPlusPlus:
    case TokenKind::kMinusMinus: break;
    case TokenKind::kColonEqual: fail_expected("`=`", "assignment is written `=`");
    default:
      if (is_path(*left)) fail_expected("`=`");
      fail(left->range, "an expression is not a statement");
  }
  if (!is_path(*left)) fail(left->range, "only a variable, a field or an entry can be assigned");
  if (!accept(TokenKind::kAssign)) return read_compound_assignment(out, std::move(left), start);
  if (at(TokenKind::kStar)) fail_here("`*` is not a value", "`havoc x;` gives x any value");
  Rhs value = right_side();
  expect_semicolon();
  out.node = Assign{std::move(left), std::move(value)};
}

// `x += e` means `x = x + e`; the second x is read from the same tokens again.
void Parser::read_compound_assignment(Stmt& out, ExprPtr target, std::size_t target_at) {
  at_ = target_at;
  ExprPtr operand = expression();
  const TokenKind kind = current().kind;
  const SourceRange sign = advance();
  const bool by_one = kind == TokenKind::kPlusPlus || kind == TokenKind::kMinusMinus;
  ExprPtr change = by_one ? make(IntLit{1}, sign, 1).expr : expression();
  const bool adds = kind == TokenKind::kPlusAssign || kind == TokenKind::kPlusPlus;
  auto value = std::make_unique<Expr>();
  value->node = BinaryExpr{adds ? BinaryOp::kAdd : BinaryOp::kSub, std::move(operand), std::move(change)};
  value->range = range_since(target->range.begin);
  expect_semicolon();
  out.node = Assign{std::move(target), Rhs(std::move(value))};
}

Rhs Parser::right_side() {
  if (at_word("new")) return new_value();
  if (at_word("CAS")) return cas();
  if (accept_word("start")) {
    StartExpr started{call_target()};
    refuse_catch();
    return started;
  }
  if (!at_call()) return expression();
  CallTarget target = call_target();
  catch_part(target);
  if (infix_binding() >= 0) {
    fail_here("a call cannot be part of an expression", "assign its result to a local variable first");
  }
  return CallExpr{std::move(target)};
}

// new C(f = e, …) or new T[n]
Rhs Parser::new_value() {
  advance();
  const Type made = type();
  if (accept(TokenKind::kLeftBracket)) {
    ExprPtr size = expression();
    expect(TokenKind::kRightBracket);
    return NewArray{made, std::move(size)};
  }
  if (made.kind != Type::Kind::kNamed) fail_expected("`[` and the size of the array");
  if (!at(TokenKind::kLeftParen)) fail_expected("`(` or `[` after the type");
  NewObject out;
  out.class_name = made.name;
  out.class_range = made.range;
  advance();
  while (!at(TokenKind::kRightParen)) {
    Name field = name("the name of a field");
    expect(TokenKind::kAssign);
    out.inits.push_back({std::move(field.text), field.range, expression()});
    if (at(TokenKind::kRightParen)) break;
    expect(TokenKind::kComma);
    if (at(TokenKind::kRightParen)) fail_expected("the name of a field");
  }
  advance();
  return out;
}

}  // namespace concord::plato
