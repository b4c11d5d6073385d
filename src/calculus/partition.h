// Measurements of the parts of a partition: parallel composition.
#pragma once

#include <vector>

#include "calculus/measurement.h"

namespace dither::calculus {

// One measurement for each of several tables, in the metric `sum of inner`, inner being that of the measurements:
// what a split of a table by a public function of the row (or of the unit) gives. Answers, in the order of the parts.
//
// Guarantee  inputs at total distance d cost the worst way of sharing d steps among the parts,
//            max of sum loss_i(d_i) over sum d_i <= d, number by number: at d = 1 the largest loss; at d = 2, which is one
//            row replaced, the two largest at 1 or the largest at 2 (F-30, W-22). Each part answers by its own
//            map, linear or not. Above d = 64 by the group rule of the measure from d = 1, never below the bound at 64.
// Holds if   the data stays as it is between the releases.
// Refuses    none (bad-count); inner metrics that differ or are not between tables (mixed-metrics, no-theorem);
//            measures that differ (mixed-metrics); above d = 64 parts with a fixed number of rows, which no step
//            keeps, and measures without a group rule (no-theorem).
AnyMeasurement partition(const std::vector<AnyMeasurement>& parts);

}  // namespace dither::calculus
