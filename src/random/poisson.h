// Exact Poisson and Skellam draws.
#pragma once

#include <cstdint>
#include <span>

#include "base/rational.h"
#include "random/detail/chain_table.h"
#include "random/source.h"

namespace dither::random {

// P(K = k) = exp(-lambda) lambda^k / k!.
//
// Promise    the law is exact: no tail is cut and no weight rounded (poisson_pmf).
// Refuses    lambda < 0 or > 2^40 (bad-scale).
// Cost       8 bytes and one look-up while lambda <= 13 million; beyond that the draw is a sum of ceil(lambda / 9
//            million) look-ups of 16 bytes. Arbitrary precision, whose time depends on the value, is needed with
//            probability fallback_probability() < 2^-46 a draw. Set-up as for Binomial: keep the object.
// Spec       D-68.
class Poisson {
 public:
  // Only tests choose the precision.
  explicit Poisson(const Rational& lambda, const detail::SumPrecision& precision = {});

  template <BitSource S>
  std::int64_t draw(S& source) const {
    return sum_.draw(source);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::int64_t> out, Source& source) const { sum_.fill(out, source); }

  double fallback_probability() const { return sum_.fallback_probability(); }

 private:
  detail::ChainSum sum_;
};

// The difference of two independent Poisson numbers of means mu1 and mu2; what Poisson says of refusals and costs holds
// for both (skellam_pmf).
class Skellam {
 public:
  Skellam(const Rational& mu1, const Rational& mu2, const detail::SumPrecision& precision = {})
      : plus_(mu1, precision), minus_(mu2, precision) {}

  template <BitSource S>
  std::int64_t draw(S& source) const {
    const std::int64_t plus = plus_.draw(source);
    return plus - minus_.draw(source);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::int64_t> out, Source& source) const;

  // Below 2^-45.
  double fallback_probability() const { return plus_.fallback_probability() + minus_.fallback_probability(); }

 private:
  Poisson plus_;
  Poisson minus_;
};

}  // namespace dither::random
