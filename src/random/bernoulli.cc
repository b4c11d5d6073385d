#include "random/bernoulli.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "random/detail/fixed_point.h"

namespace dither::random {

namespace {

// floor(value * 2^width), or the largest word for the value 1: that word is then undecided, and the comparison right.
std::uint64_t as_word(mpfr_srcptr value, int width) {
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(value));
  mpfr_mul_2si(scaled, value, width, MPFR_RNDD);
  const std::uint64_t word = mpfr_get_ui(scaled, MPFR_RNDD);
  mpfr_clear(scaled);
  return std::min(word, ~std::uint64_t{0} >> (64 - width));
}

void require_not_negative(const Rational& x) {
  if (x.sign() >= 0) return;
  throw Error{Code::bad_scale, "x is " + x.str() + ", but exp(-x) is a probability only for x >= 0", "give x >= 0"};
}

}  // namespace

namespace detail {

BigInterval exp_of_minus(const Rational& x, long precision_bits) { return exp(BigInterval(-x, precision_bits)); }

// y = floor(2^58 x) is low by under one unit, which makes exp(-y) high by under 64, and exp_neg adds kExpNegError both
// ways. From 64 on exp(-x) is below 2^-92 and y the largest number, whose exponential is no more than that error.
ExpBounds exp_of_minus_bounds(const Rational& x) {
  require_not_negative(x);
  constexpr std::uint64_t largest = ~std::uint64_t{0};
  const std::uint64_t y = x < 64 ? static_cast<std::uint64_t>((x * Rational::power_of_two(58)).floor()) : largest;
  const std::uint64_t e = exp_neg(y);
  const std::uint64_t below = kExpNegError + 64;
  return {e < below ? 0 : e - below, e > largest - kExpNegError ? largest : e + kExpNegError};
}

}  // namespace detail

Bernoulli::Bernoulli(detail::ComputableReal probability, int width)
    : probability_(std::move(probability)), width_(width) {
  const BigInterval p = probability_(width + 64);
  low_ = as_word(p.low(), width);
  undecided_ = as_word(p.high(), width) - low_;
}

Bernoulli Bernoulli::with_probability(const Rational& p, int width) {
  if (p < 0 || p > 1) {
    throw Error{Code::bad_probability, "p is " + p.str() + ", but a probability lies in [0, 1]", "give 0 <= p <= 1"};
  }
  return {[p](long precision) { return BigInterval(p, precision); }, width};
}

Bernoulli Bernoulli::with_exp_of_minus(const Rational& x, int width) {
  require_not_negative(x);
  return {[x](long precision) { return detail::exp_of_minus(x, precision); }, width};
}

void Bernoulli::fill(std::span<std::uint8_t> out, Source& source) const {
  std::vector<std::pair<std::size_t, std::uint64_t>> undecided;  // place and word
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, Source::kBlockBytes / 8);
    source.with_bytes(8 * count, [&](const std::uint8_t* bytes) {
      for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t x;
        std::memcpy(&x, bytes + 8 * i, 8);
        x >>= 64 - width_;
        out[done + i] = static_cast<std::uint8_t>(x < low_);
        if (x - low_ <= undecided_) [[unlikely]]
          undecided.emplace_back(done + i, x);
      }
    });
    done += count;
  }
  for (const auto& [place, x] : undecided) {
    out[place] = detail::LazyUniform(x, width_).is_below(probability_, width_, source) ? 1 : 0;
  }
}

}  // namespace dither::random
