// Means of bounded functions of the output: bounds for every number of runs, and what they prove.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "audit/effort.h"
#include "audit/target.h"

namespace dither::audit::detail {

// A function of the output with values in [0, 1].
using Bounded = std::function<double(std::span<const double> row)>;

struct Mean {
  std::int64_t runs = 0;
  double mean = 0;
  double variance = 0;  // of the sample, divided by runs - 1
};
Mean mean_of(const Outputs& outputs, const Bounded& function);
// Of fresh runs, which are forgotten. May stop early at effort.deadline.
Mean mean_of(const Draw& draw, const Shape& shape, const Bounded& function, std::int64_t runs, const Effort& effort);

// Below, or above, the true mean except with probability `alarm`, for every law on [0, 1]: the empirical Bernstein
// inequality of Maurer and Pontil (2009), mean -+ sqrt(2 variance log(2 / alarm) / runs) + 7 log(2 / alarm) / (3 (runs - 1)).
// 0 and 1 with fewer than two runs.
double mean_at_least(const Mean& seen, double alarm);
double mean_at_most(const Mean& seen, double alarm);

// For a mechanism with (epsilon, delta) and a function g with values in [0, 1], E g <= e^epsilon E' g + delta: g is an
// average of indicators of the events g > t. This is the epsilon at delta that the two bounds refute; 0 when none.
double refuted_epsilon(double least, double most, double delta);

}  // namespace dither::audit::detail
