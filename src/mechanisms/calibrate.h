// From a budget to the least noise that keeps it.
#pragma once

#include <cstdint>

#include "base/rational.h"

namespace dither::mechanisms {

// Distances are those of the mechanism's metric, in steps of the grid: L1 for Laplace noise, Euclidean and squared for
// Gaussian noise. Scales come back in steps.
//
// Promise    the budget is kept: what is not exact is rounded up.
// Refuses    epsilon <= 0 (analytic_sigma: < 0; bad-number), deltas outside [2^-1000, 1) (bad-probability: no
//            Gaussian noise has delta 0), distances <= 0 (bad-distance).

// Laplace noise, continuous or discrete: l1 / epsilon, exactly. Spec F-44.
Rational laplace_scale(const Rational& l1, const Rational& epsilon);

// Normal noise by its exact profile, in any dimension: the least sigma with
// Phi(d / (2 sigma) - epsilon sigma / d) - e^epsilon Phi(-d / (2 sigma) - epsilon sigma / d) <= delta. Spec F-54.
Rational analytic_sigma(const Rational& l2_squared, const Rational& epsilon, const Rational& delta);

// The textbook's d sqrt(2 ln(1.25 / delta)) / epsilon, larger than needed. Its proof ends at epsilon = 1, and near 8 it
// is wrong: refused above 1 (no-theorem). Spec F-53.
Rational classical_sigma(const Rational& l2_squared, const Rational& epsilon, const Rational& delta);

// Discrete Gaussian noise on one integer that moves by at most `steps`, by its own exact sum; beyond sigma 5000 by
// comparison with normal noise, 1e-6 above the least, and for deltas below 1e-100 or epsilons above 500 by zCDP; never
// below 1/512. The sigma of normal noise is not enough (F-70). For vectors take discrete_gaussian_vector_sigma, or
// normal noise.
// Cost       about 50 us times sigma.
Rational discrete_gaussian_sigma(std::uint64_t steps, const Rational& epsilon, const Rational& delta);

// Discrete Gaussian noise on vectors, by zCDP: d / sqrt(2 rho), rho the largest that gives (epsilon, delta). Spec A-24.
Rational discrete_gaussian_vector_sigma(const Rational& l2_squared, const Rational& epsilon, const Rational& delta);

}  // namespace dither::mechanisms
