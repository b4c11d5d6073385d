// Noisy counts of keys that nobody listed beforehand: a key is shown when its noisy count reaches a threshold.
#pragma once

#include <cstdint>

#include "accounting/loss.h"
#include "base/rational.h"

namespace dither::accounting {

enum class KeyNoise { laplace, discrete_laplace, gaussian, discrete_gaussian };

// The probability that a key which one unit alone holds, with a count of `contribution`, is shown: that contribution +
// noise >= threshold. Rounded up.
//
// Promise    exact up to rounding, but for discrete Gaussian noise: with sigma >= 50 the bound of a normal tail half a
//            step wider (a whole step up to sigma), looser by less than 1e-3 of it from sigma to 7 sigma; and 1 when
//            the threshold is at most the contribution. Discrete noise reaches a threshold only at whole numbers: the
//            next one counts.
// Refuses    scale <= 0 (bad-scale), contribution < 0 (bad-number).
double key_shown_up(KeyNoise noise, const Rational& scale, const Rational& threshold, const Rational& contribution);

// What showing keys costs beside the noisy counts: an infinite loss of mass delta = 1 - (1 - p)^keys, p from above,
// where the counts of at most `keys` keys differ. It is composed with the steps of the noise itself on `keys` counts; that
// noise has its own delta, so both are spent and both are reported.
//
// Holds if   keys are decided by whose noisy counts are shown alone, with noise independent for each key.
// Proof      Let A be the keys that only the first data set has, B those that only the second has. Outcomes that show none
//            of A and B have probability at least 1 - delta in both and, given that, the law of the counts of the
//            other keys. So the integral of min(P, e^eps Q) is at least 1 - delta times that of the counts alone, whichever
//            of the two has more keys: for units added, removed or replaced.
// Refuses    as above, and no keys or more than 10^12 (bad-count).
AtomLoss key_release_loss(KeyNoise noise, const Rational& scale, const Rational& threshold,
                          const Rational& contribution, std::uint64_t keys);

}  // namespace dither::accounting
