#include "base/rational.h"

#include <fmt/format.h>
#include <mpfr.h>

#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/error.h"

namespace dither {

namespace {

constexpr long kMaxExponent = 10'000;

void set_int128(mpz_ptr out, Int128 value) {
  const UInt128 size = magnitude(value);
  mpz_set_ui(out, static_cast<std::uint64_t>(size >> 64));
  mpz_mul_2exp(out, out, 64);
  mpz_add_ui(out, out, static_cast<std::uint64_t>(size));
  if (value < 0) mpz_neg(out, out);
}

// Reads the integer and clears it, also when it does not fit.
Int128 take_int128(mpz_ptr value) {
  const bool negative = mpz_sgn(value) < 0;
  const std::size_t bits = mpz_sizeinbase(value, 2);
  const bool is_minimum = negative && bits == 128 && mpz_scan1(value, 0) == 127;  // -2^127
  const bool fits = bits <= 127 || is_minimum;
  UInt128 size = 0;
  if (fits) {
    size = mpz_size(value) > 0 ? mpz_getlimbn(value, 0) : 0;
    if (mpz_size(value) > 1) size |= static_cast<UInt128>(mpz_getlimbn(value, 1)) << 64;
  }
  mpz_clear(value);
  if (!fits)
    throw Error{Code::out_of_range, "the number does not fit in 128 bits", "use a smaller number or a coarser grid"};
  return static_cast<Int128>(negative ? UInt128{0} - size : size);
}

double to_double(mpq_srcptr value, mpfr_rnd_t direction) {
  mpfr_t number;
  mpfr_init2(number, 53);
  mpfr_set_q(number, value, direction);
  // MPFR's exponents reach further than a double's, so subnormals round a second time, in the same direction.
  const double result = mpfr_get_d(number, direction);
  mpfr_clear(number);
  return result;
}

[[noreturn]] void throw_bad_number(std::string_view text) {
  throw Error{Code::bad_number, fmt::format("\"{}\" is not a number", text), "write 3, -0.125, 1e-6 or 2/7"};
}

bool all_digits(std::string_view text) {
  for (char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

// Reads digits[.digits][e[+-]digits] without sign.
Rational parse_decimal(std::string_view text, std::string_view whole) {
  long exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+') && !power.starts_with("+-")) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (power.empty() || end != power.data() + power.size() || error == std::errc::invalid_argument)
      throw_bad_number(whole);
    if (error != std::errc{} || std::labs(exponent) > kMaxExponent) {
      throw Error{Code::out_of_range, fmt::format("the exponent of \"{}\" is beyond {}", whole, kMaxExponent),
                  "write a number between 1e-10000 and 1e10000"};
    }
    text = text.substr(0, e);
  }
  const auto point = text.find('.');
  const std::string_view before = text.substr(0, point);
  const std::string_view after = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (before.size() + after.size() == 0 || !all_digits(before) || !all_digits(after)) throw_bad_number(whole);
  if (before.size() + after.size() > static_cast<std::size_t>(kMaxExponent)) {
    throw Error{Code::out_of_range, fmt::format("a number has more than {} digits", kMaxExponent),
                "write fewer digits"};
  }
  Rational result;
  mpz_set_str(mpq_numref(result.get()), (std::string(before) + std::string(after)).c_str(), 10);
  const long shift = exponent - static_cast<long>(after.size());
  Rational power;
  mpz_ui_pow_ui(mpq_numref(power.get()), 10, static_cast<unsigned long>(std::labs(shift)));
  return shift >= 0 ? result * power : result / power;
}

}  // namespace

Rational::Rational(Int128 value) : Rational() { set_int128(mpq_numref(value_), value); }

Rational::Rational(long numerator, long denominator) : Rational(numerator) { *this /= Rational(denominator); }

Rational Rational::parse(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const auto slash = rest.find('/');
  Rational result = parse_decimal(rest.substr(0, slash), text);
  if (slash != std::string_view::npos) {
    const Rational denominator = parse_decimal(rest.substr(slash + 1), text);
    if (denominator.sign() == 0) throw_bad_number(text);
    result /= denominator;
  }
  return negative ? -result : result;
}

Rational Rational::from_double(double value) {
  if (!std::isfinite(value)) throw_bad_number(fmt::format("{}", value));
  Rational result;
  mpq_set_d(result.value_, value);
  return result;
}

Rational Rational::power_of_two(long exponent) {
  Rational result(1);
  if (exponent >= 0) {
    mpq_mul_2exp(result.value_, result.value_, static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(result.value_, result.value_, static_cast<mp_bitcnt_t>(-exponent));
  }
  return result;
}

Rational& Rational::operator/=(const Rational& b) {
  if (b.sign() == 0) throw Error{Code::division_by_zero, "a number is divided by 0", "give a divisor other than 0"};
  mpq_div(value_, value_, b.value_);
  return *this;
}

Rational Rational::operator-() const {
  Rational result(*this);
  mpq_neg(result.value_, result.value_);
  return result;
}

Int128 Rational::floor() const {
  mpz_t quotient;
  mpz_init(quotient);
  mpz_fdiv_q(quotient, mpq_numref(value_), mpq_denref(value_));
  return take_int128(quotient);
}

Int128 Rational::ceil() const {
  mpz_t quotient;
  mpz_init(quotient);
  mpz_cdiv_q(quotient, mpq_numref(value_), mpq_denref(value_));
  return take_int128(quotient);
}

Int128 Rational::round_half_even() const {
  // floor(value + 1/2), one less when the value is a half above an even number. In one integer until the end, so that
  // halves beyond the range that round into it are taken.
  const Rational shifted = *this + Rational(1, 2);
  mpz_t nearest;
  mpz_init(nearest);
  mpz_fdiv_q(nearest, mpq_numref(shifted.value_), mpq_denref(shifted.value_));
  if (shifted.is_integer() && mpz_odd_p(nearest)) mpz_sub_ui(nearest, nearest, 1);
  return take_int128(nearest);
}

double Rational::to_double_down() const { return to_double(value_, MPFR_RNDD); }
double Rational::to_double_up() const { return to_double(value_, MPFR_RNDU); }

long Rational::floor_log2() const {
  const long guess = static_cast<long>(mpz_sizeinbase(mpq_numref(value_), 2)) -
                     static_cast<long>(mpz_sizeinbase(mpq_denref(value_), 2));
  return abs(*this) >= power_of_two(guess) ? guess : guess - 1;
}

std::string Rational::str() const {
  std::string text(mpz_sizeinbase(mpq_numref(value_), 10) + mpz_sizeinbase(mpq_denref(value_), 10) + 3, '\0');
  mpq_get_str(text.data(), 10, value_);
  text.resize(text.find('\0'));
  return text;
}

Rational abs(const Rational& value) { return value.sign() < 0 ? -value : value; }

Rational pow(const Rational& base, unsigned exponent) {
  Rational result;
  mpz_pow_ui(mpq_numref(result.get()), mpq_numref(base.get()), exponent);
  mpz_pow_ui(mpq_denref(result.get()), mpq_denref(base.get()), exponent);
  return result;
}

}  // namespace dither
