#include "accounting/detail/atoms.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace dither::accounting::detail {

double rounded(const BigInterval& value) { return mpfr_get_d(value.low(), MPFR_RNDN); }

AtomLoss atom_loss(std::vector<LossAtom> atoms, double infinite_mass) {
  constexpr double kTooSmall = 0x1p-900;
  std::sort(atoms.begin(), atoms.end(), [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
  AtomLoss result;
  double carried = 0;
  for (const LossAtom& atom : atoms) {
    if (!result.atoms.empty() && result.atoms.back().loss == atom.loss) {
      result.atoms.back().mass += atom.mass;
      continue;
    }
    carried += atom.mass;
    if (carried < kTooSmall) continue;
    result.atoms.push_back({atom.loss, carried});
    carried = 0;
  }
  result.infinite_mass = infinite_mass + carried;
  double total = result.infinite_mass;
  for (const LossAtom& atom : result.atoms) total += atom.mass;
  if (!(std::abs(total - 1) < 1e-9)) {
    throw Error{Code::out_of_range, "the parameters are too large: the masses of the privacy loss leave the doubles",
                "give a smaller epsilon, or more noise"};
  }
  return result;
}

}  // namespace dither::accounting::detail
