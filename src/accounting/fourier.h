// Composition of any list of releases: the privacy curve delta(epsilon) by certified Fourier inversion.
#pragma once

#include <span>

#include "accounting/bounds.h"
#include "accounting/loss.h"

namespace dither::accounting {

// Encloses the least epsilon >= 0 with delta(epsilon) <= delta, for the composition of all steps in one order of the
// neighbours; for the other order call again with the other losses, and take the larger ends.
//
// Promise    lower <= epsilon <= upper for every exact pair that the losses may stand for; `upper` follows from the
//            losses `above`, `lower` from those `below`. Both ends were checked against the curve with every error
//            included: aliases, frequencies left out, smoothing, quadrature, rounding, and the 2^-50 of the parameters.
//            Where a check fails the end is the trivial one (0; the sum of the greatest losses, or infinity).
// Given      a delta stands for every number between it and the next double: pass an exact one rounded down. Likewise
//            epsilon below.
// Width      tries for upper - lower <= width within a bounded effort, and returns the best it could prove.
// Infinite   mass composes as 1 - product of (1 - mass)^times. A delta below it gives [infinity, infinity].
// Edges      an empty list, or delta >= 1: [0, 0]. delta = 0: the sum of the greatest losses. NaN: [0, infinity].
// Cost       10^4 to 10^12 sampled Gaussian steps: under 1 ms; grows with the number of different losses, and as
//            1 / sqrt(width) for losses without a density.
// Spec      , B-01, B-02, B-06, B-07, B-13. Proof: detail/fourier_spectrum.h.
Bounds epsilon_by_fourier(std::span<const Step> steps, double delta, double width);

// Encloses delta(epsilon), epsilon >= 0, and tries for upper <= (1 + relative_width) lower. [0, 1] if epsilon is NaN.
Bounds delta_by_fourier(std::span<const Step> steps, double epsilon, double relative_width);

}  // namespace dither::accounting
