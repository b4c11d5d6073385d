// The hypergeometric law: marked things among those that are drawn without putting back.
#pragma once

#include <cstdint>

namespace dither::stats {

// log P(X >= hits), X the marked ones among `drawn` of `all` things of which `marked` are marked.
//
// Promise    the absolute error is at most 1e-13 (1 + |result|) + 1e-15 sqrt(all); 0 and -infinity where that is certain.
// How        three binomial densities, whose common p cancels, times a sum of positive terms of the smaller tail; the
//            larger tail is its complement.
// Refuses    `all` outside 1..10^12, `drawn` or `marked` outside 0..all (bad-count). Any `hits` will do.
// Cost       about 10 sqrt(all) steps close to the mean, far fewer in the tails.
double hypergeometric_log_upper(std::int64_t hits, std::int64_t drawn, std::int64_t marked, std::int64_t all);

}  // namespace dither::stats
