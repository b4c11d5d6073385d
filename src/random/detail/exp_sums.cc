#include "random/detail/exp_sums.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "random/detail/fixed_point.h"
#include "random/detail/fraction.h"

namespace dither::random::detail {

namespace {

UInt128 mask_if(bool condition) { return UInt128{0} - static_cast<UInt128>(condition); }

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
    if (whole_bits < -63) return;                  // every t is below one unit
    shift_ = static_cast<int>(64 - whole_bits);
    cap_shift_ = static_cast<int>(128 - b);
    per_unit_ = fraction_below(per_unit * BigInterval(Rational::power_of_two(-e), precision));
  }

  // In units of 2^-64, rounded down by less than two of them; from 2^72 on it stands for anything larger.
  UInt128 operator()(UInt128 distance) const {
    const UInt128 cap = ~UInt128{0} >> cap_shift_;
    const UInt128 capped = distance ^ ((distance ^ cap) & mask_if(distance > cap));
    return mul_down(capped << cap_shift_, per_unit_) >> shift_;
  }

 private:
  Fraction per_unit_ = 0;  // 2^-e rate / ln 2
  int cap_shift_ = 0;
  int shift_ = 64;
};

// weight * 2^-t = significand * 2^exponent, the significand within `kSlack` units of w << clz(w) times 2^-frac(t).
struct Term {
  std::uint64_t weight;  // shifted to the top; zero only for weight zero
  std::uint64_t power;   // 2^-frac(t) in units of 2^-64
  std::int64_t exponent;
};

// Certified error of `power` in units of 2^-64: two of t, two of y = frac(t) ln 2 (product and constant), under nine of
// the Taylor sum, one of the complement.
constexpr std::uint64_t kSlack = 14;

Term term(std::uint64_t weight, UInt128 bits_lost) {
  const std::uint64_t y = mul_high(static_cast<std::uint64_t>(bits_lost), kLn2);
  const int leading = std::countl_zero(weight);
  // A weight of zero gets an exponent below all others; its significand is zero anyway.
  const std::int64_t zero = weight == 0 ? 4096 : 0;
  return {weight << (leading & 63), ~one_minus_exp<19>(y),
          -static_cast<std::int64_t>(bits_lost >> 64) - leading - zero};
}

Int128 best_score(std::span<const std::uint64_t> weights, std::span<const Int128> scores) {
  Int128 best = kInt128Min;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto better = static_cast<Int128>(mask_if((weights[i] != 0) & (scores[i] > best)));
    best ^= (best ^ scores[i]) & better;
  }
  return best;
}

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
  ExpSums sums{best, 32 - top, std::vector<UInt128>(n), std::vector<UInt128>(n)};
  UInt128 low = 0;
  UInt128 high = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // The largest term has between 94 and 96 bits. One that is 2^96 times smaller counts as between nothing and one.
    const std::int64_t behind = top - terms[i].exponent;
    const int shift = static_cast<int>(std::min<std::int64_t>(behind, 95)) + 32;
    const UInt128 weight = terms[i].weight;
    const UInt128 least = (weight * (terms[i].power - kSlack)) & mask_if(behind <= 95);
    low += least >> shift;
    high += (least >> shift) + 2 + ((weight * (2 * kSlack)) >> shift);
    sums.low[i] = low;
    sums.high[i] = high;
  }
  return sums;
}

}  // namespace dither::random::detail
