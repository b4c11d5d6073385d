#include "random/moments.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "random/pmf.h"

namespace dither::random {
namespace {

// Adds up the law itself over [first, last], which holds all of it but 1e-12, and compares.
void expect_right(const Moments& moments, const std::function<BigInterval(Int128)>& pmf, Int128 first, Int128 last) {
  double mean = 0, square = 0;
  std::array<double, 12> tail{};
  for (Int128 k = first; k <= last; ++k) {
    const double p = pmf(k).low_double();
    const auto x = static_cast<double>(k);
    mean += x * p;
    square += x * x * p;
    for (std::size_t t = 1; t < tail.size(); ++t) tail[t] += magnitude(k) >= t ? p : 0;
  }
  ASSERT_TRUE(moments.mean.has_value() && moments.variance.has_value());
  EXPECT_NEAR(*moments.mean, mean, 1e-9);
  EXPECT_NEAR(*moments.variance, square - mean * mean, 1e-8);
  for (std::size_t t = 1; t < tail.size(); ++t) {
    EXPECT_NEAR(moments.tail(static_cast<Int128>(t)).value(), tail[t], 1e-9) << t;
  }
}

// Spec: F-67, F-68, F-70
TEST(Moments, AgreeWithTheLawsAddedUp) {
  const Rational scale(7, 3);
  expect_right(
      discrete_laplace_moments(scale), [&](Int128 k) { return discrete_laplace_pmf(scale, k, 128); }, -90, 90);
  expect_right(
      discrete_gaussian_moments(scale), [&](Int128 k) { return discrete_gaussian_pmf(scale * scale, k, 128); }, -60,
      60);
  expect_right(
      geometric_moments(Rational(1, 4)), [](Int128 k) { return geometric_pmf(Rational(1, 4), k, 128); }, 0, 150);
  expect_right(
      truncated_geometric_moments(scale, 9, 3), [&](Int128 k) { return truncated_geometric_pmf(scale, 9, 3, k, 128); },
      0, 9);
  expect_right(
      binomial_moments(30, Rational(2, 7)), [](Int128 k) { return binomial_pmf(30, Rational(2, 7), k, 128); }, 0, 30);
  expect_right(
      poisson_moments(scale), [&](Int128 k) { return poisson_pmf(scale, k, 128); }, 0, 50);
  expect_right(
      skellam_moments(scale, Rational(1)), [&](Int128 k) { return skellam_pmf(scale, Rational(1), k, 128); }, -30, 40);
}

TEST(Moments, OfChoicesAndUniformNumbers) {
  const auto sixth = [](Int128) { return BigInterval(Rational(1, 6), 128); };
  expect_right(uniform_moments(6), sixth, 0, 5);
  const auto choice = [](Int128 k) { return BigInterval(Rational(k == 1 ? 3 : 1, 4), 128); };
  expect_right(choice_moments({1, 3}), choice, 0, 1);
}

// The wide form of the Gaussian meets the table where it takes over.
TEST(Moments, WideGaussiansAreNormal) {
  const Moments table = discrete_gaussian_moments(Rational(99'999));
  const Moments wide = discrete_gaussian_moments(Rational(100'001));
  EXPECT_NEAR(*wide.variance / *table.variance, std::pow(100'001.0 / 99'999.0, 2), 1e-9);
  EXPECT_NEAR(wide.tail(200'002).value(), table.tail(199'998).value(), 1e-6);
}

// Spec: F-43, F-52
TEST(Moments, OfRealLaws) {
  const Moments laplace = real_moments(RealLaw::laplace(), Rational(2));  // b = 2
  EXPECT_NEAR(*laplace.variance, 8, 1e-12);
  EXPECT_NEAR(laplace.tail(2).value(), std::exp(-0.75), 1e-12);  // |2 Z| >= 1.5
  const Moments normal = real_moments(RealLaw::normal(), Rational(1));
  EXPECT_NEAR(normal.tail(3).value(), std::erfc(2.5 / std::sqrt(2.0)), 1e-12);
  EXPECT_FALSE(real_moments(RealLaw::cauchy(), Rational(1)).mean.has_value());
  EXPECT_TRUE(std::isinf(real_moments(RealLaw::student_t(Rational(2)), Rational(1)).variance.value()));
  EXPECT_TRUE(real_fits_int64(RealLaw::normal(), Rational::power_of_two(50)));
  EXPECT_FALSE(real_fits_int64(RealLaw::normal(), Rational::power_of_two(53)));
  EXPECT_FALSE(real_fits_int64(RealLaw::cauchy(), Rational(1)));
}

}  // namespace
}  // namespace dither::random
