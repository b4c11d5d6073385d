#include "base/big_interval.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace dither {

namespace {

using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

[[noreturn]] void throw_outside(const char* what) {
  throw Error{Code::out_of_range, what, "this is a mistake in the formula, not in the data"};
}

void replace_nan(mpfr_ptr value, int sign_of_infinity) {
  if (mpfr_nan_p(value)) mpfr_set_inf(value, sign_of_infinity);
}

}  // namespace

BigInterval::BigInterval(long precision_bits) {
  mpfr_init2(low_, precision_bits);
  mpfr_init2(high_, precision_bits);
  mpfr_set_zero(low_, 1);
  mpfr_set_zero(high_, 1);
}

BigInterval::BigInterval(const Rational& value, long precision_bits) : BigInterval(value, value, precision_bits) {}

BigInterval::BigInterval(const Rational& low, const Rational& high, long precision_bits) : BigInterval(precision_bits) {
  mpfr_set_q(low_, low.get(), MPFR_RNDD);
  mpfr_set_q(high_, high.get(), MPFR_RNDU);
}

BigInterval::BigInterval(const BigInterval& other) : BigInterval(other.precision()) {
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
}

BigInterval::BigInterval(BigInterval&& other) noexcept : BigInterval(other.precision()) { *this = std::move(other); }

BigInterval& BigInterval::operator=(const BigInterval& other) {
  if (this != &other) *this = BigInterval(other);
  return *this;
}

BigInterval& BigInterval::operator=(BigInterval&& other) noexcept {
  mpfr_swap(low_, other.low_);
  mpfr_swap(high_, other.high_);
  return *this;
}

BigInterval::~BigInterval() {
  mpfr_clear(low_);
  mpfr_clear(high_);
}

BigInterval BigInterval::pi(long precision_bits) {
  BigInterval result(precision_bits);
  mpfr_const_pi(result.low_, MPFR_RNDD);
  mpfr_const_pi(result.high_, MPFR_RNDU);
  return result;
}

Rational BigInterval::low_rational() const {
  if (!mpfr_number_p(low_)) throw_outside("an infinite end of an interval has no rational value");
  Rational result;
  mpfr_get_q(result.get(), low_);
  return result;
}

Rational BigInterval::high_rational() const {
  if (!mpfr_number_p(high_)) throw_outside("an infinite end of an interval has no rational value");
  Rational result;
  mpfr_get_q(result.get(), high_);
  return result;
}

bool BigInterval::floor_is_decided(Int128* floor) const {
  const auto fits = [](mpfr_srcptr x) { return mpfr_number_p(x) && (mpfr_zero_p(x) || mpfr_get_exp(x) <= 126); };
  if (!fits(low_) || !fits(high_)) return false;
  *floor = low_rational().floor();
  return *floor == high_rational().floor();
}

BigInterval operator+(const BigInterval& a, const BigInterval& b) {
  BigInterval result(std::max(a.precision(), b.precision()));
  mpfr_add(result.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_add(result.high_, a.high_, b.high_, MPFR_RNDU);
  replace_nan(result.low_, -1);
  replace_nan(result.high_, 1);
  return result;
}

BigInterval BigInterval::operator-() const {
  BigInterval result(precision());
  mpfr_neg(result.low_, high_, MPFR_RNDD);
  mpfr_neg(result.high_, low_, MPFR_RNDU);
  return result;
}

BigInterval operator-(const BigInterval& a, const BigInterval& b) { return a + (-b); }

BigInterval operator*(const BigInterval& a, const BigInterval& b) {
  BigInterval result(std::max(a.precision(), b.precision()));
  if (mpfr_sgn(a.low_) >= 0 && mpfr_sgn(b.low_) >= 0) {  // the common case, two products instead of eight
    mpfr_mul(result.low_, a.low_, b.low_, MPFR_RNDD);
    mpfr_mul(result.high_, a.high_, b.high_, MPFR_RNDU);
    if (mpfr_nan_p(result.low_)) mpfr_set_zero(result.low_, 1);  // 0 times infinity
    replace_nan(result.high_, 1);
    return result;
  }
  BigInterval product(result.precision());
  bool first = true;
  for (mpfr_srcptr x : {a.low(), a.high()}) {
    for (mpfr_srcptr y : {b.low(), b.high()}) {
      mpfr_mul(product.low_, x, y, MPFR_RNDD);
      mpfr_mul(product.high_, x, y, MPFR_RNDU);
      replace_nan(product.low_, -1);
      replace_nan(product.high_, 1);
      if (first || mpfr_less_p(product.low_, result.low_)) mpfr_set(result.low_, product.low_, MPFR_RNDD);
      if (first || mpfr_greater_p(product.high_, result.high_)) mpfr_set(result.high_, product.high_, MPFR_RNDU);
      first = false;
    }
  }
  return result;
}

BigInterval operator/(const BigInterval& a, const BigInterval& b) {
  if (mpfr_sgn(b.low_) <= 0 && mpfr_sgn(b.high_) >= 0) throw_outside("an interval that holds zero is a divisor");
  BigInterval inverse(std::max(a.precision(), b.precision()));
  mpfr_ui_div(inverse.low_, 1, b.high_, MPFR_RNDD);
  mpfr_ui_div(inverse.high_, 1, b.low_, MPFR_RNDU);
  return a * inverse;
}

namespace {

template <Operation kOperation>
void apply(mpfr_ptr low, mpfr_ptr high, const BigInterval& x) {
  kOperation(low, x.low(), MPFR_RNDD);
  kOperation(high, x.high(), MPFR_RNDU);
}

}  // namespace

BigInterval exp(const BigInterval& x) {
  BigInterval result(x.precision());
  apply<mpfr_exp>(result.low_, result.high_, x);
  return result;
}

BigInterval expm1(const BigInterval& x) {
  BigInterval result(x.precision());
  apply<mpfr_expm1>(result.low_, result.high_, x);
  return result;
}

BigInterval log(const BigInterval& x) {
  if (mpfr_sgn(x.low_) < 0) throw_outside("the log of a negative number");
  BigInterval result(x.precision());
  apply<mpfr_log>(result.low_, result.high_, x);
  return result;
}

BigInterval log1p(const BigInterval& x) {
  if (mpfr_cmp_si(x.low_, -1) < 0) throw_outside("the log1p of a number below -1");
  BigInterval result(x.precision());
  apply<mpfr_log1p>(result.low_, result.high_, x);
  return result;
}

BigInterval sqrt(const BigInterval& x) {
  if (mpfr_sgn(x.low_) < 0) throw_outside("the root of a negative number");
  BigInterval result(x.precision());
  apply<mpfr_sqrt>(result.low_, result.high_, x);
  return result;
}

BigInterval atan(const BigInterval& x) {
  BigInterval result(x.precision());
  apply<mpfr_atan>(result.low_, result.high_, x);
  return result;
}

BigInterval erfc(const BigInterval& x) {
  BigInterval result(x.precision());
  mpfr_erfc(result.low_, x.high_, MPFR_RNDD);
  mpfr_erfc(result.high_, x.low_, MPFR_RNDU);
  return result;
}

BigInterval lgamma(const BigInterval& x) {
  if (mpfr_cmp_ui(x.low_, 2) < 0) throw_outside("lgamma of a number below 2");
  BigInterval result(x.precision());
  apply<mpfr_lngamma>(result.low_, result.high_, x);
  return result;
}

BigInterval cos_two_pi(const BigInterval& x) {
  BigInterval result(x.precision());
  if (!mpfr_number_p(x.low_) || !mpfr_number_p(x.high_)) {
    mpfr_set_si(result.low_, -1, MPFR_RNDD);
    mpfr_set_si(result.high_, 1, MPFR_RNDU);
    return result;
  }
  // Between multiples of one half cos(2 pi x) is monotone; across one of them the interval takes in everything.
  mpfr_t doubled_low, doubled_high, other;
  mpfr_inits2(x.precision() + 2, doubled_low, doubled_high, other, static_cast<mpfr_ptr>(nullptr));
  mpfr_mul_2ui(doubled_low, x.low_, 1, MPFR_RNDD);
  mpfr_mul_2ui(doubled_high, x.high_, 1, MPFR_RNDU);
  mpfr_cosu(result.low_, x.low_, 1, MPFR_RNDD);
  mpfr_cosu(other, x.high_, 1, MPFR_RNDD);
  mpfr_min(result.low_, result.low_, other, MPFR_RNDD);
  mpfr_cosu(result.high_, x.low_, 1, MPFR_RNDU);
  mpfr_cosu(other, x.high_, 1, MPFR_RNDU);
  mpfr_max(result.high_, result.high_, other, MPFR_RNDU);
  mpfr_floor(doubled_low, doubled_low);
  mpfr_floor(doubled_high, doubled_high);
  if (!mpfr_equal_p(doubled_low, doubled_high)) {
    mpfr_set_si(result.low_, -1, MPFR_RNDD);
    mpfr_set_si(result.high_, 1, MPFR_RNDU);
  }
  mpfr_clears(doubled_low, doubled_high, other, static_cast<mpfr_ptr>(nullptr));
  return result;
}

BigInterval tan_pi(const BigInterval& x) {
  const Rational half(1, 2);
  if (!x.surely_above(-half) || !x.surely_below(half)) throw_outside("tan(pi x) at or beyond its pole");
  BigInterval result(x.precision());
  mpfr_tanu(result.low_, x.low_, 2, MPFR_RNDD);
  mpfr_tanu(result.high_, x.high_, 2, MPFR_RNDU);
  return result;
}

}  // namespace dither
