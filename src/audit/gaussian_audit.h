// The bound that knows the shape of the noise.
#pragma once

#include "audit/lower_bound.h"

namespace dither::audit {

// ASSUMES the mechanism's trade-off curve is that of Gaussian noise, so that one number mu says everything. Nothing in
// the runs can show that; where it does not hold, `mu` still refutes every smaller mu of Gaussian DP, and `epsilon`
// says nothing about the mechanism. Print the assumption beside the number.
struct GaussianBound {
  double mu = 0;       // the mechanism is not mu-GDP for a smaller one, with confidence 1 - false_alarm; always valid
  double epsilon = 0;  // what Gaussian noise with that mu costs at delta
};

// The largest mu that rates below these refute: Phi^-1(1 - FPR) - Phi^-1(FNR), at least 0, rounded down; infinite when a
// rate is 0 and the other below 1.
double mu_of_rates_down(const ErrorRates& rates);

// mu = Phi^-1(1 - FPR) - Phi^-1(FNR) at the joint upper ends of both rates, at least 0; infinite epsilon when delta is
// 0 and mu is not. Rounded down. Refuses what lower_bound.h refuses. Spec T-37.
GaussianBound epsilon_lower_bound_if_gaussian(const ErrorCounts& counts, double delta, double false_alarm);

}  // namespace dither::audit
