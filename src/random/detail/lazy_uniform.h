// A uniform real number in [0, 1) of which only as many bits are drawn as a decision needs.
#pragma once

#include <cstdint>
#include <functional>

#include "base/big_interval.h"
#include "base/rational.h"
#include "random/source.h"

namespace dither::random::detail {

// A real number known to any wanted precision: returns an interval that holds it and shrinks as the bits grow.
using ComputableReal = std::function<BigInterval(long precision_bits)>;

// The number lies in [low, low + 2^-known_bits).
class LazyUniform {
 public:
  // Nothing known yet.
  LazyUniform() = default;
  // The first `known_bits` bits, at most 127, are `prefix`.
  LazyUniform(UInt128 prefix, int known_bits) : bits_(known_bits) {
    low_ = Rational(static_cast<Int128>(prefix)) * Rational::power_of_two(-known_bits);
  }

  template <BitSource S>
  void extend(int count, S& source) {
    bits_ += count;
    low_ += Rational(static_cast<Int128>(source.bits(count))) * Rational::power_of_two(-bits_);
  }

  const Rational& low() const { return low_; }
  Rational high() const { return low_ + Rational::power_of_two(-bits_); }
  long known_bits() const { return bits_; }
  BigInterval interval(long precision_bits) const { return {low(), high(), precision_bits}; }

  // The working precision that makes rounding smaller than what is unknown of the number.
  long precision() const { return bits_ + 128; }

  // Whether the number is below the threshold. Draws `step` more bits until that is certain, which happens with
  // probability one because the number is uniform.
  template <BitSource S>
  bool is_below(const ComputableReal& threshold, int step, S& source) {
    for (;;) {
      const BigInterval t = threshold(precision());
      if (mpfr_cmp_q(t.high(), low_.get()) <= 0) return false;
      if (mpfr_cmp_q(t.low(), high().get()) >= 0) return true;
      extend(step, source);
    }
  }

 private:
  Rational low_;
  long bits_ = 0;
};

}  // namespace dither::random::detail
