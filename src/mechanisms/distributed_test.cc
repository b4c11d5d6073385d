#include "mechanisms/distributed.h"

#include <gtest/gtest.h>

#include "mechanisms/binomial.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/pmf_check.h"
#include "mechanisms/skellam.h"
#include "random/pmf.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using namespace check;     // NOLINT

const VectorDomain kNumber{.dimension = 1};
VectorDomain one_each(const Parties& parties) { return {.dimension = parties.all}; }

// Probabilities of -(size/2) ... size/2, and of sums of independent numbers.
using Table = std::vector<double>;
constexpr int kReach = 120;

Table table(const Pmf& pmf) {
  Table p;
  for (int k = -kReach; k <= kReach; ++k) p.push_back(pmf(k));
  return p;
}
Table sum_of(const Table& a, const Table& b) {
  Table sum(a.size());
  for (int i = 0; i < static_cast<int>(a.size()); ++i) {
    for (int j = 0; j < static_cast<int>(b.size()); ++j) {
      const int k = i + j - kReach;
      if (k >= 0 && k < static_cast<int>(sum.size())) sum[static_cast<std::size_t>(k)] += a[i] * b[j];
    }
  }
  return sum;
}
Table sum_of(const Table& one, std::uint64_t times) {
  Table sum = one;
  for (std::uint64_t i = 1; i < times; ++i) sum = sum_of(sum, one);
  return sum;
}
double largest_gap(const Table& a, const Table& b) {
  double gap = 0;
  for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
  return gap;
}
Pmf pmf_of(const Table& p) {
  return [p](Int128 k) { return k < -kReach || k > kReach ? 0 : p[static_cast<std::size_t>(k + kReach)]; };
}

Pmf binomial(std::uint64_t trials) {
  return [trials](Int128 k) {
    return random::binomial_pmf(trials, Rational(1, 2), k + static_cast<Int128>(trials / 2), 80).high_double();
  };
}
Pmf skellam(const Rational& variance) {
  return [variance](Int128 k) {
    return random::skellam_pmf(variance / 2, variance / 2, k < 0 ? -k : k, 80).high_double();
  };
}
Pmf laplace(const Rational& scale) {
  return [scale](Int128 k) { return random::discrete_laplace_pmf(scale, k, 80).high_double(); };
}
// The difference of two Polya numbers with r = 1 / shares, by the definition.
Table polya_difference(std::uint64_t shares, double scale) {
  const double r = 1.0 / static_cast<double>(shares);
  const double q = std::exp(-1 / scale);
  Table plus(2 * kReach + 1);
  double p = std::pow(1 - q, r);
  for (int k = 0; k <= kReach; ++k) {
    plus[static_cast<std::size_t>(kReach) + static_cast<std::size_t>(k)] = p;
    p *= q * (k + r) / (k + 1);
  }
  return sum_of(plus, Table(plus.rbegin(), plus.rend()));
}

// Spec: F-60
TEST(DistributedNoise, SharesAddUpToTheNoiseOfTheTotal) {
  EXPECT_LT(largest_gap(sum_of(table(binomial(20)), 4), table(binomial(80))), 1e-13);
  EXPECT_LT(largest_gap(sum_of(table(skellam(5)), 4), table(skellam(20))), 1e-13);
  for (const std::uint64_t n : {1u, 3u, 5u}) {
    EXPECT_LT(largest_gap(sum_of(polya_difference(n, 3), n), table(laplace(3))), 1e-13) << n;
  }
  const double variance = mean_of(pmf_of(sum_of(polya_difference(5, 3), 5)), kReach, [](double k) { return k * k; });
  const double q = std::exp(-1.0 / 3);
  EXPECT_NEAR(variance, 2 * q / ((1 - q) * (1 - q)), 1e-9);
}

// A share of a third of the scale has the right kind of law, and the sum of three has not; nor has that of three with a
// third of the variance.
TEST(DistributedNoise, PlantedSmallerLaplaceSharesAreCaught) {
  EXPECT_GT(largest_gap(sum_of(table(laplace(1)), 3), table(laplace(3))), 0.01);
  EXPECT_GT(largest_gap(sum_of(table(laplace(Rational(17, 10))), 3), table(laplace(3))), 0.01);
}

// Spec: F-60
TEST(DistributedNoise, PolyaSharesFollowTheirLaw) {
  random::Source& source = random::Source::this_thread();
  for (const std::uint64_t n : {1u, 2u, 7u}) {
    const PolyaShare share(n, 3);
    EXPECT_TRUE(draws_fit([&] { return share.draw(source); }, pmf_of(polya_difference(n, 3)), 20, 20'000)) << n;
  }
}
TEST(DistributedNoise, PlantedShareOfAnotherNumberIsCaught) {
  random::Source& source = random::Source::this_thread();
  const PolyaShare share(6, 3);
  EXPECT_FALSE(draws_fit([&] { return share.draw(source); }, pmf_of(polya_difference(7, 3)), 20, 20'000));
}

// Five parties, of which two may collude: the honest three are charged for, and all five are the error.
const Parties kFive{.all = 5, .colluding = 2};

// Spec: F-60
TEST(DistributedNoise, LossIsThatOfTheHonestShares) {
  for (const int d : {0, 1, 3, 1'000'000}) {
    const L1::Distance distance(d);
    EXPECT_EQ(make_distributed_binomial(one_each(kFive), kFive, 30, 1).loss(distance),
              make_binomial(kNumber, 90, 1).loss(distance));
    EXPECT_EQ(make_distributed_skellam(one_each(kFive), kFive, 7, 1).loss(distance),
              make_skellam(kNumber, 21, 1).loss(distance));
    EXPECT_EQ(make_distributed_laplace(one_each(kFive), kFive, 3).loss(distance),
              make_discrete_laplace(kNumber, 3).loss(distance));
  }
  EXPECT_EQ(make_distributed_binomial(one_each(kFive), kFive, 30, 1).any().events(Rational(1)),
            make_binomial(kNumber, 90, 1).any().events(Rational(1)));
}

// Whether the shares of the honest parties reach the (1, 1e-6) that was asked for.
bool honest_shares_are_enough(const Parties& parties, std::uint64_t trials) {
  return binomial_delta(trials * (parties.all - parties.colluding), 1, 1) <= Rational::parse("1e-6");
}
// n / (n - t) times as much: 80 trials over 3 honest ones of 5 are 28 each, 140 together.
// Spec: F-60
TEST(DistributedNoise, CollusionInflatesTheShares) {
  EXPECT_EQ(trials_of_each(kFive, 80), 28u);
  EXPECT_TRUE(honest_shares_are_enough(kFive, trials_of_each(kFive, least_trials(1, Rational::parse("1e-6"), 1))));
  EXPECT_EQ(variance_of_each(kFive, 20), Rational(20, 3));
  EXPECT_EQ(variance_of_each({.all = 4}, 20), Rational(5));
}
TEST(DistributedNoise, PlantedSharesWithoutCollusionAreCaught) {
  EXPECT_FALSE(honest_shares_are_enough(kFive, trials_of_each({.all = 5}, 80)));
}

bool total_fits(const AnyMeasurement& sum, const Pmf& law) {
  random::Source& source = random::Source::this_thread();
  return draws_fit([&] { return released_number(sum, {1, 2, 3, 4, 5}, source) - 15; }, law, 12, 10'000);
}
TEST(DistributedNoise, TheSumHasTheNoiseOfAllShares) {
  EXPECT_TRUE(total_fits(make_distributed_binomial(one_each(kFive), kFive, 16, 1).any(), binomial(80)));
  EXPECT_TRUE(total_fits(make_distributed_skellam(one_each(kFive), kFive, 4, 1).any(), skellam(20)));
  EXPECT_TRUE(total_fits(make_distributed_laplace(one_each(kFive), {.all = 5}, 3).any(), laplace(3)));
  EXPECT_TRUE(
      total_fits(make_distributed_laplace(one_each(kFive), kFive, 3).any(), pmf_of(sum_of(polya_difference(3, 3), 5))));
}
TEST(DistributedNoise, PlantedMissingShareIsCaught) {
  EXPECT_FALSE(total_fits(make_distributed_binomial(one_each(kFive), kFive, 16, 1).any(), binomial(64)));
}

TEST(DistributedNoise, BarsCoverByTheLaw) {
  EXPECT_TRUE(bar_is_tight(make_distributed_binomial(one_each(kFive), kFive, 16, 1).any(), binomial(80)));
  EXPECT_TRUE(bar_is_tight(make_distributed_skellam(one_each(kFive), kFive, 4, 1).any(), skellam(20)));
  EXPECT_TRUE(bar_is_tight(make_distributed_laplace(one_each(kFive), {.all = 5}, 3).any(), laplace(3)));
  const auto bar = make_distributed_laplace(one_each(kFive), kFive, 3).any().error(0);
  const Pmf law = pmf_of(sum_of(polya_difference(3, 3), 5));
  EXPECT_GE(mass_within(law, bar->high.floor()), 0.95);
  EXPECT_NEAR(*bar->standard_error, std::sqrt(mean_of(law, kReach, [](double k) { return k * k; })), 1e-6);
}

TEST(DistributedNoise, BarsOfManyColludersStayInProportion) {
  const Parties many{.all = 1000, .colluding = 990};
  const auto bar = make_distributed_laplace(one_each(many), many, 50).any().error(0);
  EXPECT_LE(bar->high.to_double_up(), 5 * *bar->standard_error);
}

TEST(DistributedNoise, AnyNumbersCanBeSummed) {
  random::Source& source = random::Source::this_thread();
  const AnyMeasurement sum = make_distributed_laplace({.dimension = 2}, {.all = 2}, 3).any();
  EXPECT_LT(released_number(sum, {kInt128Max, kInt128Min}, source), 1000);
}

TEST(DistributedNoise, RefusesPartiesThatAreNone) {
  const VectorDomain two{.dimension = 2};
  EXPECT_EQ(testing::refusal([&] { make_distributed_laplace(two, {.all = 2, .colluding = 2}, 3); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { make_distributed_laplace(two, {.all = 3}, 3); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { make_distributed_laplace(two, {.all = 2}, 1'000'000); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([&] { make_distributed_binomial(two, {.all = 2}, 7, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { make_distributed_skellam(two, {.all = 2}, 0, 1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { trials_of_each({.all = 0}, 80); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::mechanisms
