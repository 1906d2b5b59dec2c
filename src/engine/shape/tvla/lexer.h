// The tokens of TVLA's three formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "engine/shape/tvla/text.h"

namespace concord::engine::shape::tvla {

enum class TokenKind : std::uint8_t {
  kEnd,        // always the last token
  kBad,        // already reported
  kWord,       // names, and words with a meaning: E, A, TC, foreach, in, …
  kDirective,  // %p, %action, …
  kSection,    // %%
  kString,     // its text is without the quotes
  // clang-format off
  kTrue, kFalse, kUnknown,
  kLeftBrace, kRightBrace, kLeftParen, kRightParen, kLeftBracket, kRightBracket,
  kComma, kColon, kQuestion, kAssign, kEqual, kNotEqual, kImplies, kArrow, kIff,
  kOr, kAnd, kNot, kPlus, kMinus, kStar, kSlash,
  // clang-format on
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  base::SourceRange range;
};

// Never empty: ends with kEnd.
std::vector<Token> lex(const Text& text, diag::Sink& sink);

// As the user writes it: "&". Only for punctuation.
std::string_view spelling(TokenKind kind);

}  // namespace concord::engine::shape::tvla
