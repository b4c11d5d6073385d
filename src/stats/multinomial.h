// Counts in several cells: their exact probability, an exact test for few outcomes, a certified bound for many.
#pragma once

#include <cstdint>
#include <span>

namespace dither::stats {

// log of the probability of exactly these counts, with absolute error 1e-13 (1 + |result|) plus n |1 - sum of the
// probabilities|; -infinity when a cell of probability 0 was hit.
//
// Refuses (all of this header)  fewer than two cells, spans of unequal length, counts that are negative or sum to 0 or
// above 10^12 (bad-count); probabilities outside [0, 1] or with a sum further than 1e-9 from 1 (bad-probability).
double multinomial_log_pmf(std::span<const std::int64_t> counts, std::span<const double> probabilities);

// The exact test: the probability of all outcomes no more likely than this one. By enumeration; bad-count when there
// are more than a million outcomes. Rejecting at a value <= alpha has false alarm <= alpha.
double multinomial_exact_p_value(std::span<const std::int64_t> counts, std::span<const double> probabilities);

// n times the relative entropy of the observed frequencies to the probabilities: half the G statistic, in nats. Never
// negative; infinity when a cell of probability 0 was hit.
double multinomial_divergence(std::span<const std::int64_t> counts, std::span<const double> probabilities);

// An upper bound on log P(multinomial_divergence >= g) over `cells` cells that holds for every n and every law:
// (cells - 1)(1 + log(g / (cells - 1))) - g once g > cells - 1, and 0 below.
// Proof: the moment generating function of the divergence is at most that of a gamma law of shape cells - 1
// (R. Agrawal, Finite-sample concentration of the multinomial in relative entropy, IEEE Trans. Inf. Theory 66, 2020),
// and Chernoff's bound on that. bad-count for fewer than two cells, out-of-range for g < 0 or NaN.
double divergence_log_tail_bound(double g, std::int64_t cells);

}  // namespace dither::stats
