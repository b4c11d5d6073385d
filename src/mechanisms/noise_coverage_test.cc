// What people read beside an answer: standard errors and 95% intervals of every family of noise.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms/noise_check.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

const std::vector<Rational> kScales = {Rational(1, 4), Rational(1), Rational(3), Rational(29, 4)};

// Exactly, by the law: no draw takes part.
// Spec: W-36, W-12
TEST(NoiseCoverage, BarsHoldTheExactValueWith95Percent) {
  for (const Rational& scale : kScales) {
    for (const check::Family& family : check::families(scale)) {
      for (const int exact : {0, 1, 15, check::kTop}) {
        EXPECT_GE(check::coverage(family.noise, family.law, exact), 0.95) << family.name << " " << scale.str();
      }
    }
  }
}

// The same for a bar one step narrower on each side: it must fail somewhere, or bars are wider than they need be.
TEST(NoiseCoverage, PlantedNarrowBarIsCaught) {
  for (const Rational& scale : {Rational(1), Rational(3)}) {
    for (const check::Family& family : check::families(scale)) {
      double covered = 0;
      for (Int128 y = 15 - family.law.reach; y <= 15 + family.law.reach; ++y) {
        const ErrorBar bar = family.noise.error(y).value();
        if (bar.low + 1 <= Rational(15) && Rational(15) <= bar.high - 1) covered += family.law(15, y);
      }
      EXPECT_LT(covered, 0.95) << family.name << " " << scale.str();
    }
  }
}

// Drawn, 10^5 releases nightly and 20,000 otherwise. One sided: fewer hits than 95% must still fit the exact binomial
// tail, so that a right bar fails with probability below 1e-9.
bool covers(const AnyMeasurement& noise, Int128 exact, const AnyMeasurement& drawn_by) {
  const std::size_t n = check::nightly() ? 100'000 : 20'000;
  std::int64_t hits = 0;
  for (const Int128 y : check::releases(drawn_by, exact, n, random::Source::this_thread())) {
    const ErrorBar bar = noise.error(y).value();
    hits += bar.low <= Rational(exact) && Rational(exact) <= bar.high ? 1 : 0;
  }
  const auto trials = static_cast<std::int64_t>(n);
  return hits >= static_cast<std::int64_t>(0.95 * static_cast<double>(n)) ||
         testing::binomial_accepts(hits, trials, 0.95, 1e-9);
}

// Spec: W-36
TEST(NoiseCoverage, DrawnValuesAreCoveredToo) {
  for (const check::Family& family : check::families(5)) {
    for (const int exact : {0, 12}) EXPECT_TRUE(covers(family.noise, exact, family.noise)) << family.name;
  }
}
TEST(NoiseCoverage, PlantedBarOfTooLittleNoiseIsCaught) {  // the bar is for scale 4, the noise has 5
  const auto right = check::families(5);
  const auto narrow = check::families(4);
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_FALSE(covers(narrow[i].noise, 15, right[i].noise)) << right[i].name;
  }
}

// Standard errors against the exact second moment of the law; for the truncated law it is a bound.
// Spec: W-36, F-67, F-70, F-52
TEST(NoiseCoverage, StandardErrorsAreThoseOfTheLaws) {
  for (const Rational& scale : kScales) {
    for (const check::Family& family : check::families(scale)) {
      const double shown = *family.noise.error(15)->standard_error;
      const double exact = std::sqrt(check::mean_square(family.law, 15));
      if (family.name == "truncated geometric") {
        EXPECT_LE(exact, shown * (1 + 1e-9));
      } else {
        EXPECT_NEAR(exact / shown, 1, 1e-6) << family.name << " " << scale.str();
      }
    }
  }
}

// Measured: the root mean square of n errors is within 2% of the standard error shown. n is such that 2% are eight
// standard deviations of the mean square (kurtosis at most 6: sd of it 2.24 / sqrt(n), so 4% need n = 200,000): a false
// alarm is below 1e-9 for each family. Noise 5% off slips through with less.
double measured_over_shown(const AnyMeasurement& noise, double shown) {
  double sum = 0;
  const std::size_t n = 200'000;
  for (const Int128 y : check::releases(noise, 15, n, random::Source::this_thread())) {
    const auto error = static_cast<double>(y - 15);
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(n)) / shown;
}

// Spec: W-36
TEST(NoiseCoverage, MeasuredErrorIsWithinTwoPercent) {
  for (const check::Family& family : check::families(6)) {
    if (family.name == "truncated geometric") continue;  // its standard error is a bound
    EXPECT_NEAR(measured_over_shown(family.noise, *family.noise.error(15)->standard_error), 1, 0.02) << family.name;
  }
}
TEST(NoiseCoverage, PlantedWiderNoiseIsCaught) {
  const double shown = *make_discrete_laplace({}, 6).any().error(15)->standard_error;
  EXPECT_GT(std::abs(measured_over_shown(make_discrete_laplace({}, Rational(63, 10)).any(), shown) - 1), 0.02);
}

}  // namespace
}  // namespace dither::mechanisms
