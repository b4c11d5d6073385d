#include "random/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <vector>

#include "base/error.h"
#include "testing/law_check.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::random {
namespace {

// Ten million in the nightly run, as W-70 asks.
const std::int64_t kDraws = std::getenv("DITHER_NIGHTLY") != nullptr ? 10'000'000 : 200'000;

// Three tests of 1e-9 each. The cdf of a small sigma is a sum, so it is remembered.
bool is_gaussian(double sigma, const std::function<Int128()>& draw) {
  std::map<Int128, double> known;
  const auto cdf = [&](Int128 k) {
    const auto [entry, fresh] = known.try_emplace(k);
    if (fresh) entry->second = dither::testing::discrete_gaussian_cdf(sigma, k);
    return entry->second;
  };
  return dither::testing::fits({sigma, cdf, draw}, kDraws, 1e-9);
}

template <typename T>
std::function<Int128()> from_batch(const DiscreteGaussian& law, Source& source) {
  auto batch = std::make_shared<std::vector<T>>(static_cast<std::size_t>(kDraws));
  law.fill(std::span<T>(*batch), source);
  return [batch, next = std::size_t{0}]() mutable { return static_cast<Int128>((*batch)[next++]); };
}

// Spec: F-70, D-68, W-70
TEST(DiscreteGaussian, AllFormsFollowTheLaw) {
  Source source;
  for (const Rational& sigma : {Rational(1, 2), Rational(1), Rational(100), Rational(107), Rational(1'000'000),
                                Rational(1'000'001, 3), Rational::power_of_two(40)}) {
    const double s = sigma.to_double_up();
    const DiscreteGaussian law(sigma);
    EXPECT_TRUE(is_gaussian(s, from_batch<std::int64_t>(law, source))) << sigma.str();
    EXPECT_TRUE(is_gaussian(s, from_batch<Int128>(law, source))) << sigma.str();
    EXPECT_TRUE(is_gaussian(s, [&] { return law.draw(source); })) << sigma.str();
    EXPECT_TRUE(is_gaussian(s, [&] { return discrete_gaussian(sigma, source); })) << sigma.str();
  }
}

// Spec: D-68
TEST(DiscreteGaussian, TheLargestSigmaFollowsTheLaw) {
  Source source;
  const Rational sigma = Rational::power_of_two(60);
  EXPECT_TRUE(is_gaussian(0x1p60, from_batch<Int128>(DiscreteGaussian(sigma), source)));
  EXPECT_TRUE(is_gaussian(0x1p60, [&] { return discrete_gaussian(sigma, source); }));
}

TEST(DiscreteGaussian, SigmaSquaredMayBeTheRationalNumber) {
  Source source;
  const auto law = DiscreteGaussian::with_sigma_squared(Rational(25, 2));
  EXPECT_TRUE(is_gaussian(3.5355339059327378, from_batch<std::int64_t>(law, source)));
}

// P(|Z| >= 20) at sigma = 10 is 0.0510793004, summed from the pmf.
// False alarm <= 1e-9 (exact binomial tails). Noise 5% too narrow slips through with probability < 1e-26.
bool tail_is_right(const std::function<Int128()>& draw) {
  constexpr std::int64_t n = 100'000;
  const std::int64_t hits = dither::testing::count(n, [&] { return magnitude(draw()) >= 20; });
  return dither::testing::binomial_accepts(hits, n, 0.0510793004, 1e-9);
}

// Spec: D-68, D-73
TEST(DiscreteGaussian, TailFollowsTheLaw) {
  Source source;
  const DiscreteGaussian law(Rational(10));
  EXPECT_TRUE(tail_is_right([&] { return law.draw(source); }));
}
TEST(DiscreteGaussian, PlantedNarrowNoiseIsCaught) {
  Source source;
  const DiscreteGaussian narrow(Rational(19, 2));
  EXPECT_FALSE(tail_is_right([&] { return narrow.draw(source); }));
}

TEST(DiscreteGaussian, BatchEqualsScalar) {
  for (const Rational& sigma : {Rational(3), Rational(1000), Rational::power_of_two(45)}) {
    Source a = dither::testing::seeded_source(dither::testing::run_seed());
    Source b = dither::testing::seeded_source(dither::testing::run_seed());
    const DiscreteGaussian law(sigma);
    std::vector<std::int64_t> batch(300);
    law.fill(std::span<std::int64_t>(batch), a);
    for (std::int64_t value : batch) ASSERT_EQ(static_cast<Int128>(value), law.draw(b));
  }
}

TEST(DiscreteGaussian, BytesADraw) {
  const auto bytes_a_draw = [](const Rational& sigma) {
    Source source;
    std::vector<std::int64_t> values(100'000);
    DiscreteGaussian(sigma).fill(std::span<std::int64_t>(values), source);
    return static_cast<double>(source.bytes_used()) / 100'000.0;
  };
  EXPECT_EQ(bytes_a_draw(Rational(1)), 8);
  EXPECT_LE(bytes_a_draw(Rational(1'000'000)), 16);
  EXPECT_LE(bytes_a_draw(Rational::power_of_two(40)), 20);
}

// Spec: D-71
TEST(DiscreteGaussian, RefusesBadSigmas) {
  Source source;
  for (const char* text : {"0", "-1", "1/1001", "1e19"}) {
    const Rational sigma = Rational::parse(text);
    EXPECT_THROW(DiscreteGaussian{sigma}, Error) << text;
    EXPECT_THROW(discrete_gaussian(sigma, source), Error) << text;
  }
  EXPECT_THROW(DiscreteGaussian::with_sigma_squared(Rational(0)), Error);
  EXPECT_THROW(DiscreteGaussian::with_sigma_squared(Rational(-4)), Error);
  EXPECT_THROW(DiscreteGaussian::with_sigma_squared(Rational::power_of_two(121)), Error);
  std::vector<std::int64_t> values(1);
  EXPECT_THROW(DiscreteGaussian(Rational::power_of_two(53)).fill(std::span<std::int64_t>(values), source), Error);
}

}  // namespace
}  // namespace dither::random
