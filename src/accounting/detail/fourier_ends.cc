#include "accounting/detail/fourier_ends.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accounting/detail/fourier_law.h"
#include "accounting/moments.h"
#include "base/directed.h"
#include "base/sum.h"
#include "base/ulps.h"

namespace dither::accounting::detail {

namespace {

constexpr double kWide = 1.5 * kTrust;

void add_to(Bounds& sum, Bounds term, double times) {
  sum = {add_down(sum.lower, mul_down(term.lower, times)), add_up(sum.upper, mul_up(term.upper, times))};
}

Bounds trusted(double x) { return {x - std::abs(x) * kWide, x + std::abs(x) * kWide}; }

// A lower bound of the essential supremum of a loss; greatest_loss is the upper one.
double least_supremum(const Loss& loss) {
  const double greatest = greatest_loss(loss);
  if (!(std::abs(greatest) < kInfinity)) return greatest;
  return sub_down(greatest, 4 * kTrust * (1 + std::abs(greatest)));
}

void add_atoms(Ends& ends, const AtomLoss& loss, double times, Bounds& log_finite) {
  const Bounds mass = trusted(loss.infinite_mass);
  if (mass.upper > 0) {
    add_to(log_finite, {mass.upper >= 1 ? -kInfinity : log1p_down(-mass.upper), log1p_up(-std::min(mass.lower, 1.0))},
           times);
  }
  auto top = std::find_if(loss.atoms.rbegin(), loss.atoms.rend(), [](const LossAtom& a) { return a.mass > 0; });
  if (top == loss.atoms.rend()) return;
  ends.has_top = true;
  add_to(ends.top, trusted(top->loss), times);
  const Bounds chance = trusted(top->mass);
  add_to(ends.log_top, {log_down(chance.lower), log_up(std::min(1.0, chance.upper))}, times);
  const auto next = std::find_if(top + 1, loss.atoms.rend(), [](const LossAtom& a) { return a.mass > 0; });
  if (next == loss.atoms.rend()) return;
  ends.gap = std::min(ends.gap, sub_down(trusted(top->loss).lower, trusted(next->loss).upper));
}

bool never_finite(const Loss& loss) {
  const auto* atoms = std::get_if<AtomLoss>(&loss);
  return atoms && std::all_of(atoms->atoms.begin(), atoms->atoms.end(), [](const LossAtom& a) { return a.mass == 0; });
}

std::vector<Group> grouped(std::vector<Group> all) {
  std::sort(all.begin(), all.end(), [](const Group& a, const Group& b) { return comes_before(a.loss, b.loss); });
  std::vector<Group> result;
  for (Group& g : all) {
    if (!result.empty() && result.back().loss == g.loss) {
      result.back().times += g.times;
    } else {
      result.push_back(std::move(g));
    }
  }
  return result;
}

}  // namespace

std::optional<Ends> ends_of(std::span<const Step> steps, bool below) {
  Ends ends;
  ends.gap = kInfinity;
  Bounds log_finite{0, 0};
  std::vector<Group> all;
  RunningSum squares;
  for (const Step& step : steps) {
    const Loss& loss = below && step.below ? *step.below : step.above;
    if (!is_law(loss)) return std::nullopt;
    if (step.times == 0 || is_nothing(loss)) continue;
    if (never_finite(loss)) {
      Ends none;
      none.infinite = {1, 1};
      return none;
    }
    all.push_back({loss, static_cast<double>(step.times)});
  }
  for (const Group& g : grouped(std::move(all))) {
    if (!(g.times < 0x1p53)) return std::nullopt;
    add_to(ends.greatest, {least_supremum(g.loss), greatest_loss(g.loss)}, g.times);
    if (const auto* atoms = std::get_if<AtomLoss>(&g.loss)) {
      add_atoms(ends, *atoms, g.times, log_finite);
    } else {
      ends.gap = 0;
    }
    if (const auto* laplace = std::get_if<LaplaceLoss>(&g.loss)) {
      ends.has_top = true;
      add_to(ends.top, trusted(laplace->epsilon), g.times);
      add_to(ends.log_top, {log_down(0.5), log_up(0.5)}, g.times);
    }
    if (const auto* gaussian = std::get_if<GaussianLoss>(&g.loss)) {
      squares += g.times * gaussian->mu * gaussian->mu;
    } else {
      ends.finite.groups.push_back(g);
    }
  }
  ends.finite.gaussian_square = squares.up();  // mu^2 to 2^-49, three roundings each, one for the sum
  ends.infinite = {-expm1_up(log_finite.upper), -expm1_down(log_finite.lower)};
  return ends;
}

double Ends::least_epsilon(double delta) const {
  if (delta == 0) return std::max(0.0, greatest.lower);
  if (!has_top) return 0;
  const double mass = exp_down(log_top.lower);
  if (mass < 1e-300) return 0;
  const double share = div_up(sub_up(delta, infinite.lower), mass);
  return share < 1 ? std::max(0.0, add_down(top.lower, log1p_down(-share))) : 0;
}

double Ends::least_delta(double epsilon) const {
  if (!has_top || !(epsilon < top.lower)) return infinite.lower;
  return add_down(infinite.lower, mul_down(exp_down(log_top.lower), -expm1_up(sub_up(epsilon, top.lower))));
}

double Ends::greatest_epsilon(double delta) const {
  if (delta < infinite.upper) return kInfinity;
  const double most = std::max(0.0, greatest.upper);
  if (!(gap > 0) || !has_top) return most;
  const double share = div_down(sub_down(delta, infinite.upper), exp_up(log_top.upper));
  if (!(share < 1) || !(share >= 0)) return std::max(0.0, std::min(most, sub_up(top.upper, gap)));
  const double crossing = add_up(top.upper, log1p_up(-share));
  return std::max(0.0, std::min(most, std::max(crossing, sub_up(top.upper, std::min(gap, 1e300)))));
}

}  // namespace dither::accounting::detail
