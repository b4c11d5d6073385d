#include "base/sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/decimal.h"
#include "base/rational.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

Rational exact_sum(const std::vector<double>& values) {
  Rational sum;
  for (double x : values) sum += Rational::from_double(x);
  return sum;
}

// Terms of very different size and both signs, so that nearly everything cancels.
std::vector<double> wild_terms() {
  std::vector<double> terms;
  for (int i = *rc::gen::inRange(0, 200); i > 0; --i) {
    terms.push_back(std::scalbn(*rc::gen::arbitrary<std::int32_t>(), *rc::gen::inRange(-1074, 900)));
    if (*rc::gen::inRange(0, 2) == 0) terms.push_back(-terms[*rc::gen::inRange<std::size_t>(0, terms.size())]);
  }
  return terms;
}

bool bounds_hold(const std::vector<double>& terms, double down, double up) {
  const Rational exact = exact_sum(terms);
  return Rational::from_double(down) <= exact && exact <= Rational::from_double(up);
}

RC_GTEST_PROP(Sum, HoldsTheExactSum, ()) {
  const auto terms = wild_terms();
  RC_ASSERT(bounds_hold(terms, sum_down(terms), sum_up(terms)));
}

RC_GTEST_PROP(Sum, IsTheBestDoubleForTermsOfOneSign, ()) {
  std::vector<double> terms;
  for (int i = *rc::gen::inRange(1, 300); i > 0; --i)
    terms.push_back(std::ldexp(*rc::gen::arbitrary<std::uint32_t>(), -50));
  RC_ASSERT(sum_up(terms) == exact_sum(terms).to_double_up());
  RC_ASSERT(sum_down(terms) == exact_sum(terms).to_double_down());
}

// Twin: adding to nearest, as a plain loop does, is no bound.
TEST(Sum, PlantedPlainLoopIsCaught) {
  const std::vector<double> terms(10, 0.1);
  double plain = 0;
  for (double x : terms) plain += x;
  EXPECT_FALSE(bounds_hold(terms, plain, plain));
  EXPECT_TRUE(bounds_hold(terms, sum_down(terms), sum_up(terms)));
}

// A million charges of 1e-6 are never less than 1, whichever way they are kept.
// Spec: W-78
TEST(Sum, MillionMillionthsChargeAtLeastOne) {
  const std::vector<double> charges(1'000'000, Rational::parse("1e-6").to_double_up());
  EXPECT_GE(sum_up(charges), 1.0);
  EXPECT_LE(sum_up(charges), steps_up(1, 1));
  EXPECT_GE(sum_up(std::vector<double>(1'000'000, 1e-6)), 1.0);
  RunningSum running;
  Rational exact;
  const Grid grid = Grid::of_decimals(18);
  Decimal fixed(grid, 0);
  const Decimal millionth = Decimal::parse("1e-6", grid);
  for (int i = 0; i < 1'000'000; ++i) {
    running += 1e-6;
    exact += Rational(1, 1'000'000);
    fixed += millionth;
  }
  EXPECT_GE(running.up(), 1.0);
  EXPECT_LE(running.down(), 1.0);
  EXPECT_EQ(exact, Rational(1));
  EXPECT_EQ(fixed.str(), "1");
}

TEST(Sum, SurvivesCancellationAndSubnormals) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sum_up(std::vector<double>{1e300, tiny, -1e300}), tiny);
  EXPECT_EQ(sum_down(std::vector<double>{1e300, tiny, -1e300}), tiny);
  EXPECT_EQ(sum_up(std::vector<double>{1, 1e-30}), steps_up(1, 1));
  EXPECT_EQ(sum_down(std::vector<double>{1, 1e-30}), 1);
  EXPECT_EQ(sum_up(std::vector<double>{}), 0);
}

// Spec: W-78
TEST(Sum, RefusesWhatIsNoNumber) {
  const double max = std::numeric_limits<double>::max();
  RunningSum sum;
  EXPECT_EQ(refusal([&] { sum += std::nan(""); }), Code::bad_number);
  EXPECT_EQ(refusal([&] { sum += kInfinity; }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { sum_up(std::vector<double>{max, max}); }), Code::out_of_range);
  EXPECT_EQ(sum.up(), 0) << "a refused term leaves the sum as it was";
}

}  // namespace
}  // namespace dither
