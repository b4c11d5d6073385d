// Losses with finitely many values for pairs that have no closed form in the engines: the outcomes are divided into
// cells, and each cell is replaced by atoms, from above and from below.
#pragma once

#include <span>
#include <vector>

#include "accounting/loss.h"
#include "base/interval.h"
#include "base/rational.h"

namespace dither::accounting {

// Outcomes whose loss lies in [low, high], and their probability under both laws.
struct LossCell {
  double low;
  double high;
  Interval p;
  Interval q;
};

// Dominating and dominated atoms of a pair given by its cells, ordered by loss; cells may touch. P has `infinite_mass`
// outside of all cells.
//
// Above      connect-the-dots on the ends of the cells (B-03): of the P-mass A and Q-mass B of a cell,
//            (A - e^low B) / (1 - e^{low - high}) goes to the upper end, rounded up, and the rest to the lower end. A
//            part too large at the upper end is P-mass moved to a larger loss, which dominates.
// Below      all outcomes of a cell are taken for one: mass A at loss ln(A / B), both rounded down.
// Promise    sound for the enclosures given; numbers leave with their rounding on the safe side, so that the 2^-50 of
//            loss.h is to spare.
// Refuses    cells without order or with ends that are not finite (out-of-range).
Step step_from_cells(std::span<const LossCell> cells, double infinite_mass);

// Each record enters a Poisson sample with probability `rate`; one release on the sample (B-13). `remove`: P has the
// extra record, so P = (1 - rate) Q0 + rate P0 and Q = Q0 for the pair (P0, Q0) of the release without sampling. `add`:
// the two exchanged. A loss z of the release becomes ln(1 - rate + rate e^z), with the opposite sign for `add`.
//
// Holds for  add/remove neighbours, and a base pair that dominates the release for `remove`, its dual for `add`.
// Proof      Both laws of the sampled release are mixtures, over the rest of the sample, of laws (1 - rate) M(S) +
//            rate M(S + i) and M(S), and hockey-stick divergences are jointly convex. For one S, with r' = 1 + (r -
//            1)/rate, the divergence of the first from the second at r is rate H(r') when r >= 1 - rate, and 1 - r
//            below; it grows with H, the curve of M(S + i) against M(S). So a dominating base pair gives a dominating
//            sampled pair; `add` is its dual.
// Atoms      `only_q` is the mass of Q0 on outcomes that P0 cannot produce; for a symmetric pair that is the infinite
//            mass. If the atoms leave more than that, by more than rounding, what they leave counts.
// Refuses    rate outside [0, 1] (bad-probability); epsilon outside (0, 600], direction replace (out-of-range); masses
//            under Q0 that sum to more than 1 (bad-weights).
// Spec       A-40, B-13.
Step poisson_laplace(const Rational& epsilon, const Rational& rate, MixtureLoss::Direction direction);
Step poisson_atoms(const AtomLoss& base, double only_q, const Rational& rate, MixtureLoss::Direction direction);

// A sample of fixed size without replacement that holds each record with probability `rate` (size / people), and one
// release on it: Gaussian with mu = sensitivity / sigma, Laplace, or one whose loss has atoms (binary response stands
// for anything epsilon-DP).
//
// Holds for  replace-one neighbours, on which the release has this mu or epsilon.
// Proof      The curve of the sampled release is at most rate H(1 + (r - 1)/rate) for r >= 1 (A-36 for each epsilon;
//            Balle, Barthe, Gaboardi 2018). Replacement is symmetric, so for r < 1 it is at most 1 - r + r H'(1/r). The
//            right side for r >= 1 is E_Q[(1 - rate + rate R - r)+]: the outcomes with R > 1, their ratio drawn
//            towards 1. Mirrored for r < 1, what is missing of mass 1 sits at loss 0: it is 1 - H'(1) - 2 Q(R > 1) =
//            1 - Q(R > 1) - P(R > 1) + (1 - rate) (P(R > 1) - Q(R > 1)) >= 0. So the bound is the curve of a pair.
// Below      the Poisson pair of direction remove: the release on people who are all alike but one.
// Refuses    rate outside [0, 1] (bad-probability); mu outside (0, 30], epsilon outside (0, 600] (out-of-range); atoms
//            that are not symmetric (no-theorem).
// Spec       A-36, B-01, B-14.
Step fixed_size_gaussian(const Rational& mu, const Rational& rate);
Step fixed_size_laplace(const Rational& epsilon, const Rational& rate);
Step fixed_size_atoms(const AtomLoss& base, const Rational& rate);

}  // namespace dither::accounting
