// Whether times tell something: the statistics, without a clock.
#pragma once

#include <cstdint>
#include <span>

namespace dither::audit {

// Times of two kinds of work that were taken in pairs, one right after the other, in an order that a fair coin chose.
struct TwoSampleTest {
  double distance = 0;  // the largest between both empirical distributions (Kolmogorov, Smirnov)
  double p_value = 1;
};

// Whether both kinds take the same time. first[i] and second[i] are a pair.
//
// Promise    where the kinds do not differ, p_value <= x has probability at most x, for every x and every number of pairs:
//            such a pair could as well have been taken the other way round, so the distance is compared with that after
//            `swaps` random exchanges within pairs, and p = (1 + those at least as far) / (1 + swaps). Machines that
//            become slower or faster in between do no harm.
// Refuses    no pairs, or samples of different length (bad-count).
// Spec       W-72.
TwoSampleTest paired_times(std::span<const double> first, std::span<const double> second, int swaps,
                           std::uint64_t seed);

// How times go with sizes, such as those of the noise.
struct Correlation {
  double linear = 0;         // Pearson's r
  double rank = 0;           // Kendall's: probability of same order less that of the other
  double low = 0, high = 0;  // for `rank` of the law behind the pairs, with confidence 1 - false_alarm
};

// Promise    [low, high] holds the true rank correlation with probability 1 - false_alarm, for every law of independent
//            pairs and every n: it is the mean of a kernel in [-1, 1] of two pairs, so by Hoeffding (1963, section 5a) the
//            estimate is further off than t with probability at most 2 exp(-floor(n/2) t^2 / 2).
// Refuses    fewer than two pairs, or different lengths (bad-count); false_alarm outside (0, 1) (bad-probability).
Correlation correlation(std::span<const double> times, std::span<const double> sizes, double false_alarm);

}  // namespace dither::audit
