#include "random/detail/exp_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "random/detail/fraction.h"
#include "random/detail/mask.h"

namespace dither::random::detail {

namespace {

// t below has this many bits before the point, and 112 behind it.
constexpr int kWholeBits = 16;

// Turns a distance d >= 0 to the best score into t = d rate / ln 2, so that the exponential is 2^-t.
class BitsLost {
 public:
  explicit BitsLost(const Rational& rate) {
    if (rate == Rational(0)) return;
    constexpr long precision = 256;
    const BigInterval ln2 = log(BigInterval(Rational(2), precision));
    const BigInterval per_unit = BigInterval(rate, precision) / ln2;
    const long e = per_unit.high_rational().floor_log2() + 1;  // 2^(e-1) <= per_unit < 2^e, up to rounding
    // Distances from 2^b - 1 on count as that: they lose at least 2^8 bits, which no weight can make up for.
    const long b = std::clamp(10 - e, 1L, 128L);
    const long whole_bits = std::min(b + e, 10L);  // t < 2^whole_bits, or so large that it does not matter
    if (whole_bits < -111) return;                 // every t is below one unit
    shift_ = static_cast<int>(kWholeBits - whole_bits);
    cap_shift_ = static_cast<int>(128 - b);
    per_unit_ = fraction_below(per_unit * BigInterval(Rational::power_of_two(-e), precision));
  }

  // In units of 2^-112, rounded down by less than two of them; from 2^120 on it stands for anything larger.
  UInt128 operator()(UInt128 distance) const {
    const UInt128 cap = ~UInt128{0} >> cap_shift_;
    const UInt128 capped = select(mask_if_below(cap, distance), cap, distance);
    return mul_down(capped << cap_shift_, per_unit_) >> shift_;
  }

 private:
  Fraction per_unit_ = 0;  // 2^-e rate / ln 2
  int cap_shift_ = 0;
  int shift_ = kWholeBits;
};

// floor(2^128 / n!), n >= 2 (one unit less for 2!).
constexpr std::array<Fraction, 23> kInverseFactorials128 = [] {
  std::array<Fraction, 23> table{};
  UInt128 factorial = 1;
  for (unsigned n = 2; n < table.size(); ++n) table[n] = ~UInt128{0} / (factorial *= n);
  return table;
}();

// floor(ln 2 * 2^128).
constexpr Fraction kLn2Wide = UInt128{0xB17217F7D1CF79AB} << 64 | 0xC9E3B39803F2F6AF;

// exp(-y) for y < 0.7, both in units of 2^-128, within kTaylorError of them.
//
// Proof      one_minus_exp of fixed_point.h with longer words: Horner's steps lose under 7 units, the two products one
//            each, the complement one; the first term left out, y^23 / 23!, is below 2^-86.
constexpr UInt128 kTaylorError = (UInt128{1} << 42) + 10;
Fraction exp_of_minus(Fraction y) {
  Fraction p = kInverseFactorials128.back();
  for (std::size_t n = kInverseFactorials128.size() - 2; n >= 2; --n) {
    p = kInverseFactorials128[n] - mul_down(y, p);
  }
  return ~(y - mul_down(y, mul_down(y, p)));
}

// weight * 2^-t = significand * 2^exponent, the significand within `kSlack` units of w << clz(w) times 2^-frac(t).
struct Term {
  std::uint64_t weight;  // shifted to the top; zero only for weight zero
  Fraction power;        // 2^-frac(t)
  std::int64_t exponent;
};

// Certified error of `power` in units of 2^-128: two of 2^-112 of t, two of y = frac(t) ln 2 (product and constant),
// and the Taylor sum's.
constexpr UInt128 kSlack = (UInt128{2} << 16) + 2 + kTaylorError;

Term term(std::uint64_t weight, UInt128 bits_lost) {
  const int leading = std::countl_zero(weight);
  // A weight of zero gets an exponent below all others; its significand is zero anyway.
  const std::int64_t zero = weight == 0 ? 4096 : 0;
  return {weight << (leading & 63), exp_of_minus(mul_down(bits_lost << kWholeBits, kLn2Wide)),
          -static_cast<std::int64_t>(bits_lost >> (128 - kWholeBits)) - leading - zero};
}

Int128 best_score(std::span<const std::uint64_t> weights, std::span<const Int128> scores) {
  Int128 best = kInt128Min;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    best = select(mask_if_below(0, weights[i]) & mask_if_less(best, scores[i]), scores[i], best);
  }
  return best;
}

// A term takes 128 bits less these, which leave room for the sum of 2^24.
constexpr int kRoom = 25;

}  // namespace

ExpSums exp_sums(std::span<const std::uint64_t> weights, std::span<const Int128> scores, const Rational& rate) {
  const std::size_t n = weights.size();
  const Int128 best = best_score(weights, scores);
  const BitsLost bits_lost(rate);
  std::vector<Term> terms(n);
  std::int64_t top = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < n; ++i) {
    // A candidate of weight zero may score above the best; its distance wraps and does not matter.
    terms[i] = term(weights[i], bits_lost(static_cast<UInt128>(best) - static_cast<UInt128>(scores[i])));
    top = std::max(top, terms[i].exponent);
  }
  ExpSums sums{best, 64 - kRoom - top, std::vector<UInt128>(n), std::vector<UInt128>(n)};
  UInt128 low = 0;
  UInt128 high = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // The largest term has 102 or 103 bits. One that is 2^103 times smaller counts as between nothing and two.
    constexpr std::int64_t most = 127 - kRoom;
    const std::int64_t behind = top - terms[i].exponent;
    const int shift = static_cast<int>(std::min(behind, most)) + kRoom;
    const UInt128 weight = static_cast<UInt128>(terms[i].weight) << 64;
    const UInt128 least = mul_down(weight, terms[i].power - kSlack) & mask_if_less(behind, most + 1);
    low += least >> shift;
    high += (least >> shift) + 2 + (mul_down(weight, 2 * kSlack) >> shift);
    sums.low[i] = low;
    sums.high[i] = high;
  }
  return sums;
}

}  // namespace dither::random::detail
