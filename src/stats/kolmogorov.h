// The law of the largest distance between a continuous law's cdf and that of n draws from it.
#pragma once

#include <cstdint>

namespace dither::stats {

// log P(sup (F_n - F) >= d), the one-sided distance. Exact: the finite sum of Birnbaum and Tingey, all terms positive.
// Absolute error of the logarithm at most 1e-12 (1 + |result|).
//
// Refuses (all of this header)  n outside 1..10^6 (bad-count; dkw.h has a bound for any n); d outside [0, 1]
// (out-of-range). Cost: up to n steps.
double smirnov_log_upper(std::int64_t n, double distance);

// log P(sup |F_n - F| >= d), the two-sided distance.
//
// Promise    where the result is below 1e-4 it is twice the one-sided tail, an upper bound that exceeds the truth by
//            less than 1e-11 of it. Above, up to n = 1000: Durbin's matrix (as by Marsaglia, Tsang and Wang), absolute
//            error of the probability below 1e-12. Above n = 1000: Kolmogorov's limit at a shifted argument (J. Vrbik,
//            2018), from 0.8 / sqrt(n) on only as a correction of the exact one-sided tail: absolute error below 3e-5,
//            and below 1e-6 where the result is below 0.1; measured against the matrix, and falling like 1/n.
// Cost       up to n steps, or products of matrices of side 5 sqrt(n): 50 ms at n = 1000.
double kolmogorov_log_upper(std::int64_t n, double distance);

}  // namespace dither::stats
