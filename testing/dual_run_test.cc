#include "testing/dual_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mechanisms/binomial.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/laplace.h"
#include "mechanisms/real_gaussian.h"
#include "mechanisms/skellam.h"
#include "mechanisms/staircase.h"
#include "mechanisms/truncated_geometric.h"
#include "testing/printers.h"
#include "testing/seed.h"

namespace dither::testing {
namespace {

const Rational kEpsilon(1, 2);
constexpr int kRuns = 150;

Rational cost_or_none(const NoisyFunction& mechanism, const Numbers& x, const Numbers& y) {
  const DualReport report = dual_run(mechanism, x, y, kEpsilon, kRuns, random::Source::this_thread());
  EXPECT_TRUE(report.holds()) << report.counterexample.value_or("");
  return report.largest_cost;
}
bool is_caught(const NoisyFunction& mechanism, const Numbers& x, const Numbers& y) {
  return !dual_run(mechanism, x, y, kEpsilon, kRuns, random::Source::this_thread()).holds();
}

Numbers counts(const Numbers& input, AlignedNoise& noise) {
  Numbers out;
  for (const std::int64_t x : input) out.push_back(x + noise.laplace(Rational(1) / kEpsilon));
  return out;
}

// One record more in one of two counts.
// Spec: W-65
TEST(DualRun, NoisyCountsCostEpsilon) { EXPECT_EQ(cost_or_none(counts, {3, 5}, {4, 5}), kEpsilon); }

// Spec: W-65
TEST(DualRun, PlantedSensitivityOfTwoIsCaught) { EXPECT_TRUE(is_caught(counts, {3, 5}, {4, 6})); }

// Which of three is largest: the answers may all move by one.
Numbers largest(const Numbers& input, AlignedNoise& noise) {
  Numbers noisy;
  for (const std::int64_t x : input) noisy.push_back(x + noise.laplace(Rational(2) / kEpsilon));
  return {std::max_element(noisy.begin(), noisy.end()) - noisy.begin()};
}

// Spec: W-65, T-50
TEST(DualRun, NoisyMaxCostsAtMostEpsilonAndSometimesIt) {
  EXPECT_EQ(cost_or_none(largest, {3, 3, 3}, {2, 4, 4}), kEpsilon);
}

// Spec: W-65
TEST(DualRun, PlantedUnnoisedBranchIsCaught) {
  const auto branch = [](const Numbers& input, AlignedNoise& noise) -> Numbers {
    if (input[0] >= 10) return {1};
    return {input[0] + noise.laplace(Rational(1) / kEpsilon)};
  };
  EXPECT_TRUE(is_caught(branch, {9}, {10}));
  EXPECT_EQ(cost_or_none(branch, {5}, {6}), kEpsilon);  // away from the branch nothing is wrong
}

// Spec: W-65
TEST(DualRun, PlantedNoiseThatFollowsTheDataIsCaught) {
  const auto scaled = [](const Numbers& input, AlignedNoise& noise) -> Numbers {
    return {noise.laplace(Rational(2 + input[0]))};
  };
  EXPECT_TRUE(is_caught(scaled, {1}, {2}));
  const auto reused = [](const Numbers& input, AlignedNoise& noise) -> Numbers {
    const std::int64_t one = noise.laplace(Rational(1) / kEpsilon);
    return {input[0] + one, input[1] + one};
  };
  EXPECT_TRUE(is_caught(reused, {3, 5}, {4, 5}));
}

// The shipped mechanisms: the same bytes give the same noise whatever the data, with the same work, and the shift that
// aligns two runs costs what the mechanism charges.
// Spec: W-65, T-50
TEST(DualRun, ShippedNoiseDoesNotFollowTheData) {
  const calculus::VectorDomain domain{2};
  const calculus::AnyMeasurement laplace = mechanisms::make_discrete_laplace(domain, 3, calculus::MetricKind::l1);
  const calculus::AnyMeasurement gaussian = mechanisms::make_gaussian(domain, 5).any();
  const calculus::AnyMeasurement staircase =
      mechanisms::make_staircase(calculus::VectorDomain{1}, {kEpsilon, 2, 1}).any();
  const calculus::AnyMeasurement skellam = mechanisms::make_skellam(calculus::VectorDomain{1}, 25, 1).any();
  const calculus::AnyMeasurement binomial = mechanisms::make_binomial(calculus::VectorDomain{1}, 40, 1).any();
  const calculus::AnyMeasurement real_laplace = mechanisms::make_laplace(domain, 3).any();
  const calculus::AnyMeasurement real_gaussian = mechanisms::make_real_gaussian(domain, 5).any();
  const auto aligned = [](const calculus::AnyMeasurement& measurement, const calculus::Integers& x,
                          const calculus::Integers& y, std::uint64_t seed) {
    SameBytes report = run_with_same_bytes(measurement, x, y, seed);
    EXPECT_TRUE(report.same_work && report.translated);
    return report;
  };
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t seed = run_seed() + i;
    // 1 + 2 at scale 3; 1^2 + 2^2 = 5 over 2 * 5^2; two steps of height epsilon.
    ASSERT_EQ(laplace.loss(aligned(laplace, {40, -7}, {41, -9}, seed).shift), calculus::pure(1));
    ASSERT_EQ(gaussian.loss(aligned(gaussian, {40, -7}, {41, -9}, seed).squares),
              calculus::concentrated(Rational(1, 10)));
    ASSERT_EQ(staircase.loss(aligned(staircase, {40}, {43}, seed).shift), calculus::pure(2 * kEpsilon));
    ASSERT_EQ(skellam.loss(aligned(skellam, {40}, {43}, seed).shift),
              calculus::approximate(1, mechanisms::skellam_delta(25, 1, 3)));
    ASSERT_EQ(binomial.loss(aligned(binomial, {40}, {43}, seed).shift),
              calculus::approximate(1, mechanisms::binomial_delta(40, 1, 3)));
    ASSERT_EQ(real_laplace.loss(aligned(real_laplace, {40, -7}, {41, -9}, seed).shift), calculus::pure(1));
    ASSERT_EQ(real_gaussian.loss(aligned(real_gaussian, {40, -7}, {41, -9}, seed).squares),
              calculus::concentrated(Rational(1, 10)));
  }
}

// Cut noise is not moved with the data: neither the translation nor the cost of the planted claim holds.
// Spec: W-65
TEST(DualRun, PlantedNoiseThatIsCutIsCaught) {
  const calculus::VectorDomain counts_to_five{1, 1, calculus::Bounds{0, 5}};
  const calculus::AnyMeasurement cut =
      mechanisms::make_truncated_geometric(counts_to_five, 3, calculus::MetricKind::l1);
  int moved = 0;
  int by_one = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const SameBytes report = run_with_same_bytes(cut, {2}, {3}, run_seed() + i);
    moved += report.translated ? 1 : 0;
    by_one += report.shift == 1 ? 1 : 0;
  }
  EXPECT_LT(moved, 200);
  EXPECT_LT(by_one, 200);
}

}  // namespace
}  // namespace dither::testing
