#include "accounting/profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/gaussian.h"
#include "base/error.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

AtomLoss pair_of_gaussian(int nodes) {
  return symmetric_pair([](double epsilon) { return gaussian_delta_up(0.5, epsilon); }, 6, nodes);
}

// delta of atoms, the obvious way.
double delta_of(const AtomLoss& pair, double epsilon) {
  double sum = pair.infinite_mass;
  for (const LossAtom& atom : pair.atoms) sum += atom.mass * std::max(0.0, -std::expm1(epsilon - atom.loss));
  return sum;
}

// Spec: B-01
TEST(Profile, ThePairHasMassOneUnderBothLaws) {
  const AtomLoss pair = pair_of_gaussian(200);
  double p = pair.infinite_mass;
  double q = pair.infinite_mass;  // by symmetry
  for (std::size_t i = 0; i < pair.atoms.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(pair.atoms[i - 1].loss, pair.atoms[i].loss);
    }
    EXPECT_GT(pair.atoms[i].mass, 0);
    p += pair.atoms[i].mass;
    q += pair.atoms[i].mass * std::exp(-pair.atoms[i].loss);
  }
  EXPECT_NEAR(p, 1, 1e-12);
  EXPECT_NEAR(q, 1, 1e-12);
}

// Spec: B-01
TEST(Profile, ThePairDominatesAndComesCloser) {
  double widest = 1;
  for (const int nodes : {20, 200, 2000}) {
    const AtomLoss pair = pair_of_gaussian(nodes);
    double gap = 0;
    for (double epsilon = -5.9; epsilon < 5.9; epsilon += 0.013) {
      // Below 0 by symmetry: delta(-epsilon) = 1 - e^-epsilon + e^-epsilon delta(epsilon).
      const double away = std::abs(epsilon);
      const double there = gaussian_delta_down(0.5, away);
      const double exact = epsilon >= 0 ? there : -std::expm1(-away) + std::exp(-away) * there;
      ASSERT_GE(delta_of(pair, epsilon) * (1 + 1e-12), exact) << nodes << " nodes at " << epsilon;
      gap = std::max(gap, delta_of(pair, epsilon) - exact);
    }
    EXPECT_LT(gap, widest / 10);
    widest = gap;
  }
}

// A curve that is only a bound, with steps in it, is still above after the hull was taken.
TEST(Profile, NoisyBoundsStayBounds) {
  int calls = 0;
  const AtomLoss pair = symmetric_pair(
      [&](double epsilon) { return std::min(1.0, gaussian_delta_up(1, epsilon) * (1 + 0.2 * (++calls % 3))); }, 8, 100);
  for (double epsilon = 0; epsilon < 7.9; epsilon += 0.01) {
    ASSERT_GE(delta_of(pair, epsilon) * (1 + 1e-12), gaussian_delta_down(1, epsilon));
  }
}

TEST(Profile, ACurveThatBelongsToNoPairBecomesTheWorstMechanism) {
  const AtomLoss pair = symmetric_pair([](double epsilon) { return epsilon < 1 ? 1 : 1e-3; }, 2, 50);
  EXPECT_EQ(pair.infinite_mass, 1e-3);
  EXPECT_EQ(pair.atoms.size(), 2u);
  EXPECT_NEAR(pair.atoms.back().loss, 2, 1e-12);
}

TEST(Profile, BadRangesAreRefused) {
  const auto zero = [](double) { return 0.0; };
  EXPECT_EQ(testing::refusal([&] { symmetric_pair(zero, 0, 10); }), Code::out_of_range);
  EXPECT_EQ(testing::refusal([&] { symmetric_pair(zero, 1, 1); }), Code::out_of_range);
  EXPECT_EQ(testing::refusal([&] { symmetric_pair(zero, NAN, 10); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
