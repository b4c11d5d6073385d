// Exact confidence intervals for a probability, after a number of trials.
#pragma once

#include <cstdint>

namespace dither::stats {

struct ProbabilityInterval {
  double low;
  double high;
};

// The Clopper-Pearson interval: it contains the true probability with chance at least 1 - alpha, whatever that
// probability is. low is 0 without hits and high is 1 without misses; the ends are rounded outward, further than the
// tails' error reaches.
// The one-sided bounds hold with chance 1 - alpha each (the interval uses alpha / 2 on either side).
//
// Refuses    n outside 1..10^12, hits outside 0..n (bad-count); alpha outside (0, 1) (bad-probability).
// Cost       at most 64 binomial tails an end: under 50 ms at n = 10^9.
ProbabilityInterval clopper_pearson(std::int64_t hits, std::int64_t n, double alpha);
double probability_lower_bound(std::int64_t hits, std::int64_t n, double alpha);
double probability_upper_bound(std::int64_t hits, std::int64_t n, double alpha);

}  // namespace dither::stats
