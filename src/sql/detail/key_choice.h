// How keys that nobody listed are chosen: by their numbers of units.
#pragma once

#include <optional>
#include <vector>

#include "session/priced_plan.h"

namespace dither::sql::detail {

// `units` gives numbers of units by private keys, which neighbours move by `distance`. Where `decider` is the part that
// releases these numbers, its noise gets the threshold, and no price of its own; else keys are chosen at `own`.
//
// Under epsilon a selection by the optimal rule, or discrete Laplace noise with a threshold; under rho discrete Gaussian
// noise with a threshold, whose counts are not shown unless the statement asks for them. Spec D-23.
session::KeyChoice laplace_choice(const calculus::AnyTransformation& units, const calculus::CellsDistance& distance,
                                  const Rational& own, const Rational& delta, const std::optional<std::size_t>& decider,
                                  std::vector<session::Part>& parts);
session::KeyChoice gaussian_choice(const calculus::AnyTransformation& units, const calculus::CellsDistance& distance,
                                   const Rational& own, const Rational& delta,
                                   const std::optional<std::size_t>& decider, std::vector<session::Part>& parts);

}  // namespace dither::sql::detail
