// Exact binomial draws.
#pragma once

#include <cstdint>
#include <span>

#include "base/rational.h"
#include "random/detail/chain_table.h"
#include "random/source.h"

namespace dither::random {

// The number of successes in n independent trials of probability p.
//
// Promise    the law is exact: no tail is cut and no weight rounded (binomial_pmf).
// Refuses    p outside [0, 1] (bad-probability); n > 2^40 (bad-count).
// Cost       8 bytes and one look-up while n p (1 - p) <= 13 million; beyond that the draw is a sum of
//            ceil(n p (1 - p) / 9 million) look-ups of 16 bytes, a number that the parameters fix. Arbitrary precision,
//            whose time depends on the value, is needed with probability fallback_probability() < 2^-46 a draw.
//            Set-up about 50 us, and some milliseconds for the largest tables: keep the object.
// Spec       F-69 (the noise of the binomial mechanism), D-68.
class Binomial {
 public:
  // Only tests choose the precision.
  Binomial(std::uint64_t n, const Rational& p, const detail::SumPrecision& precision = {});

  template <BitSource S>
  std::int64_t draw(S& source) const {
    return offset_ + sign_ * sum_.draw(source);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::int64_t> out, Source& source) const;

  double fallback_probability() const { return sum_.fallback_probability(); }

  static constexpr std::uint64_t kMaxTrials = std::uint64_t{1} << 40;

 private:
  // For p > 1/2 the failures are drawn: n - K.
  std::int64_t offset_;
  std::int64_t sign_;
  detail::ChainSum sum_;
};

}  // namespace dither::random
