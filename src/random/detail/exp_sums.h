// Running sums of weights times exponentials of scores, bounded from both sides in integers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.h"
#include "base/rational.h"

namespace dither::random::detail {

// low[i] <= 2^scale * (sum over j <= i of weights[j] exp(rate (scores[j] - best))) <= high[i].
struct ExpSums {
  Int128 best;  // the largest score of positive weight
  long scale;
  std::vector<UInt128> low;
  std::vector<UInt128> high;
};

// Promise    the bounds are certified: high - low is below 2^-84 of the total plus two units for each candidate. The
//            total lies between 2^101 and 2^127 + 2^26.
// Work       fixed by the number of candidates, the rate and which weights are zero: every score passes through the
//            same multiplications, shifts and masks, and no branch or look-up follows it.
// Holds if   the lists have the same length of at most 2^24, a weight is positive and rate >= 0. Any 128-bit scores.
ExpSums exp_sums(std::span<const std::uint64_t> weights, std::span<const Int128> scores, const Rational& rate);

}  // namespace dither::random::detail
