#include "stats/chi_square.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"

namespace dither::stats {
namespace {

struct Oracle {
  double x, degrees, log;
};

// From the regularised incomplete gamma function to 25 digits, made with another program.
TEST(ChiSquare, LogTailOracles) {
  for (const Oracle& o : std::vector<Oracle>{{3.841458820694124, 1, -2.995732273553989845},
                                             {0.5, 1, -0.735011129837084403},
                                             {16.918977604620448, 9, -2.995732273553990363},
                                             {9, 9, -0.8271948460558220891},
                                             {200, 10, -84.71697591169848945},
                                             {2000000, 5, -999979.5614155335269},
                                             {5000, 100, -2261.167702936850451},
                                             {1100, 1000, -4.225747378926617681},
                                             {900, 1000, -0.01077508133857053295},
                                             {1005000, 1000000, -8.479521709110092068},
                                             {0.001, 0.5, -0.1802753526204335828}}) {
    EXPECT_NEAR(chi_square_log_upper(o.x, o.degrees), o.log, 1e-13 * (1 + std::abs(o.log))) << o.x << " " << o.degrees;
    const double linear = std::exp(o.log);
    EXPECT_NEAR(chi_square_upper(o.x, o.degrees), linear, 2e-13 * linear) << o.x << " " << o.degrees;
  }
}

TEST(ChiSquare, AgreesWithBoost) {
  for (const double degrees : {0.5, 1.0, 2.0, 7.0, 30.0, 255.0, 4000.0}) {
    const boost::math::chi_squared law(degrees);
    for (const double factor : {0.01, 0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 2.0, 5.0}) {
      const double x = degrees * factor;
      const double wanted = boost::math::cdf(boost::math::complement(law, x));
      if (wanted < 1e-290) continue;
      EXPECT_NEAR(chi_square_upper(x, degrees), wanted, 1e-12 * wanted) << x << " " << degrees;
    }
  }
}

TEST(ChiSquare, TwoDegreesAreExponential) {
  for (const double x : {1e-9, 0.3, 1.0, 10.0, 1e6}) EXPECT_NEAR(chi_square_log_upper(x, 2), -x / 2, 1e-14 * (1 + x));
}

TEST(ChiSquare, Ends) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(chi_square_upper(0, 3), 1);
  EXPECT_EQ(chi_square_log_upper(0, 3), 0);
  EXPECT_EQ(chi_square_upper(infinity, 3), 0);
  EXPECT_EQ(chi_square_log_upper(infinity, 3), -infinity);
}

TEST(ChiSquare, PearsonByHand) {
  const std::vector<std::int64_t> counts{30, 70};
  EXPECT_DOUBLE_EQ(pearson_statistic(counts, std::vector<double>{0.5, 0.5}), 16);
  EXPECT_EQ(pearson_statistic(counts, std::vector<double>{0, 1}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(pearson_statistic(std::vector<std::int64_t>{0, 7}, std::vector<double>{0, 1}), 0);
}

TEST(ChiSquare, RefusesBadInput) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [x, degrees] : std::vector<std::pair<double, double>>{
           {-1, 3}, {std::nan(""), 3}, {1, 0}, {1, -2}, {1, std::nan("")}, {1, infinity}, {1, 1e11}}) {
    try {
      chi_square_log_upper(x, degrees);
      ADD_FAILURE() << "accepted " << x << " " << degrees;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::out_of_range);
    }
  }
}

}  // namespace
}  // namespace dither::stats
