// Two-sided geometric noise on a count that stays in its range.
#pragma once

#include <cstdint>
#include <span>

#include "base/int128.h"
#include "base/rational.h"
#include "random/discrete_laplace.h"
#include "random/source.h"

namespace dither::random {

namespace detail {

// x + noise, moved to the nearest end when outside 0 .. n, without a branch on where it falls.
Int128 truncated(Int128 x, Int128 noise, Int128 n);

}  // namespace detail

// clamp(x + K, 0, n) for K discrete Laplace of the given scale: the ends hold the mass beyond them.
//
// Promise    the law is exact (truncated_geometric_pmf) for every x in 0 .. n; an x outside counts as the nearest end.
// Refuses    n < 0 (bad-count); scales that DiscreteLaplace refuses (bad-scale).
// Cost       one discrete Laplace draw; time is as independent of the result as that draw's.
// Spec       F-68, D-68.
class TruncatedGeometric {
 public:
  TruncatedGeometric(const Rational& scale, Int128 n);

  Int128 draw(Int128 x, Source& source) const { return detail::truncated(x, noise_.draw(source), n_); }

  // Overwrites the span with independent draws for the same x. In 64 bits for n < 2^63 (out-of-range beyond).
  void fill(Int128 x, std::span<Int128> out, Source& source) const;
  void fill(Int128 x, std::span<std::int64_t> out, Source& source) const;

 private:
  DiscreteLaplace noise_;
  Int128 n_;
};

}  // namespace dither::random
