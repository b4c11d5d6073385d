// Exact binomial probabilities and tails, in log space and linear, for up to 10^12 trials.
#pragma once

#include <cstdint>

namespace dither::stats {

// X counts hits in n independent trials that hit with probability p, the exact value of the double given.
//
// Promise    the absolute error of a logarithm is at most 1e-14 (1 + |result|) + 1e-15 sqrt(n), so results of -10^6
//            keep nine decimals; -infinity stands for an impossible event. The linear forms have that relative error
//            down to 1e-300, also close to 1.
// How        Loader's saddle-point density times a sum of positive terms of the smaller tail, cut where the rest is
//            below 1e-17 of the sum; the larger tail is its complement. Nothing cancels.
// Refuses    n outside 1..10^12 or hits outside 0..n (bad-count); p outside [0, 1] or NaN (bad-probability).
// Cost       about 10 sqrt(n p (1-p)) steps close to the mean, far fewer in the tails: 1 ms at n = 10^9.
double binomial_log_pmf(std::int64_t hits, std::int64_t n, double p);
double binomial_log_lower(std::int64_t hits, std::int64_t n, double p);  // log P(X <= hits)
double binomial_log_upper(std::int64_t hits, std::int64_t n, double p);  // log P(X >= hits)
double binomial_lower(std::int64_t hits, std::int64_t n, double p);      // P(X <= hits)
double binomial_upper(std::int64_t hits, std::int64_t n, double p);      // P(X >= hits)

}  // namespace dither::stats
