#include "show/ticks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dither::show {
namespace {

std::string labels(const Ticks& ticks) {
  std::string all;
  for (const Tick& tick : ticks.marks) all += (all.empty() ? "" : " ") + tick.label;
  return all;
}

TEST(Ticks, LinearMarksAreRound) {
  EXPECT_EQ(labels(nice_ticks(0, 8, Scale::linear)), "0 1 2 3 4 5 6 7 8");
  EXPECT_EQ(labels(nice_ticks(0, 1, Scale::linear)), "0 0.2 0.4 0.6 0.8 1.0");
  EXPECT_EQ(labels(nice_ticks(-0.9, 28, Scale::linear)), "\u22125 0 5 10 15 20 25 30");
  EXPECT_EQ(labels(nice_ticks(0, 3e7, Scale::linear)),
            "0 5\u00d710\u2076 10\u2077 1.5\u00d710\u2077 2\u00d710\u2077 2.5\u00d710\u2077 3\u00d710\u2077");
  EXPECT_EQ(labels(nice_ticks(1e-7, 3e-7, Scale::linear)).substr(0, 9), "10\u207b\u2077 ");
  EXPECT_EQ(nice_ticks(0, 0.35, Scale::linear).marks[6].value, 0.3);  // not 0.30000000000000004
}

TEST(Ticks, LogarithmicMarksArePowersOfTen) {
  EXPECT_EQ(labels(nice_ticks(1e-6, 1, Scale::logarithmic)),
            "10\u207b\u2076 10\u207b\u2075 10\u207b\u2074 10\u207b\u00b3 10\u207b\u00b2 10\u207b\u00b9 1");
  EXPECT_EQ(labels(nice_ticks(12, 1900, Scale::logarithmic)), "10 20 50 100 200 500 1000 2000");
  EXPECT_EQ(labels(nice_ticks(3, 4, Scale::logarithmic)), "2 5");
  const Ticks wide = nice_ticks(1e-22, 0.8, Scale::logarithmic);
  EXPECT_EQ(wide.high, 1);  // in line with 1, so a probability ends there
  EXPECT_DOUBLE_EQ(wide.low, 1e-24);
}

TEST(Ticks, OneValueIsWidened) {
  EXPECT_EQ(labels(nice_ticks(0, 0, Scale::linear)), "\u22121.0 \u22120.5 0 0.5 1.0");
  const Ticks around = nice_ticks(7, 7, Scale::linear);
  EXPECT_LT(around.low, 7);
  EXPECT_GT(around.high, 7);
  const Ticks power = nice_ticks(1e-6, 1e-6, Scale::logarithmic);
  EXPECT_LT(power.low, power.high);
}

TEST(Ticks, WhatCanBeDrawn) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double never : {infinity, -infinity, std::nan(""), 2e300}) {
    EXPECT_FALSE(can_draw(never, Scale::linear));
    EXPECT_FALSE(can_draw(never, Scale::logarithmic));
  }
  EXPECT_TRUE(can_draw(-1, Scale::linear));
  EXPECT_TRUE(can_draw(0, Scale::linear));
  EXPECT_FALSE(can_draw(0, Scale::logarithmic));
  EXPECT_FALSE(can_draw(-1, Scale::logarithmic));
  EXPECT_FALSE(can_draw(1e-310, Scale::logarithmic));
}

// Marks go out to a multiple of their distance, so the outermost data has the outermost marks.
TEST(Ticks, EveryPairOfDecadesHasFiniteMarks) {
  int pairs = 0;
  for (int low = -250; low <= 250; low += 5) {
    for (int high = low; high <= 250; high += 5, ++pairs) {
      const Ticks ticks = nice_ticks(std::pow(10.0, low), std::pow(10.0, high), Scale::logarithmic);
      ASSERT_TRUE(ticks.low > 0 && std::isfinite(ticks.high)) << low << " " << high;
      ASSERT_EQ(ticks.fraction(ticks.low, Scale::logarithmic), 0) << low << " " << high;
    }
  }
  EXPECT_EQ(pairs, 5151);
}

double any_real(int largest_exponent) {
  const int digits = *rc::gen::inRange(-9999, 10'000);
  return digits * std::pow(10.0, *rc::gen::inRange(-largest_exponent, largest_exponent));
}

RC_GTEST_PROP(Ticks, EncloseTheDataInFewAscendingMarks, ()) {
  const int largest = *rc::gen::element(1, 5, 290);
  const double one = any_real(largest);
  const double other = *rc::gen::element(any_real(largest), one * (1 + any_real(8)), one);
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    const auto [low, high] =
        scale == Scale::linear ? std::minmax({one, other}) : std::minmax({std::abs(one), std::abs(other)});
    if (!can_draw(low, scale) || !can_draw(high, scale)) continue;
    const Ticks ticks = nice_ticks(low, high, scale);
    RC_LOG() << low << " " << high << ": " << ticks.low << " " << ticks.high << "\n";
    const double slack = 1e-9 * (ticks.high - ticks.low);
    RC_ASSERT(ticks.low < ticks.high);
    RC_ASSERT(ticks.low <= low + slack && high <= ticks.high + slack);
    RC_ASSERT(ticks.marks.size() >= 2u && ticks.marks.size() <= 13u);
    RC_ASSERT(ticks.marks.front().value == ticks.low && ticks.marks.back().value == ticks.high);
    for (std::size_t i = 1; i < ticks.marks.size(); ++i) {
      RC_ASSERT(ticks.marks[i - 1].value < ticks.marks[i].value);
      RC_ASSERT(ticks.marks[i - 1].label != ticks.marks[i].label);
    }
    RC_ASSERT(ticks.fraction(ticks.low, scale) == 0.0 && std::abs(ticks.fraction(ticks.high, scale) - 1) < 1e-12);
  }
}

}  // namespace
}  // namespace dither::show
