#include "accounting/sampling_renyi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "accounting/closed_forms_check.h"
#include "accounting/renyi_curves.h"
#include "accounting/sampled_gaussian_renyi.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

RenyiFunction gaussian(double mu) {
  return [mu](double order) { return gaussian_renyi_up(order, mu); };
}

// Spec: A-52
TEST(PoissonRenyi, WholeOrders) {
  const double expected[][2] = {{2, 1.71813422074548e-4},
                                {3, 2.64637574584661e-4},
                                {8, 8.93643907606e-4},
                                {16, 3.08785078369624},
                                {64, 27.3217318745518}};
  for (const auto& [order, divergence] : expected) {
    expect_close(poisson_renyi_up(static_cast<std::uint64_t>(order), .01, gaussian(1)), divergence, 1e-11);
  }
}

// The sum taken at face value loses everything; the planted twin shows that this is checked.
// Spec: A-52
double naive_poisson_renyi(std::uint64_t order, double rate, const RenyiFunction& curve) {
  double sum = std::pow(1 - rate, order - 1) * (1 + (order - 1) * rate);
  double binomial = static_cast<double>(order);
  for (std::uint64_t k = 2; k <= order; ++k) {
    binomial *= static_cast<double>(order - k + 1) / static_cast<double>(k);
    sum += binomial * std::pow(1 - rate, order - k) * std::pow(rate, k) * std::exp((k - 1) * curve(k));
  }
  return std::log(sum) / (order - 1);
}
bool survives_tiny_rates(double (*renyi)(std::uint64_t, double, const RenyiFunction&)) {
  return std::fabs(renyi(2, 1e-8, gaussian(1)) / 1.7182818284590451e-16 - 1) < 1e-12;
}
TEST(PoissonRenyi, SurvivesTinyRates) { EXPECT_TRUE(survives_tiny_rates(poisson_renyi_up)); }
TEST(PoissonRenyi, PlantedPlainLogarithmIsCaught) { EXPECT_FALSE(survives_tiny_rates(naive_poisson_renyi)); }

TEST(PoissonRenyi, LargeOrdersAndLimits) {
  EXPECT_EQ(poisson_renyi_up(2, 0, gaussian(1)), 0);
  EXPECT_EQ(poisson_renyi_up(2, 1, gaussian(1)), 1);
  for (const std::uint64_t order : {1019u, 1020u, 1021u, 1024u, 5000u}) {  // the seam of the two kinds of coefficients
    const double all = static_cast<double>(order);
    const double floor = poisson_renyi_floor_down(all, .3, gaussian_renyi_up(all, 1) * (1 - 1e-15));
    const double divergence = poisson_renyi_up(order, .3, gaussian(1));
    EXPECT_GE(divergence, floor);
    EXPECT_LE(divergence, floor * (1 + 1e-9));
  }
  EXPECT_EQ(poisson_renyi_up(3, .1, [](double) { return kInfinity; }), kInfinity);
  EXPECT_EQ(poisson_renyi_up(3, .1, [](double) { return std::nan(""); }), kInfinity);
}

// Spec: A-53
TEST(PoissonRenyi, OtherOrdersUseTheNextOne) {
  EXPECT_EQ(poisson_renyi_ceil_up(2.3, .01, gaussian(1)), poisson_renyi_up(3, .01, gaussian(1)));
  EXPECT_GE(poisson_renyi_ceil_up(2.3, .01, gaussian(1)), SampledGaussianRenyi(1, .01)(2.3));
}

// The mean of n = 1000 values in [0, 1] with noise of standard deviation .01, on a tenth of them.
// Spec: A-60
TEST(PoissonRenyi, SubsampledMean) {
  const double n = 1000;
  const double rate = .1;
  const double noise = .01;
  const double mu = 1 / (rate * n * noise);
  EXPECT_NEAR(mu * mu / 2, .5, 1e-12);
  EXPECT_NEAR(noise * noise + (1 - rate) / (rate * n), .0091, 1e-12);  // the square of the error, sampling included
  expect_close(poisson_renyi_up(2, rate, gaussian(mu)), .017036863236177);         // about 2 rate^2 (e^(2 rho) - 1) / 2
  EXPECT_NEAR(rate * rate * mu * mu / 2, 1 / (2 * n * n * noise * noise), 1e-12);  // rate^2 rho: all the data's cost
}

// The book's figure 3.2: rate .05, 0.5-zCDP.
// Spec: O-15, A-61, A-57, A-58
TEST(PoissonRenyi, AnalyticBounds) {
  const double expected[][4] = {{2, .00428650437041898, .0138016440980432, .0638422399972897},
                                {3, .00726124325278, .0268255197375, .123633169319},
                                {5, .0185892354072, .524971481288, .346521386181},
                                {6, .0394013596620, 1.336741038, .532949487345},
                                {10, 1.67406056378582, 4.1127692264, 1.88419196024},
                                {20, 6.84659771884139, 9.94600705854, 6.84809357986}};
  for (const auto& [order, exact, analytic, large] : expected) {
    expect_close(SampledGaussianRenyi(1, .05)(order), exact, 1e-10);
    expect_close(poisson_renyi_analytic_zcdp_up(order, .05, .5), analytic, 1e-8);
    expect_close(poisson_renyi_large_order_up(order, .05, .5 * order), large, 1e-10);
    EXPECT_GE(analytic, exact);
    EXPECT_GE(large, exact);
  }
}

// Spec: A-55
TEST(PoissonRenyi, UniversalFloor) {
  expect_close(poisson_renyi_floor_down(10, .05, 5), 1.67140858494);
  EXPECT_LE(poisson_renyi_floor_down(10, .05, 5), SampledGaussianRenyi(1, .05)(10));
  EXPECT_NEAR(poisson_renyi_floor_down(50, .05, 25), SampledGaussianRenyi(1, .05)(50), 1e-12);
  EXPECT_EQ(poisson_renyi_floor_down(2, 1e-6, 0.1), 0);
}

// Lemmas 3.35, 3.36, 3.38 and 3.39 on random points.
// Spec
TEST(PoissonRenyi, PolynomialLemmas) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  const double e = std::exp(1.0);
  for (int i = 0; i < 1'000'000; ++i) {
    const double p = unit(random) * (1 - 1 / e);
    const double x = std::exp(10 * unit(random) - 5);
    const double v = 1 + 20 * unit(random);
    const double order = 1 + 9 * unit(random);
    ASSERT_LE(1 / (1 - p + p / x), (1 - p + p * x) * (1 + 1e-12));
    const double left = 3 * (1 - p) * std::pow(1 - p + p * x, v) + v * p * std::pow((1 - p) / x + p, 3);
    ASSERT_GE(left, (3 * (1 - p) + v * p) * (1 - 1e-12));
    double bound = 1 + order * p * (x - 1) + e / 2 * order * (order - 1) * p * p * (x - 1) * (x - 1);
    if (!(order <= 2 || p * x <= std::max(p, (1 - p) / (order - 2)))) bound += std::pow((order - 1) * p * x, order);
    ASSERT_LE(std::pow(1 - p + p * x, order), bound * (1 + 1e-12)) << p << " " << x << " " << order;
  }
  EXPECT_NEAR(3 * .8 * std::pow(1.2, 3) + .6 * std::pow(.6, 3), 4.2768, 1e-12);
}

// What theorem 3.34 integrates must vanish where the two laws agree (x = 1). The book's last display drops a -1.
double bracket(double p, double v, double x) {
  const double numerator = 3 * (1 - p) * std::pow(1 - p + p * x, v) + v * p * std::pow((1 - p) / x + p, 3);
  return numerator / (3 * (1 - p) + v * p) - 1;
}
double printed_bracket(double p, double v, double x) { return bracket(p, v, x) + 1; }
bool equal_laws_lose_nothing(double (*integrand)(double, double, double)) {
  return std::fabs(integrand(.05, 5, 1)) < 1e-12;
}

// Spec: C-07, A-54
TEST(PoissonRenyi, EqualLawsLoseNothing) {
  EXPECT_TRUE(equal_laws_lose_nothing(bracket));
  const double lambda = 5 * .05 / (5 * .05 + 3 * .95);  // order 3
  expect_close(lambda, .080645161290323);
}
TEST(PoissonRenyi, PlantedC07MissingOneIsCaught) { EXPECT_FALSE(equal_laws_lose_nothing(printed_bracket)); }

// Which (rate, rho) theorem 3.37 covers. Its proof repeats the condition with the logarithms swapped.
bool is_covered(double rate, double rho) {
  return !refusal([=] { poisson_truncated_zcdp(rate, rho); }).has_value();
}
bool printed_is_covered(double rate, double rho) {
  const double omega = std::min(std::log(1 / rate) / (4 * rho), 1 + std::pow(rate, -.25));
  return rate <= .5 && rho <= 1 && omega >= 3 + 2 * std::log(1 / rate) / std::log(1 / rho);
}
bool covers_what_is_proven(bool (*covers)(double, double)) {
  return covers(1e-4, .1) && !covers(.01, .05) && !covers(.05, .5) && !covers(1e-3, 1e-6);
}

// Spec: A-59, C-05
TEST(PoissonTruncatedZcdp, CoversWhatIsProven) {
  EXPECT_TRUE(covers_what_is_proven(is_covered));
  const TruncatedZcdp found = poisson_truncated_zcdp(1e-4, .1);
  EXPECT_NEAR(found.omega, 11, 1e-12);
  expect_close(2 * found.slope, 2e-8);
  expect_close(SampledGaussianRenyi(std::sqrt(.2), 1e-4)(2), 2.214027579e-9);
  EXPECT_LE(SampledGaussianRenyi(std::sqrt(.2), 1e-4)(10.9), 10.9 * found.slope);
}
TEST(PoissonTruncatedZcdp, PlantedC05SwappedLogarithmsAreCaught) {
  EXPECT_FALSE(covers_what_is_proven(printed_is_covered));
}
TEST(PoissonTruncatedZcdp, GuardsAllConditions) {
  EXPECT_EQ(refusal([] { poisson_truncated_zcdp(.6, .1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { poisson_truncated_zcdp(1e-9, 1.1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { poisson_truncated_zcdp(0, .1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { poisson_truncated_zcdp(1e-4, 0); }), Code::out_of_range);
}

// Spec
TEST(FixedSizeRenyi, ThroughTheDatasetWithoutTheRecord) {
  const SampledGaussianRenyi remove(.5, .01);
  const SampledGaussianRenyi add(.5, .01, SampledGaussianRenyi::Direction::add);
  expect_close(remove(2), 2.840213832e-5);
  const double at_four = 4 / 3.0 * remove(3) + add(4);
  expect_close(at_four, 1.1293107e-4, 1e-7);
  const double best = fixed_size_renyi_up(2, remove, add);
  EXPECT_LE(best, at_four);
  EXPECT_GT(best, 2 * remove(2));  // a replacement costs more than twice an addition here
}

// Spec: B-14
TEST(WithoutReplacementRenyi, Oracles) {
  expect_close(without_replacement_renyi_up(2, .01, gaussian(1), kInfinity), 5.4350863810943e-4);
  expect_close(without_replacement_renyi_up(8, .01, gaussian(.5), kInfinity), 4.8839304196238e-4);
  expect_close(without_replacement_renyi_up(8, .001, gaussian(1), kInfinity), 2.2074368237644e-5);
}

TEST(WithoutReplacementRenyi, UsesAPureBoundAndNeverExceedsTheUnsampledCurve) {
  const RenyiFunction pure = [](double order) { return pure_renyi_up(order, .1); };
  EXPECT_LT(without_replacement_renyi_up(4, .1, pure, .1), without_replacement_renyi_up(4, .1, pure, kInfinity));
  // e^D2 (e^.1 - 1)^2 is smaller than 4 (e^D2 - 1) here: the term by hand.
  const double at_two = .01 * std::exp(pure(2)) * std::expm1(.1) * std::expm1(.1);
  expect_close(without_replacement_renyi_up(2, .1, pure, .1), std::log1p(at_two), 1e-12);
  EXPECT_LE(without_replacement_renyi_up(64, .9, gaussian(1), kInfinity), 32);
  EXPECT_EQ(without_replacement_renyi_up(
                4, .1, [](double) { return 0.0; }, 0),
            0);
  EXPECT_EQ(without_replacement_renyi_up(4, 0, gaussian(1), kInfinity), 0);
}

TEST(SamplingRenyi, RefusesBadInput) {
  EXPECT_EQ(refusal([] { poisson_renyi_up(1, .1, gaussian(1)); }), Code::bad_count);
  EXPECT_EQ(refusal([] { poisson_renyi_up(2'000'000, .1, gaussian(1)); }), Code::bad_count);
  EXPECT_EQ(refusal([] { poisson_renyi_up(2, -.1, gaussian(1)); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { poisson_renyi_analytic_up(2, .7, 1, 3, 1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { poisson_renyi_analytic_up(4, .1, 1, 3, 1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { poisson_renyi_analytic_zcdp_up(2, .1, -1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { poisson_renyi_large_order_up(2, 2, 1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { poisson_renyi_floor_down(1, .1, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { without_replacement_renyi_up(2, .1, gaussian(1), std::nan("")); }), Code::bad_number);
}

}  // namespace
}  // namespace dither::accounting
