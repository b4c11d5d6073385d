// From noisy whole numbers to the columns of the aggregate, with what each may be off by. All of it is post-processing
// (F-23).
#pragma once

#include <vector>

#include "session/answer.h"
#include "session/released.h"

namespace dither::session {

// The rows of the statement's aggregate: its keys, then its calls. In the order of the keys, NULL last.
struct Estimated {
  std::vector<std::vector<Cell>> rows;
  std::vector<std::vector<ValueError>> errors;  // nothing for keys
  std::size_t too_few = 0;                      // means and variances that are NULL for want of rows
};

// Values   counts are whole; sums are the noisy number times its unit; means, variances and their roots are formed from
//          noisy sums and counts exactly, cut to what the bounds of the column allow, rounded once, and NULL where the
//          group may be empty as far as its released count says: where the 95% interval of that begins below 1, or 2 for
//          VAR_SAMP and STDDEV_SAMP. Counts and sums are not cut, which would bias those of small groups (D-88).
// Errors   intervals hold the exact value (without noise; bounding and clamping included) with probability 1 -
//          failure: one number by its law, several by a box in which each fails with its share. Those of means lie
//          within the bounds, those of variances between 0 and the largest there is. Standard errors of several are to
//          first order at the released values.
// Spec     W-38, F-23, D-88.
inline constexpr double kUsualFailure = 0.05;
Estimated estimated(const PricedPlan& plan, const Released& released, double failure = kUsualFailure);

}  // namespace dither::session
