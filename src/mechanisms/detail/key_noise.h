// Thresholds and radii of discrete noise on counts by key.
#pragma once

#include <functional>

#include "accounting/key_release.h"
#include "base/int128.h"
#include "base/rational.h"
#include "calculus/metric.h"

namespace dither::mechanisms::detail {

// The least integer above `fails` at which a condition that turns on once holds; it must not hold at `fails`.
Int128 least_where(const std::function<bool(Int128)>& holds, Int128 fails);

// The least r with P(|noise| > r) <= failure, or one above it by rounding.
Int128 noise_radius(accounting::KeyNoise noise, const Rational& scale, const Rational& failure);

// Counts are integers, so of the four bounds only their whole parts count, and each bounds the others: a cell that moves
// moves by 1 at least, l1 is at most cells * largest, and l2 squared cells * largest squared. All zero where no count
// can differ.
calculus::CellsDistance of_integers(const calculus::CellsDistance& d);

// The bound that a law of noise needs, from a distance of its norm or of `cells`.
Rational l1_of(const calculus::Distance& d);
Rational l2_squared_of(const calculus::Distance& d);

// A number of cells or steps above this is more than anybody has: the delta is then 1.
inline constexpr long kMostCells = 1'000'000'000'000;

}  // namespace dither::mechanisms::detail
