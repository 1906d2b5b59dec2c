// What the parsers of models and of structures share: walking over tokens, and errors.
//
// fail() reports and throws Skipped; the list around it catches that, skips to the next sensible point and goes on. The exception never
// leaves the parser. No two errors are reported at one token, and none at a kBad token, so that one mistake is one message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "engine/shape/tvla/lexer.h"
#include "engine/shape/tvla/syntax.h"

namespace concord::engine::shape::tvla {

inline constexpr int kMostNesting = 400;

// From the first to the last, if both were written in this order in one file, else the first.
base::SourceRange span(base::SourceRange first, base::SourceRange last);

class TokenReader {
 public:
  TokenReader(std::vector<Token> tokens, diag::Sink& sink) : tokens_(std::move(tokens)), sink_(sink) {}

 protected:
  struct Skipped {};  // thrown after an error was reported (or kept silent)
  class Level {
   public:
    explicit Level(TokenReader& reader);
    ~Level() { --reader_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TokenReader& reader_;
  };

  const Token& current() const { return tokens_[at_]; }
  const Token& ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool at_end() const { return at(TokenKind::kEnd); }
  bool at_word(std::string_view word) const { return at(TokenKind::kWord) && current().text == word; }
  bool at_directive(std::string_view name) const { return at(TokenKind::kDirective) && current().text == name; }
  base::SourceRange here() const { return current().range; }
  base::SourceRange since(base::SourceRange first) const { return span(first, last_); }
  base::SourceRange advance();
  bool accept(TokenKind kind);
  bool accept_word(std::string_view word);
  bool accept_directive(std::string_view name);
  base::SourceRange expect(TokenKind kind);
  Word word(std::string_view what);
  Name name(std::string_view what);
  Word label();                              // a word or a string
  std::vector<Name> names(TokenKind close);  // up to there, `close` included; may be none
  Kleene value();

  void report(base::SourceRange range, std::string message, std::string hint = "");
  [[noreturn]] void fail(base::SourceRange range, std::string message, std::string hint = "");
  [[noreturn]] void fail_here(std::string message, std::string hint = "") {
    fail(here(), std::move(message), std::move(hint));
  }
  [[noreturn]] void fail_expected(const std::string& what, std::string hint = "");
  [[noreturn]] void too_deep(base::SourceRange range);
  std::string found() const;

  std::vector<Token> tokens_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  base::SourceRange last_;  // of the token before the current one
  int depth_ = 0;

 private:
  std::size_t last_error_at_ = static_cast<std::size_t>(-1);
};

}  // namespace concord::engine::shape::tvla
