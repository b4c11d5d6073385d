#include "stats/multinomial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/rational.h"
#include "stats/binomial.h"

namespace dither::stats {
namespace {

using Counts = std::vector<std::int64_t>;
using Law = std::vector<double>;

// Calls `visit` with every way to put n into the cells.
void every_outcome(std::int64_t n, std::size_t cells, const std::function<void(const Counts&)>& visit) {
  Counts counts;
  const std::function<void(std::int64_t)> place = [&](std::int64_t left) {
    if (counts.size() + 1 == cells) {
      counts.push_back(left);
      visit(counts);
      counts.pop_back();
      return;
    }
    for (std::int64_t here = 0; here <= left; ++here) {
      counts.push_back(here);
      place(left - here);
      counts.pop_back();
    }
  };
  place(n);
}

Rational exact_pmf(const Counts& counts, const Law& law) {
  Rational result = 1;
  long drawn = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (long k = 1; k <= counts[i]; ++k) result *= Rational(++drawn, k) * Rational::from_double(law[i]);
  }
  return result;
}

TEST(Multinomial, DensityIsTheRationalProductOverAllOutcomes) {
  for (const Law& law : {Law{0.5, 0.25, 0.25}, Law{0.125, 0.75, 0.0625, 0.0625}, Law{0.5, 0, 0.5}}) {
    for (const std::int64_t n : {1, 4, 9}) {
      every_outcome(n, law.size(), [&](const Counts& counts) {
        const double exact = exact_pmf(counts, law).to_double_down();
        const double computed = std::exp(multinomial_log_pmf(counts, law));
        EXPECT_NEAR(computed, exact, 1e-13 * exact);
      });
    }
  }
}

TEST(Multinomial, TwoCellsAreBinomial) {
  const Law law{0.3, 0.7};
  for (const std::int64_t hits : {0, 17, 300'000, 500'000}) {
    const double binomial = binomial_log_pmf(hits, 1'000'000, 0.3);
    EXPECT_NEAR(multinomial_log_pmf(Counts{hits, 1'000'000 - hits}, law), binomial, 1e-13 * (1 + std::abs(binomial)));
  }
}

TEST(Multinomial, ExactTestCountsOutcomesNoMoreLikely) {
  // Two fair cells, 5 draws, 5:0. As extreme: 5:0 and 0:5, together 2/32.
  EXPECT_NEAR(multinomial_exact_p_value(Counts{5, 0}, Law{0.5, 0.5}), 2.0 / 32, 1e-14);
  // Three fair cells, 3 draws, all in one: 3 of 27 outcomes. Two and one: those and 18 more. One each: all.
  const Law fair{1.0 / 3, 1.0 / 3, 1.0 / 3};
  EXPECT_NEAR(multinomial_exact_p_value(Counts{0, 3, 0}, fair), 3.0 / 27, 1e-14);
  EXPECT_NEAR(multinomial_exact_p_value(Counts{2, 1, 0}, fair), 21.0 / 27, 1e-14);
  EXPECT_NEAR(multinomial_exact_p_value(Counts{1, 1, 1}, fair), 1, 1e-14);
}

TEST(Multinomial, ExactTestKeepsItsLevel) {
  const Law law{0.5, 0.3125, 0.125, 0.0625};
  for (const double alpha : {0.01, 0.05, 0.3}) {
    Rational rejected = 0;
    every_outcome(8, law.size(), [&](const Counts& counts) {
      if (multinomial_exact_p_value(counts, law) <= alpha) rejected += exact_pmf(counts, law);
    });
    EXPECT_LE(rejected, Rational::from_double(alpha));
    EXPECT_GT(rejected, Rational::from_double(alpha / 5)) << "a test that never rejects checks nothing";
  }
}

TEST(Multinomial, DivergenceOracles) {
  EXPECT_NEAR(multinomial_divergence(Counts{5, 0}, Law{0.5, 0.5}), 5 * std::log(2), 1e-14);
  EXPECT_NEAR(multinomial_divergence(Counts{25, 25, 50}, Law{0.25, 0.25, 0.5}), 0, 1e-15);
  EXPECT_NEAR(multinomial_divergence(Counts{30, 70}, Law{0.5, 0.5}), 8.228287850505178, 1e-13);
  EXPECT_EQ(multinomial_divergence(Counts{1, 9}, Law{0, 1}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(multinomial_divergence(Counts{0, 9}, Law{0, 1}), 0);
}

// The theorem behind the bound, checked outcome by outcome: at every level the true tail is below it.
TEST(Multinomial, DivergenceBoundHoldsOverAllOutcomes) {
  for (const Law& law : {Law{0.5, 0.5}, Law{0.9375, 0.0625}, Law{0.25, 0.25, 0.5}, Law{0.0625, 0.0625, 0.875},
                         Law{0.25, 0.25, 0.25, 0.25}}) {
    for (const std::int64_t n : {1, 2, 5, 12}) {
      std::vector<std::pair<double, double>> outcomes;  // divergence, probability
      every_outcome(n, law.size(), [&](const Counts& counts) {
        outcomes.emplace_back(multinomial_divergence(counts, law), std::exp(multinomial_log_pmf(counts, law)));
      });
      std::sort(outcomes.rbegin(), outcomes.rend());
      double tail = 0;
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        tail += outcomes[i].second;
        EXPECT_LE(tail, std::exp(divergence_log_tail_bound(outcomes[i].first, std::ssize(law))) + 1e-12);
      }
    }
  }
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

TEST(Multinomial, RefusesBadInput) {
  const auto pmf = [](const Counts& counts, const Law& law) {
    return refusal([&] { multinomial_log_pmf(counts, law); });
  };
  EXPECT_EQ(pmf({1}, {1}), Code::bad_count);
  EXPECT_EQ(pmf({1, 2}, {0.5, 0.25, 0.25}), Code::bad_count);
  EXPECT_EQ(pmf({0, 0}, {0.5, 0.5}), Code::bad_count);
  EXPECT_EQ(pmf({-1, 2}, {0.5, 0.5}), Code::bad_count);
  EXPECT_EQ(pmf({1'000'000'000'000, 1'000'000'000'000}, {0.5, 0.5}), Code::bad_count);
  EXPECT_EQ(pmf({1, 2}, {0.5, 0.4}), Code::bad_probability);
  EXPECT_EQ(pmf({1, 2}, {1.5, -0.5}), Code::bad_probability);
  EXPECT_EQ(pmf({1, 2}, {std::nan(""), 1}), Code::bad_probability);
  EXPECT_EQ(refusal([] { multinomial_exact_p_value(Counts(20, 5), Law(20, 0.05)); }), Code::bad_count);
  EXPECT_EQ(refusal([] { divergence_log_tail_bound(1, 1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { divergence_log_tail_bound(-1, 2); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { divergence_log_tail_bound(std::nan(""), 2); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::stats
