// Which of the keys in the data may be shown, by the rule that shows the most.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// The probabilities p_0 = 0, p_1, ..., p_N = 1 of showing a key that n units hold (1 for more than N): the largest with
//   p_n <= e^epsilon p_(n-1) + delta   and   1 - p_(n-1) <= e^epsilon (1 - p_n) + delta,
// rounded down to multiples of 2^-120 step by step.
//
// Promise    the two inequalities hold exactly for the numbers given, and so do the two with n and n - 1 exchanged,
//            since p ascends: a step never rounds below p_(n-1), which is such a multiple. p_1 <= delta. p_n = 1 only
//            behind p_(n-1) >= 1 - delta. No (epsilon, delta) rule for counts one apart shows a key more often, but for
//            the rounding.
// Refuses    epsilon <= 0 or above 1000 (bad-scale); delta outside (0, 1) (bad-probability) or below 2^-100
//            (below-floor); budgets so small that N exceeds 2^17 (bad-limit).
// Spec       D-23.
std::vector<Rational> selection_probabilities(const Rational& epsilon, const Rational& delta);

// Shows each key with the probability for its number of distinct units. The answer is the set of keys, in the order of
// their bytes: numbers by key that are all 0 and mean nothing. No count is released.
//
// Guarantee  with per-key epsilon' = epsilon / keys and delta' = 1 - (1 - delta)^(1/keys), rounded down: counts at most
//            c cells apart, none by more than m, l1 in sum, cost (l1 epsilon', 1 - (1 - delta_m)^c), where delta_m =
//            delta' (e^(m epsilon') - 1) / (e^epsilon' - 1). One unit that is in `keys` counts costs (epsilon, delta).
// Proof      keys are decided independently: c releases that are (m_i epsilon', delta_m)-DP each compose to the sum of
//            the epsilons and 1 - (1 - delta_m)^c, without loss at that epsilon.
// Holds if   counts are of distinct units, never of rows. A count of 0 or less is never shown.
// Refuses    as selection_probabilities for the budget of one key; no keys or more than 10^12 (bad-limit).
// Cost       one exact coin of 8 bytes a key; coins are made here, N of half a microsecond.
// Spec       D-23, W-12, W-76.
calculus::Measurement<calculus::Cells, calculus::Approximate> make_partition_selection(
    const calculus::KeyedDomain& domain, const Rational& epsilon, const Rational& delta, std::uint64_t keys);

}  // namespace dither::mechanisms
