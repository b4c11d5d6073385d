// How far an empirical distribution can lie from its law: the certified bound of Dvoretzky, Kiefer and Wolfowitz.
#pragma once

#include <cstdint>

namespace dither::stats {

// log of min(1, 2 exp(-2 n d^2)), which is at least log P(sup |F_n - F| >= d) for every law, discrete or continuous,
// and every d and n (with the constant 2 of P. Massart, Annals of Probability 18, 1990). Refuses n outside 1..10^12
// (bad-count) and d outside [0, 1] (out-of-range).
double dkw_log_tail_bound(std::int64_t n, double distance);

// The half width of a confidence band that covers the whole law with probability 1 - alpha: sqrt(log(2/alpha) / (2n)),
// rounded up. Refuses alpha outside (0, 1) (bad-probability).
double dkw_band(std::int64_t n, double alpha);

}  // namespace dither::stats
