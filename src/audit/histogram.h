// The approximate-DP histogram test's tolerance.
#pragma once

#include <cstdint>

namespace dither::audit {

// How far the sum over cells of max(0, p_hat - e^epsilon q_hat), p_hat and q_hat the shares of `runs` runs each, can lie
// above delta by chance: for a mechanism with (epsilon, delta) it lies further with probability at most false_alarm.
//
// Proof      X = p_hat - e^epsilon q_hat of a cell has mean p - e^epsilon q and variance v <= (p + e^(2 epsilon) q) / runs,
//            so E max(0, X) <= max(0, E X) + sqrt(v) / 2; over the cells these roots sum to at most
//            sqrt(cells (1 + e^(2 epsilon)) / runs) by Cauchy and Schwarz, and the first terms to at most delta. Another
//            value of one run moves the sum by at most 1 / runs or e^epsilon / runs: McDiarmid.
// Compare    the published test (T-49) has Chebyshev's inequality in the place of McDiarmid's and twice the bias or more;
//            it never tolerates less.
// Spec       T-49.
double histogram_tolerance(std::int64_t cells, std::int64_t runs, double epsilon, double false_alarm);

}  // namespace dither::audit
