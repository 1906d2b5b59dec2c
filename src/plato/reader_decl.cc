// Modules and their declarations: docs/plato.md, sections 1, 3 and 6 to 9.
#include <charconv>
#include <unordered_map>

#include "plato/copy.h"
#include "plato/parser.h"

namespace concord::plato {

Parser::DeclarationReader Parser::declaration_reader(std::string_view word) {
  static const auto* const kReaders = new std::unordered_map<std::string_view, DeclarationReader>{
      {"module", &Parser::read_module},
      {"enum", &Parser::read_enum},
      {"class", &Parser::read_class},
      {"const", &Parser::read_const},
      {"var", &Parser::read_variable},
      {"volatile", &Parser::read_variable},
      {"ghost", &Parser::read_variable},
      {"thread_local", &Parser::read_variable},
      {"unraced", &Parser::read_variable},
      {"abstract", &Parser::read_abstract},
      {"global_invariant", &Parser::read_clause},
      {"initially", &Parser::read_clause},
      {"finally", &Parser::read_clause},
      {"env_assumption", &Parser::read_clause},
      {"monotonic", &Parser::read_clause},
      {"rely", &Parser::read_clause},
      {"guarantee", &Parser::read_clause},
      {"lock_order", &Parser::read_lock_order},
      {"check", &Parser::read_check},
      {"nowarn", &Parser::read_waiver},
      {"proc", &Parser::read_procedure},
      {"thread", &Parser::read_thread},
      {"final", &Parser::read_variable},
  };
  const auto found = kReaders->find(word);
  return found == kReaders->end() ? nullptr : found->second;
}

template <class Declaration>
void Parser::add(std::vector<Declaration>& list, Declaration declaration, Item::Kind kind) {
  const auto module = static_cast<std::size_t>(module_);
  program_.modules[module].items.push_back({kind, static_cast<int>(list.size())});
  declaration.module = module_;
  list.push_back(std::move(declaration));
}

// --------------------------------------------------------------------------------------------------- lists and modules

// Up to a `}` or the end. Does not throw.
void Parser::declarations() {
  while (!at(TokenKind::kRightBrace) && !at(TokenKind::kEnd)) {
    if (module_ != 0 && at_word("module")) {
      const std::uint32_t outer = program_.modules[static_cast<std::size_t>(module_)].range.begin;
      if (!is_indented_from(outer)) break;  // a `}` is missing
    }
    const std::size_t start = at_;
    try {
      declaration();
      brace_is_forgiven_ = false;
    } catch (const Skipped&) { recover_declaration(start); }
  }
  refuse_waivers(at(TokenKind::kEnd) ? "the end of the file" : "the end of a module");
}

void Parser::declaration() {
  if (!at(TokenKind::kWord)) fail_expected("a declaration");
  const std::string_view word = text(current());
  if (const DeclarationReader reader = declaration_reader(word)) return (this->*reader)();
  if (word == "invariant") {
    fail_here("`invariant` belongs in a class", "`global_invariant` states what holds in every state");
  }
  const bool is_statement = current_role() == Role::kStatement || current_role() == Role::kLockStatement;
  if (is_statement && brace_is_forgiven_) throw Skipped();  // the rest of a body that was closed too early
  const std::string wrong_place = where_it_belongs(word);
  if (!wrong_place.empty()) fail_here(wrong_place);
  std::string hint = hint_for_type();
  if (hint.empty()) hint = guess({Role::kDeclaration, Role::kClause});
  fail_here("expected a declaration, found " + found(), std::move(hint));
}

void Parser::recover_declaration(std::size_t start) {
  brace_is_forgiven_ = true;
  take_waivers();
  int open = open_braces_since(start);
  while (!at(TokenKind::kEnd) && (open > 0 || !at(TokenKind::kRightBrace))) {
    if (at(TokenKind::kRightBrace)) --open;
    if (accept(TokenKind::kSemicolon)) return;
    const Role role = current_role();
    if (at_ > start && (role == Role::kDeclaration || role == Role::kClause)) return;
    if (at(TokenKind::kLeftBrace)) {
      skip_braces();
      accept(TokenKind::kSemicolon);
      return;
    }
    advance();
  }
}

void Parser::read_module() {
  if (module_ != 0) fail_here("modules do not nest");
  refuse_waivers("a module");
  const std::uint32_t begin = advance().begin;
  Name own = name("the name of a module");
  Module out;
  out.range.begin = begin;
  out.name = std::move(own.text);
  out.name_range = own.range;
  if (accept_word("uses")) {
    do {
      Name used = name("the name of a module");
      out.uses.push_back(std::move(used.text));
      out.uses_ranges.push_back(used.range);
    } while (accept(TokenKind::kComma));
  }
  const SourceRange open = expect(TokenKind::kLeftBrace);
  module_ = static_cast<int>(program_.modules.size());
  program_.modules.push_back(std::move(out));
  declarations();
  close_brace(open);
  program_.modules[static_cast<std::size_t>(module_)].range = range_since(begin);
  module_ = 0;
}

// nowarn KIND "reason";
Waiver Parser::waiver() {
  Waiver out;
  const std::uint32_t begin = advance().begin;
  Name waived = kind();
  out.kind = std::move(waived.text);
  out.kind_range = waived.range;
  out.reason = string_value();
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

void Parser::refuse_waivers(std::string_view what) {
  for (const Waiver& waiver : take_waivers()) {
    report(waiver.range, "this `nowarn` waives nothing before " + std::string(what),
           "it belongs before the statement or declaration that has the finding");
  }
}

// The name of a kind of finding: deadlock, env-assumption.
Parser::Name Parser::kind() {
  if (!at(TokenKind::kWord)) fail_expected("a kind of finding");
  Name out{std::string(text(current())), advance()};
  while (at(TokenKind::kMinus) && ahead(1).kind == TokenKind::kWord) {
    advance();
    out.text += "-" + std::string(text(current()));
    out.range = join(out.range, advance());
  }
  return out;
}

void Parser::read_check() {
  refuse_waivers("a `check`");
  Check out;
  const std::uint32_t begin = advance().begin;
  do {
    Name asked = kind();
    out.kinds.push_back(std::move(asked.text));
    out.kind_ranges.push_back(asked.range);
  } while (accept(TokenKind::kComma));
  out.range = range_since(begin);
  expect_semicolon();
  add(program_.checks, std::move(out), Item::Kind::kCheck);
}

// ------------------------------------------------------------------------------------------------- types and variables

void Parser::read_enum() {
  refuse_waivers("an enum");
  Enum out;
  const std::uint32_t begin = advance().begin;
  Name own = name("the name of an enum");
  out.name = std::move(own.text);
  out.name_range = own.range;
  expect(TokenKind::kLeftBrace);
  do {
    Name constant = name("the name of a constant");
    out.constants.push_back({std::move(constant.text), constant.range});
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kRightBrace);
  out.range = range_since(begin);
  add(program_.enums, std::move(out), Item::Kind::kEnum);
}

void Parser::read_class() {
  refuse_waivers("a class");
  Class out;
  const std::uint32_t begin = advance().begin;
  Name own = name("the name of a class");
  out.name = std::move(own.text);
  out.name_range = own.range;
  if (accept_word("extends")) {
    Name base = name("the name of a class");
    out.extends = std::move(base.text);
    out.extends_range = base.range;
  }
  const SourceRange open = expect(TokenKind::kLeftBrace);
  class_members(out, begin);
  close_brace(open);
  out.range = range_since(begin);
  add(program_.classes, std::move(out), Item::Kind::kClass);
}

void Parser::class_members(Class& out, std::uint32_t begin) {
  const int index = static_cast<int>(program_.classes.size());
  while (!at(TokenKind::kRightBrace) && !at(TokenKind::kEnd)) {
    const bool misplaced = at_word("proc") || at_word("module") || at_word("class") || at_word("thread");
    if (misplaced && !is_indented_from(begin)) break;  // a `}` is missing
    const std::size_t start = at_;
    try {
      class_member(out, index);
    } catch (const Skipped&) { recover_declaration(start); }
  }
  refuse_waivers("the end of a class");
}

void Parser::class_member(Class& out, int class_index) {
  if (!at(TokenKind::kWord)) fail_expected("a field or a clause");
  const std::string_view word = text(current());
  if (word == "nowarn") return read_waiver();
  const bool is_field = word == "var" || word == "volatile" || word == "ghost" || word == "abstract" ||
                        word == "thread_local" || word == "unraced" || word == "final";
  if (is_field) {
    out.fields.push_back(variable());
    return;
  }
  if (current_role() == Role::kClause && word != "lock_order") {
    Clause member = clause();
    member.class_index = class_index;
    member.module = module_;
    out.clauses.push_back(static_cast<int>(program_.clauses.size()));
    program_.clauses.push_back(std::move(member));
    return;
  }
  const std::string wrong_place = where_it_belongs(word);
  if (!wrong_place.empty()) fail_here(wrong_place);
  std::string hint = guess({Role::kDeclaration, Role::kClause});
  if (hint.empty()) hint = "a field is written `var name: type;`";
  fail_here("expected a field or a clause, found " + found(), std::move(hint));
}

void Parser::read_const() {
  refuse_waivers("a constant");
  Const out;
  const std::uint32_t begin = advance().begin;
  Name own = name("the name of a constant");
  out.name = std::move(own.text);
  out.name_range = own.range;
  expect(TokenKind::kColon, "the name of the constant");
  out.type = type();
  if (accept(TokenKind::kAssign)) out.value = expression();
  out.range = range_since(begin);
  expect_semicolon();
  add(program_.consts, std::move(out), Item::Kind::kConst);
}

void Parser::read_variable() { add(program_.variables, variable(), Item::Kind::kVariable); }

Variable Parser::variable() {
  Variable out;
  out.waivers = take_waivers();
  out.module = module_;
  const std::uint32_t begin = current().begin;
  while (!at_word("var")) {
    if (accept_word("volatile")) {
      out.is_volatile = true;
    } else if (accept_word("ghost")) {
      out.is_ghost = true;
    } else if (accept_word("abstract")) {
      out.is_abstract = out.is_ghost = true;
    } else if (accept_word("thread_local")) {
      out.is_thread_local = true;
    } else if (accept_word("unraced")) {
      out.is_unraced = true;
    } else if (accept_word("final")) {
      out.is_final = true;
    } else {
      fail_expected("`var`");
    }
  }
  advance();
  Name own = name("the name of a variable");
  out.name = std::move(own.text);
  out.name_range = own.range;
  expect(TokenKind::kColon, "the name of the variable");
  out.type = type();
  if (accept(TokenKind::kAssign)) out.init = expression_or_star();
  while (field_clause(out)) {}
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

bool Parser::field_clause(Variable& out) {
  if (!at(TokenKind::kWord)) return false;
  const std::string_view word = text(current());
  if (current_role() != Role::kFieldClause) {
    const std::string hint = guess({Role::kFieldClause});
    if (begins_line(current()) && hint.empty()) return false;  // only the `;` is missing
    if (current_role() == Role::kNone) fail_here("unknown clause " + found(), hint);
    return false;
  }
  FieldClause added{FieldClause::Kind::kGuardedBy, "", nullptr, {}};
  if (word == "unwritable_by_env_if") added.kind = FieldClause::Kind::kUnwritableByEnvIf;
  if (word == "writable_if") added.kind = FieldClause::Kind::kWritableIf;
  const std::uint32_t begin = advance().begin;
  if (word == "elems_unwritable_by_env_if") {
    added.kind = FieldClause::Kind::kElemsUnwritableByEnvIf;
    expect(TokenKind::kLeftBracket);
    added.bound = name("the name of an index").text;
    expect(TokenKind::kRightBracket);
  }
  added.expr = expression();
  added.range = range_since(begin);
  out.clauses.push_back(std::move(added));
  return true;
}

// ------------------------------------------------------------------------------------------------------------- clauses

void Parser::read_clause() { add(program_.clauses, clause(), Item::Kind::kClause); }

Clause Parser::clause() {
  Clause out;
  out.waivers = take_waivers();
  const std::string_view word = text(current());
  const std::uint32_t begin = advance().begin;
  if (word == "global_invariant") out.kind = Clause::Kind::kGlobalInvariant;
  if (word == "invariant") out.kind = Clause::Kind::kMonitorInvariant;
  if (word == "initially") out.kind = Clause::Kind::kInitially;
  if (word == "finally") out.kind = Clause::Kind::kFinally;
  if (word == "env_assumption" || word == "rely") out.kind = Clause::Kind::kEnvAssumption;
  if (word == "monotonic") return monotonic(std::move(out), begin);
  if (word == "guarantee") out.kind = Clause::Kind::kGuarantee;
  const bool speaks_of_steps = out.kind == Clause::Kind::kEnvAssumption || out.kind == Clause::Kind::kGuarantee;
  if (at(TokenKind::kLess) && !speaks_of_steps) {
    fail_here("`" + std::string(word) + "` speaks of states: it takes no `<…>`");
  }
  out.predicate = two_state();
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

// `monotonic x;` is short for `env_assumption \old(x) <= x;`.
Clause Parser::monotonic(Clause out, std::uint32_t begin) {
  const auto make = [](auto node, SourceRange range) {
    auto made = std::make_unique<Expr>();
    made->node = std::move(node);
    made->range = range;
    return made;
  };
  ExprPtr after = expression_without_comparison();
  const SourceRange range = after->range;
  ExprPtr before = make(OldExpr{copy(*after)}, range);
  out.kind = Clause::Kind::kEnvAssumption;
  out.predicate.predicate = make(BinaryExpr{BinaryOp::kLe, std::move(before), std::move(after)}, range);
  out.predicate.range = range;
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

void Parser::read_lock_order() {
  LockOrder out;
  out.waivers = take_waivers();
  const std::uint32_t begin = advance().begin;
  out.before = expression_without_comparison();
  expect(TokenKind::kLess);
  out.after = expression_without_comparison();
  if (accept_word("when")) out.when = expression();
  out.range = range_since(begin);
  expect_semicolon();
  add(program_.lock_orders, std::move(out), Item::Kind::kLockOrder);
}

// ---------------------------------------------------------------------------------------------------------- procedures

void Parser::read_procedure() {
  Procedure out;
  out.waivers = take_waivers();
  const std::uint32_t begin = advance().begin;
  procedure_begin_ = begin;
  const std::size_t start = at_;
  try {
    procedure_head(out);
  } catch (const Skipped&) {
    recover_contract(start);
    if (current_role() != Role::kContract && !at(TokenKind::kLeftBrace)) throw;
  }
  while (abstracted_clause(out.abstracted) || contract_clause(out.contract)) {}
  if (!at(TokenKind::kLeftBrace)) fail_expected("`{` and the body of the procedure");
  out.body = block();
  out.range = range_since(begin);
  out.end_range = {file_, std::max(begin, last_end_ - 1), last_end_};
  add(program_.procedures, std::move(out), Item::Kind::kProcedure);
}

void Parser::procedure_head(Procedure& out) {
  const bool is_lock_word = current_role() == Role::kLockStatement;
  if (at_word("size")) fail_here("a procedure cannot have the name `size`", "`size(s)` is the size of a set");
  Name own = procedure_name();
  out.name = std::move(own.text);
  out.name_range = own.range;
  expect(TokenKind::kLeftParen, "the name of the procedure");
  while (!at(TokenKind::kRightParen)) {
    Name parameter = name("the name of a parameter");
    expect(TokenKind::kColon, "the name of the parameter");
    out.parameters.push_back({std::move(parameter.text), type(), parameter.range});
    if (at(TokenKind::kRightParen)) break;
    expect(TokenKind::kComma);
    if (at(TokenKind::kRightParen)) fail_expected("the name of a parameter");
  }
  advance();
  if (accept(TokenKind::kColon)) out.result = type();
  if (accept_word("throws")) out.throws = type();
  if (is_lock_word && out.parameters.size() == 1) {
    report(own.range, "a procedure with the name `" + out.name + "` cannot have exactly one parameter",
           "`" + out.name + "(e);` is a statement of Plato");
  }
}

// Skips to the next clause of the contract, or to the body.
void Parser::recover_contract(std::size_t start) {
  int open = open_braces_since(start);
  while (!at(TokenKind::kEnd) && (open > 0 || !at(TokenKind::kRightBrace)) && !at(TokenKind::kLeftBrace)) {
    if (at(TokenKind::kRightBrace)) --open;
    if (accept(TokenKind::kSemicolon)) return;
    const Role role = current_role();
    const bool next = role == Role::kContract || role == Role::kLoopClause || role == Role::kDeclaration;
    if (next || role == Role::kClause || role == Role::kStatement) return;
    advance();
  }
}

// Reads one clause; false if there is none.
bool Parser::contract_clause(Contract& out) {
  if (!at(TokenKind::kWord)) return false;
  const std::string_view word = text(current());
  const Role role = current_role();
  if (role == Role::kDeclaration) return false;
  const std::size_t start = at_;
  try {
    if (role != Role::kContract) {
      const std::string wrong_place = where_it_belongs(word);
      if (!wrong_place.empty()) fail_here(wrong_place);
      fail_here("expected a clause or the body of the procedure, found " + found(), guess({Role::kContract}));
    }
    if (word == "modifies" || word == "assignable") {
      modifies(out);
    } else if (word == "action") {
      out.actions.push_back(action());
    } else if (word == "performs") {
      out.actions.push_back(performs());
    } else {
      advance();
      if (word == "requires") out.requires_.push_back(expression());
      if (word == "ensures") out.ensures.push_back(expression());
      if (word == "signals") out.signals.push_back(expression());
      if (word == "inline") out.is_inline = true;
      expect_semicolon();
    }
  } catch (const Skipped&) {
    if (at_ == start) advance();
    recover_contract(start);
  }
  return true;
}

void Parser::modifies(Contract& out) {
  advance();
  if (!out.modifies) out.modifies.emplace();
  if (!at(TokenKind::kSemicolon)) {
    for (ExprPtr& location : expressions()) out.modifies->push_back(std::move(location));
  }
  expect_semicolon();
}

// action ["name"] [:] [also modifies x, y] ensures e;
Action Parser::action() {
  Action out;
  const std::uint32_t begin = advance().begin;
  if (at(TokenKind::kString)) out.name = string_value();
  accept(TokenKind::kColon);
  if (accept_word("also")) {
    expect_word("modifies");
    out.also_modifies = expressions();
  }
  if (at_word("modifies")) fail_expected("`also modifies` or `ensures`");
  expect_word("ensures");
  out.ensures = expression();
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

// performs action "name" (x, y) { e }
Action Parser::performs() {
  Action out;
  const std::uint32_t begin = advance().begin;
  expect_word("action");
  out.name = string_value();
  out.also_modifies = arguments();
  expect(TokenKind::kLeftBrace);
  out.ensures = expression();
  expect(TokenKind::kRightBrace);
  out.range = range_since(begin);
  accept(TokenKind::kSemicolon);
  return out;
}

// ------------------------------------------------------------------------------------------------------------- threads

void Parser::read_thread() {
  Thread out;
  out.waivers = take_waivers();
  const std::uint32_t begin = advance().begin;
  thread_count(out);
  if (ahead(1).kind == TokenKind::kAssign) {
    Name own = name("the name of a thread");
    if (out.has_brackets) fail(own.range, "only a single thread can have a name");
    out.name = std::move(own.text);
    advance();
  }
  {
    const Flag arguments_follow(in_thread_arguments_);
    out.target = call_target();
  }
  abstracted(out.abstracted);
  out.range = range_since(begin);
  expect_semicolon();
  add(program_.threads, std::move(out), Item::Kind::kThread);
}

// abstracted by A, if it is there
bool Parser::abstracted(Abstracted& out) {
  const SourceRange word = range(current());
  const bool one_word = accept_word("abstracted_by");
  if (!one_word && !accept_word("abstracted")) return false;
  if (!one_word) expect_word("by");
  Name machine = name("the name of an abstract thread");
  if (!out.by.empty())
    fail(join(word, machine.range), "one abstract thread is enough", "it is `" + out.by + "` already");
  out.by = std::move(machine.text);
  out.range = join(word, machine.range);
  out.name_range = machine.range;
  return true;
}

// The same as a clause of a procedure.
bool Parser::abstracted_clause(Abstracted& out) {
  const std::size_t start = at_;
  try {
    if (!abstracted(out)) return false;
    expect_semicolon();
  } catch (const Skipped&) { recover_contract(start); }
  return true;
}

void Parser::thread_count(Thread& out) {
  if (!accept(TokenKind::kLeftBracket)) return;
  out.has_brackets = true;
  thread_number(out);
  expect(TokenKind::kRightBracket);
}

void Parser::thread_number(Thread& out) {
  if (accept(TokenKind::kStar)) {
    out.count = Thread::Count::kUnbounded;
  } else if (at(TokenKind::kNumber)) {
    const std::string_view digits = text(current());
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
    if (error != std::errc()) fail_here("this number is too large");
    advance();
  } else {
    out.count = Thread::Count::kSymbol;
    Name symbol = name("a number, a constant or `*`");
    out.symbol = std::move(symbol.text);
    out.symbol_range = symbol.range;
  }
}

void Parser::read_abstract() {
  if (word_ahead(1, "thread")) return read_abstract_thread();
  read_variable();
}

void Parser::read_abstract_thread() {
  refuse_waivers("an abstract thread");
  AbstractThread out;
  const std::uint32_t begin = advance().begin;
  expect_word("thread");
  Name own = name("the name of an abstract thread");
  out.name = std::move(own.text);
  out.name_range = own.range;
  if (accept_word("without")) {
    expect_word("idle");
    out.idle = false;
  }
  const SourceRange open = expect(TokenKind::kLeftBrace);
  while (!at(TokenKind::kRightBrace) && !at(TokenKind::kEnd) &&
         (at_word("var") || current_role() != Role::kDeclaration)) {
    const std::size_t start = at_;
    try {
      machine_member(out);
    } catch (const Skipped&) { recover_declaration(start); }
  }
  close_brace(open);
  out.range = range_since(begin);
  add(program_.abstract_threads, std::move(out), Item::Kind::kAbstractThread);
}

// [initial] node X [: assert e]; or X -> Y: <P>_{x};
void Parser::machine_member(AbstractThread& out) {
  const std::uint32_t begin = current().begin;
  const bool is_edge = ahead(1).kind == TokenKind::kArrow;
  if (!is_edge && at_word("var"))
    fail_here("an abstract thread has no variables of its own: all that it knows is the node where it is",
              "make a node for each value that matters");
  if (!is_edge && (at_word("initial") || at_word("node"))) {
    AbstractThread::Node node;
    node.initial = accept_word("initial");
    expect_word("node");
    node.name = name("the name of a node").text;
    if (accept(TokenKind::kColon)) {
      expect_word("assert");
      node.assertion = expression();
    }
    node.range = range_since(begin);
    expect_semicolon();
    out.nodes.push_back(std::move(node));
    return;
  }
  if (!is_edge) fail_expected("a node or an edge", "write `node X;` or `X -> Y: <P>_{x};`");
  AbstractThread::Edge edge;
  Name from = name("the name of a node");
  expect(TokenKind::kArrow);
  Name to = name("the name of a node");
  expect(TokenKind::kColon);
  edge.from = std::move(from.text);
  edge.from_range = from.range;
  edge.to = std::move(to.text);
  edge.to_range = to.range;
  edge.step = two_state();
  edge.range = range_since(begin);
  expect_semicolon();
  out.edges.push_back(std::move(edge));
}

}  // namespace concord::plato
