#include "audit/timing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/error.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

using Times = std::vector<double>;

// Times that drift, as those of busy machines do; the second of each pair a little later.
struct Measured {
  Times first, second;
};
Measured measured(int pairs, double leak, std::mt19937_64& coins) {
  std::exponential_distribution<double> jitter(1);
  Measured times;
  for (int i = 0; i < pairs; ++i) {
    const double drift = i * 0.01;
    double a = drift + jitter(coins);
    double b = drift + jitter(coins) + 0.3;  // whoever comes second waits
    if (coins() >> 63 != 0) std::swap(a, b);
    times.first.push_back(a);
    times.second.push_back(b + leak);
  }
  return times;
}

TEST(PairedTimes, DistanceIsTheLargestGap) {
  EXPECT_EQ(paired_times(Times{1, 2, 3, 4}, Times{1, 2, 3, 4}, 10, 1).distance, 0);
  EXPECT_EQ(paired_times(Times{1, 2, 3, 4}, Times{5, 6, 7, 8}, 10, 1).distance, 1);
  EXPECT_EQ(paired_times(Times{1, 2, 3, 4}, Times{2, 3, 4, 5}, 10, 1).distance, 0.25);
  EXPECT_EQ(paired_times(Times{1, 1, 1, 2}, Times{1, 2, 2, 2}, 10, 1).distance, 0.5);
}

// All 2^3 exchanges of three pairs, two of which are as far apart as possible: the exact p-value is 1/4.
TEST(PairedTimes, PValueNearsThatOfAllExchanges) {
  const TwoSampleTest test = paired_times(Times{1, 2, 3}, Times{11, 12, 13}, 100'000, testing::run_seed());
  // The share of 100,000 coins is off by 0.01 with probability below 2 exp(-20).
  EXPECT_NEAR(test.p_value, 0.25, 0.01);
}

// P(p <= 0.01) is 0.01 at most: of 400 right ones 20 or more with probability below 2e-8 (binomial tail).
// Spec: W-72
TEST(PairedTimes, RightOnesAreSeldomRefused) {
  std::mt19937_64 coins(testing::run_seed());
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    const Measured times = measured(100, 0, coins);
    refused += paired_times(times.first, times.second, 199, coins()).p_value <= 0.01 ? 1 : 0;
  }
  EXPECT_LT(refused, 20);
}

// A leak of twice the jitter, under a drift ten times as large: the largest gap moves by about 0.1, and by exchanges of
// 2000 pairs hardly ever by half of that.
TEST(PairedTimes, PlantedLeakIsCaught) {
  std::mt19937_64 coins(testing::run_seed());
  const Measured times = measured(2000, 2, coins);
  EXPECT_LE(paired_times(times.first, times.second, 999, 1).p_value, 0.001);
}

TEST(PairedTimes, Mistakes) {
  EXPECT_EQ(testing::refusal([] { paired_times(Times{}, Times{}, 9, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { paired_times(Times{1, 2}, Times{1}, 9, 1); }), Code::bad_count);
}

// The obvious form of Kendall's, pair by pair.
double slow_kendall(const Times& x, const Times& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double product = (x[i] - x[j]) * (y[i] - y[j]);
      sum += product > 0 ? 1 : product < 0 ? -1 : 0;
    }
  }
  return sum / (static_cast<double>(x.size()) * static_cast<double>(x.size() - 1) / 2);
}

TEST(Correlation, RankIsThatOfEveryPair) {
  std::mt19937_64 coins(testing::run_seed());
  for (int round = 0; round < 50; ++round) {
    Times x, y;
    for (int i = 0; i < 40; ++i) {  // many ties
      x.push_back(static_cast<double>(coins() % 8));
      y.push_back(static_cast<double>(coins() % 8));
    }
    EXPECT_DOUBLE_EQ(correlation(x, y, 0.01).rank, slow_kendall(x, y));
  }
}

TEST(Correlation, KnownValues) {
  const Correlation line = correlation(Times{1, 2, 3, 4}, Times{2, 4, 6, 8}, 0.01);
  EXPECT_DOUBLE_EQ(line.linear, 1);
  EXPECT_EQ(line.rank, 1);
  const Correlation flat = correlation(Times{5, 5, 5}, Times{1, 2, 3}, 0.01);
  EXPECT_EQ(flat.linear, 0);
  EXPECT_EQ(flat.rank, 0);
  // n = 2,000,000: sqrt(2 log 200 / 10^6) = 0.003255.
  const Times many(2'000'000, 1.0);
  EXPECT_NEAR(correlation(many, many, 0.01).high, 0.0032553, 1e-6);
}

// False alarm of each interval 1e-6.
// Spec: W-72
TEST(Correlation, IndependentTimesAreSilentAndPlantedLeakIsCaught) {
  std::mt19937_64 coins(testing::run_seed());
  std::exponential_distribution<double> jitter(1);
  Times times, leaky, sizes;
  for (int i = 0; i < 200'000; ++i) {
    sizes.push_back(jitter(coins));
    times.push_back(jitter(coins));
    leaky.push_back(times.back() + 0.3 * sizes.back());  // a loop that runs as long as the noise is large
  }
  const Correlation silent = correlation(times, sizes, 1e-6);
  EXPECT_LE(silent.low, 0);
  EXPECT_GE(silent.high, 0);
  // Its rank correlation is 0.15 or more; the half width 0.017.
  EXPECT_GT(correlation(leaky, sizes, 1e-6).low, 0.05);
}

TEST(Correlation, Mistakes) {
  EXPECT_EQ(testing::refusal([] { correlation(Times{1}, Times{1}, 0.1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { correlation(Times{1, 2}, Times{1, 2}, 1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::audit
