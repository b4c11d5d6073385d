#include "accounting/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/detail/lattice_mixture.h"
#include "accounting/native_atoms.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/sum.h"

namespace dither::accounting {

namespace {

constexpr double kUnit = 0x1p-53;
constexpr int kCells = 2048;

double nearest(const Rational& value) { return (value.to_double_down() + value.to_double_up()) / 2; }

void require_rate(const Rational& rate) {
  if (rate < Rational(0) || rate > Rational(1)) {
    throw Error{Code::bad_probability, fmt::format("the sampling rate is {}, but must lie in [0, 1]", rate.str()),
                "give the probability with which a record enters the sample"};
  }
}

double require_size(const char* name, const Rational& value, long most) {
  if (value.sign() <= 0 || value > Rational(most)) {
    throw Error{Code::out_of_range, fmt::format("{} is {}, but must lie in (0, {}]", name, value.str(), most),
                "use a closed form for larger losses"};
  }
  return nearest(value);
}

bool is_remove(MixtureLoss::Direction direction) {
  if (direction == MixtureLoss::Direction::replace) {
    throw Error{Code::out_of_range, "Poisson sampling has the directions remove and add",
                "for replace-one neighbours use a sample of fixed size"};
  }
  return direction == MixtureLoss::Direction::remove;
}

// A positive number computed with a relative error of at most `units` u.
Interval around(double value, double units) {
  return {value * (1 - (units + 1) * kUnit), value * (1 + (units + 1) * kUnit)};
}

double lower(double loss, double units) { return loss - std::abs(loss) * units * kUnit; }
double higher(double loss, double units) { return loss + std::abs(loss) * units * kUnit; }

// The probabilities to be in a sample and out of it.
struct Rate {
  double in;
  double out;
  explicit Rate(const Rational& rate) : in(nearest(rate)), out(nearest(Rational(1) - rate)) { require_rate(rate); }
};

// ln(1 - rate + rate e^z). Where 1 plus the change would be small it is a sum of two positive numbers instead.
double sampled_loss(double z, const Rate& rate) {
  const double change = rate.in * std::expm1(z);
  return change > -0.5 ? std::log1p(change) : std::log(rate.out + rate.in * std::exp(z));
}

// One cell of the release without sampling: losses in [low, high], masses with a relative error of `units` u.
struct BaseCell {
  double low;
  double high;
  double p;
  double q;
  double units;
};

// The sampled cell for `remove`; its losses are wrong by at most 8 u of themselves and what z brings, |z| u at most.
LossCell sampled(const BaseCell& cell, const Rate& rate) {
  const double units = 16 + std::abs(cell.low) + std::abs(cell.high);
  return {lower(sampled_loss(cell.low, rate), units), higher(sampled_loss(cell.high, rate), units),
          around(rate.out * cell.q + rate.in * cell.p, cell.units + 8), around(cell.q, cell.units)};
}

LossCell mirrored(const LossCell& cell) { return {-cell.high, -cell.low, cell.q, cell.p}; }

// Density `scale` e^{z/2} for P, `scale` e^{-z/2} for Q, from `low` to `high`.
std::vector<BaseCell> exponential_cells(double low, double high, double log_scale, double units) {
  std::vector<BaseCell> cells;
  for (int i = 0; i < kCells; ++i) {
    const double a = low + (high - low) * i / kCells;
    const double b = i + 1 == kCells ? high : low + (high - low) * (i + 1) / kCells;
    const double width = b - a;
    cells.push_back({a, b, 2 * std::exp(log_scale + a / 2) * std::expm1(width / 2),
                     -2 * std::exp(log_scale - a / 2) * std::expm1(-width / 2), units});
  }
  return cells;
}

// Laplace: P has mass 1/2 at epsilon, e^-epsilon / 2 at -epsilon and the density e^{(z - epsilon)/2} / 4 between.
std::vector<BaseCell> laplace_cells(double epsilon, double from) {
  const double units = 24 + 8 * epsilon;
  std::vector<BaseCell> cells;
  if (from < 0) cells.push_back({-epsilon, -epsilon, std::exp(-epsilon) / 2, 0.5, units});
  for (const BaseCell& cell : exponential_cells(from, epsilon, -epsilon / 2 - std::log(4.0), units)) {
    cells.push_back(cell);
  }
  cells.push_back({epsilon, epsilon, 0.5, std::exp(-epsilon) / 2, units});
  return cells;
}

void add_atom(std::vector<LossAtom>& atoms, double loss, double mass) {
  if (mass > 0) atoms.push_back({loss, mass});
}

// Sorted, with atoms at one loss joined.
AtomLoss tidy(std::vector<LossAtom> atoms, double infinite_mass) {
  std::sort(atoms.begin(), atoms.end(), [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
  AtomLoss result;
  result.infinite_mass = infinite_mass;
  for (const LossAtom& atom : atoms) {
    if (!result.atoms.empty() && result.atoms.back().loss == atom.loss) {
      result.atoms.back().mass += atom.mass;
    } else {
      result.atoms.push_back(atom);
    }
  }
  return result;
}

// The sampled pair for fixed size, from the cells with positive loss and the infinite mass of the release.
AtomLoss fixed_size_above(const std::vector<BaseCell>& positive, double infinite_mass, const Rate& rate) {
  std::vector<LossCell> cells;
  RunningSum taken;  // from below, so that what is left for loss 0 is rounded up
  for (const BaseCell& cell : positive) cells.push_back(sampled(cell, rate));
  for (const LossCell& cell : cells) (taken += cell.p.low()) += cell.q.low();
  const double infinite = mul_up(infinite_mass, rate.in);
  const double centre = std::max(0.0, sub_up(1, add_down(taken.down(), infinite)));
  std::vector<LossCell> all;
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) all.push_back(mirrored(*cell));
  all.push_back({0, 0, Interval(centre), Interval(centre)});
  all.insert(all.end(), cells.begin(), cells.end());
  return std::get<AtomLoss>(step_from_cells(all, infinite).above);
}

// Replacement makes pairs symmetric: an atom of mass p at z has a twin of mass p e^-z at -z.
void require_symmetric(const AtomLoss& base) {
  for (std::size_t i = 0; i < base.atoms.size(); ++i) {
    const LossAtom& atom = base.atoms[i];
    const LossAtom& twin = base.atoms[base.atoms.size() - 1 - i];
    const double expected = atom.mass * std::exp(-atom.loss);
    const bool same = std::abs(twin.loss + atom.loss) <= 1e-9 * (1 + std::abs(atom.loss)) &&
                      std::abs(twin.mass - expected) <= 1e-9 * std::max(expected, 1e-280);
    if (same) continue;
    throw Error{Code::no_theorem, fmt::format("the loss {} of the release has no twin at {}", atom.loss, -atom.loss),
                "sampling with a fixed size needs a pair that is the same in both directions"};
  }
}

}  // namespace

Step step_from_cells(std::span<const LossCell> cells, double infinite_mass) {
  std::vector<LossAtom> above;
  std::vector<LossAtom> below;
  for (const LossCell& cell : cells) {
    if (!(std::isfinite(cell.low) && std::isfinite(cell.high) && cell.low <= cell.high)) {
      throw Error{Code::out_of_range, fmt::format("a cell has losses from {} to {}", cell.low, cell.high),
                  "give finite losses in order"};
    }
    const double mass = cell.p.high();
    if (cell.high - cell.low <= 0x1p-44 * std::abs(cell.high)) {  // one outcome, but for rounding
      add_atom(above, cell.high, mass);
    } else {
      const double excess = sub_up(mass, mul_down(exp_down(cell.low), cell.q.low()));
      const double share = -expm1_up(sub_up(cell.low, cell.high));
      const double at_high = share > 0 ? std::clamp(div_up(std::max(excess, 0.0), share), 0.0, mass) : mass;
      add_atom(above, cell.high, at_high);
      add_atom(above, cell.low, sub_up(mass, at_high));
    }
    if (cell.p.low() > 0) {
      const double merged = sub_down(log_down(cell.p.low()), log_up(cell.q.high()));
      add_atom(below, std::min(std::max(merged, cell.low), cell.high), cell.p.low());
    }
  }
  return {tidy(std::move(above), infinite_mass), tidy(std::move(below), infinite_mass), 1};
}

Step poisson_laplace(const Rational& epsilon, const Rational& rate, MixtureLoss::Direction direction) {
  const Rate in_sample(rate);
  const bool remove = is_remove(direction);
  std::vector<LossCell> cells;
  const double size = require_size("epsilon", epsilon, 600);
  for (const BaseCell& cell : laplace_cells(size, -size)) cells.push_back(sampled(cell, in_sample));
  if (!remove) {
    std::reverse(cells.begin(), cells.end());
    for (LossCell& cell : cells) cell = mirrored(cell);
  }
  return step_from_cells(cells, 0);
}

Step poisson_atoms(const AtomLoss& base, double only_q, const Rational& rate, MixtureLoss::Direction direction) {
  const Rate in_sample(rate);
  const bool remove = is_remove(direction);
  std::vector<LossCell> cells;
  RunningSum under_q;
  double uncertain = 4 * kUnit;
  for (const LossAtom& atom : base.atoms) {
    // Atoms themselves are known to 8 u, which their losses carry into e^-z.
    const double units = 32 + 16 * std::abs(atom.loss);
    const BaseCell cell{atom.loss, atom.loss, atom.mass, atom.mass * std::exp(-atom.loss), units};
    LossCell made = sampled(cell, in_sample);
    made.low = lower(made.low, units);
    made.high = higher(made.high, units);
    under_q += cell.q;
    uncertain += 2 * units * kUnit * cell.q;
    cells.push_back(remove ? made : mirrored(made));
  }
  if (!(only_q >= 0) || under_q.up() + only_q > 1 + 1e-9) {
    throw Error{Code::bad_weights, fmt::format("the masses under Q sum to {}, more than 1", under_q.up() + only_q),
                "give the mass of Q where P has none: for a symmetric pair it is the infinite mass"};
  }
  const double left = 1 - under_q.down();
  const bool more = left > only_q + 1e-12 + uncertain;
  const Interval only = more ? Interval(std::max(0.0, left - uncertain), left + uncertain) : around(only_q, 8);
  if (only.high() > 0 && in_sample.out > 0) {
    const double loss = std::log(in_sample.out);
    const LossCell made{lower(loss, 16), higher(loss, 16), Interval(in_sample.out) * around(1, 4) * only, only};
    cells.push_back(remove ? made : mirrored(made));
  }
  // An atom is one outcome, so no cell is split: above it sits at its upper end, below at its lower end.
  std::vector<LossAtom> above;
  std::vector<LossAtom> below;
  for (const LossCell& cell : cells) {
    add_atom(above, cell.high, cell.p.high());
    add_atom(below, cell.low, cell.p.low());
  }
  const double infinite = remove ? base.infinite_mass * in_sample.in : 0;
  const bool all_in = !remove && in_sample.out == 0;
  const double most = all_in ? only.high() : infinite;
  const double least = all_in ? only.low() : infinite;
  return {tidy(std::move(above), most * (1 + 0x1p-50)), tidy(std::move(below), least * (1 - 0x1p-50)), 1};
}

Step fixed_size_gaussian(const Rational& mu, const Rational& rate) {
  const Rate in_sample(rate);
  const double size = require_size("mu", mu, 30);
  // Positive losses begin at y = mu / 2; what P has beyond `end` becomes infinite loss: less than 1e-60 unless the range
  // ends earlier, where the density would lose its digits (36) or the ratio leave the doubles (e^690).
  const detail::MixtureCurve curve{GaussianLoss{size}};
  const double start = size / 2;
  const double end = std::min({size + 16.5, 36.0, start + 690 / size});
  const double beyond = mul_up(0.5, erfc_up(div_down(sub_down(end, size), sqrt_up(2))));
  std::vector<BaseCell> positive;
  detail::MixtureCurve::Cell cell;
  double low = start;
  for (int i = 0; i < kCells; ++i) {
    const double high = start + (end - start) * (i + 1) / kCells;
    curve.start_cell(low, high - low, cell);
    const auto part = curve.integrate(cell, 0, cell.width);
    const double loss = size * (low - start);
    const double units = 64 + 8 * size * (end + size) + part.remainder / kUnit;
    positive.push_back({loss, size * (high - start), part.up + std::exp(loss) * part.mass, part.mass, units});
    low = high;
  }
  return {fixed_size_above(positive, beyond, in_sample),
          MixtureLoss{size, {in_sample.out, in_sample.in}, MixtureLoss::Direction::remove}, 1};
}

Step fixed_size_laplace(const Rational& epsilon, const Rational& rate) {
  const Rate in_sample(rate);
  const double size = require_size("epsilon", epsilon, 600);
  Step step{fixed_size_above(laplace_cells(size, 0), 0, in_sample), std::nullopt, 1};
  step.below = poisson_laplace(epsilon, rate, MixtureLoss::Direction::remove).below;
  return step;
}

Step fixed_size_atoms(const AtomLoss& base, const Rational& rate) {
  const Rate in_sample(rate);
  require_symmetric(base);
  std::vector<BaseCell> positive;
  for (const LossAtom& atom : base.atoms) {
    if (atom.loss <= 0) continue;
    const double units = 32 + 16 * std::abs(atom.loss);
    positive.push_back({atom.loss, atom.loss, atom.mass, atom.mass * std::exp(-atom.loss), units});
  }
  Step step{fixed_size_above(positive, base.infinite_mass, in_sample), std::nullopt, 1};
  step.below = poisson_atoms(base, base.infinite_mass, rate, MixtureLoss::Direction::remove).below;
  return step;
}

}  // namespace dither::accounting
