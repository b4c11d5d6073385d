// Mean, variance and tails of the laws, known without drawing.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "random/real_law.h"

namespace dither::random {

// A law of whole numbers K, or of multiples K of a grid step. Numbers are right to nine digits (shown with six).
struct Moments {
  using Moment = std::optional<double>;  // nothing where the law has none; infinity is a value

  Moment mean;                                        // of K
  Moment variance;                                    // of K
  std::function<std::optional<double>(Int128)> tail;  // P(|K| >= k), k >= 1; nothing where it would take too long
  double centre;                                      // where to look at tails: around here,
  double spread;                                      // so far out
};

Moments discrete_laplace_moments(const Rational& scale);
Moments discrete_gaussian_moments(const Rational& sigma);
Moments geometric_moments(const Rational& success);
Moments truncated_geometric_moments(const Rational& scale, Int128 upper, Int128 value);
Moments binomial_moments(Int128 trials, const Rational& success);
Moments poisson_moments(const Rational& rate);
Moments skellam_moments(const Rational& plus, const Rational& minus);
Moments uniform_moments(Int128 below);
// 0 .. n-1 with probabilities proportional to the weights.
Moments choice_moments(const std::vector<double>& weights);
// round(ratio * Z): tails are those of the rounded number, mean and variance those of ratio * Z.
Moments real_moments(const RealLaw& law, const Rational& ratio);

// Whether round(ratio * Z) lies beyond 64 bits with probability below 2^-100.
bool real_fits_int64(const RealLaw& law, const Rational& ratio);

}  // namespace dither::random
