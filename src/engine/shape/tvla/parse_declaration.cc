#include <utility>

#include "engine/shape/tvla/parser.h"

namespace concord::engine::shape::tvla {

void Parser::declarations() {
  while (!at_section_end() && !at(TokenKind::kRightBrace)) {
    const std::size_t start = at_;
    try {
      declaration();
    } catch (const Skipped&) {
      if (at_ == start) advance();
      skip_declaration();
    }
  }
}

void Parser::skip_declaration() {
  while (!at_section_end() && !at(TokenKind::kDirective) && !at(TokenKind::kRightBrace) && !at_word("foreach"))
    advance();
}

void Parser::declaration() {
  if (at_word("foreach")) return foreach_loop([this] { declarations(); });
  if (accept_directive("%s")) return set_declaration();
  if (accept_directive("%p")) return predicate_declaration(false);
  if (accept_directive("%i")) return predicate_declaration(true);
  if (accept_directive("%r")) return rule_declaration();
  if (!model_.has_threads && loops_.empty() && at_directive("%f")) return focus(model_.focus);
  if (!model_.has_threads && loops_.empty() && at_directive("%message")) {
    model_.messages.push_back(message());
    return;
  }
  if (at_directive("%pset") || at_directive("%dname") || at_directive("%closecycle")) unsupported(current().text);
  fail_expected("a declaration: %s, %p, %i, %r or foreach");
}

void Parser::set_declaration() {
  SetDecl out;
  out.name = word("the name of a set");
  out.members = set();
  model_.declarations.push_back({loops_, std::move(out)});
}

void Parser::predicate_declaration(bool is_derived) {
  PredicateDecl out;
  out.name = predicate_name();
  out.arguments = arguments();
  out.range = out.name.range;
  if (is_derived) {
    expect(TokenKind::kAssign);
    out.definition = formula();
  }
  properties(out);
  model_.declarations.push_back({loops_, std::move(out)});
}

void Parser::properties(PredicateDecl& out) {
  while (at(TokenKind::kWord) && !at_word("foreach")) {
    out.properties.push_back(word("a property"));
    if (out.properties.back().text == "uniquePerCC") fail(last_, "`uniquePerCC` is not supported");
  }
  if (at(TokenKind::kLeftBracket)) unsupported("a functional dependency written with [ ]");
  if (!accept(TokenKind::kLeftBrace)) return;
  // The values that are drawn.
  if (accept(TokenKind::kRightBrace)) return;
  do value();
  while (accept(TokenKind::kComma));
  expect(TokenKind::kRightBrace);
}

void Parser::rule_declaration() {
  RuleDecl out;
  const base::SourceRange first = last_;
  out.body = formula();
  expect(TokenKind::kImplies);
  out.head = formula();
  out.range = since(first);
  model_.declarations.push_back({loops_, std::move(out)});
}

void Parser::foreach_loop(const std::function<void()>& body) {
  const Level level(*this);
  advance();
  expect(TokenKind::kLeftParen);
  const std::size_t depth = loops_.size();
  loops_.push_back(loop());
  try {
    expect(TokenKind::kRightParen);
    expect(TokenKind::kLeftBrace);
    body();
    expect(TokenKind::kRightBrace);
  } catch (const Skipped&) {
    loops_.resize(depth);
    throw;
  }
  loops_.resize(depth);
}

std::shared_ptr<const Loop> Parser::loop() {
  Loop out;
  out.word = word("the name for the members of a set");
  if (!accept_word("in")) fail_expected("`in`");
  out.set = set();
  return std::make_shared<const Loop>(std::move(out));
}

// `+` and `-` bind tighter than `&`.
SetExpr Parser::set() {
  const Level level(*this);
  const base::SourceRange first = here();
  SetExpr out(SetExpr::Kind::kIntersection);
  do out.parts.push_back(set_sum());
  while (accept(TokenKind::kAnd));
  if (out.parts.size() == 1) return SetExpr(std::move(out.parts[0]));
  out.range = since(first);
  return out;
}

SetExpr Parser::set_sum() {
  const base::SourceRange first = here();
  SetExpr out(SetExpr::Kind::kSum);
  bool minus = false;
  do {
    out.parts.push_back(set_operand());
    out.is_minus.push_back(minus);
    minus = at(TokenKind::kMinus);
  } while (accept(TokenKind::kPlus) || accept(TokenKind::kMinus));
  if (out.parts.size() == 1) return SetExpr(std::move(out.parts[0]));
  out.range = since(first);
  return out;
}

SetExpr Parser::set_operand() {
  if (at(TokenKind::kLeftBrace)) return listed_set();
  if (accept(TokenKind::kLeftParen)) {
    SetExpr inner = set();
    expect(TokenKind::kRightParen);
    return inner;
  }
  SetExpr out(SetExpr::Kind::kNamed);
  out.word = word("a set: a name, or names in { }");
  out.range = out.word.range;
  return out;
}

SetExpr Parser::listed_set() {
  SetExpr out(SetExpr::Kind::kListed);
  const base::SourceRange first = advance();
  if (!at(TokenKind::kRightBrace)) {
    do out.names.push_back(name("a name"));
    while (accept(TokenKind::kComma));
    if (accept(TokenKind::kColon)) {
      out.kind = SetExpr::Kind::kMapped;
      out.word = word("the name for the members of a set");
      if (!accept_word("in")) fail_expected("`in`");
      out.parts.push_back(set());
    }
  }
  expect(TokenKind::kRightBrace);
  out.range = since(first);
  return out;
}

// (a, b, …)
std::vector<Word> Parser::arguments() {
  expect(TokenKind::kLeftParen);
  std::vector<Word> out;
  if (!at(TokenKind::kRightParen)) {
    do out.push_back(word("a variable"));
    while (accept(TokenKind::kComma));
  }
  expect(TokenKind::kRightParen);
  return out;
}

}  // namespace concord::engine::shape::tvla
