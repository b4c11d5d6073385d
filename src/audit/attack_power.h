// How likely an attack was to refute a claim, had the mechanism been leakier than claimed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "audit/lower_bound.h"

namespace dither::audit {

// What is held against the attack: epsilon at delta, and for Gaussian DP also the trade-off curve of mu.
struct AttackedClaim {
  double epsilon = 0;
  double delta = 0;
  std::optional<double> mu = {};
};

// The upper ends that a method puts on both error rates.
struct UpperEnds {
  std::function<double(std::int64_t errors, std::int64_t runs)> rate;                     // grows with the errors
  std::function<bool(std::int64_t errors, std::int64_t runs, double most)> rate_is_most;  // whether it is at most that
};
UpperEnds exact_ends(double false_alarm);  // Clopper and Pearson's, as in lower_bound.h
UpperEnds band_ends(double false_alarm);   // those of epsilon_by_band (thresholds.h), at one threshold

// The chance that so many runs refute the claim, when the errors of an attack truly have these rates: both counts are
// binomial, and the ends of their rates leave the region of the claim.
//
// Promise    too small by 1/64 at most, and never too large but for roundings: false positives are taken in lumps of
//            that probability, each at its worst. Of more than 10^9 runs of a kind only 10^9 are counted on.
// Refuses    what lower_bound.h refuses.
// Cost       some 5000 binomial tails.
// Spec       T-53.
struct AttackRuns {
  std::int64_t negative = 0, positive = 0;
};
double chance_to_refute(const AttackRuns& runs, const ErrorRates& truth, const AttackedClaim& claim,
                        const UpperEnds& ends);

// That chance if epsilon (and mu) were `times` as large as claimed and the attack got all that this leaves it: one of
// its error rates as seen, (errors + 1/2) / (runs + 1), and the other as low as it can then be; the better of both ways.
// An attack that gets less has less power: this says what the runs could show, not how good the attack is.
double power_of_errors(const ErrorCounts& seen, const AttackedClaim& claim, double times, const UpperEnds& ends);

// The chance that so many guesses refute a claim when each is right with probability `rate`, on its own. `refutes` never
// turns false when more are right.
double power_of_guesses(std::int64_t guesses, double rate, const std::function<bool(std::int64_t right)>& refutes);

}  // namespace dither::audit
