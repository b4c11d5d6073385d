// Staircase noise on an integer: the least error that pure privacy allows for queries of larger sensitivity.
#pragma once

#include <cstdint>

#include "base/big_interval.h"
#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// The law: with |k| = j sensitivity + m, 0 <= m < sensitivity, P(k) is proportional to e^(-epsilon j) where m < first,
// and to e^(-epsilon (j + 1)) elsewhere.
struct StaircaseLaw {
  Rational epsilon;
  std::uint64_t sensitivity = 1;
  std::uint64_t first = 1;
};

// Adds noise of this law to one integer.
//
// Guarantee  inputs at distance d cost ceil(d / sensitivity) epsilon, pure.
// Holds if   the value is one integer on the grid of `domain`; sensitivity and d are in steps of it.
// Refuses    epsilon outside [2^-20, 100] (bad-scale); sensitivity outside 1 .. 2^40, first outside 1 .. sensitivity
//            (bad-count); a domain of other dimension than 1 (no-theorem).
// Cost       about four exact draws a round, 2 to 4 rounds on average whatever is drawn.
// Error      variance and mean absolute error below; never more than those of discrete Laplace noise of scale
//            sensitivity / epsilon when `first` is the best one (Geng and Viswanath 2014).
// Proof      P depends on |k| alone and falls by e^epsilon every `sensitivity` steps, and by no more than that in
//            between; |k| moves by at most d, over ceil(d / sensitivity) falls at most.
// Spec       B-31.
calculus::Measurement<calculus::L1, calculus::Pure> make_staircase(const calculus::VectorDomain& domain,
                                                                   const StaircaseLaw& law);

// P(k). Refuses as above.
BigInterval staircase_pmf(const StaircaseLaw& law, Int128 k, long precision_bits);

struct StaircaseError {
  double variance;
  double mean_absolute;
};
// In closed form, right to 1e-9 of themselves.
StaircaseError staircase_error(const StaircaseLaw& law);

// The law with the `first` of least variance, or of least mean absolute error: all are tried, so sensitivity <= 2^20
// (bad-count).
enum class StaircaseGoal { variance, mean_absolute };
StaircaseLaw best_staircase(const Rational& epsilon, std::uint64_t sensitivity, StaircaseGoal goal);

}  // namespace dither::mechanisms
