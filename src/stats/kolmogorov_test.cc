#include "stats/kolmogorov.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "stats/detail/durbin.h"
#include "stats/dkw.h"

namespace dither::stats {
namespace {

struct Oracle {
  std::int64_t n;
  double distance, one_sided, two_sided;
};

// Exact fractions, from the finite sum and from Steck's determinant, made with another program.
TEST(Kolmogorov, SmallNumbersAreExact) {
  for (const Oracle& o : std::vector<Oracle>{{1, 0.75, 0.25, 0.5},
                                             {5, 0.25, 0.462, 0.8446},
                                             {10, 0.25, 0.24491372483398438, 0.4841115325},
                                             {10, 0.375, 0.045111495615358356, 0.09022147221173096},
                                             {20, 0.25, 0.06882678136460359, 0.13762569836717625},
                                             {20, 0.125, 0.49494965199959323, 0.8758617995908946},
                                             {30, 0.1875, 0.10687019177859808, 0.21352773650083534},
                                             {10, 0.9375, 9.094947017729282e-13, 1.8189894035458565e-12},
                                             {50, 0.125, 0.19310657091370156, 0.38359915692522906}}) {
    EXPECT_NEAR(std::exp(smirnov_log_upper(o.n, o.distance)), o.one_sided, 1e-12 * o.one_sided) << o.n;
    EXPECT_NEAR(std::exp(kolmogorov_log_upper(o.n, o.distance)), o.two_sided, 1e-12 * o.two_sided) << o.n;
  }
}

TEST(Kolmogorov, DeepTailOracles) {
  EXPECT_NEAR(smirnov_log_upper(1000, 0.25), -126.93776572489377, 1e-10);
  EXPECT_NEAR(smirnov_log_upper(1000, 0.5), -532.52778221313433, 1e-10);
  EXPECT_NEAR(smirnov_log_upper(200, 0.75), -268.14819906281263, 1e-10);
  EXPECT_NEAR(kolmogorov_log_upper(1000, 0.25), -126.93776572489377 + std::log(2), 1e-10);
}

// Where one formula hands over to the next they must agree.
TEST(Kolmogorov, TwiceTheOneSidedTailMeetsTheMatrix) {
  for (const std::int64_t n : {50, 400}) {
    const double distance = std::sqrt(4.9 / static_cast<double>(n));  // a tail of about 1e-4
    const double matrix = 1 - detail::durbin_cdf(n, distance);
    EXPECT_NEAR(2 * std::exp(smirnov_log_upper(n, distance)), matrix, 2e-13) << n;
  }
}

TEST(Kolmogorov, TheLimitMeetsTheMatrix) {
  for (const std::int64_t n : {1001, 2000}) {  // 1001 is the first that uses the limit
    for (const double z : {0.3, 0.5, 0.79, 0.81, 1.0, 1.25, 1.36, 1.8, 2.1}) {
      const double distance = z / std::sqrt(static_cast<double>(n));
      const double matrix = 1 - detail::durbin_cdf(n, distance);
      EXPECT_NEAR(std::exp(kolmogorov_log_upper(n, distance)), matrix, matrix < 0.1 ? 1e-6 : 3e-5) << n << " " << z;
    }
  }
}

TEST(Kolmogorov, Ends) {
  const double never = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(smirnov_log_upper(7, 0), 0);
  EXPECT_EQ(kolmogorov_log_upper(7, 0), 0);
  EXPECT_EQ(smirnov_log_upper(7, 1), never);
  EXPECT_EQ(kolmogorov_log_upper(7, 1), never);
  EXPECT_NEAR(kolmogorov_log_upper(7, 1e-9), 0, 1e-15);
  EXPECT_NEAR(kolmogorov_log_upper(100'000, 1e-9), 0, 1e-15);
}

TEST(Dkw, BoundsTheExactTail) {
  for (const std::int64_t n : {1, 2, 3, 10, 100, 2000}) {
    for (const double distance : {0.01, 0.1, 0.2, 0.4, 0.5, 0.7, 0.95}) {
      EXPECT_LE(kolmogorov_log_upper(n, distance), dkw_log_tail_bound(n, distance) + 1e-12) << n << " " << distance;
    }
  }
}

// It covers both sides, so that it is never below the one-sided band, which is valid with max(2, 1 / alpha) under the
// logarithm, and not with the smaller of the two.
// Spec: T-46
TEST(Dkw, BandInvertsTheBound) {
  for (const double alpha : {0.9, 0.5, 0.05, 1e-9}) {
    EXPECT_GT(dkw_band(100, alpha), std::sqrt(std::log(std::max(2.0, 1 / alpha)) / 200)) << alpha;
  }
  EXPECT_NEAR(dkw_band(100, 0.05), 0.135810, 1e-6);  // sqrt(log(40) / 200)
  for (const std::int64_t n : {100, 1'000'000}) EXPECT_LE(dkw_log_tail_bound(n, dkw_band(n, 1e-9)), std::log(1e-9));
}

TEST(Kolmogorov, RefusesBadInput) {
  EXPECT_THROW(kolmogorov_log_upper(0, 0.5), Error);
  EXPECT_THROW(kolmogorov_log_upper(1'000'001, 0.5), Error);
  EXPECT_THROW(kolmogorov_log_upper(10, -0.1), Error);
  EXPECT_THROW(kolmogorov_log_upper(10, 1.1), Error);
  EXPECT_THROW(smirnov_log_upper(10, std::nan("")), Error);
  EXPECT_THROW(dkw_log_tail_bound(0, 0.1), Error);
  EXPECT_THROW(dkw_log_tail_bound(10, std::nan("")), Error);
  EXPECT_THROW(dkw_band(10, 0), Error);
  EXPECT_THROW(dkw_band(10, std::nan("")), Error);
}

}  // namespace
}  // namespace dither::stats
