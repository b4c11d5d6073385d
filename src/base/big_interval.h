// Intervals of arbitrary precision: laws of noise to any number of digits, and the last word on undecided draws.
#pragma once

#include <mpfr.h>

#include <compare>

#include "base/rational.h"

namespace dither {

// A closed interval [low, high] of MPFR numbers of one precision that contains the true value.
//
// Promise    every operation rounds the low end down and the high end up, so a value that lies in the operands gives a
//            result that lies in the interval. Ends may be infinite; they are never NaN.
// Refuses    division by an interval that holds zero, and log or sqrt of one that reaches below zero (out-of-range).
// Cost       two MPFR operations each (four for products of mixed sign). Results take the larger precision.
class BigInterval {
 public:
  // Exactly zero.
  explicit BigInterval(long precision_bits);
  BigInterval(const Rational& value, long precision_bits);
  BigInterval(const Rational& low, const Rational& high, long precision_bits);
  BigInterval(const BigInterval& other);
  BigInterval(BigInterval&& other) noexcept;
  BigInterval& operator=(const BigInterval& other);
  BigInterval& operator=(BigInterval&& other) noexcept;
  ~BigInterval();

  static BigInterval pi(long precision_bits);

  long precision() const { return static_cast<long>(mpfr_get_prec(low_)); }
  mpfr_srcptr low() const { return low_; }
  mpfr_srcptr high() const { return high_; }

  // Outward-rounded ends as doubles, and as exact rationals (which need finite ends).
  double low_double() const { return mpfr_get_d(low_, MPFR_RNDD); }
  double high_double() const { return mpfr_get_d(high_, MPFR_RNDU); }
  Rational low_rational() const;
  Rational high_rational() const;

  // Whether the number surely lies below, above, or possibly at the given one.
  bool surely_below(const Rational& x) const { return mpfr_cmp_q(high_, x.get()) < 0; }
  bool surely_above(const Rational& x) const { return mpfr_cmp_q(low_, x.get()) > 0; }
  bool contains(const Rational& x) const { return !surely_below(x) && !surely_above(x); }
  bool surely_below(const BigInterval& x) const { return mpfr_less_p(high_, x.low_) != 0; }

  // floor(low) and floor(high) when they agree and fit in 128 bits.
  bool floor_is_decided(Int128* floor) const;

  friend BigInterval operator+(const BigInterval& a, const BigInterval& b);
  friend BigInterval operator-(const BigInterval& a, const BigInterval& b);
  friend BigInterval operator*(const BigInterval& a, const BigInterval& b);
  friend BigInterval operator/(const BigInterval& a, const BigInterval& b);
  BigInterval operator-() const;
  BigInterval& operator+=(const BigInterval& b) { return *this = *this + b; }

  // Monotone functions, end by end.
  friend BigInterval exp(const BigInterval& x);
  friend BigInterval expm1(const BigInterval& x);
  friend BigInterval log(const BigInterval& x);
  friend BigInterval log1p(const BigInterval& x);
  friend BigInterval sqrt(const BigInterval& x);
  friend BigInterval atan(const BigInterval& x);
  friend BigInterval erfc(const BigInterval& x);    // falls
  friend BigInterval lgamma(const BigInterval& x);  // x >= 2, where it grows
  // cos of 2 pi x, for any x.
  friend BigInterval cos_two_pi(const BigInterval& x);
  // tan of pi x, for -1/2 < x < 1/2.
  friend BigInterval tan_pi(const BigInterval& x);

 private:
  mpfr_t low_;
  mpfr_t high_;
};

}  // namespace dither
