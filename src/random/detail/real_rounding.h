// The last step of a real draw: which grid point a sum lies nearest to.
#pragma once

#include <cstdint>
#include <optional>

#include "base/big_interval.h"
#include "base/rational.h"
#include "random/detail/real_ball.h"

namespace dither::random::detail {

// A number in grid steps with the half step of rounding to nearest added: floor(it + noise) is the point wanted.
struct GridValue {
  // value / grid, from kInt128Min to kInt128Max (out-of-range), and scale / grid.
  GridValue(const Rational& value_over_grid, const Rational& ratio);

  struct Rest {
    explicit Rest(const Rational& value);
    Int128 whole;            // floor
    std::uint64_t fraction;  // the rest in units of 2^-64, rounded down
    bool inexact;            // whether that dropped something
    Rational exact;
  };

  Int128 index;
  Rest rests[2];  // of the number itself, and of the number plus scale, from which reflected noise is taken off
};

// Sets floor(value + noise), stopped at the ends of 128 bits, when the ball decides it. No branch follows the value.
template <int N>
bool round_ball(const Ball<N>& noise, const GridValue& value, std::uint64_t reflected, Int128* result);

extern template bool round_ball(const Ball<2>&, const GridValue&, std::uint64_t, Int128*);
extern template bool round_ball(const Ball<3>&, const GridValue&, std::uint64_t, Int128*);

// The same for an interval of noise.
std::optional<Int128> round_interval(const BigInterval& noise, const GridValue& value, bool reflected);

}  // namespace dither::random::detail
