#include "accounting/amount.h"

#include <fmt/format.h>

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
  const Amount amount = down(Rational::parse(text));
  if (amount.str() != text) {
    throw Error{Code::bad_number, fmt::format("\"{}\" is not an amount in its shortest decimal form", text),
                fmt::format("write it with at most {} decimals, such as {}", places, amount.str())};
  }
  return amount;
}

template <int places>
Rational Amount<places>::value() const {
  return Decimal(grid_of(places), steps_).value();
}

template <int places>
std::string Amount<places>::str() const {
  return Decimal(grid_of(places), steps_).str();
}

template class Amount<18>;
template class Amount<32>;
template class Amount<36>;

}  // namespace dither::accounting
