#include "random/detail/fraction.h"

namespace dither::random::detail {

Fraction fraction_below(const BigInterval& x) {
  if (mpfr_sgn(x.low()) <= 0 || mpfr_get_exp(x.low()) < -128) return 0;
  if (mpfr_cmp_ui(x.low(), 1) >= 0) return ~Fraction{0};
  const Rational low = x.low_rational();
  const Rational two64 = Rational::power_of_two(64);
  const auto high_word = static_cast<UInt128>((low * two64).floor());
  const Rational rest = low * two64 - Rational(static_cast<Int128>(high_word));
  return high_word << 64 | static_cast<UInt128>((rest * two64).floor());
}

}  // namespace dither::random::detail
