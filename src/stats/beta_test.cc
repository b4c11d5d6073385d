#include "stats/beta.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"

namespace dither::stats {
namespace {

struct Oracle {
  double x, a, b, log;
};

// From the hypergeometric series to 25 digits, made with another program.
TEST(Beta, LowerTailOracles) {
  for (const Oracle& o : std::vector<Oracle>{{0.5, 2, 3, -0.3746934494414106936},
                                             {0.1, 0.5, 0.5, -1.585561414730353318},
                                             {0.3, 50.5, 20.25, -28.64424458444427502},
                                             {0.01, 100, 1000, -138.6224885097754479},
                                             {0.9, 1e-3, 5, -2.186683155640019061e-9},
                                             {0.001, 1000, 0.5, -6911.781146814380676}}) {
    const double log = beta_log_lower(o.x, o.a, o.b);
    EXPECT_NEAR(log, o.log, 1e-13 * (1 + std::abs(o.log))) << o.x << " " << o.a << " " << o.b;
    EXPECT_NEAR(beta_lower(o.x, o.a, o.b), std::exp(o.log), 1e-13) << o.x << " " << o.a << " " << o.b;
  }
}

TEST(Beta, AgreesWithBoost) {
  for (const double a : {0.01, 0.5, 1.0, 3.0, 20.5, 900.0}) {
    for (const double b : {0.01, 0.5, 1.0, 4.0, 33.0, 2000.0}) {
      for (const double x : {1e-9, 0.01, 0.2, 0.5, 0.8, 0.99, 1 - 1e-9}) {
        const double wanted = boost::math::ibeta(a, b, x);
        EXPECT_NEAR(beta_lower(x, a, b), wanted, 1e-13) << x << " " << a << " " << b;
        EXPECT_NEAR(beta_upper(x, a, b), boost::math::ibetac(a, b, x), 1e-13) << x << " " << a << " " << b;
        if (a >= 1 && b >= 1 && wanted > 1e-290) {
          EXPECT_NEAR(beta_log_lower(x, a, b), std::log(wanted), 1e-12) << x << " " << a << " " << b;
        }
      }
    }
  }
}

TEST(Beta, UniformAndPowerLaws) {
  EXPECT_NEAR(beta_lower(0.3, 1, 1), 0.3, 1e-15);
  EXPECT_NEAR(beta_log_lower(1e-200, 7, 1), -200 * 7 * std::log(10), 1e-9);
  EXPECT_NEAR(beta_log_upper(0.25, 1, 1e6), 1e6 * std::log(0.75), 1e-7);
}

TEST(Beta, Ends) {
  const double never = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(beta_log_lower(0, 2, 3), never);
  EXPECT_EQ(beta_log_upper(0, 2, 3), 0);
  EXPECT_EQ(beta_lower(1, 2, 3), 1);
  EXPECT_EQ(beta_upper(1, 2, 3), 0);
}

TEST(Beta, QuantilesInvertTheTail) {
  for (const double probability : {1e-200, 1e-9, 0.025, 0.5, 0.7, 0.999}) {
    for (const double a : {0.5, 3.0, 700.0}) {
      const double x = beta_quantile(probability, a, 12.5);
      EXPECT_NEAR(beta_lower(x, a, 12.5), probability, 1e-12 * probability + 4e-16 * 700) << probability << " " << a;
    }
  }
  EXPECT_NEAR(beta_quantile(0.25, 1, 1), 0.25, 1e-15);
  EXPECT_NEAR(beta_quantile(0.5, 4, 4), 0.5, 1e-15);
}

template <typename Call>
Code refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "accepted";
  return Code::bad_argument;
}

TEST(Beta, RefusesBadInput) {
  EXPECT_EQ(refusal([] { beta_lower(-0.1, 1, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { beta_lower(1.1, 1, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { beta_lower(std::nan(""), 1, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { beta_lower(0.5, 0, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { beta_lower(0.5, 1, std::nan("")); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { beta_lower(0.5, 1, 1e13); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { beta_quantile(0, 1, 1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { beta_quantile(1, 1, 1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { beta_quantile(std::nan(""), 1, 1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::stats
