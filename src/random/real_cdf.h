// The real laws themselves, to any precision: what real draws are compared with.
#pragma once

#include "base/big_interval.h"
#include "random/real_law.h"

namespace dither::random {

// P(Z <= x) for Z of the law, in closed form or by a series with a bounded rest.
//
// Cost       tens of microseconds; for gamma and beta the number of terms grows with x and with the shapes.
// Spec       F-43 (Laplace), F-52 (normal).
BigInterval real_cdf(const RealLaw& law, const Rational& x, long precision_bits);

// P(Z lies where value + scale * Z rounds to grid point k), with value / grid and scale / grid as given.
BigInterval rounded_real_pmf(const RealLaw& law, const Rational& value_over_grid, const Rational& scale_over_grid,
                             Int128 k, long precision_bits);

}  // namespace dither::random
