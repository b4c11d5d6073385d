#include "accounting/detail/lattice_atoms.h"

#include <algorithm>
#include <cmath>

namespace dither::accounting::detail {

namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kGiven = 0x1p-50;
constexpr std::size_t kMostProducts = std::size_t{1} << 23;
constexpr std::size_t kMostAtoms = std::size_t{1} << 19;

struct Law {
  std::vector<LossAtom> atoms;
  double error = 0;
  double slip = 0;
};

double largest_loss(const std::vector<LossAtom>& atoms) {
  return atoms.empty() ? 0 : std::max(std::abs(atoms.front().loss), std::abs(atoms.back().loss));
}

// Makes one atom of those that lie within rounding of the first of them. `products` counts what was multiplied.
void merge(Law& law, double reach) {
  std::sort(law.atoms.begin(), law.atoms.end(), [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
  const double close = 64 * kUnit * reach;
  std::vector<LossAtom> merged;
  std::size_t run = 0;
  std::size_t longest = 1;
  for (const LossAtom& atom : law.atoms) {
    if (!merged.empty() && atom.loss - merged.back().loss <= close) {
      merged.back().mass += atom.mass;
      longest = std::max(longest, ++run);
    } else {
      merged.push_back(atom);
      run = 1;
    }
  }
  law.atoms = std::move(merged);
  law.slip += close;
  law.error += kUnit * static_cast<double>(longest + 2);  // one product, then sums of positive terms
}

// Nothing when it grows too large.
bool multiply(Law& law, const Law& other, std::size_t& products) {
  products += law.atoms.size() * other.atoms.size();
  if (products > kMostProducts) return false;
  Law result;
  result.atoms.reserve(law.atoms.size() * other.atoms.size());
  for (const LossAtom& a : law.atoms) {
    for (const LossAtom& b : other.atoms) result.atoms.push_back({a.loss + b.loss, a.mass * b.mass});
  }
  result.error = law.error + other.error;
  const double reach = largest_loss(law.atoms) + largest_loss(other.atoms);
  result.slip = law.slip + other.slip + kUnit * reach;
  merge(result, reach);
  law = std::move(result);
  return law.atoms.size() <= kMostAtoms;
}

}  // namespace

std::optional<AtomSum> compose_atoms(std::span<const TimedAtoms> parts) {
  std::size_t products = 0;
  Law total{{{0, 1}}, 0, 0};
  double log_finite = 0;
  double times_in_all = 0;
  for (const TimedAtoms& part : parts) {
    const auto times = static_cast<double>(part.times);
    times_in_all += times;
    if (!(part.loss->infinite_mass < 1)) return std::nullopt;
    log_finite += times * std::log1p(-part.loss->infinite_mass);
    Law power{part.loss->atoms, kGiven, kGiven * largest_loss(part.loss->atoms)};
    for (std::uint64_t left = part.times; left > 0; left /= 2) {
      if (left % 2 == 1 && !multiply(total, power, products)) return std::nullopt;
      if (left > 1) {
        const Law factor = power;
        if (!multiply(power, factor, products)) return std::nullopt;
      }
    }
  }
  AtomSum sum;
  sum.atoms = std::move(total.atoms);
  sum.error = total.error * (1 + 1e-9) + 16 * kUnit;
  sum.slip = total.slip * (1 + 1e-9);
  const double infinite = -std::expm1(log_finite);
  const double off = 4 * kGiven + kUnit * times_in_all;
  sum.infinite_lower = std::max(0.0, infinite * (1 - off));
  sum.infinite_upper = std::min(1.0, infinite * (1 + off));
  return sum;
}

double AtomSum::delta_upper(double epsilon) const {
  const double at = epsilon - slip - 8 * kUnit * (std::abs(epsilon) + largest_loss(atoms));
  double sum = 0;
  for (auto atom = atoms.rbegin(); atom != atoms.rend() && atom->loss > at; ++atom) {
    sum += atom->mass * -std::expm1(at - atom->loss);
  }
  const double off = error + kUnit * (16 + static_cast<double>(atoms.size()));
  const double lost = sum > 0 || slip > 0 ? 1e-300 * static_cast<double>(atoms.size()) : 0;
  const double top = atoms.empty() ? 0 : atoms.back().loss;
  return std::min(1.0, infinite_upper + (epsilon >= top + slip ? 0 : sum * (1 + off) + lost));
}

double AtomSum::delta_lower(double epsilon) const {
  const double at = epsilon + slip + 8 * kUnit * (std::abs(epsilon) + largest_loss(atoms));
  double sum = 0;
  for (auto atom = atoms.rbegin(); atom != atoms.rend() && atom->loss > at; ++atom) {
    sum += atom->mass * -std::expm1(at - atom->loss);
  }
  const double off = error + kUnit * (16 + static_cast<double>(atoms.size()));
  const double lost = 1e-300 * static_cast<double>(atoms.size());  // by products below the normal doubles
  return (infinite_lower + std::max(0.0, sum * (1 - off) - lost)) * (1 - 4 * kUnit);
}

}  // namespace dither::accounting::detail
