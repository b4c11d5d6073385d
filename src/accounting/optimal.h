// The best composition of k equal (epsilon, delta) guarantees: what k randomised responses lose.
#pragma once

#include <cstdint>

namespace dither::accounting {

// k mechanisms, each (epsilon, step_delta)-DP with parameters fixed in advance, together have exactly the profile
//   1 - (1 - step_delta)^k (1 - sum_l P(l) (1 - e^(total - (2l - k) epsilon))+),
//   l ~ Bin(k, e^epsilon / (1 + e^epsilon)),
// in the worst case (Kairouz, Oh and Viswanath 2015).
//
// Promise    _up and _down enclose the exact value; for k <= 10^6 and deltas above 1e-300 they are within 1e-9 of each
//            other, relative to delta, or 1e-9 max(1, epsilon).
// Refuses    negative or infinite epsilon, deltas outside [0, 1], k outside 1..10^12.
// Cost       at most min(k, 50 sqrt(k)) steps of some 10 ns. Beyond k = 10^10 the trivial bounds: k epsilon, 0 and 1.
// Spec      , F-29, W-17.
double optimal_delta_up(double epsilon, double step_delta, std::uint64_t k, double total);
double optimal_delta_down(double epsilon, double step_delta, std::uint64_t k, double total);

// The smallest total epsilon >= 0 for which delta is enough; infinite below 1 - (1 - step_delta)^k, at most k epsilon
// otherwise.
double optimal_epsilon_up(double epsilon, double step_delta, std::uint64_t k, double delta);
double optimal_epsilon_down(double epsilon, double step_delta, std::uint64_t k, double delta);

}  // namespace dither::accounting
