#include "stats/roc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/directed.h"
#include "base/error.h"
#include "testing/seed.h"

namespace dither::stats {
namespace {

using Scores = std::vector<double>;

// n scores that follow a law as closely as n scores can: its quantiles at (i + 1/2) / n.
template <typename Quantile>
Scores quantiles(int n, const Quantile& quantile) {
  Scores scores;
  for (int i = 0; i < n; ++i) scores.push_back(quantile((i + 0.5) / n));
  return scores;
}

double laplace_quantile(double p) { return p < 0.5 ? std::log(2 * p) : -std::log(2 * (1 - p)); }

// Spec: T-27
TEST(Roc, TiesFallTogether) {
  const Roc roc(Scores{0, 1, 1, 2}, Scores{1, 2, 2, 3});
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<RocStep> wanted{{infinity, 0, 0}, {3, 0, 1}, {2, 1, 3}, {1, 3, 4}, {0, 4, 4}};
  EXPECT_EQ(roc.steps(), wanted);
  // Pairs: 3 beats four, each 2 beats three and ties one, 1 beats one and ties two: (4 + 3.5 + 3.5 + 2) / 16.
  EXPECT_DOUBLE_EQ(area(roc), 13.0 / 16);
}

// Spec: T-27
TEST(Roc, AreaAndErrorAreThoseOfAllPairs) {
  std::mt19937_64 choose(testing::run_seed());
  for (int round = 0; round < 200; ++round) {
    Scores out(1 + choose() % 12), in(1 + choose() % 12);
    for (double& score : out) score = static_cast<double>(choose() % 6);
    for (double& score : in) score = static_cast<double>(choose() % 6 + choose() % 3);
    const double pairs = static_cast<double>(out.size() * in.size());
    double won = 0;
    std::vector<double> by_out(out.size()), by_in(in.size());
    for (std::size_t o = 0; o < out.size(); ++o) {
      for (std::size_t i = 0; i < in.size(); ++i) {
        const double points = in[i] > out[o] ? 1 : in[i] == out[o] ? 0.5 : 0;
        won += points;
        by_out[o] += points / static_cast<double>(in.size());
        by_in[i] += points / static_cast<double>(out.size());
      }
    }
    const Roc roc(out, in);
    EXPECT_NEAR(area(roc), won / pairs, 1e-14);
    if (out.size() < 2 || in.size() < 2) continue;
    double variance = 0;
    for (const auto& part : {by_out, by_in}) {
      double squares = 0;
      for (const double x : part) squares += (x - won / pairs) * (x - won / pairs);
      variance += squares / static_cast<double>((part.size() - 1) * part.size());
    }
    EXPECT_NEAR(area_standard_error(roc), std::sqrt(variance), 1e-8);
  }
}

// Spec: T-27
TEST(Roc, HullHoldsEveryStepAndNothingMore) {
  std::mt19937_64 choose(testing::run_seed());
  for (int round = 0; round < 200; ++round) {
    Scores out(1 + choose() % 20), in(1 + choose() % 20);
    for (double& score : out) score = static_cast<double>(choose() % 15);
    for (double& score : in) score = static_cast<double>(choose() % 15);
    const Roc roc(out, in);
    const std::vector<RocStep> hull = roc.hull();
    ASSERT_GE(hull.size(), 2u);
    EXPECT_EQ(hull.front(), roc.steps().front());
    EXPECT_EQ(hull.back(), roc.steps().back());
    for (const RocStep& step : roc.steps()) {
      for (std::size_t i = 1; i < hull.size(); ++i) {  // below every line of the hull: the hull is concave
        const std::int64_t across = hull[i].false_positives - hull[i - 1].false_positives;
        const std::int64_t up = hull[i].true_positives - hull[i - 1].true_positives;
        EXPECT_LE((step.true_positives - hull[i - 1].true_positives) * across,
                  up * (step.false_positives - hull[i - 1].false_positives));
      }
    }
  }
}

// Laplace noise of scale 1/epsilon at 0 and 1, on 200,000 quantiles each: area 1 - e^-epsilon (2 + epsilon) / 4,
// advantage 1 - e^(-epsilon/2), e^epsilon false positives caught at 1%.
// Spec: T-26, T-27
TEST(Roc, LaplaceAnchors) {
  const int n = 200'000;
  for (const auto& [epsilon, best, under, caught] : {std::tuple{0.1, 0.0488, 0.5250, std::exp(0.1) / 100},
                                                     {1.0, 0.3935, 0.7241, std::exp(1.0) / 100},
                                                     {2.0, 0.6321, 0.8647, std::exp(2.0) / 100}}) {
    const double scale = 1 / epsilon;
    const Roc roc(quantiles(n, [&](double p) { return scale * laplace_quantile(p); }),
                  quantiles(n, [&](double p) { return 1 + scale * laplace_quantile(p); }));
    EXPECT_NEAR(advantage(roc, best_step(roc)), best, 7e-5);
    EXPECT_NEAR(balanced_accuracy(roc, best_step(roc)), (1 + best) / 2, 1e-4);
    EXPECT_NEAR(area(roc), under, 6e-5);
    EXPECT_NEAR(roc.true_positive_rate(*step_at_false_positive_rate(roc, 0.01)), caught, 1.5e-4);
  }
}

// Spec: T-26, T-27
TEST(Roc, GaussianAnchors) {
  const int n = 200'000;
  for (const auto& [mu, best, under, at_1, at_01] : {std::tuple{0.5, 0.1974, 0.6382, 0.0339, 0.0048},
                                                     {1.0, 0.3829, 0.7602, 0.0924, 0.0183},
                                                     {2.0, 0.6827, 0.9214, 0.3721, 0.1378}}) {
    const Roc roc(quantiles(n, [](double p) { return ndtri_down(p); }),
                  quantiles(n, [shift = mu](double p) { return shift + ndtri_down(p); }));
    EXPECT_NEAR(advantage(roc, best_step(roc)), best, 7e-5);
    EXPECT_NEAR(area(roc), under, 6e-5);
    EXPECT_NEAR(roc.true_positive_rate(*step_at_false_positive_rate(roc, 0.01)), at_1, 1.5e-4);
    EXPECT_NEAR(roc.true_positive_rate(*step_at_false_positive_rate(roc, 0.001)), at_01, 4e-4);
  }
}

// Randomised response says the truth with probability e^epsilon / (1 + e^epsilon).
// Spec: T-26
TEST(Roc, RandomisedResponseAnchor) {
  const int n = 100'000;
  const int lies = static_cast<int>(std::lround(n / (1 + std::exp(1.0))));
  Scores out(n, 0.0), in(n, 1.0);
  for (int i = 0; i < lies; ++i) std::swap(out[static_cast<std::size_t>(i)], in[static_cast<std::size_t>(i)]);
  const Roc roc(out, in);
  ASSERT_EQ(roc.steps().size(), 3u);
  EXPECT_NEAR(roc.false_positive_rate(roc.steps()[1]), 0.26894, 1e-5);
  EXPECT_NEAR(roc.true_positive_rate(roc.steps()[1]), 0.73106, 1e-5);
}

// Spec: T-27
TEST(Roc, RatesBelowTheSampleAreNotResolvable) {
  const Roc roc(quantiles(1000, [](double p) { return p; }), quantiles(1000, [](double p) { return p + 0.2; }));
  std::vector<std::string> texts;
  for (const double rate : low_false_positive_rates()) texts.push_back(true_positive_rate_text(roc, rate));
  EXPECT_EQ(texts, (std::vector<std::string>{"0.3", "0.21", "0.201", "not resolvable", "not resolvable"}));
  EXPECT_EQ(step_at_false_positive_rate(roc, 0.00099), std::nullopt);
  EXPECT_EQ(step_at_false_positive_rate(roc, 1)->true_positives, 1000);
}

// Spec: T-27
TEST(Roc, BandIsClopperPearson) {
  const Roc roc(quantiles(100, [](double p) { return p; }), quantiles(50, [](double p) { return p + 0.1; }));
  const RocStep step = *step_at_false_positive_rate(roc, 0.1);
  const RocBand found = band(roc, step, 0.05);
  EXPECT_EQ(step.false_positives, 10);
  EXPECT_EQ(found.false_positive_rate.low, clopper_pearson(10, 100, 0.05).low);
  EXPECT_EQ(found.true_positive_rate.high, clopper_pearson(step.true_positives, 50, 0.05).high);
}

// 400 areas of 50 + 50 scores of one law, true area 1/2, at 95%: Hoeffding's width is never short more often than 5%.
// False alarm below 1e-6: so many misses of 400 have probability below that at a rate of 5%.
TEST(Roc, HalfWidthCovers) {
  std::mt19937_64 draw(testing::run_seed());
  int missed = 0;
  for (int round = 0; round < 400; ++round) {
    Scores out(50), in(50);
    for (double& score : out) score = static_cast<double>(draw() >> 11);
    for (double& score : in) score = static_cast<double>(draw() >> 11);
    const Roc roc(out, in);
    missed += std::abs(area(roc) - 0.5) > area_half_width(roc, 0.05) ? 1 : 0;
  }
  EXPECT_LE(missed, 45);
}

// Spec: T-28
TEST(Roc, PrecisionAtAnyPrior) {
  EXPECT_NEAR(precision(0.1, 0.001, 0.5), 0.990, 5e-4);
  EXPECT_NEAR(precision(0.1, 0.001, 0.01), 0.503, 5e-4);
  EXPECT_EQ(precision(0, 0, 0.5), 0);
  EXPECT_EQ(precision(0.5, 0.5, 0), 0);
  EXPECT_EQ(precision(0.5, 0.1, 1), 1);
}

TEST(Roc, RefusesBadInput) {
  EXPECT_THROW(Roc(Scores{}, Scores{1}), Error);
  EXPECT_THROW(Roc(Scores{1}, Scores{}), Error);
  EXPECT_THROW(Roc(Scores{1}, Scores{std::nan("")}), Error);
  const Roc roc(Scores{1}, Scores{2});
  EXPECT_THROW(step_at_false_positive_rate(roc, 1.5), Error);
  EXPECT_THROW(area_half_width(roc, 0), Error);
  EXPECT_THROW(precision(2, 0, 0), Error);
  EXPECT_THROW(band(roc, roc.steps()[0], 1), Error);
}

}  // namespace
}  // namespace dither::stats
