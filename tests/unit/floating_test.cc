// Numbers with floating point, by their bits.
#include "plato/floating.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace concord::plato {
namespace {

std::int64_t bits(const std::string& text, int size = 64) { return float_bits(size, text).value(); }

// The result of the operation on doubles, as text.
std::string of(FloatOp op, const std::string& left, const std::string& right = "0.0") {
  return float_text(64, compute(op, 64, bits(left), bits(right)));
}

TEST(Floating, TextIsReadBack) {
  for (const char* text : {"0.0", "-0.0", "1.5", "0.1", "1e+300", "NaN", "Infinity", "-Infinity", "5e-324"}) {
    EXPECT_EQ(float_text(64, bits(text)), text);
  }
  for (const char* text : {"0.1", "16777216.0", "3.4028235e+38", "1e-45"}) {
    EXPECT_EQ(float_text(32, bits(text, 32)), text);
  }
  EXPECT_EQ(bits("1.0E10"), bits("10000000000"));
  EXPECT_EQ(bits("1.5"), 0x3FF8000000000000);
  EXPECT_EQ(bits("-1.0", 32), std::int64_t{-1082130432});
}

TEST(Floating, OtherTextIsRefused) {
  for (const char* text : {"", "-", "1.5x", "inf", "nan", "0x1p3", " 1", "-NaN", "1e", "--1"}) {
    EXPECT_FALSE(float_bits(64, text)) << text;
  }
}

TEST(Floating, ArithmeticIsThatOfTheStandard) {
  EXPECT_EQ(of(FloatOp::kAdd, "0.1", "0.2"), "0.30000000000000004");
  EXPECT_EQ(of(FloatOp::kDiv, "1", "0"), "Infinity");
  EXPECT_EQ(of(FloatOp::kDiv, "-1", "0"), "-Infinity");
  EXPECT_EQ(of(FloatOp::kSub, "Infinity", "Infinity"), "NaN");
  EXPECT_EQ(of(FloatOp::kRem, "-7.5", "2"), "-1.5");
  EXPECT_EQ(of(FloatOp::kRem, "1", "0"), "NaN");
  EXPECT_EQ(of(FloatOp::kNeg, "0.0"), "-0.0");
  EXPECT_EQ(of(FloatOp::kMul, "1e300", "1e300"), "Infinity");
}

TEST(Floating, ThereIsOneNan) {
  const std::int64_t nan = bits("NaN");
  EXPECT_EQ(nan, 0x7FF8000000000000);
  EXPECT_EQ(compute(FloatOp::kNeg, 64, nan), nan);
  EXPECT_EQ(compute(FloatOp::kAdd, 64, nan, bits("1")), nan);
  EXPECT_EQ(compute(FloatOp::kToFloat32, 64, nan), bits("NaN", 32));
}

TEST(Floating, ComparisonsWithNanAreFalse) {
  for (const FloatOp op : {FloatOp::kLt, FloatOp::kLe, FloatOp::kGt, FloatOp::kGe, FloatOp::kEq}) {
    EXPECT_EQ(compute(op, 64, bits("NaN"), bits("NaN")), 0);
    EXPECT_EQ(compute(op, 64, bits("NaN"), bits("1")), 0);
  }
  EXPECT_EQ(compute(FloatOp::kEq, 64, bits("0.0"), bits("-0.0")), 1);
  EXPECT_EQ(compute(FloatOp::kLt, 32, bits("1.0", 32), bits("1.5", 32)), 1);
  EXPECT_EQ(compute(FloatOp::kGe, 32, bits("1.0", 32), bits("1.5", 32)), 0);
}

TEST(Floating, ToIntegersTheNearestThereIs) {
  EXPECT_EQ(compute(FloatOp::kToInt32, 64, bits("-2.9")), -2);
  EXPECT_EQ(compute(FloatOp::kToInt32, 64, bits("2147483647.5")), 2147483647);
  EXPECT_EQ(compute(FloatOp::kToInt32, 64, bits("1e10")), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(compute(FloatOp::kToInt32, 64, bits("-2147483648.5")), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(compute(FloatOp::kToInt64, 32, bits("9.2233715e18", 32)), 9223371487098961920);
  EXPECT_EQ(compute(FloatOp::kToInt64, 64, bits("-1e30")), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(compute(FloatOp::kToInt64, 64, bits("Infinity")), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(compute(FloatOp::kToInt64, 64, bits("NaN")), 0);
}

TEST(Floating, FromIntegersAndBetweenSizes) {
  EXPECT_EQ(float_text(32, compute(FloatOp::kToFloat32, 0, 16777217)), "16777216.0");
  EXPECT_EQ(float_text(64, compute(FloatOp::kToFloat64, 0, 16777217)), "16777217.0");
  EXPECT_EQ(float_text(64, compute(FloatOp::kToFloat64, 32, bits("0.1", 32))), "0.10000000149011612");
  EXPECT_EQ(float_text(32, compute(FloatOp::kToFloat32, 64, bits("1e300"))), "Infinity");
}

}  // namespace
}  // namespace concord::plato
