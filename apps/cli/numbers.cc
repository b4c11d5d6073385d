#include "cli/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "base/decimal.h"
#include "base/error.h"
#include "base/text.h"

namespace dither::cli {

namespace {

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

Rational exact_number(const std::string& name, const std::string& text, std::size_t most_digits) {
  const auto refuse = [&](Code code, const std::string& rule, const std::string& hint) {
    return Error{code, fmt::format("--{} is \"{}\", {}", name, echo(text), rule), hint};
  };
  try {
    Rational value = Rational::parse(text);
    if (value.str().size() <= most_digits) return value;
  } catch (const Error& error) {
    if (error.code() != Code::out_of_range) throw refuse(error.code(), "which is not a number", error.hint());
  }
  throw refuse(Code::out_of_range, fmt::format("which has more than {} digits as an exact fraction", most_digits),
               "give a number with fewer digits and a smaller exponent");
}

Int128 whole_number(const std::string& name, const std::string& text, Int128 smallest, Int128 largest) {
  const Rational value = exact_number(name, text);
  if (value.is_integer() && value >= Rational(smallest) && value <= Rational(largest)) return value.floor();
  throw Error{Code::bad_count,
              fmt::format("--{} is {}, but must be a whole number from {} to {}", name, echo(text), to_string(smallest),
                          to_string(largest)),
              "give a whole number in that range"};
}

std::string digits_up(const Rational& value, int digits) { return significant(value, digits, true); }
std::string digits_down(const Rational& value, int digits) { return significant(value, digits, false); }

std::string digits_up(double value, int digits) {
  return std::isinf(value) ? "infinity" : digits_up(Rational::from_double(value), digits);
}
std::string digits_down(double value, int digits) {
  return std::isinf(value) ? "infinity" : digits_down(Rational::from_double(value), digits);
}

}  // namespace dither::cli
