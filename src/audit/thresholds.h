// Where to cut scores without cheating: five ways that are right about their confidence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/lower_bound.h"

namespace dither::audit {

// Scores of an attack, higher for "in", one for each run; runs of a kind are independent draws. The attack says "in"
// when the score is at least a threshold.
struct AttackScores {
  std::vector<double> out;
  std::vector<double> in;
};

// Each function answers an epsilon lower bound at `delta` with confidence 1 - false_alarm (T-34). They differ in how
// the threshold is found. Taking the best threshold on the very scores that are then counted is wrong more often than
// that; nothing here does it, and thresholds_test.cc shows what happens.
//
// Refuses    no scores of a kind (bad-count), NaN (bad-number), delta outside [0, 1], false_alarm outside (0, 1)
//            (bad-probability); what is said below.
// Spec       T-35.

// What an attack with this threshold gets wrong.
ErrorCounts errors_at(const AttackScores& scores, double threshold);

// A threshold that was fixed before the runs.
double epsilon_at_threshold(const AttackScores& scores, double threshold, double delta, double false_alarm);

// The best of several thresholds that were fixed before the runs: each is tested at false_alarm / their number
// (Bonferroni). Refuses none of them (bad-count).
double epsilon_of_thresholds(const AttackScores& scores, std::span<const double> thresholds, double delta,
                             double false_alarm);

// Chooses the threshold on a random half of the runs (share 1/2, or another in (0, 1)) and counts on the others. The
// seed chooses the halves. Refuses a share outside (0, 1) (bad-probability), or one that
// leaves a part without scores (bad-count).
struct SplitChoice {
  double share = 0.5;  // of the runs, to choose on
  std::uint64_t seed = 1;
};
double epsilon_by_split(const AttackScores& scores, const SplitChoice& choice, double delta, double false_alarm);
// The errors it counts, on the runs that had no part in the choice.
ErrorCounts errors_by_split(const AttackScores& scores, const SplitChoice& choice, double delta, double false_alarm);

// The median of many splits, each at half the false alarm.
// Proof      a median above the true epsilon needs half of the splits to be wrong; on average at most a share
//            false_alarm / 2 is, so by Markov's inequality that has probability at most false_alarm. The splits may
//            depend on each other as they like. (The lower of the two middle ones is taken.)
double epsilon_by_median_of_splits(const AttackScores& scores, int splits, const SplitChoice& choice, double delta,
                                   double false_alarm);

// Any threshold at all: both whole curves lie within the band of Dvoretzky, Kiefer and Wolfowitz (Massart's constant,
// one-sided, false_alarm / 2 each), so the best threshold may be read off the scores themselves.
double epsilon_by_band(const AttackScores& scores, double delta, double false_alarm);

// The threshold that promises the largest bound if as many fresh scores fell like these, half-way to the next lower
// score: for choosing only.
double best_threshold(const AttackScores& training, double delta, double false_alarm);

}  // namespace dither::audit
