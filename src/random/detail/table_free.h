// Discrete Laplace and Gaussian draws for parameters that are used once: no table, two divisions of set-up.
//
// The cell Q = floor(-s ln U), s the scale in cells, is a geometric draw by inversion, decided in fixed point;
// remainder, sign and acceptance are as in cells.h. The Gaussian is accepted out of a Laplace whose scale is a power of
// two.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/int128.h"
#include "base/rational.h"
#include "random/detail/fixed_point.h"
#include "random/detail/lazy_uniform.h"
#include "random/source.h"

namespace dither::random::detail {

// What tests may coarsen: the certified errors grow, and the exact fallbacks run.
struct TableFreePrecision {
  int uniform_bits = 63;                   // of the uniform behind the cell
  std::uint64_t log_slack = kNegLogError;  // units of 2^-58
  int accept_bits = 47;                    // of the uniform that accepts a remainder
  std::uint64_t accept_slack = 24;         // units of 2^-64
  int gaussian_bits = 64;                  // of the uniform that accepts a Laplace draw as a Gaussian one
  std::uint64_t gaussian_slack = 1024;     // units of 2^-64
  int step = 64;
};

// A positive fraction whose parts fit in 64 bits.
struct SmallRatio {
  std::uint64_t numerator;
  std::uint64_t denominator;

  // Whether the number is one.
  static bool fits(const Rational& value) {
    return mpz_sizeinbase(mpq_numref(value.get()), 2) <= 64 && mpz_sizeinbase(mpq_denref(value.get()), 2) <= 64;
  }
  explicit SmallRatio(const Rational& value)
      : numerator(mpz_get_ui(mpq_numref(value.get()))), denominator(mpz_get_ui(mpq_denref(value.get()))) {}
  SmallRatio(std::uint64_t n, std::uint64_t d) : numerator(n), denominator(d) {}

  // The largest l with 2^l <= ratio, or one less.
  int log2() const { return std::bit_width(numerator) - std::bit_width(denominator) - 1; }
  Rational exact() const {
    return Rational(static_cast<Int128>(numerator)) / Rational(static_cast<Int128>(denominator));
  }
};

// floor(2^shift n / d), or 2^64 - 1 when that is 2^64 or more.
constexpr std::uint64_t scaled_ratio(std::uint64_t n, std::uint64_t d, int shift) {
  if (shift < 0) return n / d >> -shift;
  if (shift > std::countl_zero(n) + 64) return ~std::uint64_t{0};  // then 2^shift n > 2^128 > 2^64 d
  const UInt128 quotient = (static_cast<UInt128>(n) << shift) / d;
  return quotient >> 64 != 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(quotient);
}

// Two-sided draws with probability proportional to exp(-|k| / scale).
class LaplaceOnce {
 public:
  explicit LaplaceOnce(SmallRatio scale, TableFreePrecision precision = {}) : scale_(scale), precision_(precision) {
    const int log2 = scale.log2();
    shift_ = log2 < 5 ? 0 : log2 - 4;
    cell_scale_ = scaled_ratio(scale.numerator, scale.denominator, 58 - shift_);
    rate_shift_ = std::max(0, log2);
    rate_mantissa_ = shift_ == 0 ? 0 : scaled_ratio(scale.denominator, scale.numerator, 64 + rate_shift_);
  }

  // |K| and a uniform sign that is never minus zero.
  struct Draw {
    UInt128 size;
    std::uint64_t sign;

    Int128 value() const { return with_sign(size, sign); }
  };

  template <BitSource S>
  Int128 value(S& source) const {
    for (;;) {
      if (const std::optional<Draw> draw = round(source)) return draw->value();
    }
  }

  // One round: a draw, or nothing when it was rejected. It reads a word for sign and cell, and one for the remainder
  // and its acceptance, or two when they do not fit in one.
  template <BitSource S>
  std::optional<Draw> round(S& source) const {
    const std::uint64_t first = source.bits(precision_.uniform_bits + 1);
    const std::uint64_t sign = first & 1;
    UInt128 size = draw_cell(first >> 1, source);
    bool keep = true;
    if (shift_ > 0) {
      const bool one_word = shift_ + precision_.accept_bits <= 64;
      const std::uint64_t second = source.bits(one_word ? shift_ + precision_.accept_bits : 64);
      const std::uint64_t accept = one_word ? second >> shift_ : source.bits(precision_.accept_bits);
      const std::uint64_t remainder = second & ((std::uint64_t{1} << shift_) - 1);
      size = size << shift_ | remainder;
      keep = accepted(remainder, accept, source);
    }
    const bool minus_zero = (size | (sign ^ 1)) == 0;  // one condition: a branch on size alone would follow the value
    if (!keep | minus_zero) return std::nullopt;
    return Draw{size, sign};
  }

 private:
  // floor(-s ln U), U = (prefix + [0, 1)) / 2^uniform_bits.
  template <BitSource S>
  UInt128 draw_cell(std::uint64_t prefix, S& source) const {
    const int unread = 64 - precision_.uniform_bits;
    const std::uint64_t u = prefix << unread;
    if (u != 0) [[likely]] {
      // The true U may be larger by 2^unread units, which lowers -ln U by at most 2^unread / u <= 2^(unread + e - 63).
      const int width_log2 = unread + std::countl_zero(u) - 5;
      const std::uint64_t width = std::uint64_t{1} << std::max(0, width_log2);
      const std::uint64_t log = neg_log(u);
      const std::uint64_t below = width + precision_.log_slack;
      const std::uint64_t low = log > below ? log - below : 0;
      const UInt128 first = static_cast<UInt128>(low) * cell_scale_ >> 116;
      const UInt128 last =
          (static_cast<UInt128>(log) + precision_.log_slack) * (static_cast<UInt128>(cell_scale_) + 1) >> 116;
      if (first == last) [[likely]]
        return first;
    }
    return resolve_cell(prefix, source);
  }

  template <BitSource S>
  UInt128 resolve_cell(std::uint64_t prefix, S& source) const {
    LazyUniform uniform(prefix, precision_.uniform_bits);
    const Rational cells = scale_.exact() * Rational::power_of_two(-shift_);
    for (;; uniform.extend(precision_.step, source)) {
      if (uniform.low().sign() == 0) continue;
      const BigInterval scaled = -log(uniform.interval(uniform.precision())) * BigInterval(cells, uniform.precision());
      Int128 cell;
      if (scaled.floor_is_decided(&cell)) return static_cast<UInt128>(cell);
    }
  }

  // Whether a uniform that starts with `accept` is at least 1 - exp(-remainder / scale).
  template <BitSource S>
  bool accepted(std::uint64_t remainder, std::uint64_t accept, S& source) const {
    const std::uint64_t w = accept << (64 - precision_.accept_bits);
    const std::uint64_t rejection =
        one_minus_exp<10>(static_cast<std::uint64_t>(static_cast<UInt128>(remainder) * rate_mantissa_ >> rate_shift_));
    const auto [yes, no] =
        compare(w, std::uint64_t{1} << (64 - precision_.accept_bits), rejection, precision_.accept_slack);
    if (yes | no) [[likely]]
      return yes;
    const Rational y = Rational(static_cast<Int128>(remainder)) / scale_.exact();
    LazyUniform uniform(accept, precision_.accept_bits);
    return !uniform.is_below([&](long bits) { return -expm1(-BigInterval(y, bits)); }, precision_.step, source);
  }

  SmallRatio scale_;
  TableFreePrecision precision_;
  int shift_;
  std::uint64_t cell_scale_;     // scale / 2^shift in units of 2^-58, rounded down
  std::uint64_t rate_mantissa_;  // 1 / scale, as in LaplaceCells
  int rate_shift_;
};

// Draws with probability proportional to exp(-k^2 / (2 sigma^2)): a Laplace of scale t = 2^l near sigma, kept with
// probability exp(-x^2 / 2), x = |k| / sigma - sigma / t.
//
// Error      x is formed in units of 2^-57 from two constants of at least 61 bits and is off by under 6 units for x <
//            12, so x^2 / 2 is off by under 12 x + 1 units of 2^-58 and exp(-x^2 / 2), with x exp(-x^2 / 2) < 0.61, by
//            under 12 * 0.61 * 64 + 64 + 16 = 549 units of 2^-64. Beyond x = 11.4 the exponent is taken as 64, where
//            the true and the computed value are both below one unit. The slack is 1024.
class GaussianOnce {
 public:
  explicit GaussianOnce(SmallRatio sigma, TableFreePrecision precision = {})
      : GaussianOnce(sigma, scaled_ratio(sigma.numerator, sigma.denominator, 57 - sigma.log2()), precision) {}

  template <BitSource S>
  Int128 value(S& source) const {
    for (;;) {
      if (const std::optional<Int128> value = round(source)) return *value;
    }
  }

  // One round: a value, or nothing when the Laplace draw or its acceptance was rejected.
  template <BitSource S>
  std::optional<Int128> round(S& source) const {
    const std::optional<LaplaceOnce::Draw> draw = laplace_.round(source);
    if (!draw || !accepted(draw->size, source)) return std::nullopt;
    return draw->value();
  }

  // The log2 of the proposal's scale.
  int proposal_log2() const { return log2_; }

 private:
  // `mantissa` is sigma / 2^log2(sigma), between 1 and 4, in units of 2^-57.
  GaussianOnce(SmallRatio sigma, std::uint64_t mantissa, TableFreePrecision precision)
      : sigma_(sigma),
        precision_(precision),
        log2_(log2_near(sigma, mantissa)),
        laplace_(proposal(log2_), precision),
        inverse_shift_(sigma.log2()),
        inverse_(scaled_ratio(sigma.denominator, sigma.numerator, 63 + inverse_shift_)),
        offset_(mantissa >> (log2_ - inverse_shift_)) {}

  // t = 2^l with t / sigma between about 0.7 and 1.5.
  static int log2_near(SmallRatio sigma, std::uint64_t mantissa) {
    const std::uint64_t quarters = mantissa >> 55;
    return sigma.log2() + (quarters >= 6) + (quarters >= 12);
  }
  static SmallRatio proposal(int log2) {
    return log2 >= 0 ? SmallRatio(std::uint64_t{1} << log2, 1) : SmallRatio(1, std::uint64_t{1} << -log2);
  }

  template <BitSource S>
  bool accepted(UInt128 size, S& source) const {
    const std::uint64_t prefix = source.bits(precision_.gaussian_bits);
    const int unread = 64 - precision_.gaussian_bits;
    const auto [no, yes] =
        compare(prefix << unread, std::uint64_t{1} << unread, exp_neg(exponent(size)), precision_.gaussian_slack);
    if (yes | no) [[likely]]
      return yes;
    const Rational sigma = sigma_.exact();
    const Rational x = Rational(static_cast<Int128>(size)) / sigma - sigma * Rational::power_of_two(-log2_);
    LazyUniform uniform(prefix, precision_.gaussian_bits);
    return uniform.is_below([&](long bits) { return exp(-BigInterval(x * x / Rational(2), bits)); }, precision_.step,
                            source);
  }

  // x^2 / 2 in units of 2^-58, at most 2^64 - 1.
  std::uint64_t exponent(UInt128 size) const {
    constexpr std::uint64_t kFar = std::uint64_t{12} << 57;
    const std::uint64_t ratio = std::min(size_over_sigma(size), std::uint64_t{1} << 62);
    const std::uint64_t difference = ratio - offset_;  // signed; its absolute value by mask, since a branch would tell
    const auto negative = static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63);
    const std::uint64_t near = std::min((difference ^ negative) - negative, kFar);
    const UInt128 y = static_cast<UInt128>(near) * near >> 57;
    return y >> 64 != 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(y);
  }

  // |k| / sigma in units of 2^-57, at most 2^64 - 1. |k| < 2^(l + 7) but for the tail, so its top 64 bits are enough.
  std::uint64_t size_over_sigma(UInt128 size) const {
    const int down = std::max(0, log2_ + 8 - 64);
    const UInt128 shifted = size >> down;
    if (shifted >> 64 != 0) [[unlikely]]
      return ~std::uint64_t{0};
    const UInt128 product =
        static_cast<UInt128>(static_cast<std::uint64_t>(shifted)) * inverse_;  // 2^-(63 + inverse_shift - down)
    const int shift = 63 + inverse_shift_ - down - 57;
    const UInt128 result = shift >= 0 ? product >> shift : product << -shift;
    return result >> 64 != 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(result);
  }

  SmallRatio sigma_;
  TableFreePrecision precision_;
  int log2_;  // of the proposal's scale t
  LaplaceOnce laplace_;
  int inverse_shift_;
  std::uint64_t inverse_;  // 1 / sigma in units of 2^-(63 + inverse_shift)
  std::uint64_t offset_;   // sigma / t in units of 2^-57
};

}  // namespace dither::random::detail
