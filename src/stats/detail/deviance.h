// The pieces of exact log densities: Stirling's error and the deviance. Private to the room.
#pragma once

namespace dither::stats::detail {

// log(x!) - log(sqrt(2 pi x) (x/e)^x), for real x > 0. Absolute error below 1e-14.
double stirling_error(double x);

// x log(x / mean) + mean - x for x >= 0, mean > 0, where `excess` is x - mean, given apart because the caller knows it
// more exactly than the subtraction would. Never negative; relative error below 1e-14 in terms of that excess.
double deviance(double x, double mean, double excess);

// log of C(a+b, a) p^a (1-p)^b for real a, b >= 0 (factorials by the gamma function) and 0 < p < 1.
// Error at most 3e-14 + 1e-14 |result|: both deviances are positive, so nothing cancels, also at a + b = 10^12.
double log_binomial_kernel(double a, double b, double p);

}  // namespace dither::stats::detail
