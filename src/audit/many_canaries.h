// Audits with many canaries in each of several runs (lifted privacy, after Pillutla and others, 2023).
//
// For whoever audits something that is dear to run, such as the training of a model: where the canaries of a run
// hardly depend on each other, a few dozen runs show what takes thousands with one. A library function: its tests of
// canaries are yours to write.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dither::audit {

// The mean of exchangeable yes-or-no results is at most this, with chance 1 - alpha: n independent runs with `tests`
// results each, of which `hits` were yes; results of one run may depend on each other, but none is special.
//
// How        Bernstein's inequality for the runs' means, whose variance is (m2 - m1^2) + (m1 - m2) / tests, m1 the mean
//            and m2 that of products of two results of one run; m2 is bounded first, with half of alpha, by the same
//            inequality with the variance m2 (1 - m2) at most. Independent results give about the interval of
//            n * tests of them, results that are all equal that of n.
// Refuses    no runs, tests outside 1..10^9, hits outside 0..tests (bad-count); alpha outside (0, 1) (bad-probability).
// Spec       T-39.
double exchangeable_upper_bound(std::span<const std::int64_t> hits, std::int64_t tests, double alpha);

// Runs with K canaries, drawn independently from one law, all of them put in: each is tested once, and "out" was said
// of so many. And runs with K - 1 of them: so many fresh ones, never put in, are tested too, and "in" was said of so
// many.
struct ManyCanaries {
  std::vector<std::int64_t> false_positives;  // by run
  std::int64_t tests_out = 0;                 // fresh canaries a run
  std::vector<std::int64_t> false_negatives;
  std::int64_t tests_in = 0;  // K
};

// epsilon at `delta` is at least this, with confidence 1 - false_alarm: both rates at their bounds of false_alarm / 2
// put into the region of Theorem 5.7, which holds on the average over canaries too. The test of a canary was fixed
// before. About sqrt(runs) canaries are a good choice.
double epsilon_lower_bound_many_canaries(const ManyCanaries& counts, double delta, double false_alarm);

}  // namespace dither::audit
