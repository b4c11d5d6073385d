#include "base/digits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "testing/printers.h"

namespace dither {
namespace {

TEST(Digits, GoToTheSideThatIsMeant) {
  EXPECT_EQ(digits_down(4.875675, 4), "4.875");
  EXPECT_EQ(digits_up(4.875675, 4), "4.876");
  EXPECT_EQ(digits_up(Rational(1, 3), 2), "0.34");
  EXPECT_EQ(digits_down(Rational(999'999, 10'000), 4), "99.99");
  EXPECT_EQ(digits_up(Rational(999'999, 10'000), 4), "100");
  EXPECT_EQ(digits_down(Rational(2, 3), 1), "0.6");
  EXPECT_EQ(digits_up(Rational(5), 3), "5");
  EXPECT_EQ(digits_up(0.0, 3), "0");
  EXPECT_EQ(digits_up(9.995e-31, 3), "1e-30");
  EXPECT_EQ(digits_down(9.995e-31, 3), "9.99e-31");
}

TEST(Digits, OfNegativeNumbersAndInfinity) {
  EXPECT_EQ(digits_down(-1.25, 2), "-1.3");
  EXPECT_EQ(digits_up(-1.25, 2), "-1.2");
  EXPECT_EQ(digits_up(HUGE_VAL, 2), "infinity");
  EXPECT_EQ(digits_down(-HUGE_VAL, 2), "-infinity");
}

RC_GTEST_PROP(Digits, EncloseTheNumber, ()) {
  const Rational value(*rc::gen::inRange(-1'000'000, 1'000'000), *rc::gen::inRange(1, 1'000'000));
  const int digits = *rc::gen::inRange(1, 12);
  const Rational low = Rational::parse(digits_down(value, digits)), high = Rational::parse(digits_up(value, digits));
  RC_ASSERT(low <= value && value <= high);
  Rational width = abs(value);
  for (int i = 1; i < digits; ++i) width /= 10;
  RC_ASSERT(high - low <= width);
}

// 0.1 and a third of 0.3 are no doubles; what is farther from a decimal than a few roundings goes up.
TEST(Digits, TypedNumbersStayWhatTheyWere) {
  EXPECT_EQ(typed_or_up(0.1, 4), "0.1");
  EXPECT_EQ(typed_or_up(0.3, 4), "0.3");
  EXPECT_EQ(typed_or_up(std::nextafter(0.3, 1.0), 4), "0.3");
  EXPECT_EQ(typed_or_up(0.1 + 0.2, 4), "0.3");
  EXPECT_EQ(typed_or_up(1e-6, 4), "1e-6");
  EXPECT_EQ(typed_or_up(0.12344, 4), "0.1235");
  EXPECT_EQ(typed_or_up(0.1 + 1e-9, 4), "0.1001");
  EXPECT_EQ(typed_or_up(0, 4), "0");
  EXPECT_EQ(typed_or_up(5e-324, 1), "5e-324");
  EXPECT_EQ(typed_or_up(HUGE_VAL, 4), "infinity");
}

}  // namespace
}  // namespace dither
