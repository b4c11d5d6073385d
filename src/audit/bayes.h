// What to believe about epsilon after an attack: credible intervals, which are not confidence intervals.
#pragma once

#include "audit/lower_bound.h"

namespace dither::audit {

// Quantiles of epsilon under the posterior.
struct CredibleEpsilon {
  double low = 0;  // below it with probability (1 - credibility) / 2
  double median = 0;
  double high = 0;  // above it with that probability
};

// CREDIBLE, not confident: each error rate gets the posterior Beta(errors + 1/2, others + 1/2) of Jeffreys' prior,
// independently, and epsilon is that of the rates (epsilon_of_rates_down). How often such an interval is wrong over
// many audits is not promised; to refute a claim use epsilon_lower_bound. And it is about this attack: epsilon itself
// may be larger than the whole interval.
//
// How        the law of epsilon is one integral over the false positive rate, taken at 2000 points; nothing is drawn,
//            so equal counts give equal answers. Error below 1e-5.
// Refuses    what lower_bound.h refuses; a credibility outside (0, 1) (bad-probability).
// Cost       under 0.1 s.
// Spec       T-36.
CredibleEpsilon credible_epsilon(const ErrorCounts& counts, double delta, double credibility);

}  // namespace dither::audit
