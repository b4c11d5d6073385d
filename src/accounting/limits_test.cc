#include "accounting/limits.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "accounting/closed_forms_check.h"
#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// Spec: A-33
TEST(MeanErrorFloor, Oracles) {
  expect_close(*mean_error_floor(10000, 250000, .1, 1e-9), .029713537327422);
  expect_close(*mean_error_floor(100, 1000000, .5, 1e-9), .1);
  EXPECT_FALSE(mean_error_floor(10000, 1000, .1, 1e-9).has_value());    // too few means
  EXPECT_FALSE(mean_error_floor(10000, 250000, .1, 1e-3).has_value());  // delta allows to publish samples
}

std::vector<Rational> answers(int n, Rational (*answer)(int ones, int n)) {
  std::vector<Rational> all;
  for (int ones = 0; ones <= n; ++ones) all.push_back(answer(ones, n));
  return all;
}

// Spec: A-34
TEST(Tracing, SumIsAtLeastATwelfth) {
  for (const int n : {1, 2, 5, 12}) {
    EXPECT_EQ(tracing_sum(answers(n, [](int, int) { return Rational(1, 2); })), Rational(1, 12));
    EXPECT_EQ(tracing_sum(answers(n, [](int ones, int all) { return Rational(ones, all); })), Rational(1, 6));
    const Rational smooth = tracing_sum(answers(n, [](int ones, int all) { return Rational(ones + 1, all + 2); }));
    EXPECT_GE(smooth, Rational(1, 12));
    EXPECT_GE(tracing_sum(answers(n, [](int ones, int all) { return Rational(2 * ones > all ? 1 : 0); })),
              Rational(1, 12));
  }
}

// Spec: A-35
TEST(ExpectationTransfer, RandomisedResponse) {
  const double mean = std::tanh(.5);  // of +-1 after randomised response with epsilon 1
  EXPECT_GE(expectation_transfer_up(-mean, 1, 1, 1, 0), mean);
  const double audited = epsilon_from_means_down(mean, -mean, 1, 1, 0);
  EXPECT_GT(audited, 0);
  EXPECT_LE(audited, 1);
  // A 0/1 indicator of the likelier answer audits epsilon exactly.
  const double p = std::exp(1.0) / (1 + std::exp(1.0));
  EXPECT_NEAR(epsilon_from_means_down(p, 1 - p, 1 - p, 1, 0), 1, 1e-14);
  EXPECT_EQ(epsilon_from_means_down(.5, .5, .5, 1, 0), 0);
  EXPECT_EQ(epsilon_from_means_down(.5, 0, 0, 1, 0), kInfinity);
}

// Lemma 3.26 needs both Pr[X in S] <= e^epsilon Pr[Y in S] + delta and the same with X and Y exchanged. The book prints
// e^-epsilon in the second, which no pair of laws satisfies: S = everything.
using Law = std::array<double, 2>;
bool are_close(const Law& x, const Law& y, double epsilon, double delta, double second_factor) {
  for (int set = 0; set < 4; ++set) {
    const auto mass = [set](const Law& law) { return (set & 1 ? law[0] : 0) + (set & 2 ? law[1] : 0); };
    if (mass(x) > std::exp(epsilon) * mass(y) + delta + 1e-12) return false;
    if (mass(y) > second_factor * mass(x) + delta + 1e-12) return false;
  }
  return true;
}
bool covers_randomised_response(double second_factor) {
  const double p = std::exp(1.0) / (1 + std::exp(1.0));
  return are_close({p, 1 - p}, {1 - p, p}, 1, 0, second_factor);
}

// Spec: C-02, A-35
TEST(ExpectationTransfer, CoversRandomisedResponse) { EXPECT_TRUE(covers_randomised_response(std::exp(1.0))); }
TEST(ExpectationTransfer, PlantedC02PrintedHypothesisIsCaught) {
  EXPECT_FALSE(covers_randomised_response(std::exp(-1.0)));
}

// Lemma 3.23 on two points: P = (1 - delta) P' + delta P'' with P' = min{P, e^epsilon Q} / (1 - delta). Its proof
// prints the padding with weight 1 - delta on P''.
struct Parts {
  Law close;  // P'
  Law rest;   // P''
  double delta;
};
Parts decompose(const Law& p, const Law& q, double epsilon) {
  Parts parts{};
  for (int i = 0; i < 2; ++i) parts.close[i] = std::min(p[i], std::exp(epsilon) * q[i]);
  parts.delta = 1 - parts.close[0] - parts.close[1];
  for (int i = 0; i < 2; ++i) {
    parts.rest[i] = (p[i] - parts.close[i]) / parts.delta;
    parts.close[i] /= 1 - parts.delta;
  }
  return parts;
}
bool gives_back(const Law& p, const Parts& parts, double rest_weight) {
  bool is_same = true;
  for (int i = 0; i < 2; ++i) {
    const double mass = (1 - parts.delta) * parts.close[i] + rest_weight * parts.rest[i];
    is_same = is_same && std::fabs(mass - p[i]) < 1e-12;
  }
  return is_same;
}

// Spec: A-32, C-06
TEST(Decomposition, GivesBackTheLaw) {
  const Law p{.75, .25};
  const Parts parts = decompose(p, {.25, .75}, .5);
  EXPECT_NEAR(parts.delta, 0.3378197, 1e-7);
  EXPECT_TRUE(gives_back(p, parts, parts.delta));
}
TEST(Decomposition, PlantedC06WeightIsCaught) {
  const Law p{.75, .25};
  const Parts parts = decompose(p, {.25, .75}, .5);
  EXPECT_FALSE(gives_back(p, parts, 1 - parts.delta));
}

TEST(Limits, RefuseBadInput) {
  EXPECT_EQ(refusal([] { mean_error_floor(0, 1, 1, .1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { mean_error_floor(1, 1, 0, .1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { mean_error_floor(1, 1, 1, 2); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { tracing_sum(std::vector<Rational>{Rational(1)}); }), Code::bad_count);
  EXPECT_EQ(refusal([] { expectation_transfer_up(0, -1, 1, 1, 0); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { epsilon_from_means_down(0, 0, 1, 1, 2); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::accounting
