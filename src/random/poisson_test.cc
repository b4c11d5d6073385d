#include "random/poisson.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "random/pmf.h"
#include "testing/planted_draws.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using detail::SumPrecision;
using testing::Tape;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

constexpr SumPrecision kEightBits{.alone = {.table_bits = 8, .step = 4}};
constexpr SumPrecision kSixBits{.alone = {.table_bits = 6, .step = 4}};

// Spec: D-68
TEST(PoissonPmf, HoldsExpTimesTheExactFraction) {
  for (const Rational& lambda : {Rational(0), Rational(1, 1000), Rational(1), Rational(7, 3), Rational(50)}) {
    Rational term(1);  // lambda^k / k!
    BigInterval sum(200);
    for (long k = 0; k < 150; ++k) {
      const BigInterval p = poisson_pmf(lambda, k, 200);
      const BigInterval expected = exp(BigInterval(-lambda, 260)) * BigInterval(term, 260);
      EXPECT_FALSE(p.surely_below(expected) || expected.surely_below(p)) << lambda.str() << " " << k;
      sum += p;
      term *= lambda / Rational(k + 1);
    }
    EXPECT_FALSE(sum.surely_above(1));
    EXPECT_TRUE(sum.surely_above(Rational(1) - Rational::power_of_two(-80))) << lambda.str();
  }
}

// exp(-2) I0(2) = 0.308508322553671 and exp(-3) 2^(1/2) I1(2 sqrt 2) = 0.2117 by the Bessel series below.
// Spec: D-68
TEST(SkellamPmf, AgreesWithTheBesselSeries) {
  EXPECT_NEAR(skellam_pmf(1, 1, 0, 128).low_double(), 0.308508322553671, 1e-14);
  for (int k : {-5, -1, 0, 1, 2, 7}) {
    const double mu1 = 2, mu2 = 1;
    double bessel = 0;  // sum over j of (mu1 mu2)^(j + |k| / 2) / (j! (j + |k|)!)
    for (int j = 0; j < 60; ++j) {
      bessel += std::exp((j + std::abs(k) / 2.0) * std::log(mu1 * mu2) - std::lgamma(j + 1) -
                         std::lgamma(j + std::abs(k) + 1));
    }
    const double expected = std::exp(-mu1 - mu2) * std::pow(mu1 / mu2, k / 2.0) * bessel;
    const BigInterval p = skellam_pmf(2, 1, k, 128);
    EXPECT_NEAR(p.low_double() / expected, 1, 1e-12) << k;
    EXPECT_LE(p.high_rational() - p.low_rational(), Rational::power_of_two(-100));
  }
}

bool poisson_on_tape(const Rational& lambda, int depth, const std::function<std::int64_t(Tape&)>& draw) {
  const auto law = testing::enumerate([&](Tape& tape) { return Int128{draw(tape)}; }, depth);
  const auto pmf = [&](Int128 k, long bits) { return poisson_pmf(lambda, k, bits); };
  return law.unresolved_share() < 0.01 && testing::follows(law, pmf, 0, 60);
}

// Spec: D-68
TEST(Poisson, EveryTapeGivesTheLaw) {
  for (const Rational& lambda : {Rational(0), Rational(1, 100), Rational(1), Rational(7, 3), Rational(6)}) {
    const Poisson law(lambda, kEightBits);
    EXPECT_TRUE(poisson_on_tape(lambda, nightly() ? 20 : 16, [&](Tape& tape) { return law.draw(tape); }))
        << lambda.str();
  }
  const Poisson law(Rational(7, 3), SumPrecision{.alone = {.table_bits = 16, .step = 4}});
  EXPECT_TRUE(poisson_on_tape(Rational(7, 3), 24, [&](Tape& tape) { return law.draw(tape); }));
  const Poisson sum(Rational(3, 2),
                    {.variance_alone = 1, .part = {.table_bits = 6, .step = 4}, .variance_part = 1});  // two parts
  EXPECT_TRUE(poisson_on_tape(Rational(3, 2), nightly() ? 22 : 20, [&](Tape& tape) { return sum.draw(tape); }));
}

TEST(Poisson, PlantedTruncatedTailIsCaught) {
  const Poisson law(Rational(7, 3), kEightBits);
  EXPECT_FALSE(
      poisson_on_tape(Rational(7, 3), 20, [&](Tape& tape) { return planted::poisson_without_tail(law, 5, tape); }));
}

// Spec: D-68
TEST(Skellam, EveryTapeGivesTheLaw) {
  const Skellam skellam(Rational(1, 2), 2, kSixBits);
  const auto law = testing::enumerate([&](Tape& tape) { return Int128{skellam.draw(tape)}; }, 20);
  EXPECT_LT(law.unresolved_share(), 0.01);
  const auto follows = [&](const Rational& mu1, const Rational& mu2) {
    return testing::follows(
        law, [&](Int128 k, long bits) { return skellam_pmf(mu1, mu2, k, bits); }, -20, 20);
  };
  EXPECT_TRUE(follows(Rational(1, 2), 2));
  EXPECT_FALSE(follows(2, Rational(1, 2))) << "the check cannot tell the sign";
  EXPECT_FALSE(follows(Rational(1, 2), Rational(21, 10))) << "the check cannot tell a mean of 2.1";
}

// The signs of Skellam(mu, mu): positive and negative are equally likely, zero has exp(-2 mu) I0(2 mu). Two tests at
// 1e-9.
bool signs_are_right(double zero, const std::function<std::int64_t()>& draw) {
  std::vector<std::int64_t> counts(3);
  for (int i = 0; i < 50'000; ++i) {
    const std::int64_t k = draw();
    ++counts[k < 0 ? 0 : k == 0 ? 1 : 2];
  }
  const std::vector<double> p = {(1 - zero) / 2, zero, (1 - zero) / 2};
  return testing::chi_square_accepts(counts, p, 1e-9) && testing::ks_accepts(counts, p, 1e-9);
}

// Spec: D-73
TEST(Skellam, SignsAreRight) {
  Source source = testing::seeded_source(testing::run_seed());
  const Skellam law(1, 1);
  EXPECT_TRUE(signs_are_right(0.308508322553671, [&] { return law.draw(source); }));
}

TEST(Skellam, PlantedSignBiasIsCaught) {
  Source source = testing::seeded_source(testing::run_seed());
  const Skellam law(1, 1);
  EXPECT_FALSE(signs_are_right(0.308508322553671, [&] { return planted::skellam_with_sign_bias(law, source); }));
}

TEST(Skellam, PlantedDoubleCountedZeroIsCaught) {
  Source source = testing::seeded_source(testing::run_seed());
  const Poisson size(1);
  EXPECT_FALSE(signs_are_right(0.308508322553671, [&] { return planted::zero_counted_twice(size, source); }));
}

// Shipped precision: cells of one value each around the mean, the first for what is outside. Two tests at 1e-9 each.
bool cells_fit(const std::vector<std::int64_t>& draws, std::int64_t first, std::int64_t last, const testing::Pmf& pmf) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(last - first) + 2);
  std::vector<double> probabilities(counts.size());
  for (std::int64_t k : draws) ++counts[k < first || k > last ? 0 : static_cast<std::size_t>(k - first) + 1];
  probabilities[0] = 1;
  for (std::int64_t k = first; k <= last; ++k) {
    const double p = pmf(k, 96).low_double();
    probabilities[static_cast<std::size_t>(k - first) + 1] = p;
    probabilities[0] -= p;
  }
  probabilities[0] = std::max(probabilities[0], 0.0);
  return testing::chi_square_accepts(counts, probabilities, 1e-9) && testing::ks_accepts(counts, probabilities, 1e-9);
}

// Spec: D-73
TEST(Poisson, BatchFollowsTheLaw) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  std::vector<std::int64_t> draws(100'000);
  Poisson(Rational(100)).fill(draws, source);
  const auto mean_100 = [](Int128 k, long bits) { return poisson_pmf(Rational(100), k, bits); };
  EXPECT_TRUE(cells_fit(draws, 50, 150, mean_100));
  EXPECT_FALSE(cells_fit(draws, 50, 150, [](Int128 k, long bits) { return poisson_pmf(Rational(101), k, bits); }));
  Poisson(Rational(100), {.variance_alone = 30, .variance_part = 30}).fill(draws, source);  // four parts
  EXPECT_TRUE(cells_fit(draws, 50, 150, mean_100));
  Skellam(30, 20).fill(draws, source);
  EXPECT_TRUE(cells_fit(draws, -20, 40, [](Int128 k, long bits) { return skellam_pmf(30, 20, k, bits); }));
}

// Spec: W-72
TEST(Poisson, BytesAreFixedByTheParameters) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  const Poisson one(1'000'000);
  const Skellam two(3, 4);
  for (int i = 0; i < 1000; ++i) {
    const auto start = source.bytes_used();
    one.draw(source);
    ASSERT_EQ(source.bytes_used() - start, 8u);
    two.draw(source);
    ASSERT_EQ(source.bytes_used() - start, 24u);
  }
}

// As Binomial's: every size up to the largest, on both sides of where sums begin.
// Spec: W-72
TEST(Poisson, FallbackIsRarerThanTwoToMinus46OverTheWholeRange) {
  double worst = 0;
  const auto check = [&](const Rational& lambda) {
    const double p = Poisson(lambda).fallback_probability();
    EXPECT_LT(p, 0x1p-46) << lambda.str();
    worst = std::max(worst, p);
  };
  for (int log2 = -20; log2 <= 40; log2 += nightly() ? 1 : 4) check(Rational::power_of_two(log2) * Rational(99, 100));
  for (long lambda : {13'000'000L, 13'000'001L, 18'000'001L, 4'000'000'007L, 1L << 40}) check(lambda);
  RecordProperty("log2_of_worst", std::to_string(std::log2(worst)));
  for (const Rational& mu : {Rational(13'000'000), Rational(13'000'001), Rational::power_of_two(40)}) {
    EXPECT_LT(Skellam(mu, mu).fallback_probability(), 0x1p-45) << mu.str();
  }
}

TEST(Poisson, BadParametersAreRefused) {
  using testing::refusal;
  EXPECT_EQ(refusal([] { Poisson(Rational(-1)); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { Poisson(Rational::power_of_two(41)); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { Skellam(Rational(1), Rational(-1, 3)); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::random
