// Plato's tokens. The lexer reads a whole file at once and reports what is no token; in its place it leaves a kBad
// token, at which the parser stays silent, so that one mistake gives one message.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"

namespace concord::plato {

enum class TokenKind : std::uint8_t {
  kEnd,      // always the last token, empty, at the end of the file
  kBad,      // already reported
  kWord,     // names and words with a meaning; which of the two depends on the place
  kEscaped,  // \old, \forall, …; the range includes the backslash
  kNumber,
  kString,  // the range includes the quotes
  // clang-format off
  kLeftBrace, kRightBrace, kLeftParen, kRightParen, kLeftBracket, kRightBracket,
  kComma, kSemicolon, kColon, kColonColon, kColonEqual, kDot, kDotDot, kPrime, kQuestion,
  kAssign, kPlusAssign, kMinusAssign, kPlusPlus, kMinusMinus, kArrow,
  kIff, kImplies, kOr, kAnd, kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual,
  kPlus, kMinus, kStar, kSlash, kPercent, kAmpersand, kNot,
  // clang-format on
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Never empty: ends with kEnd.
std::vector<Token> lex(const base::SourceMap& sources, std::uint32_t file, diag::Sink& sink);

// Part of a file: the inside of a comment of another language, where `@` and `//@`, and `*` at the beginning of a line, are space.
std::vector<Token> lex(const base::SourceMap& sources, base::SourceRange inside, diag::Sink& sink);

// As the user writes it: "&&". Only for punctuation.
std::string_view spelling(TokenKind kind);

}  // namespace concord::plato
