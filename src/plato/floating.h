// Numbers with floating point, as IEEE 754 and Java have them. A value is its bits: 32 or 64, read as an integer with sign; there is
// one NaN, Java's canonical one. So `==` of Plato compares bits, which is what frames and `\old` need, and \feq as Java does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace concord::plato {

enum class FloatOp {
  // Of two numbers of the same size, kNeg of one.
  kAdd,
  kSub,
  kMul,
  kDiv,
  kRem,
  kNeg,
  // Likewise; a truth value.
  kLt,
  kLe,
  kGt,
  kGe,
  kEq,
  // From an integer, or from the other size.
  kToFloat32,
  kToFloat64,
  // Without the fraction; NaN becomes 0, what is too large the nearest integer there is.
  kToInt32,
  kToInt64,
};

struct FloatWord {
  FloatOp op;
  std::string_view text;
  int operands;
};
inline constexpr std::array kFloatWords = {
    FloatWord{FloatOp::kAdd, "\\fadd", 2},
    FloatWord{FloatOp::kSub, "\\fsub", 2},
    FloatWord{FloatOp::kMul, "\\fmul", 2},
    FloatWord{FloatOp::kDiv, "\\fdiv", 2},
    FloatWord{FloatOp::kRem, "\\frem", 2},
    FloatWord{FloatOp::kNeg, "\\fneg", 1},
    FloatWord{FloatOp::kLt, "\\flt", 2},
    FloatWord{FloatOp::kLe, "\\fle", 2},
    FloatWord{FloatOp::kGt, "\\fgt", 2},
    FloatWord{FloatOp::kGe, "\\fge", 2},
    FloatWord{FloatOp::kEq, "\\feq", 2},
    FloatWord{FloatOp::kToFloat32, "\\float32", 1},
    FloatWord{FloatOp::kToFloat64, "\\float64", 1},
    FloatWord{FloatOp::kToInt32, "\\trunc32", 1},
    FloatWord{FloatOp::kToInt64, "\\trunc64", 1},
};
const FloatWord* float_word(std::string_view text);  // null: none
const FloatWord& float_word(FloatOp op);

// `size`: of the operands, 32 or 64; 0: they are integers. Truth values are 0 and 1; `right` does not count for one operand.
std::int64_t compute(FloatOp op, int size, std::int64_t left, std::int64_t right = 0);

// As the user writes it: 1.5, 1.0E10, NaN, -Infinity; read back it is the same number.
std::string float_text(int size, std::int64_t bits);
std::optional<std::int64_t> float_bits(int size, const std::string& text);

}  // namespace concord::plato
