// Noise in the shape of the queries: many linear queries of one histogram at once.
#pragma once

#include <cstdint>

#include "base/rational.h"
#include "calculus/typed.h"
#include "mechanisms/detail/gauge.h"

namespace dither::mechanisms {

using IntegerMatrix = detail::IntegerMatrix;  // row by row, all as long

// Releases F x + z for a histogram x of integers, where P(z) is proportional to exp(-epsilon |z|) over integer vectors
// z, and |z| = min { |y|_1 : F y = z } is the norm whose ball K is what F makes of the l1 ball.
//
// Guarantee  inputs at L1 distance d cost d epsilon, pure: |F x - F x'| <= |x - x'|_1, and the sum of the weights does
//            not depend on x, since F x is a vector of integers.
// Holds if   x has as many coordinates as F has columns. Each is taken to the nearest of -2^60 ... 2^60 first.
// Refuses    no rows, more than 12, more than 4096 columns, rows of different lengths, entries beyond 2^20, a domain of
//            another dimension (bad-count); dependent rows (no-theorem); epsilon outside [10^-4, 50] (bad-scale); a
//            matrix for which rejection may take more than 1000 rounds on average (out-of-range).
// Cost       `k_norm_rounds` bounds the rounds on average, each a linear programme of about a millisecond. What it
//            takes depends on the noise, never on x.
// Error      no bar: single coordinates have no law in closed form. With F of random +1 and -1, 8 rows and 64 columns,
//            the total squared error is about 215 / epsilon^2, against 1024 / epsilon^2 of independent Laplace noise.
// Spec       R-09.
calculus::Measurement<calculus::L1, calculus::Pure> make_k_norm(const calculus::VectorDomain& domain,
                                                                const IntegerMatrix& matrix, const Rational& epsilon);

// How many rounds a draw takes on average, at most: (sum of the proposal's weights) / (sum of exp(-epsilon |z|)), the
// latter from below by a basis B of columns of F: z = B (y + u) with whole y and |u_i| <= 1/2 has |z| <= |y + u|_1, and
// the sum over y of exp(-epsilon |y + u|) is at least 1 / sinh(epsilon / 2) for each coordinate and each of the |det B|
// cosets.
double k_norm_rounds(const IntegerMatrix& matrix, const Rational& epsilon);

}  // namespace dither::mechanisms
