// The chi-square law's tail and Pearson's statistic.
#pragma once

#include <cstdint>
#include <span>

namespace dither::stats {

// P(chi-square with `degrees` degrees of freedom >= x), and its logarithm.
//
// Promise    the absolute error of the logarithm is at most 1e-13 (1 + |result|); results of -10^6 are right too. The
//            linear form has that relative error down to 1e-300, also close to 1.
// Refuses    x negative or NaN, degrees outside [1e-3, 1e10] (out-of-range).
// Cost       about 10 sqrt(degrees) steps at most.
double chi_square_upper(double x, double degrees);
double chi_square_log_upper(double x, double degrees);

// Pearson's sum of (count - n p)^2 / (n p); infinity when a cell of probability 0 was hit, and such a cell adds nothing
// otherwise. Refuses what multinomial_log_pmf refuses. Its law is only close to chi-square, and poorly so far out: for
// a certified verdict use multinomial_divergence and its bound.
double pearson_statistic(std::span<const std::int64_t> counts, std::span<const double> probabilities);

}  // namespace dither::stats
