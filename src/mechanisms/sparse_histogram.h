// Histograms over a declared domain that is too large to touch: noise on every key, the work of a few.
#pragma once

#include <cstdint>

#include "base/int128.h"
#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Noise with P(k) = (1 - q) / (1 + q) q^|k| for a rational ratio q, so that its tails are rational: discrete Laplace of
// scale -1 / ln q. Keys whose noisy count is at least `threshold` are shown.
struct SparseRule {
  Rational ratio;
  Int128 threshold;
  bool operator==(const SparseRule&) const = default;
};

// The ratio is exp(-epsilon) rounded up to a multiple of 2^-24 (2^-26 for small epsilon), and the threshold the least
// at which not more than `extra` keys without data are expected to be shown, of `size` keys.
//
// Refuses    an epsilon outside [2^-10, 30] (bad-scale); extra <= 0, or so small that the threshold would exceed 2^16
//            (bad-limit); a size outside 1..2^40 (bad-limit).
SparseRule sparse_rule_for(const Rational& epsilon, std::uint64_t size, const Rational& extra);

// Releases the keys among i0 .. i(size - 1) (canonical bytes of the whole numbers below `size`) whose count plus noise
// reaches the threshold, with their noisy counts, in the order of the bytes: for every key of the domain, in the data
// or not. The number of keys without data that are shown is binomial, which ones is uniform, and their noisy counts are
// threshold + geometric: exactly the law of noise on all `size` cells.
//
// Guarantee  counts at l1 distance d cost epsilon = d ln(1/q), rounded up; pure, no delta.
// Proof      the law is that of noise on every cell of the declared domain, post-processed.
// Takes      numbers by key. Keys that are not of the domain are left out, a key that is there with 0 is as one that is
//            not there.
// Metric     M is L1, or Cells, whose four bounds hold it.
// Refuses    a ratio outside (0, 1 - 2^-60] (bad-probability); a size outside 1..2^40, a threshold outside 1..2^16 and
//            one so low that more than 10^6 keys without data are expected (bad-limit).
// Cost       two draws a key in the data and one or two a key shown, whatever the size. Set-up of the binomial in each
//            release: 0.2 ms for thresholds up to some hundreds, 0.2 s at 25,000, for the exact tail has that many times
//            the digits of the ratio.
// Error      a 95% interval for the exact count (of 0 or more) of a shown key, given that it is shown: as
//            key_threshold.h says, from 0 when the noisy count is at most threshold + r. Shown counts are too high on
//            average.
// Spec       D-23, W-12, W-76.
template <class M>
calculus::Measurement<M, calculus::Pure> make_sparse_histogram(std::uint64_t size, const SparseRule& rule);

}  // namespace dither::mechanisms
