#include "accounting/detail/fourier_law.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/ulps.h"

namespace dither::accounting::detail {

namespace {

bool is_size(double x) { return x >= 0 && x < kInfinity; }

bool valid(const GaussianLoss& loss) { return is_size(loss.mu); }
bool valid(const LaplaceLoss& loss) { return is_size(loss.epsilon); }

bool valid(const MixtureLoss& loss) {
  double sum = 0;
  for (const double w : loss.weights) {
    if (!(w >= 0)) return false;
    sum += w;
  }
  return is_size(loss.mu) && std::abs(sum - 1) < 1e-9;
}

bool valid(const AtomLoss& loss) {
  double sum = loss.infinite_mass;
  for (const LossAtom& a : loss.atoms) {
    if (!(a.mass >= 0) || !(std::abs(a.loss) < kInfinity)) return false;
    sum += a.mass;
  }
  return loss.infinite_mass >= 0 && std::abs(sum - 1) < 1e-9 &&
         std::is_sorted(loss.atoms.begin(), loss.atoms.end(),
                        [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
}

bool before(const GaussianLoss& a, const GaussianLoss& b) { return a.mu < b.mu; }
bool before(const LaplaceLoss& a, const LaplaceLoss& b) { return a.epsilon < b.epsilon; }
bool before(const MixtureLoss& a, const MixtureLoss& b) {
  return std::tie(a.direction, a.mu, a.weights) < std::tie(b.direction, b.mu, b.weights);
}
bool before(const AtomLoss& a, const AtomLoss& b) {
  if (a.infinite_mass != b.infinite_mass) return a.infinite_mass < b.infinite_mass;
  return std::lexicographical_compare(
      a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
      [](const LossAtom& x, const LossAtom& y) { return std::tie(x.loss, x.mass) < std::tie(y.loss, y.mass); });
}

}  // namespace

bool is_law(const Loss& loss) {
  return std::visit([](const auto& l) { return valid(l); }, loss);
}

bool is_nothing(const Loss& loss) {
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss)) return gaussian->mu == 0;
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return laplace->epsilon == 0;
  if (const auto* mixture = std::get_if<MixtureLoss>(&loss)) {
    const std::vector<double>& weights = mixture->weights;
    return mixture->mu == 0 || std::all_of(weights.begin() + 1, weights.end(), [](double w) { return w == 0; });
  }
  const auto& atoms = std::get<AtomLoss>(loss);
  return atoms.infinite_mass == 0 && atoms.atoms.size() == 1 && atoms.atoms[0].loss == 0;
}

bool comes_before(const Loss& a, const Loss& b) {
  if (a.index() != b.index()) return a.index() < b.index();
  return std::visit([&b](const auto& x) { return before(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

}  // namespace dither::accounting::detail
