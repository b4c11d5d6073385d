#include "accounting/amount.h"

#include <fmt/format.h>

#include <optional>

#include "base/decimal.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

const Grid& grid_of(int places) {
  static const Grid loss = Grid::of_decimals(18);
  static const Grid square = Grid::of_decimals(32);
  static const Grid delta = Grid::of_decimals(36);
  return places == 18 ? loss : places == 32 ? square : delta;
}

void require_not_negative(const Rational& value) {
  if (value.sign() < 0) {
    throw Error{Code::out_of_range,
                fmt::format("an amount of privacy loss is {}, but must not be negative", value.str()),
                "give 0 or more"};
  }
}

// One digit more; false beyond the range.
bool append(Int128& steps, int digit) {
  return !__builtin_mul_overflow(steps, Int128{10}, &steps) && !__builtin_add_overflow(steps, Int128{digit}, &steps);
}

// The steps of a decimal as str() writes it; none for other text and beyond the range.
std::optional<Int128> shortest_decimal(std::string_view text, std::size_t places) {
  const std::size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0') || fraction.size() > places) return {};
  if (dot != std::string_view::npos && (fraction.empty() || fraction.back() == '0')) return {};
  Int128 steps = 0;
  for (const std::string_view part : {whole, fraction}) {
    for (const char c : part) {
      if (c < '0' || c > '9' || !append(steps, c - '0')) return {};
    }
  }
  for (std::size_t i = fraction.size(); i < places; ++i) {
    if (!append(steps, 0)) return {};
  }
  return steps;
}

}  // namespace

template <int places>
Amount<places> Amount<places>::up(const Rational& value) {
  require_not_negative(value);
  return of_steps(Decimal::round_up(value, grid_of(places)).steps());
}

template <int places>
Amount<places> Amount<places>::down(const Rational& value) {
  require_not_negative(value);
  return of_steps(Decimal::round_down(value, grid_of(places)).steps());
}

template <int places>
Amount<places> Amount<places>::of_steps(Int128 steps) {
  if (steps < 0) require_not_negative(Rational(steps));
  Amount amount;
  amount.steps_ = steps;
  return amount;
}

template <int places>
Amount<places> Amount<places>::parse(std::string_view text) {
  if (const std::optional<Int128> steps = shortest_decimal(text, places)) return of_steps(*steps);
  const Amount nearest = down(Rational::parse(text));
  throw Error{Code::bad_number, fmt::format("\"{}\" is not an amount in its shortest decimal form", text),
              fmt::format("write it with at most {} decimals, such as {}", places, nearest.str())};
}

template <int places>
Rational Amount<places>::value() const {
  return Decimal(grid_of(places), steps_).value();
}

template <int places>
std::string Amount<places>::str() const {
  std::string digits = to_string(steps_);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

template class Amount<18>;
template class Amount<32>;
template class Amount<36>;

}  // namespace dither::accounting
