// The shuffle model: n people randomise their answers themselves, and a shuffler forgets who sent which.
//
// Holds for  replace-one (one person's answer changes) and any local randomiser that is epsilon-DP by itself: the same
//            for all people, or a sequence of randomisers, each perhaps chosen after earlier answers, that people who
//            were shuffled first pass through.
// Spec       B-19: Feldman, McMillan, Talwar, "Hiding among the clones" (FOCS 2021). The general bound of the same
//            authors' later paper (2022) has an erratum: it holds for a restricted class of randomisers and is not
//            here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accounting/certified.h"
#include "accounting/loss.h"
#include "base/rational.h"

namespace dither::accounting {

// Each other person's answer is, with probability e^-epsilon, a clone of the changed person's two answers, either with
// equal chance. With C ~ Binomial(n - 1, e^-epsilon) clones, A ~ Binomial(C, 1/2) of them of the first kind and
// a = e^epsilon / (1 + e^epsilon), the pair (A + Bernoulli(a), C) and (A + Bernoulli(1 - a), C) dominates the shuffled
// answers, in both directions.

// delta at `at_epsilon` of that pair, rounded up, for one use.
//
// Promise    above the exact sum by less than 1e-9 of it and 1e-40, when n e^-epsilon <= 10^4; beyond, numbers of
//            clones are rounded down in groups, as in shuffle_loss, but finer.
// Refuses    epsilon <= 0 (bad-number), fewer than 2 or more than 10^10 people (bad-count), at_epsilon < 0.
// Cost       1 ms for a thousand people at epsilon 1, 70 ms for a million.
double shuffle_delta_up(const Rational& epsilon, std::uint64_t people, double at_epsilon);

// The pair as finitely many losses, to be composed with others. It dominates; that it is attained is not known.
//
// Promise    losses are moved apart to the ends of `most_atoms` cells, which keeps both masses; fewer clones dominate
//            more of them (adding fair coins is post-processing), so numbers of clones may be rounded down in
//            groups; rare numbers and outcomes, below 1e-40, count as the largest loss, epsilon. Then masses are
//            raised by the bound of their rounding error from the top downwards, so the loss only grows.
// Refuses    as above; most_atoms < 16 or more than 10^6 (bad-count).
// Cost       2 ms for a thousand people at epsilon 1, 35 ms for a million, 0.3 s for 10^10.
AtomLoss shuffle_loss(const Rational& epsilon, std::uint64_t people, std::size_t most_atoms = 4096);

// The closed form ln(1 + (e^epsilon - 1) / (e^epsilon + 1) (8 sqrt(e^epsilon ln(4/delta) / n) + 8 e^epsilon / n)),
// rounded up. Holds if epsilon <= ln(n / (16 ln(4/delta))) (the authors' code; their text has ln(2/delta), which is
// less careful); no-theorem otherwise. delta outside (0, 1): bad-probability.
double shuffle_epsilon_up(const Rational& epsilon, std::uint64_t people, double delta);

// What n releases at a sampling rate of 1/n would cost by advanced composition: the picture that explains shuffling,
// not a bound on it.
Estimate shuffle_heuristic(const Rational& epsilon, std::uint64_t people, double delta);

}  // namespace dither::accounting
