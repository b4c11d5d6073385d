// Audits that measure means: a private mechanism cannot move its mean output far, nor follow each record closely.
//
// For whoever studies an estimator (a mean, a fitted parameter) and has its outputs on neighbouring inputs, or on
// inputs drawn at random, but no good attack: means are enough. A library function; the bounds of means serve by
// themselves.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace dither::audit {

// The mean of a law on [low, high] from n independent draws of it: at least, or at most, this, with chance 1 - alpha
// for every n >= 2 (Maurer and Pontil's empirical Bernstein bound: sample variance and range both take part).
// Refuses    fewer than 2 draws (bad-count), draws or bounds that are NaN or outside (out-of-range), alpha outside
//            (0, 1) (bad-probability).
struct Range {
  double low = 0;
  double high = 1;
};
double mean_lower_bound(std::span<const double> draws, const Range& range, double alpha);
double mean_upper_bound(std::span<const double> draws, const Range& range, double alpha);

// epsilon at `delta` is at least this, with confidence 1 - false_alarm, from outputs in [-bound, bound] of two
// neighbouring inputs whose means differ.
//
// Why        E X <= E Y + (e^epsilon - 1) E|Y| + 2 delta bound when X and Y are (epsilon, delta)-close (Lemma 3.26);
//            the three means are bounded jointly, a third of the false alarm each. Which input comes first, and the
//            sign, are fixed before the draws: outputs with a clamp, which is post-processing, are fine.
// Spec       A-35.
double epsilon_lower_bound_of_means(std::span<const double> first, std::span<const double> second, double bound,
                                    double delta, double false_alarm);

// One round of tracing: P uniform in [0, 1], n records that are 1 with probability P each, an answer in [0, 1].
struct TracingRound {
  double probability = 0;  // P
  std::int64_t ones = 0;   // among the n records
  double answer = 0;
};

// epsilon at `delta` under replacement of one record is at least this, with confidence 1 - false_alarm.
//
// Why        (answer - P)(X_i - P) has mean 0 when the answer saw a fresh record in place of record i; so by Lemma 3.26
//            the tracing mean E[(answer - P) sum (X_i - P)] is at most n times
//            (e^epsilon - 1) E[2 P (1 - P) |answer - P|] + 2 delta. Both means are bounded jointly. Accurate answers
//            from few records must be traceable (the identity below), so they cannot have a small epsilon.
// Refuses    records outside 1..10^6, ones outside 0..records (bad-count), a probability outside [0, 1]
//            (bad-probability), an answer outside [0, 1] (out-of-range).
// Spec       A-34.
double epsilon_lower_bound_of_tracing(std::span<const TracingRound> rounds, std::int64_t records, double delta,
                                      double false_alarm);

// Both terms of the tracing identity for an answer that depends on the number of ones, exactly integrated over P: their
// sum is at least 1/12 for every answer (Lemma 3.25). 1/2 gives (0, 1/12), the mean of the records (1/6, 0).
struct TracingTerms {
  double tracing = 0;       // E[(f - P) sum (X_i - P)]
  double squared_bias = 0;  // E_P[(E[f] - P)^2]
};
TracingTerms tracing_terms(const std::function<double(std::int64_t ones)>& answer, std::int64_t records);

}  // namespace dither::audit
