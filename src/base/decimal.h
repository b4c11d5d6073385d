// Fixed-point numbers on a declared grid: amounts that add up exactly.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>

#include "base/rational.h"

namespace dither {

// The multiples of a positive step. Copies share the step.
class Grid {
 public:
  explicit Grid(const Rational& step);  // bad-grid unless step > 0
  // The grid of numbers with so many decimal places: 10^-places, places from 0 to 38 (bad-grid otherwise).
  static Grid of_decimals(int places);

  const Rational& step() const { return *step_; }
  friend bool operator==(const Grid& a, const Grid& b) { return a.step_ == b.step_ || *a.step_ == *b.step_; }

 private:
  std::shared_ptr<const Rational> step_;
};

// A whole number of steps of a grid.
//
// Promise    sums and differences are exact; text and rational value are exact; ten times 0.1 is 1.
// Refuses    two grids in one operation (bad-grid); results beyond 128 bits (out-of-range), except where the name says
//            saturating: those stop at the end of the range and are for values that are already released.
// Cost       arithmetic as for Int128; conversions a few hundred ns.
class Decimal {
 public:
  Decimal(Grid grid, Int128 steps) : grid_(std::move(grid)), steps_(steps) {}

  // The nearest number on the grid, half to even. NaN and infinities are a bad-number, as is text that is no number.
  static Decimal round(const Rational& value, const Grid& grid);
  static Decimal round(double value, const Grid& grid) { return round(Rational::from_double(value), grid); }
  static Decimal parse(std::string_view text, const Grid& grid) { return round(Rational::parse(text), grid); }
  // The nearest number on the grid that is not below, not above: prices round up, budgets down.
  static Decimal round_up(const Rational& value, const Grid& grid);
  static Decimal round_down(const Rational& value, const Grid& grid);
  // The number itself, or bad-grid when it lies between two steps.
  static Decimal exactly(const Rational& value, const Grid& grid);

  const Grid& grid() const { return grid_; }
  Int128 steps() const { return steps_; }
  Rational value() const { return grid_.step() * Rational(steps_); }

  Decimal& operator+=(const Decimal& b) { return *this = *this + b; }
  Decimal& operator-=(const Decimal& b) { return *this = *this - b; }
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b);
  friend Decimal add_saturating(const Decimal& a, const Decimal& b);
  friend Decimal sub_saturating(const Decimal& a, const Decimal& b);

  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

  // All digits, none more: "1.05". As a fraction, "4/3", on grids that decimals cannot write.
  std::string str() const;

 private:
  Grid grid_;
  Int128 steps_;
};

}  // namespace dither
