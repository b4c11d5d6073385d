// Composition of (epsilon, delta) guarantees by closed formulas.
#pragma once

#include <cstdint>
#include <span>

#include "base/rational.h"

namespace dither::accounting {

// (epsilon, delta)-DP, `times` times. Parameters are fixed in advance; the mechanisms may be chosen adaptively (F-27).
struct ApproximateRelease {
  Rational epsilon;
  Rational delta = 0;
  std::uint64_t times = 1;
};

// Refuses    negative epsilons (out-of-range), deltas outside [0, 1] (bad-probability), more than 10^12 times
//            (bad-count).

// Sums, exact: (sum epsilon, sum delta)-DP (A-02, F-26).
Rational basic_epsilon(std::span<const ApproximateRelease> releases);
Rational basic_delta(std::span<const ApproximateRelease> releases);
// 1 - prod (1 - delta), never more than the sum; it also goes with the sum of the epsilons. Rounded up.
double failure_up(std::span<const ApproximateRelease> releases);

// The epsilon that goes with a total delta, rounded up; infinite when delta is below failure_up. In all of them delta'
// is what the deltas leave of it, delta' = 1 - (1 - delta) / prod (1 - delta_j).
// The smaller of sum epsilon and sum epsilon^2 / 2 + sqrt(2 ln(1/delta') sum epsilon^2).
double advanced_epsilon_up(std::span<const ApproximateRelease> releases, double delta);
// The same with sum epsilon tanh(epsilon / 2), the largest mean loss, in place of sum epsilon^2 / 2 (F-28).
double tanh_epsilon_up(std::span<const ApproximateRelease> releases, double delta);

// The first such theorem, k epsilon (e^epsilon - 1) + epsilon sqrt(2 k ln(1/delta')), which goes with k delta + delta'.
// Never better than tanh_epsilon_up, and not compared with the sum: for reports (A-65, F-28).
double first_advanced_epsilon_up(double epsilon, std::uint64_t k, double delta);

}  // namespace dither::accounting
