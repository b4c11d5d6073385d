// A list of steps made ready for the Fourier engine, and what can be said about its curve without a transform.
#pragma once

#include <optional>
#include <span>

#include "accounting/bounds.h"
#include "accounting/detail/fourier_spectrum.h"

namespace dither::accounting::detail {

// Equal losses are one group, Gaussian ones a single mu, losses that are always 0 are gone.
struct Ends {
  Composition finite;
  Bounds infinite{0, 0};  // the mass at infinity: 1 - product of (1 - mass)^times
  Bounds greatest{0, 0};  // the essential supremum of the finite part
  // Those steps whose greatest value is an atom (finite laws, Laplace): the sum of these values, and the log of the
  // probability that all are taken.
  Bounds top{0, 0};
  Bounds log_top{0, 0};
  bool has_top = false;
  // Without Laplace, Gaussians and mixtures: every other sum lies at least this much below the top.
  double gap = 0;

  // delta(epsilon) >= infinite + P_top (1 - e^(epsilon - top)), since leaving steps out only lowers the curve; so
  // epsilon >= top + ln(1 - (delta - infinite) / P_top).
  double least_epsilon(double delta) const;
  double least_delta(double epsilon) const;
  // delta(greatest) is the infinite mass. From top - gap on, the bound above is the curve itself.
  double greatest_epsilon(double delta) const;
};

// Nothing when a loss is no law (fourier_law.h) or a count exceeds 2^53.
std::optional<Ends> ends_of(std::span<const Step> steps, bool below);

}  // namespace dither::accounting::detail
