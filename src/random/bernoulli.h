// Coins with an exact bias: p, or exp(-x).
#pragma once

#include <cstdint>
#include <span>

#include "base/rational.h"
#include "random/detail/lazy_uniform.h"
#include "random/source.h"

namespace dither::random {

// A coin that shows true with a given probability.
//
// Promise    the probability is exact. A word of random bits is compared with the first 64 bits of the probability.
//            Only when they are equal (2^-64 a toss) are more bits of both compared, until they differ.
// Refuses    p outside [0, 1] (bad-probability); x < 0 (bad-scale).
// Cost       8 bytes a toss and no branch that follows the outcome. Making the coin costs about half a
//            microsecond (three for exp), so keep it for many tosses.
// Spec       D-68, W-72.
class Bernoulli {
 public:
  // True with probability p. `width` is the size of a word; only tests choose it, to reach the exact comparison.
  static Bernoulli with_probability(const Rational& p, int width = 64);

  // True with probability exp(-x), x >= 0 of any size.
  static Bernoulli with_exp_of_minus(const Rational& x, int width = 64);

  template <BitSource S>
  bool draw(S& source) const {
    const std::uint64_t x = source.bits(width_);
    if (x - low_ <= undecided_) [[unlikely]]
      return detail::LazyUniform(x, width_).is_below(probability_, width_, source);
    return x < low_;
  }

  // Overwrites the span with independent tosses, 0 or 1.
  void fill(std::span<std::uint8_t> out, Source& source) const;

 private:
  Bernoulli(detail::ComputableReal probability, int width);

  detail::ComputableReal probability_;
  int width_;
  // Words below low_ are surely below the probability, words above low_ + undecided_ surely not.
  std::uint64_t low_;
  std::uint64_t undecided_;
};

namespace detail {

// Certified bounds of exp(-x) in units of 2^-64, by fixed-point arithmetic. Refuses x < 0.
struct ExpBounds {
  std::uint64_t low;
  std::uint64_t high;
};
ExpBounds exp_of_minus_bounds(const Rational& x);

BigInterval exp_of_minus(const Rational& x, long precision_bits);

template <BitSource S>
bool bernoulli_exp(const Rational& x, int width, S& source) {
  const ExpBounds bounds = exp_of_minus_bounds(x);
  const std::uint64_t word = source.bits(width);
  const int unknown = 64 - width;
  const bool surely = word < (bounds.low >> unknown);
  const bool surely_not = word > (bounds.high >> unknown);
  if (!(surely | surely_not)) [[unlikely]] {
    return LazyUniform(word, width).is_below([&](long bits) { return exp_of_minus(x, bits); }, width, source);
  }
  return surely;
}

}  // namespace detail

// One toss of a coin that is used once. The law, the refusals and the 8 bytes are those of Bernoulli; exp(-x) is found
// in fixed point, so that arbitrary precision is needed with probability below 2^-57 only.
inline bool bernoulli(const Rational& p, Source& source) { return Bernoulli::with_probability(p).draw(source); }
inline bool bernoulli_exp(const Rational& x, Source& source) { return detail::bernoulli_exp(x, 64, source); }

}  // namespace dither::random
