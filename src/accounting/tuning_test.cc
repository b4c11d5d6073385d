#include "accounting/tuning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// P(K = k) for k = 1, 2, ...: truncated negative binomial.
std::vector<double> run_law(double shape, double stop) {
  std::vector<double> law;
  double term = shape == 0 ? (1 - stop) / std::log(1 / stop) : 1 - stop;
  for (int k = 1; k < 4000; ++k) {
    law.push_back(shape == 0 ? std::pow(1 - stop, k) / k / std::log(1 / stop) : 0);
    if (shape != 0) {
      if (k > 1) term *= (1 - stop) * (k - 1 + shape) / k;
      law.back() = term * shape / (std::pow(stop, -shape) - 1);
    }
  }
  return law;
}

// Spec: B-27
TEST(Tuning, PureGuarantees) {
  EXPECT_EQ(tuned_epsilon(Rational(1, 10), 1), Rational(3, 10));
  EXPECT_EQ(tuned_epsilon(Rational(1, 10), 0), Rational(2, 10));
  EXPECT_EQ(tuned_epsilon(Rational(1, 10), Rational(-1, 2)), Rational(15, 100));
  EXPECT_EQ(refusal([] { tuned_epsilon(1, -1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { tuned_epsilon(-1, 1); }), Code::bad_number);
}

TEST(Tuning, ExpectedRunsAreTheMeanOfTheLaw) {
  for (const double shape : {-.5, 0., .5, 1., 3.}) {
    const std::vector<double> law = run_law(shape, .1);
    double total = 0;
    double mean = 0;
    for (std::size_t k = 0; k < law.size(); ++k) {
      total += law[k];
      mean += law[k] * static_cast<double>(k + 1);
    }
    EXPECT_NEAR(total, 1, 1e-12) << shape;
    EXPECT_NEAR(expected_runs_up(Rational::from_double(shape), Rational(1, 10)) / mean, 1, 1e-9) << shape;
  }
  EXPECT_NEAR(expected_runs_up(1, Rational(1, 10)), 10, 1e-13);  // geometric
}

// Best of K runs of binary randomised response, answer 1 the better one: exact laws for both values.
struct Tuned {
  double one;
  double zero;
};
Tuned tuned(double p_one, const std::vector<double>& law) {
  double none = 0;  // all runs gave 0
  for (std::size_t k = 0; k < law.size(); ++k) none += law[k] * std::pow(1 - p_one, static_cast<double>(k + 1));
  return {1 - none, none};
}

// Spec: B-27
TEST(Tuning, BoundsTheBestOfRandomlyManyResponses) {
  for (const double shape : {-.5, 0., 1., 2.}) {
    for (const double e : {.1, .5, 2.}) {
      const std::vector<double> law = run_law(shape, .05);
      const double a = std::exp(e) / (1 + std::exp(e));
      const Tuned high = tuned(a, law);
      const Tuned low = tuned(1 - a, law);
      const double loss = std::max({std::log(high.one / low.one), std::log(low.zero / high.zero)});
      EXPECT_LE(loss, tuned_epsilon(Rational::from_double(e), Rational::from_double(shape)).to_double_up() + 1e-9);
      const auto curve = [&](double order) {
        return std::log((std::exp(order * e) + std::exp((1 - order) * e)) / (1 + std::exp(e))) / (order - 1);
      };
      for (const double order : {1.5, 2., 8.}) {
        const auto renyi = [order](const Tuned& p, const Tuned& q) {
          return std::log(p.one * std::pow(p.one / q.one, order - 1) + p.zero * std::pow(p.zero / q.zero, order - 1)) /
                 (order - 1);
        };
        const double truth = std::max(renyi(high, low), renyi(low, high));
        const auto safe = [&](double b) { return b * e > 300 ? e : curve(b); };
        EXPECT_LE(truth, tuned_renyi_up(order, safe, Rational::from_double(shape), Rational(1, 20)));
      }
    }
  }
}

// Twin: charging the best of ten runs as one run is caught by the exact law; so is (2 + shape) epsilon for a fixed
// number.
TEST(Tuning, PlantedFreeSearchIsCaught) {
  std::vector<double> ten(10);
  ten.back() = 1;
  const double e = .5;
  const double a = std::exp(e) / (1 + std::exp(e));
  const double loss = std::log(tuned(1 - a, ten).zero / tuned(a, ten).zero);
  EXPECT_GT(loss, 3 * e);
  EXPECT_LE(loss, 10 * e + 1e-12);  // tenfold, as a fixed number is charged
}

// Spec: B-27
TEST(Tuning, RenyiFormulaByHand) {
  const auto curve = [](double order) { return order / 8; };  // Gaussian noise, sigma = 2
  // order 10, geometric with stop 1/10: best b solves b^2 = 8 ln 10, b = 4.292.
  const double b = std::sqrt(8 * std::log(10));
  const double best = 10.0 / 8 + 2 * (1 - 1 / b) * b / 8 + 2 * std::log(10) / b + std::log(10) / 9;
  EXPECT_GE(tuned_renyi_up(10, curve, 1, Rational(1, 10)), best * (1 - 1e-12));
  EXPECT_NEAR(tuned_renyi_up(10, curve, 1, Rational(1, 10)) / best, 1, 2e-3);
  const auto unknown = [](double) { return std::numeric_limits<double>::infinity(); };
  EXPECT_EQ(tuned_renyi_up(10, unknown, 1, Rational(1, 10)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(refusal([&] { tuned_renyi_up(10, curve, 1, 1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::accounting
