// Epsilon and delta of a composition from a lattice of losses: the second opinion on the Fourier engine, and the first
// when there are few steps.
#pragma once

#include <span>

#include "accounting/bounds.h"
#include "accounting/loss.h"

namespace dither::accounting {

// The smallest epsilon >= 0 whose delta is at most the one given, and the delta at an epsilon (any real number), for
// all steps together, each made `times` times.
//
// Promise    lower <= exact <= upper, whatever width was reached; `exact` is that of `above` for the upper end and of
//            `below` (or `above` when there is none) for the lower end. Fails closed: what cannot be certified is
//            [0, infinity], or [0, 1], or an end known from the support of the losses.
// Given      a delta or epsilon stands for every number between it and the next double: pass an exact one rounded down.
// How        steps that are all atoms are composed term by term where that is possible. Otherwise connect-the-dots from
//            above and a lowered convex hull from below on one grid, both of second order in its step, composed by a
//            tilted Fourier transform with an a-priori error bound; the step is refined until the width is reached.
// Refuses    a delta outside [0, 1] (bad-probability); a width that is not positive, an epsilon or parameters that are
//            not numbers (bad-number).
// Cost       2 ms to 1 s: at most 2^22 nodes. Width is about (number of steps) * (grid step)^2, so very long
//            compositions come back wider than asked for.
// Spec      , B-01 to B-06, B-13.
Bounds epsilon_by_lattice(std::span<const Step> steps, double delta, double width);
Bounds delta_by_lattice(std::span<const Step> steps, double epsilon, double relative_width);

}  // namespace dither::accounting
