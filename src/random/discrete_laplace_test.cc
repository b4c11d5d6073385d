#include "random/discrete_laplace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "testing/law_check.h"
#include "testing/planted.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"

namespace dither::random {
namespace {

// Ten million in the nightly run, as W-70 asks.
const std::int64_t kDraws = std::getenv("DITHER_NIGHTLY") != nullptr ? 10'000'000 : 200'000;

// Three tests of 1e-9 each. Noise 5% too narrow passes with probability below 1e-20 (KL 1.2e-3 a draw).
bool is_laplace(double scale, const std::function<Int128()>& draw, std::int64_t n = kDraws) {
  const auto cdf = [scale](Int128 k) { return dither::testing::discrete_laplace_cdf(scale, k); };
  return dither::testing::fits({scale, cdf, draw}, n, 1e-9);
}

// Hands out a batch one by one.
template <typename T>
std::function<Int128()> from_batch(const DiscreteLaplace& law, Source& source) {
  auto batch = std::make_shared<std::vector<T>>(static_cast<std::size_t>(kDraws));
  law.fill(std::span<T>(*batch), source);
  return [batch, next = std::size_t{0}]() mutable { return static_cast<Int128>((*batch)[next++]); };
}

// Spec: F-67, D-68, W-70
TEST(DiscreteLaplace, AllFormsFollowTheLaw) {
  Source source;
  for (const Rational& scale : {Rational(1, 2), Rational(1), Rational(100), Rational(127), Rational(129),
                                Rational(1'000'000), Rational(1'000'001, 3), Rational::power_of_two(40)}) {
    const double s = scale.to_double_up();
    const DiscreteLaplace law(scale);
    EXPECT_TRUE(is_laplace(s, from_batch<std::int64_t>(law, source))) << scale.str();
    EXPECT_TRUE(is_laplace(s, from_batch<Int128>(law, source))) << scale.str();
    EXPECT_TRUE(is_laplace(s, [&] { return law.draw(source); })) << scale.str();
    EXPECT_TRUE(is_laplace(s, [&] { return discrete_laplace(scale, source); })) << scale.str();
  }
}

// Spec: D-68
TEST(DiscreteLaplace, TheLargestScaleFollowsTheLaw) {
  Source source;
  const Rational scale = Rational::power_of_two(60);
  const DiscreteLaplace law(scale);
  EXPECT_TRUE(is_laplace(0x1p60, from_batch<Int128>(law, source)));
  EXPECT_TRUE(is_laplace(0x1p60, [&] { return discrete_laplace(scale, source); }));
}

TEST(DiscreteLaplace, PlantedNarrowNoiseIsCaught) {
  Source source;
  EXPECT_FALSE(is_laplace(100, [&] { return planted::five_percent_narrow(source); }));
}
// Spec: W-70
TEST(DiscreteLaplace, PlantedFloatRoundingIsCaught) {
  Source source;
  EXPECT_FALSE(is_laplace(0x1p40, [&] { return planted::float_rounding(source); }));
}

// A scale whose fraction does not fit in 64 bits takes the table.
TEST(DiscreteLaplace, LongFractionsAreExactToo) {
  Source source;
  const Rational scale = Rational::parse("3.14159265358979323846264338327950288419716939937510");
  EXPECT_TRUE(is_laplace(
      scale.to_double_up(), [&] { return discrete_laplace(scale, source); }, 10'000));
}

TEST(DiscreteLaplace, TinyScaleIsAlmostSurelyZero) {
  Source source;
  const DiscreteLaplace law(Rational(1, 1000));  // P(K != 0) = 2 exp(-1000)
  std::vector<std::int64_t> values(1000, 7);
  law.fill(std::span<std::int64_t>(values), source);
  for (std::int64_t value : values) EXPECT_EQ(value, 0);
}

// The batch and the scalar form read the same records, so one seed gives the same values.
TEST(DiscreteLaplace, BatchEqualsScalar) {
  for (const Rational& scale : {Rational(3), Rational(1000), Rational::power_of_two(45)}) {
    Source a = dither::testing::seeded_source(dither::testing::run_seed());
    Source b = dither::testing::seeded_source(dither::testing::run_seed());
    const DiscreteLaplace law(scale);
    std::vector<std::int64_t> batch(300);
    law.fill(std::span<std::int64_t>(batch), a);
    for (std::int64_t value : batch) ASSERT_EQ(static_cast<Int128>(value), law.draw(b));
  }
}

TEST(DiscreteLaplace, BytesADraw) {
  const auto bytes_a_draw = [](const Rational& scale) {
    Source source;
    std::vector<std::int64_t> values(100'000);
    DiscreteLaplace(scale).fill(std::span<std::int64_t>(values), source);
    return static_cast<double>(source.bytes_used()) / 100'000.0;
  };
  EXPECT_EQ(bytes_a_draw(Rational(1)), 8);
  EXPECT_LE(bytes_a_draw(Rational(128)), 16);
  EXPECT_LE(bytes_a_draw(Rational(1'000'000)), 16);
  EXPECT_LE(bytes_a_draw(Rational::power_of_two(40)), 20);
}

// Spec: D-71
TEST(DiscreteLaplace, RefusesBadScales) {
  Source source;
  for (const char* text : {"0", "-1", "1/1001", "1e19", "-0.5", "1152921504606846977"}) {
    const Rational scale = Rational::parse(text);
    EXPECT_THROW(DiscreteLaplace{scale}, Error) << text;
    EXPECT_THROW(discrete_laplace(scale, source), Error) << text;
  }
  EXPECT_NO_THROW(DiscreteLaplace{Rational(1, 1000)});
  std::vector<std::int64_t> values(1);
  EXPECT_THROW(DiscreteLaplace(Rational::power_of_two(53)).fill(std::span<std::int64_t>(values), source), Error);
  DiscreteLaplace(Rational(1)).fill(std::span<std::int64_t>(), source);  // nothing to do
}

}  // namespace
}  // namespace dither::random
