#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace dither {

namespace {

constexpr int kMaxPlaces = 38;  // 10^38 is the last power of ten in 128 bits

void require_same_grid(const Decimal& a, const Decimal& b) {
  if (a.grid() == b.grid()) return;
  throw Error{Code::bad_grid, fmt::format("steps of {} meet steps of {}", a.grid().step().str(), b.grid().step().str()),
              "round one of the two onto the other's grid first"};
}

// The number of decimal places that write 1/denominator exactly, or -1 when none do.
long decimal_places(mpz_srcptr denominator) {
  mpz_t rest, factor;
  mpz_inits(rest, factor, nullptr);
  mpz_set_ui(factor, 2);
  const auto twos = static_cast<long>(mpz_remove(rest, denominator, factor));
  mpz_set_ui(factor, 5);
  const auto fives = static_cast<long>(mpz_remove(rest, rest, factor));
  const bool ends = mpz_cmp_ui(rest, 1) == 0;
  mpz_clears(rest, factor, nullptr);
  return ends ? std::max(twos, fives) : -1;
}

}  // namespace

Grid::Grid(const Rational& step) : step_(std::make_shared<const Rational>(step)) {
  if (step.sign() <= 0) {
    throw Error{Code::bad_grid, fmt::format("the grid step is {}, but it must be positive", step.str()),
                "give a step such as 0.01"};
  }
}

Grid Grid::of_decimals(int places) {
  if (places < 0 || places > kMaxPlaces) {
    throw Error{Code::bad_grid, fmt::format("{} decimal places are not between 0 and {}", places, kMaxPlaces),
                "give a number of places such as 18"};
  }
  return Grid(Rational(1) / pow(Rational(10), static_cast<unsigned>(places)));
}

Decimal Decimal::round(const Rational& value, const Grid& grid) {
  return {grid, (value / grid.step()).round_half_even()};
}
Decimal Decimal::round_up(const Rational& value, const Grid& grid) { return {grid, (value / grid.step()).ceil()}; }
Decimal Decimal::round_down(const Rational& value, const Grid& grid) { return {grid, (value / grid.step()).floor()}; }

Decimal Decimal::exactly(const Rational& value, const Grid& grid) {
  const Rational steps = value / grid.step();
  if (!steps.is_integer()) {
    throw Error{Code::bad_grid, fmt::format("a value is not a multiple of {}", grid.step().str()),
                "give a value on the grid, or a finer grid"};
  }
  return {grid, steps.floor()};
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  require_same_grid(a, b);
  return {a.grid_, add_checked(a.steps_, b.steps_)};
}

Decimal operator-(const Decimal& a, const Decimal& b) {
  require_same_grid(a, b);
  return {a.grid_, sub_checked(a.steps_, b.steps_)};
}

Decimal add_saturating(const Decimal& a, const Decimal& b) {
  require_same_grid(a, b);
  return {a.grid_, add_saturating(a.steps_, b.steps_)};
}

Decimal sub_saturating(const Decimal& a, const Decimal& b) {
  require_same_grid(a, b);
  return {a.grid_, sub_saturating(a.steps_, b.steps_)};
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  require_same_grid(a, b);
  return a.steps_ <=> b.steps_;
}

std::string Decimal::str() const {
  const Rational exact = value();
  const long places = decimal_places(mpq_denref(exact.get()));
  if (places <= 0) return exact.str();
  const Rational shifted = abs(exact) * pow(Rational(10), static_cast<unsigned>(places));
  std::string digits = shifted.str();  // a whole number
  if (const auto wanted = static_cast<std::size_t>(places) + 1; digits.size() < wanted) {
    digits.insert(0, wanted - digits.size(), '0');
  }
  digits.insert(digits.size() - static_cast<std::size_t>(places), 1, '.');
  return (exact.sign() < 0 ? "-" : "") + digits;
}

}  // namespace dither
