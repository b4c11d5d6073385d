#include "accounting/hidden_state.h"

#include <gtest/gtest.h>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

Rational rho(const NoisyDescent& descent, const SmoothLoss& loss, std::uint64_t position,
             Neighbours neighbours = Neighbours::replace_one) {
  return hidden_state_rho(descent, loss, position, neighbours, ConvexLoss(true), LastIterateOnly(true), OnePass(true));
}

// Spec: B-25
TEST(HiddenState, EarlyRecordsAreHiddenByLaterNoise) {
  const SmoothLoss loss{1, 1};
  EXPECT_EQ(rho({1, 4, 100}, loss, 1), Rational::parse("0.00125"));
  EXPECT_EQ(rho({1, 4, 100}, loss, 100), Rational(2, 16));
  EXPECT_EQ(rho({Rational(1, 2), 4, 100}, loss, 51), Rational(2, 16 * 50));
}

// Linear losses record * w: the last iterate is a sum with Gaussian noise of variance n (step sigma)^2, and a record
// moves it by 2 step L, so exactly rho = (2 L)^2 / (2 n sigma^2), whatever the position. The bound is attained at the
// first.
TEST(HiddenState, LinearLossesAttainTheBoundAtTheFirstPosition) {
  const Rational exact = Rational(3) * Rational(3) * 4 / (2 * Rational(50) * Rational(7) * Rational(7));
  EXPECT_EQ(rho({Rational(1, 10), 7, 50}, {3, 1}, 1), exact);
  for (std::uint64_t t = 2; t <= 50; ++t) EXPECT_GT(rho({Rational(1, 10), 7, 50}, {3, 1}, t), exact);
}

// Losses k/2 w^2 + record w on a line contract by c = 1 - step k each step. The last iterate's law for both datasets is
// Gaussian: difference 2 L step c^(n-t), variance (step sigma)^2 sum of c^(2 i). Twin: at step > 2 / k, |c| > 1, the
// formula would be too small, which is why such steps are refused.
TEST(HiddenState, QuadraticLossesStayBelowTheBoundOnlyForSmallSteps) {
  const auto exact = [](const Rational& c, unsigned n, unsigned t) {
    Rational variance;
    for (unsigned i = 0; i < n; ++i) variance += pow(c * c, i);
    const Rational shift = 2 * pow(abs(c), n - t);
    return shift * shift / (2 * variance);  // lipschitz 1 for the record's part, sigma 1
  };
  for (unsigned t = 1; t <= 8; ++t) {
    for (const Rational& c : {Rational(1, 2), Rational(-1, 2), Rational(-1), Rational(9, 10)}) {
      EXPECT_LE(exact(c, 8, t), rho({1 - c, 1, 8}, {1, 1}, t)) << t;
    }
  }
  const Rational formula = 2 / Rational(8 - 2 + 1);
  EXPECT_GT(exact(Rational(-3, 2), 8, 2), formula);
  EXPECT_EQ(refusal([] { rho({Rational(5, 2), 1, 8}, {1, 1}, 2); }), Code::no_theorem);
}

TEST(HiddenState, EveryObligationMustBeStated) {
  EXPECT_EQ(refusal([] { ConvexLoss{false}; }), Code::no_theorem);
  EXPECT_EQ(refusal([] { LastIterateOnly{false}; }), Code::no_theorem);
  EXPECT_EQ(refusal([] { OnePass{false}; }), Code::no_theorem);
  const NoisyDescent descent{1, 4, 100};
  EXPECT_EQ(refusal([&] { rho(descent, {1, 1}, 1, Neighbours::add_remove); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { rho(descent, {1, 3}, 1); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { rho(descent, {1, 1}, 0); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { rho(descent, {1, 1}, 101); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { rho({1, 0, 100}, {1, 1}, 1); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::accounting
