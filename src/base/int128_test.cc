#include "base/int128.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <limits>

#include "base/rational.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

// Any size is as likely, so that products meet the end of the range about half of the time.
Int128 any_int128() {
  const auto high = *rc::gen::arbitrary<std::uint64_t>();
  const auto low = *rc::gen::arbitrary<std::uint64_t>();
  const auto wide = static_cast<Int128>((static_cast<UInt128>(high) << 64) | low);
  return wide >> *rc::gen::inRange(0, 127);
}

using Operation = Int128 (*)(Int128, Int128);
using Exact = std::function<Rational(const Rational&, const Rational&)>;

// Checked arithmetic is exact or refuses, and saturating arithmetic is exact or the nearest end; the truth is rational.
bool agrees(Operation checked, Operation saturating, const Exact& exact, Int128 a, Int128 b) {
  const Rational truth = exact(Rational(a), Rational(b));
  if (truth > Rational(kInt128Max)) {
    return saturating(a, b) == kInt128Max && refusal([&] { checked(a, b); }) == Code::out_of_range;
  }
  if (truth < Rational(kInt128Min)) {
    return saturating(a, b) == kInt128Min && refusal([&] { checked(a, b); }) == Code::out_of_range;
  }
  return Rational(checked(a, b)) == truth && Rational(saturating(a, b)) == truth;
}

RC_GTEST_PROP(Int128, SumsAreExactOrStopAtTheEnd, ()) {
  RC_ASSERT(agrees(add_checked, add_saturating, std::plus<>(), any_int128(), any_int128()));
}
RC_GTEST_PROP(Int128, DifferencesAreExactOrStopAtTheEnd, ()) {
  RC_ASSERT(agrees(sub_checked, sub_saturating, std::minus<>(), any_int128(), any_int128()));
}
RC_GTEST_PROP(Int128, ProductsAreExactOrStopAtTheEnd, ()) {
  RC_ASSERT(agrees(mul_checked, mul_saturating, std::multiplies<>(), any_int128(), any_int128()));
}

TEST(Int128, TheEndsOfTheRangeMeetEachOther) {
  for (Int128 a : {kInt128Min, kInt128Min + 1, Int128{-1}, Int128{0}, Int128{1}, kInt128Max}) {
    for (Int128 b : {kInt128Min, Int128{-2}, Int128{-1}, Int128{0}, Int128{1}, Int128{2}, kInt128Max}) {
      EXPECT_TRUE(agrees(add_checked, add_saturating, std::plus<>(), a, b));
      EXPECT_TRUE(agrees(sub_checked, sub_saturating, std::minus<>(), a, b));
      EXPECT_TRUE(agrees(mul_checked, mul_saturating, std::multiplies<>(), a, b));
    }
  }
}

// Twins: wrapping where a check belongs, and saturating at the wrong end.
Int128 wrapping_add(Int128 a, Int128 b) {
  return static_cast<Int128>(static_cast<UInt128>(a) + static_cast<UInt128>(b));
}
Int128 always_high(Int128 a, Int128 b) {
  Int128 result;
  return __builtin_add_overflow(a, b, &result) ? kInt128Max : result;
}

TEST(Int128, PlantedWrappingIsCaught) {
  EXPECT_FALSE(agrees(wrapping_add, add_saturating, std::plus<>(), kInt128Max, 1));
  EXPECT_FALSE(agrees(add_checked, always_high, std::plus<>(), kInt128Min, -1));
}

RC_GTEST_PROP(Int128, TextRoundTrips, ()) {
  const Int128 value = any_int128();
  RC_ASSERT(parse_int128(to_string(value)) == value);
}

TEST(Int128, TextOfTheEnds) {
  EXPECT_EQ(to_string(kInt128Max), "170141183460469231731687303715884105727");
  EXPECT_EQ(to_string(kInt128Min), "-170141183460469231731687303715884105728");
  EXPECT_EQ(to_string(~UInt128{0}), "340282366920938463463374607431768211455");
  EXPECT_EQ(to_string(Int128{0}), "0");
  EXPECT_TRUE(parse_int128("+007") == 7);
  EXPECT_TRUE(parse_int128("-170141183460469231731687303715884105728") == kInt128Min);
}

TEST(Int128, RefusesTextThatIsNoInt128) {
  for (const char* text : {"", "-", "+", "1.5", "1e3", " 1", "1 ", "--1", "0x1", "nan"}) {
    EXPECT_EQ(refusal([&] { parse_int128(text); }), Code::bad_number) << text;
  }
  for (const char* text : {"170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
                           "99999999999999999999999999999999999999999999"}) {
    EXPECT_EQ(refusal([&] { parse_int128(text); }), Code::out_of_range) << text;
  }
}

TEST(Int128, MagnitudeAndNarrowing) {
  EXPECT_TRUE(magnitude(kInt128Min) == UInt128{1} << 127);
  EXPECT_TRUE(magnitude(-5) == 5);
  constexpr long low = std::numeric_limits<long>::min();
  EXPECT_EQ(to_int64_checked(low), low);
  EXPECT_EQ(refusal([] { to_int64_checked(Int128{low} - 1); }), Code::out_of_range);
  EXPECT_EQ(to_int64_saturating(Int128{low} - 1), low);
  EXPECT_EQ(to_int64_saturating(kInt128Max), std::numeric_limits<long>::max());
  EXPECT_EQ(to_int64_saturating(-3), -3);
}

}  // namespace
}  // namespace dither
