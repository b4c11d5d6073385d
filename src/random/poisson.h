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
// Cost       8 bytes and one look-up while lambda <= 13 million; beyond that the draw is a sum of ceil(lambda / 13
//            million) such draws. Arbitrary precision, whose time depends on the value, is needed with probability
//            fallback_probability() <= 2^-46 a look-up. Set-up as for Binomial: keep the object.
// Spec       D-68.
class Poisson {
 public:
  // Tests choose a smaller precision, to reach the fallback, and a smaller variance per table, to reach the sum.
  explicit Poisson(const Rational& lambda, const detail::Precision& precision = detail::kSmallTable,
                   std::uint64_t variance_per_table = detail::kVariancePerTable);

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
  Skellam(const Rational& mu1, const Rational& mu2, const detail::Precision& precision = detail::kSmallTable)
      : plus_(mu1, precision), minus_(mu2, precision) {}

  template <BitSource S>
  std::int64_t draw(S& source) const {
    const std::int64_t plus = plus_.draw(source);
    return plus - minus_.draw(source);
  }

  // Overwrites the span with independent draws.
  void fill(std::span<std::int64_t> out, Source& source) const;

 private:
  Poisson plus_;
  Poisson minus_;
};

}  // namespace dither::random
