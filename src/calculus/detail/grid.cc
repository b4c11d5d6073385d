#include "calculus/detail/grid.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "calculus/detail/cells.h"

namespace dither::calculus::detail {

Grid::Grid(const Bounds& bounds, const Rational& step) : bounds_(bounds), step_(step) {
  if (step.sign() <= 0) {
    throw Error{Code::bad_grid, fmt::format("the step of the grid is {}, but must be positive", step.str()),
                "write a positive step, such as 1 or 0.01"};
  }
  const Rational limit = Rational::power_of_two(62) * step;
  if (bounds.low > bounds.high || abs(bounds.low) >= limit || abs(bounds.high) >= limit) {
    throw Error{Code::bad_bounds,
                fmt::format("the bounds [{}, {}] are reversed or reach 2^62 steps of {}", bounds.low.str(),
                            bounds.high.str(), step.str()),
                "write the smaller number first, narrower bounds, or a larger step"};
  }
  low_ = (bounds.low / step).round_half_even();
  high_ = (bounds.high / step).round_half_even();
}

Int128 Grid::of(const Cell& cell) const {
  if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isinf(*real)) {
    return *real > 0 ? high_ : low_;
  }
  const auto value = exact_number(cell);
  if (!value) return 0;
  if (*value <= bounds_.low) return low_;
  if (*value >= bounds_.high) return high_;
  return (*value / step_).round_half_even();
}

}  // namespace dither::calculus::detail
