// Compositions of few atoms, term by term. Private to the room.
#pragma once

#include <optional>
#include <span>

#include "accounting/loss.h"

namespace dither::accounting::detail {

// The composed law of losses that are all atoms. Atoms closer than rounding can tell apart are one.
//
// Promise    exact masses lie within `error` (relative) of these plus 1e-300, exact losses within `slip`.
struct AtomSum {
  std::vector<LossAtom> atoms;  // by increasing loss
  double infinite_lower = 0;
  double infinite_upper = 0;
  double error = 0;
  double slip = 0;

  double delta_upper(double epsilon) const;
  double delta_lower(double epsilon) const;
};

struct TimedAtoms {
  const AtomLoss* loss;
  std::uint64_t times;
};

// Nothing when the composition would take more than about 2^24 products or 2^20 atoms.
// Cost       at most 0.3 s; microseconds for equal or commensurable steps.
// Spec       A-16, A-66 (whose exact form is #P-complete: sums that do not coincide double with every step).
std::optional<AtomSum> compose_atoms(std::span<const TimedAtoms> parts);

}  // namespace dither::accounting::detail
