// Noisy counts of keys that nobody listed beforehand: a key is shown when its noisy count reaches a threshold.
#pragma once

#include <cstdint>

#include "base/int128.h"
#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// How much noise (the scale of discrete Laplace, or sigma), and what a noisy count must reach: >= threshold.
struct KeyThreshold {
  Rational scale;
  Int128 threshold;
  bool operator==(const KeyThreshold&) const = default;
};

// What one unit does to the counts: it is in at most `keys` of them and moves none by more than `contribution`. Counts
// of distinct units have contribution 1; counts of at most r rows for each unit and key have r (a stability-based
// histogram). Whoever counts rows without that limit has no contribution to write here.
struct KeyLimits {
  std::uint64_t keys;
  std::uint64_t contribution = 1;
};

// The noise and threshold that a budget buys: scale = keys contribution / epsilon, or the sigma with
// rho = keys contribution^2 / (2 sigma^2) rounded up, and the least whole threshold T at which a unit's own keys show
// with probability at most delta: P(contribution + noise >= T) <= 1 - (1 - delta)^(1/keys), the exact tail of what is
// drawn (>= counted, >= released), rounded up.
//
// Refuses    epsilon or rho not positive, or noise wider than 2^60 (bad-scale); delta outside (0, 1), so also pure DP,
//            which no private key survives (bad-probability); delta below 1e-300 (below-floor); no keys, no
//            contribution or more than 10^12 of either (bad-limit).
// Spec       D-23. The continuous formula there, 1 - (C/epsilon) ln(2 - 2 (1 - delta)^(1/C)), is within a step.
KeyThreshold laplace_threshold_for(const Rational& epsilon, const Rational& delta, const KeyLimits& limits);
KeyThreshold gaussian_threshold_for(const Rational& rho, const Rational& delta, const KeyLimits& limits);

// Adds discrete Laplace or discrete Gaussian noise to each count and keeps the keys, with their noisy counts, whose
// noisy count is at least the threshold; in the order of the keys' bytes. A count of 0 or less is as a key that is not
// there.
//
// Guarantee  counts at most c cells apart, none by more than m, l1 in sum, l2 squared in squares, cost
//              Laplace   epsilon = l1 / scale and delta = 1 - (1 - p)^c,
//              Gaussian  rho = l2 squared / (2 sigma^2) and the same delta (delta-approximate zCDP),
//            with p = P(m + noise >= threshold) rounded up. One unit that is in C counts is (C, C, C, 1) apart from its
//            absence, (2C, 2C, 2C, 1) from another unit in its place: no relation needs a rule of its own, and these
//            are never more than the rules for groups and for replace-one say.
// Proof      Let A be the keys of x alone, B those of y alone, K the common ones. P(no key of A shown) and
//            Q(no key of B shown) are at least (1 - p)^c. Given these events the outcomes are those of K, whose noise
//            costs at most the epsilon (rho) above: that is approximate zCDP by definition, and for epsilon the
//            integral of min(P, e^epsilon Q) is at least (1 - p)^c times that of K, which is 1.
// Refuses    a scale outside [1/1000, 2^60] (bad-scale); a threshold outside 1..2^100 (bad-limit).
// Error      a 95% interval for the exact count of a shown key, given that it is shown: [1, v + r] when the noisy count
//            v is at most threshold + r, else [v - r, v + r], where P(|noise| > r) <= 2.5%. Shown counts are too high
//            on average, by up to threshold - count + scale for counts below the threshold: that is what being shown
//            means. The standard error is that of the noise before anything is left out.
// Why        both laws are log-concave. For a count n >= threshold being shown has probability 1/2 at least, so a miss
//            has 2.5% / (1/2) at most; for n below, a miss needs v > threshold + r, P(N > r | N >= 0) at most.
// Spec       D-23, W-12, W-76.
calculus::Measurement<calculus::Cells, calculus::Approximate> make_laplace_threshold(
    const calculus::KeyedDomain& domain, const KeyThreshold& rule);
calculus::Measurement<calculus::Cells, calculus::Zcdp> make_gaussian_threshold(const calculus::KeyedDomain& domain,
                                                                               const KeyThreshold& rule);

}  // namespace dither::mechanisms
