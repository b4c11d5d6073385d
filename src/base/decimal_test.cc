#include "base/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

const Grid kTenths = Grid::of_decimals(1);

TEST(Decimal, TenTenthsAreOne) {
  Decimal sum(kTenths, 0);
  for (int i = 0; i < 10; ++i) sum += Decimal::round(0.1, kTenths);
  EXPECT_EQ(sum, Decimal::parse("1.0", kTenths));
  EXPECT_EQ(sum.value(), Rational(1));
  EXPECT_EQ(sum.str(), "1");
  for (int i = 0; i < 3; ++i) sum -= Decimal::parse("0.1", kTenths);
  EXPECT_EQ(sum.str(), "0.7");
}

TEST(Decimal, TiesGoToEven) {
  for (const auto& [text, wanted] : {std::pair{"0.05", "0"},
                                     {"0.15", "0.2"},
                                     {"0.25", "0.2"},
                                     {"0.35", "0.4"},
                                     {"-0.05", "0"},
                                     {"-0.15", "-0.2"},
                                     {"0.2500000000000000000001", "0.3"}}) {
    EXPECT_EQ(Decimal::parse(text, kTenths).str(), wanted) << text;
  }
  // The double 0.15 lies below 15/100, the double 0.35 too: what counts is the double's own value.
  EXPECT_EQ(Decimal::round(0.15, kTenths).str(), "0.1");
  EXPECT_EQ(Decimal::round(0.25, kTenths).str(), "0.2");
}

RC_GTEST_PROP(Decimal, RoundsToTheNearestOnAnyGrid,
              (std::int64_t numerator, std::int32_t denominator, std::int32_t step)) {
  RC_PRE(denominator != 0 && step != 0);
  const Grid grid(abs(Rational(step, 97)));
  const Rational value(numerator, denominator);
  const Decimal nearest = Decimal::round(value, grid);
  const Rational distance = abs(nearest.value() - value) * 2;
  RC_ASSERT(distance < grid.step() || (distance == grid.step() && nearest.steps() % 2 == 0));
  RC_ASSERT(Decimal::round_down(value, grid).value() <= value);
  RC_ASSERT(Decimal::round_up(value, grid).value() >= value);
  RC_ASSERT(Decimal::round_up(value, grid).steps() - Decimal::round_down(value, grid).steps() <= 1);
}

RC_GTEST_PROP(Decimal, TextIsExact, (std::int64_t high, std::uint64_t low)) {
  const Grid grid(
      *rc::gen::element(Rational(1), Rational(1, 8), Rational(1, 100), Rational(1, 3), Rational(5, 2), Rational(40)));
  const Decimal value(grid, (static_cast<Int128>(high) << 64) | low);
  RC_ASSERT(Rational::parse(value.str()) == value.value());
  RC_ASSERT(Decimal::parse(value.str(), grid) == value);
}

TEST(Decimal, TextHasNoDigitTooMany) {
  EXPECT_EQ(Decimal(Grid::of_decimals(18), 50'000'000'000'000'000).str(), "0.05");
  EXPECT_EQ(Decimal(Grid::of_decimals(2), -105).str(), "-1.05");
  EXPECT_EQ(Decimal(Grid(Rational(1, 8)), 3).str(), "0.375");
  EXPECT_EQ(Decimal(Grid(Rational(1, 3)), 4).str(), "4/3");
  EXPECT_EQ(Decimal(Grid(Rational(50)), -3).str(), "-150");
  EXPECT_EQ(Decimal(kTenths, 0).str(), "0");
}

TEST(Decimal, SumsAreCheckedOrSaturate) {
  const Decimal top(kTenths, kInt128Max), bottom(kTenths, kInt128Min), one(kTenths, 1);
  EXPECT_EQ(refusal([&] { top + one; }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { bottom - one; }), Code::out_of_range);
  EXPECT_EQ(add_saturating(top, one), top);
  EXPECT_EQ(sub_saturating(bottom, one), bottom);
  EXPECT_EQ(add_saturating(bottom, one).steps(), kInt128Min + 1);
  EXPECT_EQ(top.str(), "17014118346046923173168730371588410572.7");
  EXPECT_LT(bottom, top);
}

TEST(Decimal, RangeEndsWhereRoundingSays) {
  const Rational half_step(1, 20);
  const Rational top = Decimal(kTenths, kInt128Max).value();
  const Rational bottom = Decimal(kTenths, kInt128Min).value();
  EXPECT_EQ(Decimal::round(bottom - half_step, kTenths).steps(), kInt128Min) << "half to even is still inside";
  EXPECT_EQ(refusal([&] { Decimal::round(top + half_step, kTenths); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { Decimal::round(1e300, kTenths); }), Code::out_of_range);
  EXPECT_EQ(Decimal::round(5e-324, kTenths).steps(), 0);
}

TEST(Decimal, RefusesGridsAndNumbersThatAreNone) {
  EXPECT_EQ(refusal([] { Grid(Rational(0)); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { Grid(Rational(-1)); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { Grid::of_decimals(-1); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { Grid::of_decimals(39); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { Decimal(kTenths, 1) + Decimal(Grid::of_decimals(2), 1); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { return Decimal(kTenths, 1) == Decimal(Grid::of_decimals(2), 10); }), Code::bad_grid);
  EXPECT_EQ(refusal([] { Decimal::exactly(Rational(1, 3), kTenths); }), Code::bad_grid);
  EXPECT_EQ(Decimal::exactly(Rational(3, 10), Grid(Rational(1, 10))).steps(), 3);
  for (double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(refusal([&] { Decimal::round(x, kTenths); }), Code::bad_number);
    EXPECT_EQ(refusal([&] { Decimal::round(-x, kTenths); }), Code::bad_number);
  }
  for (const char* text : {"", "nan", "inf", "1,5", "0x10", "1e", "1e+-5", "--1"}) {
    EXPECT_EQ(refusal([&] { Decimal::parse(text, kTenths); }), Code::bad_number) << text;
  }
}

}  // namespace
}  // namespace dither
