// Norms of a distance in cells, and the sigma for one.
#pragma once

#include <algorithm>

#include "base/directed.h"
#include "calculus/metric.h"

namespace dither::sql::detail {

// The best that the four bounds say together.
inline Rational l1_of(const calculus::CellsDistance& d) { return std::min(d.l1, d.cells * d.largest); }
inline Rational l2_squared_of(const calculus::CellsDistance& d) {
  return std::min({d.l2_squared, l1_of(d) * d.largest, d.cells * d.largest * d.largest});
}

// A sigma with sigma^2 >= square, rounded up.
inline Rational root_up(const Rational& square) { return Rational::from_double(sqrt_up(square.to_double_up())); }

}  // namespace dither::sql::detail
