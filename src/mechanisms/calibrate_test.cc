#include "mechanisms/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "accounting/gaussian.h"
#include "accounting/zcdp.h"
#include "mechanisms/noise_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using testing::refusal;

double near(const Rational& x) { return x.to_double_up(); }
Rational exact(const char* text) { return Rational::parse(text); }

// Spec: F-44, F-50, F-51
TEST(Calibrate, LaplaceScaleIsExact) {
  EXPECT_EQ(laplace_scale(1, exact("0.5")), Rational(2));  // one cell, add/remove
  EXPECT_EQ(laplace_scale(2, exact("0.5")), Rational(4));  // replace-one moves two
  EXPECT_EQ(laplace_scale(exact("0.01"), exact("0.5")), exact("0.02"));
  EXPECT_EQ(laplace_scale(1, exact("0.3")), Rational(10, 3));
}

struct Case {
  const char* epsilon;
  const char* delta;
  double analytic;
  double closed_form;
};
constexpr Case kCases[] = {{"0.1", "1e-5", 30.749566, 45.114476}, {"0.5", "1e-5", 7.031827, 9.110493},
                           {"1", "1e-5", 3.730632, 4.608852},     {"1", "1e-6", 4.224679, 5.084168},
                           {"2", "1e-5", 1.993812, 2.356282},     {"5", "1e-5", 0.891868, 1.000066},
                           {"10", "1e-5", 0.499889, 0.542246},    {"20", "1e-5", 0.290041, 0.306567}};

// sqrt(z + epsilon) + sqrt(z) over epsilon sqrt(2), z = -ln(4 delta (1 - delta)): enough for delta <= 1/2 (Vinterbo).
double closed_form_sigma(double epsilon, double delta) {
  const double z = -std::log(4 * delta * (1 - delta));
  return (std::sqrt(z + epsilon) + std::sqrt(z)) / (epsilon * std::sqrt(2));
}

// Spec: F-54
TEST(Calibrate, AnalyticSigmaOracles) {
  for (const Case& c : kCases) {
    const double sigma = near(analytic_sigma(1, exact(c.epsilon), exact(c.delta)));
    EXPECT_NEAR(sigma, c.analytic, 5e-7) << c.epsilon;
    EXPECT_NEAR(closed_form_sigma(near(exact(c.epsilon)), near(exact(c.delta))), c.closed_form, 5e-7) << c.epsilon;
    EXPECT_NEAR(near(analytic_sigma(9, exact(c.epsilon), exact(c.delta))), 3 * sigma, 1e-9 * sigma);
  }
  const double classical = near(classical_sigma(1, 1, exact("1e-5")));
  EXPECT_NEAR(std::pow(3.730632 / classical, 2), 0.593, 5e-4);
}

// The least sigma: enough as it is, not enough when smaller by 1e-9; and never above the closed form.
bool is_the_least(double sigma, double epsilon, double delta) {
  return accounting::gaussian_delta_up(1 / sigma, epsilon) <= delta * (1 + 1e-12) &&
         accounting::gaussian_delta_down(1 / (sigma * (1 - 1e-9)), epsilon) > delta &&
         sigma <= closed_form_sigma(epsilon, delta);
}

// Spec: F-54
TEST(Calibrate, AnalyticSigmaIsTheLeastOnAGrid) {
  for (double epsilon = 0.01; epsilon < 30; epsilon *= 1.7) {
    for (const double delta : {1e-12, 1e-8, 1e-5, 1e-2, 0.4}) {
      const double sigma = near(analytic_sigma(1, Rational::from_double(epsilon), Rational::from_double(delta)));
      EXPECT_TRUE(is_the_least(sigma, epsilon, delta)) << epsilon << " " << delta;
    }
  }
}
TEST(Calibrate, PlantedClassicalSigmaAboveOneIsCaught) {  // 2.3 times the delta at (10, 1e-5)
  const double sigma = std::sqrt(2 * std::log(1.25e5)) / 10;
  EXPECT_NEAR(sigma, 0.484481, 5e-7);
  EXPECT_NEAR(accounting::gaussian_delta_up(1 / sigma, 10), 2.265e-5, 5e-9);
  EXPECT_FALSE(is_the_least(sigma, 10, 1e-5));
}

// Spec: F-53
TEST(Calibrate, ClassicalSigmaOracles) {
  const double sigma = near(classical_sigma(1, 1, exact("1e-5")));
  EXPECT_NEAR(sigma, 4.844805, 5e-7);
  EXPECT_NEAR(accounting::gaussian_delta_up(1 / sigma, 1), 4.114e-8, 5e-12);
  for (const double epsilon : {0.01, 0.1, 0.5, 1.0}) {
    for (const double delta : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
      const double s = near(classical_sigma(1, Rational::from_double(epsilon), Rational::from_double(delta)));
      EXPECT_LE(accounting::gaussian_delta_up(1 / s, epsilon) / delta, 0.0945) << epsilon << " " << delta;
    }
  }
}

// Where the textbook formula would first break its promise, were it not refused there.
// Spec: F-53
TEST(Calibrate, ClassicalFormulaBreaksWhereTheSpecSays) {
  const auto breaks = [](double epsilon, double delta) {
    return accounting::gaussian_delta_down(epsilon / std::sqrt(2 * std::log(1.25 / delta)), epsilon) > delta;
  };
  for (const auto& [delta, from] :
       {std::pair{1e-3, 7.463}, std::pair{1e-5, 8.420}, std::pair{1e-6, 8.782}, std::pair{0.1, 5.743}}) {
    EXPECT_FALSE(breaks(from - 0.001, delta)) << delta;
    EXPECT_TRUE(breaks(from + 0.001, delta)) << delta;
  }
}

// Spec: F-53
TEST(Calibrate, Hole36TextbookSigmaIsRefusedAboveOne) {
  EXPECT_EQ(refusal([] { classical_sigma(1, exact("1.001"), exact("1e-5")); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { classical_sigma(1, 10, exact("1e-5")); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { classical_sigma(1, 1, exact("1e-5")); }), std::nullopt);
  EXPECT_NEAR(near(analytic_sigma(1, 10, exact("1e-5"))), 0.499889, 5e-7);  // where the hint leads
}

// Spec: F-53, F-54
TEST(Calibrate, RefusesBudgetsThatAreNone) {
  for (const Rational& delta : {Rational(0), Rational(1), Rational(-1)}) {
    EXPECT_EQ(refusal([&] { classical_sigma(1, 1, delta); }), Code::bad_probability);
    EXPECT_EQ(refusal([&] { analytic_sigma(1, 1, delta); }), Code::bad_probability);
    EXPECT_EQ(refusal([&] { discrete_gaussian_sigma(1, 1, delta); }), Code::bad_probability);
    EXPECT_EQ(refusal([&] { discrete_gaussian_vector_sigma(1, 1, delta); }), Code::bad_probability);
  }
  EXPECT_EQ(refusal([] { laplace_scale(1, 0); }), Code::bad_number);
  EXPECT_EQ(refusal([] { laplace_scale(0, 1); }), Code::bad_distance);
  EXPECT_EQ(refusal([] { analytic_sigma(1, -1, exact("1e-5")); }), Code::bad_number);
  EXPECT_EQ(refusal([] { discrete_gaussian_sigma(0, 1, exact("1e-5")); }), Code::bad_distance);
  EXPECT_GT(near(analytic_sigma(1, 0, exact("1e-5"))), 30'000);  // epsilon 0 is a question with an answer
}

// Spec: F-55
TEST(Calibrate, ProfileOfAFixedSigmaIsTheExactOne) {
  EXPECT_NEAR(1.25 * std::exp(-100 * 0.25 / 2), 4.658e-6, 5e-10);      // as one source prints it
  EXPECT_NEAR(accounting::gaussian_delta_up(2, 10), 9.940e-6, 5e-10);  // the truth
}

// Spec: F-57
TEST(Calibrate, HistogramWithSigmaOne) {
  EXPECT_NEAR(accounting::gaussian_delta_up(1, 1), 0.126937, 5e-7);
  EXPECT_NEAR(accounting::gaussian_epsilon_up(1, 0.1), 1.160334, 5e-7);
  EXPECT_NEAR(near(analytic_sigma(1, 1, exact("0.1"))), 1.085878, 5e-7);
  EXPECT_NEAR(near(classical_sigma(1, 1, exact("0.1"))), 2.247545, 5e-7);
  const Rational inverse_e = Rational::from_double(std::exp(-1));
  EXPECT_NEAR(near(analytic_sigma(1, 1, inverse_e)), 0.617191, 5e-7);
  EXPECT_NEAR(near(classical_sigma(1, 1, inverse_e)), 1.564061, 5e-7);
  EXPECT_NEAR(accounting::gaussian_epsilon_up(1, std::exp(-1)), 0.048947, 5e-7);
}

// The sum itself, slow and obvious.
double discrete_delta(const Rational& sigma, double epsilon) {
  return check::delta_between(check::gaussian_family(sigma).law, 0, 1, epsilon);
}

// Spec: F-70
TEST(Calibrate, DiscreteGaussianNeedsItsOwnSigma) {
  const Rational sigma = discrete_gaussian_sigma(1, 1, exact("1e-6"));
  EXPECT_NEAR(near(sigma), 4.230779, 5e-7);
  EXPECT_LE(discrete_delta(sigma, 1), 1e-6 * (1 + 1e-9));
  EXPECT_GT(discrete_delta(sigma * exact("0.99999999"), 1), 1e-6);
  for (const char* epsilon : {"0.2", "0.5", "3"}) {
    for (const char* delta : {"1e-9", "1e-3", "0.3"}) {
      const Rational least = discrete_gaussian_sigma(1, exact(epsilon), exact(delta));
      EXPECT_LE(discrete_delta(least, near(exact(epsilon))), near(exact(delta)) * (1 + 1e-9)) << epsilon << delta;
    }
  }
  // A wide one, by comparison: near the continuous sigma, and above it.
  const double wide = near(discrete_gaussian_sigma(100'000, 1, exact("1e-6")));
  EXPECT_GT(wide, 422467.88);
  EXPECT_LE(wide, 422467.89 * (1 + 1e-6));
}
TEST(Calibrate, PlantedContinuousSigmaForDiscreteNoiseIsCaught) {
  EXPECT_NEAR(discrete_delta(exact("4.224679"), 1), 1.0197e-6, 5e-11);
  EXPECT_GT(discrete_delta(exact("4.224679"), 1), 1e-6);
}

// Losses of 10^12 leave nothing of doubles below 10^-4: exponents are exact here, and delta a sum of p(k) (1 - e^-x).
TEST(Calibrate, HugeEpsilonsKeepTheirDeltaToo) {
  const Rational epsilon(1'000'000'000'000L), steps(1'000'000);
  const Rational sigma = discrete_gaussian_sigma(1'000'000, epsilon, exact("1e-6"));
  const double s = near(sigma);
  double delta = 0, all = 0;
  for (int k = -30; k <= 30; ++k) {
    const double p = std::exp(-k * k / (2 * s * s));
    const Rational over = epsilon + steps * (Rational(2 * k) - steps) / (2 * sigma * sigma);  // ln of the ratio
    all += p;
    if (over.sign() < 0) delta -= p * std::expm1(std::max(near(over), -1000.0));
  }
  EXPECT_LE(delta / all, 1e-6);
}

// What is found can be drawn, and deltas that doubles cannot hold are refused by name.
TEST(Calibrate, SigmasOfExtremeBudgetsCanBeUsed) {
  for (const char* epsilon : {"100", "400", "1e6", "1e15"}) {
    const Rational sigma = discrete_gaussian_sigma(1, exact(epsilon), exact("1e-6"));
    EXPECT_EQ(refusal([&] { make_gaussian({}, sigma); }), std::nullopt) << epsilon;
  }
  const Rational tiny = Rational::power_of_two(-2000);
  EXPECT_EQ(refusal([&] { analytic_sigma(1, 1, tiny); }), Code::bad_probability);
  EXPECT_EQ(refusal([&] { discrete_gaussian_vector_sigma(1, 1, tiny); }), Code::bad_probability);
}

// Spec: F-70
TEST(Calibrate, VectorsAreCalibratedByZcdp) {
  const Rational sigma = discrete_gaussian_vector_sigma(9, 1, exact("1e-6"));
  const double rho = near(9 / (2 * sigma * sigma));
  EXPECT_LE(accounting::zcdp_epsilon_up(rho, 1e-6), 1 + 1e-12);
  EXPECT_GT(accounting::zcdp_epsilon_up(rho * (1 + 1e-6), 1e-6), 1);
  EXPECT_GT(near(sigma), near(analytic_sigma(9, 1, exact("1e-6"))));  // what zCDP gives away
}

}  // namespace
}  // namespace dither::mechanisms
