#include "random/real_cdf.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace dither::random {
namespace {

constexpr long kPrecision = 128;

double cdf(const RealLaw& law, const Rational& x) { return real_cdf(law, x, kPrecision).low_double(); }

bool meet(const BigInterval& a, const BigInterval& b) { return !a.surely_below(b) && !b.surely_below(a); }

// Spec: F-52
TEST(RealCdf, NormalTailBeyondTwo) { EXPECT_NEAR(2 * cdf(RealLaw::normal(), -2), 0.0455003, 5e-8); }

// Spec: F-43
TEST(RealCdf, LaplaceTailIsExponentialExactly) {
  for (int t = 1; t <= 20; ++t) {
    const BigInterval tail = real_cdf(RealLaw::laplace(), -t, kPrecision);
    EXPECT_TRUE(meet(tail + tail, exp(BigInterval(-t, kPrecision))));
    EXPECT_TRUE(meet(tail, BigInterval(1, kPrecision) - real_cdf(RealLaw::laplace(), t, kPrecision)));
  }
}

// Spec: F-43
TEST(RealCdf, LaplaceOracles) {
  EXPECT_NEAR(cdf(RealLaw::laplace(), Rational(1, 2)), 0.696735, 5e-7);  // at 1 for b = 2
  EXPECT_NEAR(cdf(RealLaw::laplace(), Rational::parse("2.995732")), 0.975, 5e-8);
}

// Spec: F-66
TEST(RealCdf, RoundedLaplaceOracles) {
  const auto pmf = [](Int128 k) { return rounded_real_pmf(RealLaw::laplace(), 0, 1, k, kPrecision).low_double(); };
  EXPECT_NEAR(pmf(0), 0.393469, 5e-7);
  EXPECT_NEAR(pmf(1), 0.191700, 5e-7);
  EXPECT_NEAR(pmf(-1), 0.191700, 5e-7);
}

// Pairs of laws that are one law, from different formulas.
TEST(RealCdf, LawsThatCoincideAgree) {
  for (int i = -40; i <= 40; ++i) {
    const Rational x(i, 8);
    EXPECT_TRUE(meet(real_cdf(RealLaw::student_t(1), x, kPrecision), real_cdf(RealLaw::cauchy(), x, kPrecision)));
    EXPECT_TRUE(meet(real_cdf(RealLaw::gamma(1), x, kPrecision), real_cdf(RealLaw::exponential(), x, kPrecision)));
    const Rational share(i + 40, 80);
    EXPECT_TRUE(meet(real_cdf(RealLaw::beta(1, 1), share, kPrecision), BigInterval(share, kPrecision)));
    if (i <= 0) continue;
    // Z^2 / 2 is gamma of shape 1/2.
    const BigInterval inside = real_cdf(RealLaw::normal(), x, kPrecision) - real_cdf(RealLaw::normal(), -x, kPrecision);
    EXPECT_TRUE(meet(real_cdf(RealLaw::gamma(Rational(1, 2)), x * x / 2, kPrecision), inside));
    // T of two degrees of freedom has P(T <= x) = 1/2 + x / (2 sqrt(2 + x^2)).
    const BigInterval two(2, kPrecision), at(x, kPrecision);
    const BigInterval closed = BigInterval(Rational(1, 2), kPrecision) + at / (two * sqrt(two + at * at));
    EXPECT_TRUE(meet(real_cdf(RealLaw::student_t(2), x, kPrecision), closed));
  }
}

TEST(RealCdf, LogNormalIsTheExponentialOfTheNormal) {
  EXPECT_NEAR(cdf(RealLaw::log_normal(0, 1), 1), 0.5, 1e-15);
  EXPECT_NEAR(cdf(RealLaw::log_normal(1, 2), Rational::from_double(2.718281828459045)), 0.5, 1e-15);
  EXPECT_EQ(cdf(RealLaw::log_normal(0, 1), 0), 0);
}

TEST(RealCdf, IntervalsAreNarrow) {
  for (const RealLaw& law : {RealLaw::gamma(Rational(7, 2)), RealLaw::beta(Rational(1, 3), 5), RealLaw::student_t(7)}) {
    const BigInterval p = real_cdf(law, Rational(1, 3), kPrecision);
    EXPECT_LT(p.high_double() - p.low_double(), 1e-15);
    EXPECT_TRUE((p.high_rational() - p.low_rational()) < Rational::power_of_two(-100));
  }
}

TEST(RealLaw, RefusesParametersOutsideItsRange) {
  const auto code_of = [](const auto& make) {
    try {
      make();
    } catch (const Error& error) {
      return error.code();
    }
    return Code::bad_argument;
  };
  for (const Rational& bad : {Rational(0), Rational(-1), Rational(1, 1001), Rational((1L << 20) + 1)}) {
    EXPECT_EQ(code_of([&] { RealLaw::gamma(bad); }), Code::bad_scale);
    EXPECT_EQ(code_of([&] { RealLaw::student_t(bad); }), Code::bad_scale);
    EXPECT_EQ(code_of([&] { RealLaw::beta(bad, 1); }), Code::bad_scale);
    EXPECT_EQ(code_of([&] { RealLaw::beta(1, bad); }), Code::bad_scale);
    EXPECT_EQ(code_of([&] { RealLaw::log_normal(0, bad); }), Code::bad_scale);
  }
  EXPECT_EQ(code_of([] { RealLaw::log_normal(1025, 1); }), Code::bad_scale);
  EXPECT_EQ(code_of([] { RealLaw::log_normal(-1025, 1); }), Code::bad_scale);
}

TEST(RealLaw, SaysItsNameAndParameters) {
  EXPECT_EQ(RealLaw::student_t(Rational(3, 2)).str(), "student-t(3/2)");
  EXPECT_EQ(RealLaw::beta(2, 3).str(), "beta(2, 3)");
  EXPECT_EQ(RealLaw::laplace().str(), "laplace");
}

}  // namespace
}  // namespace dither::random
