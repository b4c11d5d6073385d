// Means of bounded values, with a size that is public or one that is not.
#pragma once

#include <cstdint>
#include <functional>

#include "calculus/aggregates.h"
#include "calculus/measurement.h"

namespace dither::mechanisms {

// A mean that was released, from released numbers and public parameters alone (rule 8).
struct MeanEstimate {
  Rational value;         // within the bounds
  double standard_error;  // of the noise; of a quotient to first order
  Rational low, high;     // 95% interval for the exact mean of the values as they are on the grid, within the bounds
};

// What releases the numbers behind a mean, and what is made of them afterwards.
struct NoisyMean {
  calculus::AnyMeasurement measurement;
  std::function<MeanEstimate(const calculus::Data& released)> estimate;  // post-processing: costs nothing
};

// The mean over `size` units of each unit's value (of several rows: their total, clamped into the bounds again), by
// discrete Laplace noise on the sum.
//
// Guarantee  units-replaced, one unit: epsilon; d units d epsilon.
// Proof      no unit can vanish, so the sum moves by U - L (aggregates.h), and `size` is declared, never read.
// Refuses    a unit or value column that may be NULL or NaN: dropping is a filter, and the size behind one is private
//            (mixed-domains); size 0 (bad-count); epsilon that is not positive (bad-scale); what total-sum refuses.
// Error      standard error (U - L) sqrt(2) / (epsilon size); the interval covers 95% or more.
// Spec       F-41 (a), F-51.
NoisyMean make_mean_of_known_size(const calculus::TableDomain& table, const calculus::Values& values,
                                  std::uint64_t size, const Rational& epsilon);

// Budgets of the two numbers that a mean of private size is made of.
struct MeanBudget {
  Rational sum, count;
};

// The mean of the rows that have a value: a noisy sum of distances from the middle of the bounds, over a noisy count of
// those rows. Answers: the sum in half steps of the finer grid of scaled sums (aggregates.h), and the count.
//
// Scaling    a unit with more than `rows` of them counts as `rows`, and its total is scaled by rows / how many it has: each of its
//            rows weighs less, and its own mean stays. What is estimated is the mean with these weights.
//
// Guarantee  units-added, units-replaced, units-changed, one unit: epsilon = budget.sum + budget.count; d units d
//            times that.
// Proof      the sum moves by r (U - L) half steps, the count by r (aggregates.h); the two are composed. Under
//            units-replaced the sum moves by up to twice that, so its noise is twice as wide; the count by r, or less.
// Size       `at_least` (0 when nothing is known) is declared, and only used afterwards: the count is taken as no
//            smaller.
// Interval   a rectangle: sum and count each within their 97.5% radius, so both with 95% or more; the quotient over the
//            rectangle, within the bounds. Where the count may be 0 it says nothing but the bounds. It covers 95% or
//            more.
// Refuses    epsilons that are not positive (bad-scale); what total-sum refuses.
// Spec       F-41 (b), (c); holes 21, 41.
NoisyMean make_mean_of_private_size(const calculus::TableDomain& table, const calculus::Metric& from,
                                    const calculus::Values& values, std::uint64_t rows, const MeanBudget& budget,
                                    std::uint64_t at_least);

// The standard error of (sum + noise) / (count + noise) to first order: sqrt(sum_error^2 + (mean count_error)^2) /
// count.
double quotient_error(double sum_error, double count_error, double mean, double count);

}  // namespace dither::mechanisms
