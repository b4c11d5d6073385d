#include "mechanisms/release.h"

#include <gtest/gtest.h>

#include <future>
#include <set>

#include "mechanisms/discrete_laplace.h"

namespace dither::mechanisms {
namespace {

// Noise of scale 2^50 on three numbers: two releases are the same with probability below 1e-44.
// Spec: W-74
TEST(Release, NoTwoHaveTheSameNoise) {
  const auto noise = make_discrete_laplace({.dimension = 3}, Rational::power_of_two(50), calculus::MetricKind::cells);
  const auto drawn = [&](bool as_data) {
    std::vector<Secret<Int128>> exact;
    for (int i = 0; i < 3; ++i) exact.emplace_back(Int128{0});
    const auto released = as_data ? release(noise, calculus::Private(calculus::Integers(3))) : release(noise, exact);
    return calculus::as<calculus::Integers>(released.value());
  };
  std::set<calculus::Integers> all;
  for (const bool as_data : {false, true}) {
    for (int i = 0; i < 20; ++i) all.insert(drawn(as_data));
    for (int i = 0; i < 5; ++i) all.insert(std::async(std::launch::async, drawn, as_data).get());
  }
  EXPECT_EQ(all.size(), 50U);
}

}  // namespace
}  // namespace dither::mechanisms
