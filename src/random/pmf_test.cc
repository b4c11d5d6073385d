#include "random/pmf.h"

#include <gtest/gtest.h>

namespace dither::random {
namespace {

double value(const BigInterval& x) {
  EXPECT_LT(x.high_double() - x.low_double(), 1e-12);
  return x.low_double();
}

BigInterval sum(const std::function<BigInterval(Int128)>& term, Int128 first, Int128 last) {
  BigInterval total(128);
  for (Int128 k = first; k <= last; ++k) total += term(k);
  return total;
}

// Spec: F-67
TEST(Pmf, DiscreteLaplaceOracles) {
  const auto pmf = [](Int128 k) { return discrete_laplace_pmf(Rational(1), k, 128); };
  EXPECT_NEAR(value(pmf(0)), 0.462117, 5e-7);
  EXPECT_NEAR(value(pmf(1)), 0.170003, 5e-7);
  EXPECT_NEAR(value(pmf(-1)), 0.170003, 5e-7);
  const auto square = [&](Int128 k) { return pmf(k) * BigInterval(Rational(k * k), 128); };
  const auto size = [&](Int128 k) { return pmf(k) * BigInterval(abs(Rational(k)), 128); };
  EXPECT_NEAR(value(sum(square, -80, 80)), 1.841347, 5e-7);
  EXPECT_NEAR(value(sum(size, -80, 80)), 0.850918, 5e-7);
  EXPECT_NEAR(1 - value(sum(pmf, -2, 2)), 0.072795, 5e-7);
}

// Spec: F-70
TEST(Pmf, DiscreteGaussianOracles) {
  const auto pmf = [](Int128 k) { return discrete_gaussian_pmf(Rational(1), k, 128); };
  EXPECT_NEAR(value(pmf(0)), 0.398942, 5e-7);
  const auto square = [&](Int128 k) { return pmf(k) * BigInterval(Rational(k * k), 128); };
  EXPECT_NEAR(value(sum(square, -40, 40)), 0.99999979, 5e-9);
  const auto narrow = [](Int128 k) {
    return discrete_gaussian_pmf(Rational(1, 4), k, 128) * BigInterval(Rational(k * k), 128);
  };
  EXPECT_NEAR(value(sum(narrow, -20, 20)), 0.215013, 5e-7);
  const auto tail = [](Int128 k) { return discrete_gaussian_pmf(Rational(100), k, 128); };
  EXPECT_NEAR(1 - value(sum(tail, -19, 19)), 0.0510793004, 5e-11);
}

// The two series for theta agree where both converge, and the laws sum to one.
TEST(Pmf, LawsSumToOne) {
  const auto theta_directly = [](const Rational& c) {
    BigInterval total(256);
    for (long k = -2000; k <= 2000; ++k) total += exp(-BigInterval(c * Rational(k) * Rational(k), 256));
    return total;
  };
  for (const Rational& c : {Rational(1, 10'000), Rational(1, 7), Rational(3), Rational(31, 10), Rational(500'000)}) {
    const BigInterval fast = theta(BigInterval(c, 256));
    const BigInterval slow = theta_directly(c);
    EXPECT_NEAR((fast / slow).low_double(), 1.0, 1e-15) << c.str();
    EXPECT_LT((fast - slow).high_double(), 1e-60) << c.str();
    EXPECT_GT((fast - slow).low_double(), -1e-60) << c.str();
  }
  const auto laplace = [](Int128 k) { return discrete_laplace_pmf(Rational(7, 3), k, 128); };
  EXPECT_NEAR(value(sum(laplace, -150, 150)), 1.0, 1e-15);
  const auto geometric = [](Int128 k) { return geometric_pmf(Rational(1, 3), k, 128); };
  EXPECT_NEAR(value(sum(geometric, 0, 150)), 1.0, 1e-15);
  EXPECT_NEAR(value(geometric(0)), 1.0 / 3, 1e-15);
  EXPECT_EQ(value(geometric(-1)), 0.0);
}

}  // namespace
}  // namespace dither::random
