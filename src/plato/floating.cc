#include "plato/floating.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace concord::plato {

namespace {

template <class Number>
std::int64_t bits_of(Number number) {
  if (std::isnan(number)) number = std::numeric_limits<Number>::quiet_NaN();
  if constexpr (sizeof(Number) == sizeof(std::int32_t)) {
    return std::bit_cast<std::int32_t>(number);
  } else {
    return std::bit_cast<std::int64_t>(number);
  }
}

template <class Number>
Number number_of(std::int64_t bits) {
  if constexpr (sizeof(Number) == sizeof(std::int32_t)) {
    return std::bit_cast<Number>(static_cast<std::int32_t>(bits));
  } else {
    return std::bit_cast<Number>(bits);
  }
}

template <class Integer, class Number>
std::int64_t truncated(Number number) {
  if (std::isnan(number)) return 0;
  // The largest integer may be no number with floating point, but one above it is: a power of two.
  const Number above = std::ldexp(Number{1}, std::numeric_limits<Integer>::digits);
  if (number >= above) return std::numeric_limits<Integer>::max();
  if (number < -above) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(number);
}

template <class Number>
std::int64_t compute_with(FloatOp op, std::int64_t left, std::int64_t right) {
  const auto a = number_of<Number>(left);
  const auto b = number_of<Number>(right);
  switch (op) {
    case FloatOp::kAdd: return bits_of<Number>(a + b);
    case FloatOp::kSub: return bits_of<Number>(a - b);
    case FloatOp::kMul: return bits_of<Number>(a * b);
    case FloatOp::kDiv: return bits_of<Number>(a / b);
    case FloatOp::kRem: return bits_of<Number>(std::fmod(a, b));
    case FloatOp::kNeg: return bits_of<Number>(-a);
    case FloatOp::kLt: return a < b ? 1 : 0;
    case FloatOp::kLe: return a <= b ? 1 : 0;
    case FloatOp::kGt: return a > b ? 1 : 0;
    case FloatOp::kGe: return a >= b ? 1 : 0;
    case FloatOp::kEq: return a == b ? 1 : 0;
    case FloatOp::kToFloat32: return bits_of(static_cast<float>(a));
    case FloatOp::kToFloat64: return bits_of(static_cast<double>(a));
    case FloatOp::kToInt32: return truncated<std::int32_t>(a);
    case FloatOp::kToInt64: return truncated<std::int64_t>(a);
  }
  base::internal_error(__FILE__, __LINE__, "an unknown operation on floating-point numbers");
}

template <class Number>
std::optional<std::int64_t> read_as(const std::string& text) {
  Number out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return bits_of(out);
}

constexpr const char* kInfinity = "Infinity";

}  // namespace

const FloatWord* float_word(std::string_view text) {
  const auto* const found =
      std::find_if(kFloatWords.begin(), kFloatWords.end(), [&](const FloatWord& it) { return it.text == text; });
  return found == kFloatWords.end() ? nullptr : found;
}

const FloatWord& float_word(FloatOp op) {
  return *std::find_if(kFloatWords.begin(), kFloatWords.end(), [&](const FloatWord& it) { return it.op == op; });
}

std::int64_t compute(FloatOp op, int size, std::int64_t left, std::int64_t right) {
  if (size == 0)
    return op == FloatOp::kToFloat32 ? bits_of(static_cast<float>(left)) : bits_of(static_cast<double>(left));
  return size == 32 ? compute_with<float>(op, left, right) : compute_with<double>(op, left, right);
}

std::string float_text(int size, std::int64_t bits) {
  const double number = size == 32 ? number_of<float>(bits) : number_of<double>(bits);
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return std::string(number < 0 ? "-" : "") + kInfinity;
  std::string out = size == 32 ? fmt::format("{}", number_of<float>(bits)) : fmt::format("{}", number);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::optional<std::int64_t> float_bits(int size, const std::string& text) {
  const bool is_negative = text.starts_with('-');
  const std::string plain = is_negative ? text.substr(1) : text;
  if (plain == kInfinity || text == "NaN") {
    const double number = plain == kInfinity ? std::numeric_limits<double>::infinity() : std::nan("");
    const double with_sign = is_negative ? -number : number;
    return size == 32 ? bits_of(static_cast<float>(with_sign)) : bits_of(with_sign);
  }
  if (plain.empty() || plain.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  return size == 32 ? read_as<float>(text) : read_as<double>(text);
}

}  // namespace concord::plato
