// Exact rational numbers: every privacy parameter is one.
#pragma once

#include <gmp.h>

#include <compare>
#include <string>
#include <string_view>

#include "base/int128.h"

namespace dither {

// A fraction in lowest terms with a positive denominator, of any size. Arithmetic is exact; only division by zero and
// the conversions that say so can throw.
class Rational {
 public:
  Rational() { mpq_init(value_); }
  Rational(int value) : Rational(static_cast<long>(value)) {}          // NOLINT: whole numbers are rationals
  Rational(long value) : Rational() { mpq_set_si(value_, value, 1); }  // NOLINT
  Rational(Int128 value);                                              // NOLINT
  Rational(long numerator, long denominator);
  Rational(const Rational& other) : Rational() { mpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { mpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) { return mpq_set(value_, other.value_), *this; }
  Rational& operator=(Rational&& other) noexcept { return mpq_swap(value_, other.value_), *this; }
  ~Rational() { mpq_clear(value_); }

  // Reads "3", "-0.125", "1e-6", "2/7": decimals are taken exactly as written. bad-number for anything else (also for
  // NaN and infinities) and out-of-range when the exponent exceeds 10000 either way.
  static Rational parse(std::string_view text);

  // The exact value of a finite double; bad-number for NaN and infinities.
  static Rational from_double(double value);

  // 2^exponent.
  static Rational power_of_two(long exponent);

  Rational& operator+=(const Rational& b) { return mpq_add(value_, value_, b.value_), *this; }
  Rational& operator-=(const Rational& b) { return mpq_sub(value_, value_, b.value_), *this; }
  Rational& operator*=(const Rational& b) { return mpq_mul(value_, value_, b.value_), *this; }
  Rational& operator/=(const Rational& b);  // division-by-zero

  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  Rational operator-() const;

  friend bool operator==(const Rational& a, const Rational& b) { return mpq_equal(a.value_, b.value_) != 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return mpq_cmp(a.value_, b.value_) <=> 0;
  }

  int sign() const { return mpq_sgn(value_); }
  bool is_integer() const { return mpz_cmp_ui(mpq_denref(value_), 1) == 0; }

  // The nearest integer below or above, and half to even; out-of-range beyond 128 bits.
  Int128 floor() const;
  Int128 ceil() const;
  Int128 round_half_even() const;

  // The nearest double not above, not below. Values beyond the doubles give the largest finite one or an infinity on
  // the safe side.
  double to_double_down() const;
  double to_double_up() const;

  // The largest e with 2^e <= |value|; the value must not be zero.
  long floor_log2() const;

  // Lowest terms: "7/3", or "7" for whole numbers.
  std::string str() const;

  mpq_srcptr get() const { return value_; }
  mpq_ptr get() { return value_; }  // keep it canonical

 private:
  mpq_t value_;
};

Rational abs(const Rational& value);
Rational pow(const Rational& base, unsigned exponent);

}  // namespace dither
