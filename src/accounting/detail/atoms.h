// Making a law of finitely many losses from parts. Private to the room.
#pragma once

#include <vector>

#include "accounting/loss.h"
#include "base/big_interval.h"

namespace dither::accounting::detail {

// Bits with which atoms are computed before they are rounded once.
inline constexpr long kBits = 256;

// The double nearest to a number that is known to many more digits.
double rounded(const BigInterval& value);

// Sorts the atoms, merges equal losses, and moves masses below 2^-900 up to the next loss (or to the infinite one).
// The result dominates the atoms given and differs from them by less than 10^-270 in every delta.
AtomLoss atom_loss(std::vector<LossAtom> atoms, double infinite_mass);

}  // namespace dither::accounting::detail
