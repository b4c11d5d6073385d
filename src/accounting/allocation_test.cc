#include "accounting/allocation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// E f(X) for the mean X of `steps` lognormal numbers, by the trapezoid rule in each dimension (steps 2 or 3). The range
// reaches order / sigma beyond the bulk, where moments of the ratio live.
double expectation(int steps, double sigma, double reach, double cell, const std::function<double(double)>& f) {
  std::vector<double> weight;
  std::vector<double> ratio;
  for (double w = -reach; w <= reach; w += cell) {
    weight.push_back(std::exp(-w * w / 2) * cell / std::sqrt(2 * M_PI));
    ratio.push_back(std::exp(w / sigma - 1 / (2 * sigma * sigma)));
  }
  double sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    for (std::size_t j = 0; j < weight.size(); ++j) {
      if (steps == 2) {
        sum += weight[i] * weight[j] * f((ratio[i] + ratio[j]) / 2);
        continue;
      }
      for (std::size_t k = 0; k < weight.size(); ++k)
        sum += weight[i] * weight[j] * weight[k] * f((ratio[i] + ratio[j] + ratio[k]) / 3);
    }
  }
  return sum;
}

double true_remove(int steps, double sigma, double order, double cell = .1) {
  const double m = expectation(steps, sigma, 8 + order / sigma, cell, [order](double x) { return std::pow(x, order); });
  return std::log(m) / (order - 1);
}

double true_add(int steps, double sigma, double order, double cell = .1) {
  const double m =
      expectation(steps, sigma, 8 + order / sigma, cell, [order](double x) { return std::pow(x, 1 - order); });
  return std::log(m) / (order - 1);
}

// Spec: B-17
TEST(Allocation, BoundsTheExactDivergences) {
  for (const double sigma : {.7, 1., 3.}) {
    const Allocation two(Rational::from_double(sigma), 2);
    for (const double order : {2., 3., 6.}) {
      const double remove = true_remove(2, sigma, order);
      const double add = true_add(2, sigma, order);
      EXPECT_GE(two.remove_up(order), remove * (1 - 1e-9));
      EXPECT_NEAR(two.remove_up(order) / remove, 1, 1e-9);
      EXPECT_GE(two.add_up(order), add * (1 - 1e-9));
      EXPECT_NEAR(two.add_up(order) / add, 1, .01) << sigma << " " << order;
    }
  }
  const Allocation three(1, 3);
  EXPECT_NEAR(three.remove_up(3) / true_remove(3, 1, 3, .2), 1, 1e-9);
  const double add = true_add(3, 1, 3, .2);
  EXPECT_GE(three.add_up(3), add * (1 - 1e-9));
  EXPECT_NEAR(three.add_up(3) / add, 1, .01);
}

// delta from Renyi divergences at whole orders.
double converted(const std::function<double(double)>& rdp, double epsilon) {
  double best = 1;
  for (double a = 2; a <= 60; ++a) {
    best = std::min(best, std::exp((a - 1) * (rdp(a) - epsilon)) / a * std::pow(1 - 1 / a, a - 1));
  }
  return best;
}

// Spec: B-17
TEST(Allocation, DeltasOfTheRowLieBelow) {
  const Allocation two(1, 2);
  const auto remove = [&](double a) { return two.remove_up(a); };
  const auto add = [&](double a) { return two.add_up(a); };
  EXPECT_GE(converted(remove, 1), .0592065010859);
  EXPECT_GE(converted(add, 1), .0501976623695);
  EXPECT_GE(converted(remove, 2), .00474577763325);
  EXPECT_GE(converted(add, 2), .00205592452966);
  EXPECT_LE(converted(remove, 2), 4 * .00474577763325);
  EXPECT_LE(converted(add, 2), 5 * .00205592452966);
}

// Exact deltas of the row for T = 2, sigma = 1, by quadrature: the pairs are what the row says.
TEST(Allocation, PairIsTheOneOfTheRow) {
  const auto remove = [](double e) {
    return expectation(2, 1, 10, .02, [e](double x) { return std::max(0.0, x - std::exp(e)); });
  };
  const auto add = [](double e) {
    return expectation(2, 1, 10, .02, [e](double x) { return std::max(0.0, 1 - std::exp(e) * x); });
  };
  EXPECT_NEAR(remove(1), .0592065010859, 2e-5);
  EXPECT_NEAR(add(1), .0501976623695, 2e-5);
  EXPECT_NEAR(remove(2), .00474577763325, 2e-5);
  EXPECT_NEAR(add(2), .00205592452966, 2e-5);
}

// Twin: Poisson sampling at rate 1/T, twice, is another mechanism; in the add direction its divergence is too small.
TEST(Allocation, PlantedPoissonIsCaught) {
  const double order = 6;
  double moment = 0;
  for (double w = -20; w <= 20; w += .01) {
    const double ratio = .5 + .5 * std::exp(w - .5);
    moment += std::exp(-w * w / 2) * .01 / std::sqrt(2 * M_PI) * std::pow(ratio, 1 - order);
  }
  const double poisson = 2 * std::log(moment) / (order - 1);
  EXPECT_LT(poisson, true_add(2, 1, order));
  EXPECT_GT(Allocation(1, 2).add_up(order), poisson);
}

TEST(Allocation, AmplifiesAsStepsGrow) {
  double last_remove = 1e9;
  double last_add = 1e9;
  for (const std::uint64_t steps : {1ull, 2ull, 10ull, 1000ull, 1'000'000ull, 1'000'000'000'000ull}) {
    const Allocation epoch(1, steps);
    const double remove = epoch.remove_up(8);
    const double add = epoch.add_up(8);
    EXPECT_LE(remove, 4);
    EXPECT_LE(add, remove * 1.02);  // the forward direction is the larger one here
    EXPECT_LT(remove, last_remove);
    EXPECT_LT(add, last_add);
    last_remove = remove;
    last_add = add;
  }
  // Few collisions: a / (2T) (e^(1/sigma^2) - 1) to first order in 1/T, in both directions.
  EXPECT_NEAR(last_remove / (4e-12 * (M_E - 1)), 1, 1e-5);
  EXPECT_NEAR(last_add / (4e-12 * (M_E - 1)), 1, .02);
}

TEST(Allocation, NeverMoreThanWithoutSampling) {
  for (const double sigma : {.05, .12, .5, 2., 50.}) {
    const Allocation epoch(Rational::from_double(sigma), 100);
    double last = 0;
    for (const double order : {1.5, 2., 8., 40., 200., 1000.}) {
      EXPECT_LE(epoch.remove_up(order), order / (2 * sigma * sigma) * (1 + 1e-15));
      EXPECT_LE(epoch.add_up(order), order / (2 * sigma * sigma) * (1 + 1e-15));
      EXPECT_GE(epoch.remove_up(order), last * (1 - 1e-9));
      last = order >= 2 ? epoch.remove_up(order) : 0;
    }
  }
  EXPECT_EQ(Allocation(2, 1).add_up(4), .5);
}

TEST(Allocation, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { Allocation(0, 5); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { Allocation(1, 0); }), Code::bad_count);
  EXPECT_EQ(refusal([] { Allocation(1, 5).add_up(1); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
