// From the errors of an attack to an epsilon that the mechanism cannot have.
#pragma once

#include <cstdint>

namespace dither::audit {

// What an attack got wrong: it ran so often on each input, and each run was its own (T-04, T-05; trials that share one
// draw of the mechanism are not for this, see one_run.h).
struct ErrorCounts {
  std::int64_t false_positives = 0, negative_runs = 0;  // "in" was said of runs without the record
  std::int64_t false_negatives = 0, positive_runs = 0;  // "out" was said of runs with it
};

// What both error probabilities are at most, jointly, with confidence 1 - false_alarm: Clopper-Pearson upper ends at
// false_alarm / 2 each.
struct ErrorRates {
  double false_positive = 1;
  double false_negative = 1;
};
ErrorRates error_rates_upper(const ErrorCounts& counts, double false_alarm);

// The largest epsilon that rates below these refute: max(0, log((1 - delta - FPR) / FNR), log((1 - delta - FNR) /
// FPR)), rounded down. Infinite when a rate is 0 and the other below 1 - delta.
double epsilon_of_rates_down(const ErrorRates& rates, double delta);

// epsilon at `delta` is at least this, with confidence 1 - false_alarm: whatever the mechanism, runs and attack, it is
// above the true epsilon with probability at most false_alarm. The attack was fixed before these runs (thresholds.h).
//
// Refuses    negative_runs or positive_runs outside 1..10^12, more errors than runs (bad-count); delta outside [0, 1],
//            false_alarm outside (0, 1) (bad-probability).
// Proof      the region of Theorem 5.7 (region.h) is closed upward: both rates are below their ends except with
//            probability false_alarm, and where the ends already leave the region of epsilon, so do the rates.
// Spec       T-34.
double epsilon_lower_bound(const ErrorCounts& counts, double delta, double false_alarm);

// The bound of an attack without errors: what this many runs could show at most. Belongs beside every bound.
double ceiling(std::int64_t negative_runs, std::int64_t positive_runs, double delta, double false_alarm);

}  // namespace dither::audit
