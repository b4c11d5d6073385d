#include "audit/attack_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "accounting/tradeoff.h"
#include "audit/lower_bound.h"
#include "base/error.h"
#include "stats/binomial.h"

namespace dither::audit {
namespace {

// Spec: T-33, A-09
TEST(AttackBounds, KnownNumbers) {
  EXPECT_NEAR(accounting::membership_advantage_up(0.1, 0), 0.0500, 5e-5);
  EXPECT_NEAR(accounting::membership_advantage_up(1, 0), 0.4621, 5e-5);
  EXPECT_NEAR(accounting::membership_advantage_up(2, 0), 0.7616, 5e-5);
  EXPECT_NEAR(accounting::attack_accuracy_up(1, 0), 0.73105857863, 1e-11);
  EXPECT_NEAR(accounting::gaussian_attack_accuracy_up(1), 0.69146246127, 1e-11);
}

// Spec: T-33
TEST(AttackBounds, TheLooseFormIsNeverBelowTheTightOne) {
  EXPECT_NEAR(loose_advantage_up(0.1), 0.10517, 1e-5);
  EXPECT_EQ(loose_advantage_up(1), 1);
  for (double epsilon = 0; epsilon < 5; epsilon += 0.1) {
    EXPECT_GE(loose_advantage_up(epsilon), accounting::membership_advantage_up(epsilon, 0) * (1 - 1e-12));
  }
}

// Spec: T-33
TEST(AttackBounds, InversionsUndoTheBounds) {
  for (const double delta : {0.0, 1e-5, 0.1}) {
    for (double epsilon = 0.05; epsilon < 8; epsilon *= 1.7) {
      const double accuracy = accounting::attack_accuracy_up(epsilon, delta);
      const double advantage = accounting::membership_advantage_up(epsilon, delta);
      EXPECT_NEAR(advantage, 2 * accuracy - 1, 1e-14);
      EXPECT_NEAR(epsilon_of_accuracy_down(accuracy, delta), epsilon, 1e-11);
      EXPECT_NEAR(epsilon_of_advantage_down(advantage, delta), epsilon, 1e-11);
    }
  }
  EXPECT_EQ(epsilon_of_accuracy_down(0.4, 0), 0);
  EXPECT_EQ(epsilon_of_accuracy_down(0.05, 0.1), 0);
  EXPECT_EQ(epsilon_of_accuracy_down(1, 0), std::numeric_limits<double>::infinity());
}

// The best attack on randomised response guesses right with the largest accuracy allowed. All outcomes of 200 rounds,
// weighed exactly: the bound is too high with probability at most 5%, and not absurdly rarely.
TEST(AttackBounds, GuessesCoverExactly) {
  const double epsilon = 1;
  const int n = 200;
  double wrong = 0;
  for (int right = 0; right <= n; ++right) {
    if (epsilon_lower_bound_of_guesses(right, n, 0, 0.05) <= epsilon) continue;
    wrong += std::exp(stats::binomial_log_pmf(right, n, accounting::attack_accuracy_up(epsilon, 0)));
  }
  EXPECT_LE(wrong, 0.05);
  EXPECT_GE(wrong, 0.02);
}

TEST(AttackBounds, ErrorsApartSayMoreWhenTheyDiffer) {
  EXPECT_GT(epsilon_lower_bound({0, 1000, 600, 1000}, 0, 0.05), epsilon_lower_bound_of_guesses(1400, 2000, 0, 0.05));
}

TEST(AttackBounds, RefusesBadInput) {
  EXPECT_THROW(loose_advantage_up(-1), Error);
  EXPECT_THROW(epsilon_of_accuracy_down(1.1, 0), Error);
  EXPECT_THROW(epsilon_of_advantage_down(-0.1, 0), Error);
  EXPECT_THROW(epsilon_lower_bound_of_guesses(11, 10, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_of_guesses(5, 10, 0, 1), Error);
}

}  // namespace
}  // namespace dither::audit
