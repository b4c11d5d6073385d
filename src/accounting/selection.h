// Mechanisms that choose one of several candidates by their scores.
//
// The exponential mechanism, and the index of the largest score with Gumbel noise, which is the same law, have bounded
// range: their losses on two neighbours lie within `range` of each other, range = epsilon when the exponent is
// epsilon * score / (2 * sensitivity). Permute-and-flip, the largest score with exponential noise (the same law) or
// with Laplace noise, and the sparse vector technique are epsilon-DP and no more: the bounded-range formulas are up to
// four times too small for them.
//
// Holds for  the relation for which the sensitivity of the scores was taken.
#pragma once

#include <cstddef>

#include "accounting/loss.h"
#include "base/rational.h"

namespace dither::accounting {

// Everything here refuses a negative range or epsilon (bad-number).

// The pair for bounded range: delta(z) = (1 - e^((z - range) / 2))^2 / (1 - e^-range) for |z| <= range, the largest
// delta over all mechanisms of this range, so P has the loss density proportional to e^(z/2) on [-range, range]. It
// stands as `cells` + 1 atoms, each cell's mass moved to its ends (which keeps both masses: the masses are again
// proportional to e^(z/2), halved at the ends). Whether one mechanism attains it at every epsilon is not known: `below`
// says nothing.
//
// Proof      with losses in [t - range, t], delta is largest for the two-point law on the ends (convexity); maximising
//            over t gives t = (z + range) / 2 and the formula, which is convex in e^z and so belongs to a pair.
// Refuses    fewer than 2 or more than 10^6 cells (bad-count).
Step bounded_range_pair(const Rational& range, std::size_t cells = 1024);

// Its zCDP parameter, range^2 / 8, and its Renyi divergence at an order above 1, rounded up: the maximum over t of the
// two-point law's, which has a closed form, and never more than order * range^2 / 8 or range. Spec B-11.
Rational bounded_range_rho(const Rational& range);
double bounded_range_rdp(const Rational& range, double order);

// The pair for the others: binary randomised response above, nothing below.
Step pure_selection_pair(const Rational& epsilon);

}  // namespace dither::accounting
