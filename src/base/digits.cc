#include "base/digits.h"

#include <fmt/format.h>

#include <cmath>

#include "base/decimal.h"

namespace dither {

namespace {

std::string infinity(double value) { return value > 0 ? "infinity" : "-infinity"; }

Rational power_of_ten(long exponent) {
  const Rational power = pow(Rational(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1) / power : power;
}

// The e with 10^e <= value < 10^(e + 1).
long decimal_exponent(const Rational& value) {
  auto exponent = static_cast<long>(std::floor(static_cast<double>(value.floor_log2()) * 0.30102999566398));
  while (value >= power_of_ten(exponent + 1)) ++exponent;
  while (value < power_of_ten(exponent)) --exponent;
  return exponent;
}

std::string significant(const Rational& value, int digits, bool up) {
  if (value.sign() < 0) return "-" + significant(-value, digits, !up);
  if (value.sign() == 0) return "0";
  const long exponent = decimal_exponent(value);
  const Grid grid(power_of_ten(exponent - digits + 1));
  const Decimal rounded = up ? Decimal::round_up(value, grid) : Decimal::round_down(value, grid);
  if (exponent >= -4 && exponent < 15) return rounded.str();
  const long shown = rounded.value() == power_of_ten(exponent + 1) ? exponent + 1 : exponent;  // rounded up to there
  const Rational mantissa = rounded.value() / power_of_ten(shown);
  return fmt::format("{}e{}", Decimal::exactly(mantissa, Grid::of_decimals(digits)).str(), shown);
}

}  // namespace

std::string digits_up(const Rational& value, int digits) { return significant(value, digits, true); }
std::string digits_down(const Rational& value, int digits) { return significant(value, digits, false); }

std::string digits_up(double value, int digits) {
  return std::isinf(value) ? infinity(value) : digits_up(Rational::from_double(value), digits);
}
std::string digits_down(double value, int digits) {
  return std::isinf(value) ? infinity(value) : digits_down(Rational::from_double(value), digits);
}

std::string typed_or_up(double value, int digits) {
  if (std::isinf(value)) return infinity(value);
  const Rational exact = Rational::from_double(value);
  const Rational typed = Rational::parse(fmt::format("{:.{}e}", value, digits - 1));
  const Rational roundings = abs(exact) / 1'000'000'000'000;
  return significant(abs(typed - exact) <= roundings ? typed : exact, digits, true);
}

}  // namespace dither
