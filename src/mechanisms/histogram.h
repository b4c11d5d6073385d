// Histograms over keys that are public: every key is answered.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds noise of its own to the number of every key of `domain`, and gives all of them, in the order of the keys.
//
// Guarantee  discrete Laplace of this scale: numbers at l1 distance d cost epsilon = d / scale for the whole histogram,
//            however many keys there are; discrete Gaussian: l2 distance d costs rho = d^2 / (2 sigma^2). One unit in
//            one cell is 1 apart from its absence in both; in another cell instead 2 in l1, 2 in l2 squared.
// Takes      numbers by any keys, also private ones, or plain integers in the order of the public keys. A key that is
//            missing counts as 0, one that is not public is left out: a key without data and a key with the number 0
//            have the same law, and every draw is independent of every other.
// Metric     M is L1 (Laplace), L2 (Gaussian), or Cells, whose four bounds hold the one that is needed.
// Refuses    a domain without keys (missing-key), keys that do not ascend (duplicate-key); scales outside [1/1000, 2^60] (bad-scale).
// Error      the noise has one law for every key: standard error and 95% interval hold for each number. Whoever clips
//            negative numbers to 0 afterwards adds a bias of q^(n + 1) / (1 - q^2), q = exp(-1 / scale), to a number n.
// Spec       F-30, F-31, F-47, F-50, W-12, W-76.
template <class M>
calculus::Measurement<M, calculus::Pure> make_laplace_histogram(const calculus::KeyedDomain& domain,
                                                                const Rational& scale);
template <class M>
calculus::Measurement<M, calculus::Zcdp> make_gaussian_histogram(const calculus::KeyedDomain& domain,
                                                                 const Rational& sigma);

}  // namespace dither::mechanisms
