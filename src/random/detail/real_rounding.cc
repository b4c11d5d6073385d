#include "random/detail/real_rounding.h"

#include <algorithm>

#include "random/detail/real_ball_tables.h"

namespace dither::random::detail {

namespace {

// A value beyond 128 bits stops at their end, as the noisy one does: a refusal would tell that it is there.
Rational within_128_bits(const Rational& value) {
  return std::clamp(value, Rational(kInt128Min), Rational(kInt128Max));
}

Limbs<4> sign_extended(Int128 value) {
  const std::uint64_t sign = mask_if(value < 0);
  return {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64), sign, sign};
}

// A number of 256 bits in two's complement, stopped at the ends of 128 bits.
Int128 saturated(const Limbs<4>& x) {
  const std::uint64_t sign = mask_if((x[3] >> 63) != 0);
  const std::uint64_t inner = mask_if((x[1] >> 63) != 0);
  const std::uint64_t fits = mask_if(((x[2] ^ inner) | (x[3] ^ inner)) == 0);
  const std::uint64_t low = select(fits, x[0], ~sign);
  const std::uint64_t high = select(fits, x[1], ~sign ^ std::uint64_t{1} << 63);
  return static_cast<Int128>(UInt128{high} << 64 | low);
}

// floor(x / 2^64), keeping the sign.
Limbs<4> whole_part(const Limbs<4>& x) { return {x[1], x[2], x[3], mask_if((x[3] >> 63) != 0)}; }

}  // namespace

GridValue::Rest::Rest(const Rational& value) : whole(value.floor()), exact(value - Rational(whole)) {
  const Rational scaled = exact * Rational::power_of_two(64);
  fraction = static_cast<std::uint64_t>(scaled.floor());
  inexact = !scaled.is_integer();
}

GridValue::GridValue(const Rational& value_over_grid, const Rational& ratio)
    : index(within_128_bits(value_over_grid).floor()),
      rests{Rest(within_128_bits(value_over_grid) - Rational(index) + Rational(1, 2)),
            Rest(within_128_bits(value_over_grid) - Rational(index) + Rational(1, 2) + ratio)} {}

// Everything is counted in units of 2^-64 in 256 bits. The noise's magnitude lies strictly between trunc - err and
// trunc + 1 + err, where trunc drops its smaller bits and err is its error rounded up to more than it is; and above
// zero, because a known ball has a sign. Magnitudes from 2^189 on are cut there: they stop at the end of 128 bits
// either way.
template <int N>
bool round_ball(const Ball<N>& noise, const GridValue& value, std::uint64_t reflected, Int128* result) {
  const GridValue::Rest& rest = value.rests[reflected & 1];
  const auto exponent =
      static_cast<std::int64_t>(select(mask_if(noise.exponent > 189), 189, static_cast<std::uint64_t>(noise.exponent)));
  const auto down = static_cast<std::uint64_t>(192 - exponent);
  Limbs<4> wide{};
  for (int i = 0; i < N; ++i) wide[4 - N + i] = noise.mantissa[i];
  Limbs<4> wide_error{};
  wide_error[4 - N] = static_cast<std::uint64_t>(noise.error);
  wide_error[5 - N] = static_cast<std::uint64_t>(noise.error >> 64);
  const Limbs<4> unit = {1, 0, 0, 0};
  const Limbs<4> trunc = shift_right<4>(wide, down);
  const Limbs<4> error = add<4>(shift_right<4>(wide_error, down), unit);
  const Limbs<4> above = add<4>(add<4>(trunc, error), unit);
  Limbs<4> below = subtract<4>(trunc, error);
  below = select<4>(mask_if((below[3] >> 63) != 0), Limbs<4>{}, below);
  // The sum lies at or above `first` and strictly below `end`.
  const Limbs<4> first = negate_if<4>(noise.negative, select<4>(noise.negative, above, below));
  const Limbs<4> end = negate_if<4>(noise.negative, select<4>(noise.negative, below, above));
  const Limbs<4> low = whole_part(add<4>(first, Limbs<4>{rest.fraction, 0, 0, 0}));
  const Limbs<4> high = whole_part(
      subtract<4>(add<4>(add<4>(end, Limbs<4>{rest.fraction, 0, 0, 0}), Limbs<4>{rest.inexact, 0, 0, 0}), unit));
  *result = saturated(add<4>(add<4>(low, sign_extended(value.index)), sign_extended(rest.whole)));
  const Int128 other = saturated(add<4>(add<4>(high, sign_extended(value.index)), sign_extended(rest.whole)));
  return noise.is_known() && *result == other;
}

template bool round_ball(const Ball<2>&, const GridValue&, std::uint64_t, Int128*);
template bool round_ball(const Ball<3>&, const GridValue&, std::uint64_t, Int128*);

std::optional<Int128> round_interval(const BigInterval& noise, const GridValue& value, bool reflected) {
  const GridValue::Rest& rest = value.rests[reflected ? 1 : 0];
  const Rational base = Rational(value.index) + Rational(rest.whole) + rest.exact;
  const auto rounded = [&](mpfr_srcptr end) {
    constexpr long kFar = 192;  // stops at the end of 128 bits whatever the value is
    if (mpfr_inf_p(end) || (!mpfr_zero_p(end) && mpfr_get_exp(end) > kFar)) {
      return mpfr_sgn(end) < 0 ? kInt128Min : kInt128Max;
    }
    Rational sum;
    mpfr_get_q(sum.get(), end);
    sum += base;
    if (sum <= Rational(kInt128Min)) return kInt128Min;
    if (sum >= Rational(kInt128Max)) return kInt128Max;
    return sum.floor();
  };
  const Int128 low = rounded(noise.low());
  if (low != rounded(noise.high())) return std::nullopt;
  return low;
}

}  // namespace dither::random::detail
