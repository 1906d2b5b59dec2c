#include "engine/shape/tvla/parser.h"

#include <utility>

namespace concord::engine::shape::tvla {

Parser::Parser(std::vector<Token> tokens, bool has_threads, diag::Sink& sink) : TokenReader(std::move(tokens), sink) {
  model_.has_threads = has_threads;
}

Model Parser::model() {
  declarations();
  section();
  actions();
  section();
  if (model_.has_threads) {
    threads();
    section();
    try {
      while (!at_section_end()) model_.claims.push_back(use());
    } catch (const Skipped&) { skip_to_section(); }
  } else {
    sequential_program();
  }
  if (accept(TokenKind::kSection)) output();
  return std::move(model_);
}

// The `%%` between two parts.
void Parser::section() {
  if (accept(TokenKind::kSection)) return;
  try {
    fail_expected("`%%`");
  } catch (const Skipped&) {
    skip_to_section();
    accept(TokenKind::kSection);
  }
}

void Parser::skip_to_section() {
  while (!at_section_end()) advance();
}

void Parser::sequential_program() {
  ThreadDecl program;
  program.name.range = here();
  try {
    do program.edges.push_back(edge());
    while (!at_section_end());
  } catch (const Skipped&) { skip_to_section(); }
  model_.threads.push_back(std::move(program));
}

void Parser::threads() {
  if (at_section_end()) report(here(), "expected `%thread`, found " + found());
  while (!at_section_end()) {
    try {
      thread();
    } catch (const Skipped&) {
      while (!at_section_end() && !at_directive("%thread")) advance();
    }
  }
}

void Parser::thread() {
  if (at_directive("%method")) unsupported("%method");
  if (!accept_directive("%thread")) fail_expected("`%thread`");
  ThreadDecl out;
  out.name = word("the name of a thread");
  expect(TokenKind::kLeftBrace);
  do {
    const bool is_block = at_word("atomic") && ahead(1).kind == TokenKind::kLeftBrace;
    if (is_block) {
      atomic_block(out.edges);
    } else {
      out.edges.push_back(edge());
    }
  } while (!at(TokenKind::kRightBrace));
  advance();
  model_.threads.push_back(std::move(out));
}

void Parser::atomic_block(std::vector<EdgeDecl>& edges) {
  advance();
  expect(TokenKind::kLeftBrace);
  const int block = atomic_blocks_++;
  do {
    edges.push_back(edge());
    edges.back().atomic = block;
  } while (!at(TokenKind::kRightBrace));
  advance();
}

EdgeDecl Parser::edge() {
  EdgeDecl out;
  out.from = label();
  out.use = use();
  out.to = label();
  return out;
}

Use Parser::use() {
  if (at_directive("%assert") || at_directive("%hardassert")) return assertion();
  Use out;
  out.action = word("the name of an action");
  expect(TokenKind::kLeftParen);
  out.arguments = names(TokenKind::kRightParen);
  out.range = since(out.action.range);
  return out;
}

Use Parser::assertion() {
  if (!model_.has_threads) fail_here("`" + current().text + "` is for models with threads (.tvm)");
  Use out;
  const base::SourceRange first = advance();
  expect(TokenKind::kLeftParen);
  out.assertion = formula();
  expect(TokenKind::kRightParen);
  out.range = since(first);
  return out;
}

// What TVLA is to print; read and not used.
void Parser::output() {
  try {
    if (model_.has_threads) {
      while (accept_directive("%include") || accept_directive("%exclude")) formula();
    } else {
      do label();
      while (accept(TokenKind::kComma));
    }
    if (!at_end()) fail_expected("the end of the file");
  } catch (const Skipped&) {}
}

void Parser::unsupported(const std::string& what) {
  fail_here((what.starts_with('%') ? "`" + what + "`" : what) + " is not supported");
}

}  // namespace concord::engine::shape::tvla
