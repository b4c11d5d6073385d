// What is known of a law without drawing: the column beside the drawn one in a summary.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rational.h"
#include "random/real_law.h"

namespace dither::cli {

// A law of whole numbers K, or of multiples K of a grid step. Numbers are right to nine digits (shown with six).
struct ExactLaw {
  using Moment = std::optional<double>;  // nothing where the law has none; infinity is a value

  Moment mean;                                        // of K
  Moment variance;                                    // of K
  std::function<std::optional<double>(Int128)> tail;  // P(|K| >= k), k >= 1; nothing where it would take too long
  double centre;                                      // where to look at tails: around here,
  double spread;                                      // so far out
};

ExactLaw exact_discrete_laplace(const Rational& scale);
ExactLaw exact_discrete_gaussian(const Rational& sigma);
ExactLaw exact_geometric(const Rational& success);
ExactLaw exact_truncated_geometric(const Rational& scale, Int128 upper, Int128 value);
ExactLaw exact_binomial(Int128 trials, const Rational& success);
ExactLaw exact_poisson(const Rational& rate);
ExactLaw exact_skellam(const Rational& plus, const Rational& minus);
ExactLaw exact_uniform(Int128 below);
// 0 .. n-1 with probabilities proportional to the weights.
ExactLaw exact_choice(const std::vector<double>& weights);
// round(ratio * Z): tails are those of the rounded number, mean and variance those of ratio * Z.
ExactLaw exact_real(const random::RealLaw& law, const Rational& ratio);

}  // namespace dither::cli
