#include "engine/shape/tvla/token_reader.h"

#include <utility>

namespace concord::engine::shape::tvla {

namespace {

constexpr std::size_t kLongestQuote = 40;

}  // namespace

base::SourceRange span(base::SourceRange first, base::SourceRange last) {
  return first.file == last.file && first.begin <= last.begin ? base::join(first, last) : first;
}

TokenReader::Level::Level(TokenReader& reader) : reader_(reader) {
  if (++reader_.depth_ <= kMostNesting) return;
  --reader_.depth_;  // the destructor of an object that was not made does not run
  reader_.too_deep(reader_.here());
}

base::SourceRange TokenReader::advance() {
  last_ = here();
  if (!at_end()) ++at_;
  return last_;
}

bool TokenReader::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool TokenReader::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

bool TokenReader::accept_directive(std::string_view name) {
  if (!at_directive(name)) return false;
  advance();
  return true;
}

base::SourceRange TokenReader::expect(TokenKind kind) {
  if (at(kind)) return advance();
  fail_expected(kind == TokenKind::kSection ? "`%%`" : "`" + std::string(spelling(kind)) + "`");
}

Word TokenReader::word(std::string_view what) {
  if (!at(TokenKind::kWord)) fail_expected(std::string(what));
  std::string text = current().text;
  return {std::move(text), advance()};
}

Name TokenReader::name(std::string_view what) {
  const Level level(*this);
  Name out;
  out.word = word(what);
  if (accept(TokenKind::kLeftBracket)) {
    out.has_parameters = true;
    out.parameters = names(TokenKind::kRightBracket);
  }
  out.range = since(out.word.range);
  return out;
}

Word TokenReader::label() {
  if (!at(TokenKind::kString)) return word("a label");
  std::string text = current().text;
  return {std::move(text), advance()};
}

std::vector<Name> TokenReader::names(TokenKind close) {
  std::vector<Name> list;
  if (accept(close)) return list;
  do list.push_back(name("a name"));
  while (accept(TokenKind::kComma));
  expect(close);
  return list;
}

Kleene TokenReader::value() {
  if (accept(TokenKind::kTrue)) return Kleene::kTrue;
  if (accept(TokenKind::kFalse)) return Kleene::kFalse;
  if (accept(TokenKind::kUnknown)) return Kleene::kUnknown;
  fail_expected("0, 1 or 1/2");
}

void TokenReader::report(base::SourceRange range, std::string message, std::string hint) {
  const bool silent = at(TokenKind::kBad) || last_error_at_ == at_ || sink_.is_full();
  last_error_at_ = at_;
  if (!silent) sink_.error(range, std::move(message), std::move(hint));
  if (sink_.is_full()) at_ = tokens_.size() - 1;
}

void TokenReader::fail(base::SourceRange range, std::string message, std::string hint) {
  report(range, std::move(message), std::move(hint));
  throw Skipped();
}

void TokenReader::fail_expected(const std::string& what, std::string hint) {
  fail_here("expected " + what + ", found " + found(), std::move(hint));
}

void TokenReader::too_deep(base::SourceRange range) {
  report(range, "the nesting here is deeper than " + std::to_string(kMostNesting) + " levels, which is the limit");
  at_ = tokens_.size() - 1;
  last_error_at_ = at_;
  throw Skipped();
}

std::string TokenReader::found() const {
  if (at_end()) return "the end of the file";
  const std::string& text = current().text;
  if (at(TokenKind::kString)) return "a string";
  return "`" + (text.size() <= kLongestQuote ? text : text.substr(0, kLongestQuote) + "…") + "`";
}

}  // namespace concord::engine::shape::tvla
