#include "stats/binomial.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/rational.h"
#include "stats/beta.h"

namespace dither::stats {
namespace {

struct Exact {
  std::vector<Rational> pmf;

  Exact(std::int64_t n, double p) {
    const Rational hit = Rational::from_double(p);
    const Rational miss = Rational(1) - hit;
    Rational ways = 1;
    for (std::int64_t k = 0; k <= n; ++k) {
      pmf.push_back(ways * pow(hit, static_cast<unsigned>(k)) * pow(miss, static_cast<unsigned>(n - k)));
      ways *= Rational(n - k, k + 1);
    }
  }
  Rational lower(std::int64_t hits) const {
    Rational sum = 0;
    for (std::int64_t k = 0; k <= hits; ++k) sum += pmf[static_cast<std::size_t>(k)];
    return sum;
  }
  Rational upper(std::int64_t hits) const { return Rational(1) - lower(hits) + pmf[static_cast<std::size_t>(hits)]; }
};

void expect_close(double computed, const Rational& exact) {
  const double wanted = exact.to_double_down();
  EXPECT_NEAR(computed, wanted, 1e-14 * (2 - std::log(wanted)) * wanted);
}

TEST(Binomial, EveryTailOfSmallNumbersIsTheRationalSum) {
  for (const std::int64_t n : {1, 2, 3, 7, 20, 45}) {
    for (const double p : {0x1p-40, 0.001, 0.25, 0.3, 0.5, 0.77, 0.999, 1 - 0x1p-30}) {
      const Exact exact(n, p);
      for (std::int64_t k = 0; k <= n; ++k) {
        SCOPED_TRACE(::testing::Message() << "n=" << n << " p=" << p << " hits=" << k);
        if (exact.upper(k).to_double_down() > 1e-290) expect_close(binomial_upper(k, n, p), exact.upper(k));
        if (exact.lower(k).to_double_down() > 1e-290) expect_close(binomial_lower(k, n, p), exact.lower(k));
        const double pmf = exact.pmf[static_cast<std::size_t>(k)].to_double_down();
        if (pmf > 1e-290) {
          EXPECT_NEAR(binomial_log_pmf(k, n, p), std::log(pmf), 1e-14 * (2 + std::abs(std::log(pmf))));
        }
      }
    }
  }
}

struct Oracle {
  std::int64_t hits, n;
  double p, log;
};

// The numbers below are sums of positive terms to 40 digits, made with another program.
TEST(Binomial, UpperTailOracles) {
  for (const Oracle& o : std::vector<Oracle>{{60, 100, 0.5, -3.559819203446906743},
                                             {5300, 100000, 0.05, -11.70536383778573874},
                                             {500300000, 1000000000, 0.5, -183.8641584384544194},
                                             {501000000, 1000000000, 0.5, -2005.065546030497863},
                                             {600000000, 1000000000, 0.5, -20135523.01908987887},
                                             {3000, 1000000000, 1e-6, -1300.355800212896239},
                                             {2000000, 1000000000, 1e-3, -386802.5088252864026}}) {
    EXPECT_NEAR(binomial_log_upper(o.hits, o.n, o.p), o.log, 1e-14 * (1 + std::abs(o.log))) << o.hits << " of " << o.n;
  }
}

TEST(Binomial, LowerTailOracles) {
  for (const Oracle& o : std::vector<Oracle>{{40, 100, 0.5, -3.559819203446906743},
                                             {4700, 100000, 0.05, -12.06042951068165967},
                                             {499700000, 1000000000, 0.5, -183.8641584384544194},
                                             {0, 1000000000, 1e-3, -1000500.333583533521},
                                             {800, 1000000000, 1e-6, -24.15600871945631071},
                                             {99997000000, 1000000000000, 0.1, -53.23171264318419334}}) {
    const double allowed = 1e-14 * (1 + std::abs(o.log)) + 1e-15 * std::sqrt(static_cast<double>(o.n));
    EXPECT_NEAR(binomial_log_lower(o.hits, o.n, o.p), o.log, allowed) << o.hits << " of " << o.n;
  }
}

TEST(Binomial, DensityOracles) {
  for (const Oracle& o : std::vector<Oracle>{{300, 1000, 0.3, -3.592805790518698118},
                                             {0, 50, 0.1, -5.268025782891315370},
                                             {50, 50, 0.1, -115.1292546497022814},
                                             {7, 12, 0.25, -4.467909498283713113},
                                             {100000000000, 1000000000000, 0.1, -13.53047628684385345},
                                             {500000000, 1000000000, 0.7, -87176704.15981310542}}) {
    EXPECT_NEAR(binomial_log_pmf(o.hits, o.n, o.p), o.log, 1e-14 * (2 + std::abs(o.log))) << o.hits << " of " << o.n;
  }
}

TEST(Binomial, CertainAndImpossibleEvents) {
  const double never = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(binomial_log_upper(0, 10, 0.3), 0);
  EXPECT_EQ(binomial_log_lower(10, 10, 0.3), 0);
  EXPECT_EQ(binomial_log_upper(1, 10, 0), never);
  EXPECT_EQ(binomial_log_lower(0, 10, 0), 0);
  EXPECT_EQ(binomial_log_lower(9, 10, 1), never);
  EXPECT_EQ(binomial_log_upper(10, 10, 1), 0);
  EXPECT_EQ(binomial_log_pmf(3, 10, 0), never);
  EXPECT_EQ(binomial_log_pmf(10, 10, 1), 0);
  EXPECT_EQ(binomial_lower(9, 10, 1), 0);
  EXPECT_EQ(binomial_upper(0, 10, 0), 1);
}

TEST(Binomial, ProbabilitiesAtTheEdgeOfTheDoubles) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_NEAR(binomial_log_upper(1, 1, tiny), std::log(tiny), 1e-10);
  EXPECT_NEAR(binomial_log_upper(3, 3, tiny), 3 * std::log(tiny), 1e-10);
  EXPECT_NEAR(binomial_log_upper(2, 4, tiny), std::log(6) + 2 * std::log(tiny), 1e-10);
  EXPECT_EQ(binomial_lower(0, 1000, tiny), 1);
}

// The tail is an incomplete beta function, which beta.cc computes in quite another way.
RC_GTEST_PROP(Binomial, AgreesWithTheContinuedFraction, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(1, *rc::gen::element<std::int64_t>(10, 1000, 100'000'000));
  const auto hits = *rc::gen::inRange<std::int64_t>(1, n + 1);
  const double p = static_cast<double>(*rc::gen::inRange(1, 1000)) / 1000;
  const double log = binomial_log_upper(hits, n, p);
  const double other = beta_log_lower(p, static_cast<double>(hits), static_cast<double>(n - hits + 1));
  RC_ASSERT(std::abs(log - other) <= 1e-12 * (1 + std::abs(log)));
}

RC_GTEST_PROP(Binomial, TailsAreComplements, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(1, 100'000);
  const auto hits = *rc::gen::inRange<std::int64_t>(1, n + 1);
  const double p = static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000;
  RC_ASSERT(std::abs(binomial_upper(hits, n, p) + binomial_lower(hits - 1, n, p) - 1) <= 1e-15);
}

Code refusal(std::int64_t hits, std::int64_t n, double p) {
  try {
    binomial_log_upper(hits, n, p);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "accepted";
  return Code::bad_argument;
}

TEST(Binomial, RefusesBadInput) {
  EXPECT_EQ(refusal(0, 0, 0.5), Code::bad_count);
  EXPECT_EQ(refusal(0, -1, 0.5), Code::bad_count);
  EXPECT_EQ(refusal(0, 1'000'000'000'001, 0.5), Code::bad_count);
  EXPECT_EQ(refusal(-1, 10, 0.5), Code::bad_count);
  EXPECT_EQ(refusal(11, 10, 0.5), Code::bad_count);
  EXPECT_EQ(refusal(1, 10, -0.1), Code::bad_probability);
  EXPECT_EQ(refusal(1, 10, 1.1), Code::bad_probability);
  EXPECT_EQ(refusal(1, 10, std::nan("")), Code::bad_probability);
  EXPECT_EQ(refusal(1, 10, std::numeric_limits<double>::infinity()), Code::bad_probability);
}

}  // namespace
}  // namespace dither::stats
