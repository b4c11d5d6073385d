// Whether draws follow a law on the integers that has one scale, judged in three ways.
#pragma once

#include <functional>

#include "base/int128.h"

namespace dither::testing {

// The law as the tests see it.
struct ScaledLaw {
  double scale;                       // its natural width
  std::function<double(Int128)> cdf;  // P(K <= k), to 1e-12
  std::function<Int128()> draw;
};

// Draws n values and looks at 66 cells of a quarter scale each (chi_square_accepts), at the whole cdf (ks_accepts) and,
// where the scale exceeds 2^14, at the lowest six bits, which are then uniform to 2^-8 of what n = 10^5 could show.
// False alarm at most 3 * false_alarm.
bool fits(const ScaledLaw& law, std::int64_t n, double false_alarm);

// The cdfs of the two laws of noise, for one or for large scales.
double discrete_laplace_cdf(double scale, Int128 k);
double discrete_gaussian_cdf(double sigma, Int128 k);

}  // namespace dither::testing
