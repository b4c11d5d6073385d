#include "random/geometric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "random/pmf.h"
#include "testing/law_check.h"

namespace dither::random {
namespace {

constexpr std::int64_t kDraws = 200'000;

bool is_geometric(double success, const std::function<Int128()>& draw) {
  const auto cdf = [success](Int128 k) {
    return k < 0 ? 0.0 : -std::expm1((static_cast<double>(k) + 1) * std::log1p(-success));
  };
  return dither::testing::fits({1 / success, cdf, draw}, kDraws, 1e-9);
}

// Spec: F-67, D-68
TEST(Geometric, FollowsTheLaw) {
  Source source;
  for (const Rational& success : {Rational(9, 10), Rational(1, 3), Rational(1, 1000), Rational::power_of_two(-30)}) {
    const Geometric law(success);
    const double p = success.to_double_up();
    std::vector<std::int64_t> batch(kDraws);
    law.fill(std::span<std::int64_t>(batch), source);
    std::size_t next = 0;
    EXPECT_TRUE(is_geometric(p, [&] { return static_cast<Int128>(batch[next++]); })) << success.str();
    EXPECT_TRUE(is_geometric(p, [&] { return law.draw(source); })) << success.str();
    EXPECT_FALSE(is_geometric(0.95 * p, [&] { return law.draw(source); })) << success.str();
  }
}

// Trials where failures are asked for: the success is counted too.
TEST(Geometric, PlantedCountFromOneIsCaught) {
  Source source;
  const Geometric law(Rational(1, 3));
  EXPECT_FALSE(is_geometric(1.0 / 3, [&] { return law.draw(source) + 1; }));
}

// As close to one as can be written: k = 1 has probability 2^-300 there, and P(0) + P(1) falls short of one by 2^-600.
TEST(Geometric, ReachesCloseToOne) {
  Source source;
  const Rational success = Rational(1) - Rational::power_of_two(-300);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(Geometric(success).draw(source), 0);
  const BigInterval both = geometric_pmf(success, 0, 1000) + geometric_pmf(success, 1, 1000);
  EXPECT_TRUE(both.contains(Rational(1) - Rational::power_of_two(-600)));
}

// Spec: D-71
TEST(Geometric, RefusesBadProbabilities) {
  for (const char* text : {"0", "1", "-0.5", "2", "1e-19"})
    EXPECT_THROW(Geometric{Rational::parse(text)}, Error) << text;
  EXPECT_NO_THROW(Geometric{Rational::power_of_two(-60)});
  EXPECT_NO_THROW(Geometric{Rational(1) - Rational::power_of_two(-300)});
}

}  // namespace
}  // namespace dither::random
