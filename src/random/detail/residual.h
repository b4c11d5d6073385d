// The part of a law that an integer table leaves out, drawn exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "random/detail/lazy_uniform.h"

namespace dither::random::detail {

// The probability of outcome i to any precision, for all i >= 0; together they are one.
using Probabilities = std::function<BigInterval(std::uint64_t index, long precision_bits)>;

// Draws i with probability proportional to p(i) - weights[i] / 2^bits (weights beyond the table count as zero), where
// `missing` = 2^bits - sum of the weights is that law's total on the same scale.
//
// Holds if   weights[i] <= 2^bits p(i) for every i, and bits <= 126. There is no tail cut: outcomes beyond the table
//            are part of the law.
// Cost       arbitrary precision over all outcomes up to the one drawn. It runs with the probability of the residual,
//            below 2^-45 a draw as shipped; its time depends on the value.
// Spec       D-68.
template <typename Word, BitSource S>
std::uint64_t draw_residual(const Probabilities& p, const std::vector<Word>& weights, Word missing, int bits, int step,
                            S& source) {
  const Rational unit = Rational::power_of_two(-bits);
  const auto scaled = [&](Word weight) { return Rational(static_cast<Int128>(weight)) * unit; };
  const Rational mass = scaled(missing);
  LazyUniform uniform;
  for (;;) {
    uniform.extend(step, source);
    // Inversion: the outcome is the first i whose running sum exceeds uniform * mass.
    const long precision = uniform.precision() + bits;
    const Rational low = uniform.low() * mass;
    const Rational high = uniform.high() * mass;
    BigInterval sum(precision);
    for (std::uint64_t i = 0;; ++i) {
      sum += p(i, precision);
      if (i < weights.size()) sum += BigInterval(-scaled(weights[i]), precision);
      if (mpfr_cmp_q(sum.low(), high.get()) >= 0) return i;  // surely passed here, and surely not before
      if (mpfr_cmp_q(sum.high(), low.get()) > 0) break;      // possibly passed: look closer
    }
  }
}

}  // namespace dither::random::detail
