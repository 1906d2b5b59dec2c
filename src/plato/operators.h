// The infix operators, once for the reader and the printer: docs/plato.md, section 4. A larger binding binds tighter.
#pragma once

#include <algorithm>
#include <array>

#include "plato/lexer.h"
#include "plato/syntax.h"

namespace concord::plato {

inline constexpr int kLoosest = 0;  // forall, exists
inline constexpr int kConditionalBinding = 1;
inline constexpr int kComparisonBinding = 7;
inline constexpr int kUnaryBinding = 10;
inline constexpr int kCastBinding = 11;
inline constexpr int kTightest = 12;  // o.f, m[k], x' and all that stands alone

struct Infix {
  BinaryOp op;
  TokenKind token;  // kWord: `in`
  std::string_view text;
  int binding;
  bool right_associative = false;
};

inline constexpr std::array kInfix = {
    Infix{BinaryOp::kIff, TokenKind::kIff, "<==>", 2},
    Infix{BinaryOp::kImplies, TokenKind::kImplies, "==>", 3, true},
    Infix{BinaryOp::kOr, TokenKind::kOr, "||", 4},
    Infix{BinaryOp::kAnd, TokenKind::kAnd, "&&", 5},
    Infix{BinaryOp::kEq, TokenKind::kEqual, "==", 6},
    Infix{BinaryOp::kNe, TokenKind::kNotEqual, "!=", 6},
    Infix{BinaryOp::kLt, TokenKind::kLess, "<", kComparisonBinding},
    Infix{BinaryOp::kLe, TokenKind::kLessEqual, "<=", kComparisonBinding},
    Infix{BinaryOp::kGt, TokenKind::kGreater, ">", kComparisonBinding},
    Infix{BinaryOp::kGe, TokenKind::kGreaterEqual, ">=", kComparisonBinding},
    Infix{BinaryOp::kIn, TokenKind::kWord, "in", kComparisonBinding},
    Infix{BinaryOp::kAdd, TokenKind::kPlus, "+", 8},
    Infix{BinaryOp::kSub, TokenKind::kMinus, "-", 8},
    Infix{BinaryOp::kMul, TokenKind::kStar, "*", 9},
    Infix{BinaryOp::kDiv, TokenKind::kSlash, "/", 9},
    Infix{BinaryOp::kMod, TokenKind::kPercent, "%", 9},
    Infix{BinaryOp::kIntersect, TokenKind::kAmpersand, "&", 9},
};

// The operators that are written like functions: \bitand(a, b).
struct Prefix {
  BinaryOp op;
  std::string_view text;
};

inline constexpr std::array kPrefix = {
    Prefix{BinaryOp::kBitAnd, "\\bitand"}, Prefix{BinaryOp::kBitOr, "\\bitor"}, Prefix{BinaryOp::kBitXor, "\\bitxor"},
    Prefix{BinaryOp::kShl, "\\shl"},       Prefix{BinaryOp::kShr, "\\shr"},
};

inline const Prefix* prefix(std::string_view text) {
  const auto found =
      std::find_if(kPrefix.begin(), kPrefix.end(), [&](const Prefix& entry) { return entry.text == text; });
  return found == kPrefix.end() ? nullptr : &*found;
}

inline const Prefix* prefix(BinaryOp op) {
  const auto found = std::find_if(kPrefix.begin(), kPrefix.end(), [&](const Prefix& entry) { return entry.op == op; });
  return found == kPrefix.end() ? nullptr : &*found;
}

inline const Infix* infix(TokenKind token) {
  const auto found =
      std::find_if(kInfix.begin(), kInfix.end(), [&](const Infix& entry) { return entry.token == token; });
  return found == kInfix.end() ? nullptr : &*found;
}

inline const Infix& infix(BinaryOp op) {
  return *std::find_if(kInfix.begin(), kInfix.end(), [&](const Infix& entry) { return entry.op == op; });
}

}  // namespace concord::plato
