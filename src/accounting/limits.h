// What no mechanism can do: lower bounds on error, and the identities behind them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/rational.h"

namespace dither::accounting {

// k means of bits over n people under (epsilon, delta)-DP: some data has a root mean square error per mean of at least
// min(sqrt k / (16 n (e^epsilon - 1)), 1/10), rounded down. Nothing when the theorem does not apply: it needs
// delta <= 1 / (100 n) and k >= 200 (e^epsilon - 1)^2 n. A planner warns when less is asked for.
std::optional<double> mean_error_floor(std::uint64_t n, std::uint64_t k, double epsilon, double delta);

// For an estimate of a mean of n bits that depends on their number of ones, answers[0..n], and p uniform in [0, 1]:
// how much it follows its data, E (answer - p) sum (x_i - p), plus how far it is off, E_p (E answer - mean)^2.
// At least 1/12 for every estimate: what is accurate can be traced. Exact.
// Refuses    fewer than two answers (bad-count). Cost  n^2 exact operations.
Rational tracing_sum(std::span<const Rational> answers);

// The largest mean of X in [-range, range] when X and Y are (epsilon, delta)-close both ways:
// E Y + (e^epsilon - 1) E|Y| + 2 delta range, rounded up.
double expectation_transfer_up(double mean, double mean_size, double range, double epsilon, double delta);
// What an auditor learns from it: the smallest epsilon for which the means may differ so much, rounded down.
double epsilon_from_means_down(double mean_x, double mean_y, double mean_size_y, double range, double delta);

}  // namespace dither::accounting
