// Noise in shares: each party adds its own, and only their sum is the noise of a mechanism.
#pragma once

#include <cstdint>
#include <span>

#include "base/rational.h"
#include "calculus/typed.h"
#include "random/discrete_laplace.h"

namespace dither::mechanisms {

// Whoever adds a share. Up to `colluding` of them may pool what they know, their own shares among it, so that the other
// all - colluding shares alone must be enough. 0 <= colluding < all <= 2^20 (bad-count).
struct Parties {
  std::uint64_t all = 1;
  std::uint64_t colluding = 0;
};

// The even number of trials of each party with which the honest ones have `trials` at least, and the variance with
// which they have exactly `variance`: all / (all - colluding) times what the total needs.
std::uint64_t trials_of_each(const Parties& parties, std::uint64_t trials);
Rational variance_of_each(const Parties& parties, const Rational& variance);

// The difference of two independent Polya numbers, P(k) = C(k + r - 1, k) (1 - q)^r q^k, r = 1 / shares, q = exp(-1 /
// scale): `shares` of them add up to a discrete Laplace number of this scale.
//
// Promise    the law is exact. A geometric number k is kept with probability (r / 1) ((1 + r) / 2) ... ((k - 1 + r) /
//            k), by k coins at most.
// Refuses    shares outside 1 .. 2^20 (bad-count); scale outside [1/1000, 10^5] (bad-scale).
// Cost       about scale^(1 - r) rounds of 40 ns on average; time depends on the share, never on data.
class PolyaShare {
 public:
  PolyaShare(std::uint64_t shares, const Rational& scale);

  Int128 draw(random::Source& source) const { return one_sided(source) - one_sided(source); }

 private:
  Int128 one_sided(random::Source& source) const;
  bool kept(Int128 k, random::Source& source) const;

  std::uint64_t shares_;
  random::DiscreteLaplace two_sided_;
};

// The sum of one integer of each party, to which each adds its share: of Bin(trials, 1/2) - trials / 2, of a Skellam
// number of this variance, or of a Polya difference.
//
// Guarantee  inputs at L1 distance d cost, also towards the colluding parties, what the noise of the honest ones does:
//            make_binomial, make_skellam of all - colluding shares, discrete Laplace noise of `scale` (pure, d /
//            scale). Shares of the colluding ones are known to them, and so add nothing; to others they are more noise.
// Holds if   honest parties draw their shares as said, and nobody sees more than the sum (secure aggregation).
// Refuses    a domain of another dimension than parties.all (bad-count), and what the mechanism of the total refuses.
//            Gaussian shares: sums of discrete Gaussian numbers are not discrete Gaussian, so none are made.
// Cost       a draw a party. Numbers of parties are taken to the nearest of -2^100 ... 2^100 first.
// Error      of the total, all shares.
// Spec       F-60.
calculus::Measurement<calculus::L1, calculus::Approximate> make_distributed_binomial(
    const calculus::VectorDomain& domain, const Parties& parties, std::uint64_t trials, const Rational& epsilon);
calculus::Measurement<calculus::L1, calculus::Approximate> make_distributed_skellam(
    const calculus::VectorDomain& domain, const Parties& parties, const Rational& variance, const Rational& epsilon);
calculus::Measurement<calculus::L1, calculus::Pure> make_distributed_laplace(const calculus::VectorDomain& domain,
                                                                             const Parties& parties,
                                                                             const Rational& scale);

}  // namespace dither::mechanisms
