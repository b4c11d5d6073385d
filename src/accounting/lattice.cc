#include "accounting/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "accounting/detail/fourier_law.h"
#include "accounting/detail/lattice_atoms.h"
#include "accounting/detail/lattice_parts.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/roots.h"

namespace dither::accounting {

namespace {

using detail::LatticePart;
using detail::LatticeSum;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostRounds = 6;
// Nodes of all parts together, so that a request takes a second or so at most.
constexpr double kMostWork = 0x1p22;

const Loss& below_of(const Step& step) { return step.below ? *step.below : step.above; }

// The essential supremum of a loss, rounded up (and down: a lower bound on it).
Bounds highest_loss(const Loss& loss) {
  const auto widened = [](double x) { return Bounds{x - 0x1p-49 * std::abs(x), x + 0x1p-49 * std::abs(x)}; };
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return widened(laplace->epsilon);
  if (const auto* atoms = std::get_if<AtomLoss>(&loss)) {
    if (atoms->infinite_mass > 0) return {kInfinite, kInfinite};
    for (auto atom = atoms->atoms.rbegin(); atom != atoms->atoms.rend(); ++atom) {
      if (atom->mass > 0) return widened(atom->loss);
    }
    return {0, 0};
  }
  const auto* mixture = std::get_if<MixtureLoss>(&loss);
  if (mixture != nullptr && mixture->direction == MixtureLoss::Direction::add && mixture->weights.at(0) > 0) {
    const double cap = -std::log(mixture->weights[0]);
    return {cap * (1 - 0x1p-48) - 0x1p-49, cap * (1 + 0x1p-48) + 0x1p-49};  // a weight near 1 may be off by 2^-50
  }
  return {kInfinite, kInfinite};
}

// Basic composition: no loss exceeds the sum of the suprema.
double total_cap(std::span<const Step> steps, bool above) {
  double total = 0;
  for (const Step& step : steps) {
    const Bounds highest = highest_loss(above ? step.above : below_of(step));
    const double end = above ? highest.upper : highest.lower;
    if (end == kInfinite) return kInfinite;
    const auto times = static_cast<double>(step.times);
    total = above ? add_up(total, mul_up(times * (1 + 0x1p-52), end)) : add_down(total, mul_down(times, end));
  }
  return total;
}

// At least this mass is infinite loss: no epsilon has a smaller delta.
double infinite_below(std::span<const Step> steps) {
  double log_finite = 0;
  for (const Step& step : steps) {
    const auto* atoms = std::get_if<AtomLoss>(&below_of(step));
    if (atoms != nullptr)
      log_finite += static_cast<double>(step.times) * std::log1p(-std::min(1.0, atoms->infinite_mass));
  }
  return -std::expm1(log_finite) * (1 - 1e-12);
}

// What divides all distances between the atoms of all steps, or 0: then one grid holds every atom.
double common_spacing(std::span<const Step> steps) {
  double spacing = 0;
  double longest = 0;
  const auto take = [&](double distance) {
    longest = std::max(longest, distance);
    double a = std::max(spacing, distance);
    double b = std::min(spacing, distance);
    while (b > 1e-9 * longest) {
      const double rest = std::remainder(a, b);
      a = b;
      b = std::abs(rest);
    }
    spacing = a;
  };
  for (const Step& step : steps) {
    for (const Loss* loss : {&step.above, &below_of(step)}) {
      if (const auto* laplace = std::get_if<LaplaceLoss>(loss)) take(2 * laplace->epsilon);
      const auto* atoms = std::get_if<AtomLoss>(loss);
      if (atoms == nullptr || atoms->atoms.size() > 64) continue;
      for (std::size_t i = 1; i < atoms->atoms.size(); ++i) take(atoms->atoms[i].loss - atoms->atoms[i - 1].loss);
    }
  }
  if (!(spacing > 1e-6 * longest) || longest == 0) return 0;
  return longest / std::round(longest / spacing);
}

double aligned(double step, double spacing) {
  return spacing > step / 4 && spacing > 0 ? spacing / std::ceil(spacing / step) : step;
}

double total_times(std::span<const Step> steps) {
  double total = 0;
  for (const Step& step : steps) total += static_cast<double>(step.times);
  return total;
}

// Where the loss of one step lives, roughly: to choose a first grid.
double rough_span(const Loss& loss) {
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return 2 * laplace->epsilon;
  if (const auto* atoms = std::get_if<AtomLoss>(&loss)) {
    return atoms->atoms.empty() ? 1 : std::max(1e-6, atoms->atoms.back().loss - atoms->atoms.front().loss);
  }
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss)) return gaussian->mu * (gaussian->mu + 16);
  const auto& mixture = std::get<MixtureLoss>(loss);
  const double reach = mixture.mu * static_cast<double>(mixture.weights.size() - 1);
  return reach * (reach + 16);
}

// How wide the losses spread in which most of the mass lies, where a grid must be finer than that.
double bulk_width(const Loss& loss) {
  const auto* mixture = std::get_if<MixtureLoss>(&loss);
  if (mixture == nullptr || mixture->weights.at(0) <= 0) return kInfinite;
  return -std::log(mixture->weights[0]);
}

struct Both {
  std::vector<LatticePart> above;
  std::vector<LatticePart> below;
};

Both make_parts(std::span<const Step> steps, double step, double tail) {
  Both both;
  for (const Step& one : steps) {
    const detail::Lattice lattice{step, detail::natural_anchor(one.above), tail};
    if (one.below) {
      both.above.push_back(detail::part_above(one.above, lattice));
      both.below.push_back(detail::part_below(*one.below, {step, detail::natural_anchor(*one.below), tail}));
    } else {
      detail::TwoParts parts = detail::parts_around(one.above, lattice);
      both.above.push_back(std::move(parts.above));
      both.below.push_back(std::move(parts.below));
    }
    both.above.back().times = one.times;
    both.below.back().times = one.times;
  }
  return both;
}

// The smallest point where a falling function is at most `goal` (`fits`), or the largest where it is at least that,
// from 0 on. Only points where that was seen to be so are returned, or else infinity or 0.
double solve(const std::function<double(double)>& f, double goal, double guess, double tolerance, bool fits) {
  const auto holds = [&](double x) { return fits ? f(x) <= goal : f(x) >= goal; };
  // `good` satisfies the condition; the answer lies between `bad` and `good`.
  const double outward = fits ? 1 : -1;
  double reach = std::max(1e-3, std::abs(guess) / 64);
  double good = std::max(0.0, guess);
  double bad = good;
  if (holds(good)) {
    for (;;) {
      bad = std::max(0.0, good - outward * reach);
      if (!holds(bad)) break;
      good = bad;
      if (fits && bad == 0) return 0;
      reach *= 2;
      if (!fits && good > 1e5) return good;
    }
  } else {
    for (;;) {
      if (!fits && bad == 0) return 0;
      good = std::max(0.0, bad + outward * reach);
      if (holds(good)) break;
      bad = good;
      reach *= 2;
      if (fits && good > 1e5) return kInfinite;
    }
  }
  // Secant steps in the logarithm, kept inside, with halving every third turn.
  double f_good = std::log(std::max(f(good), 1e-320)) - std::log(goal);
  double f_bad = std::log(std::max(f(bad), 1e-320)) - std::log(goal);
  for (int turn = 0; turn < 60 && std::abs(good - bad) > tolerance; ++turn) {
    double next = (good + bad) / 2;
    if (turn % 3 != 2 && f_good != f_bad) {
      // A little towards `good`, so that its side gets the new point and the bracket shrinks from there.
      const double root = good + (bad - good) * (f_good / (f_good - f_bad));
      next = root + (turn % 3 == 0 ? 1 : -1) * 0.4 * tolerance * (good > bad ? 1 : -1);
      const double low = std::min(good, bad);
      const double high = std::max(good, bad);
      if (!(next > low && next < high)) next = (good + bad) / 2;
    }
    const double value = f(next);
    const bool holding = fits ? value <= goal : value >= goal;
    (holding ? good : bad) = next;
    (holding ? f_good : f_bad) = std::log(std::max(value, 1e-320)) - std::log(goal);
  }
  return good;
}

// One question to a composition, asked of ever finer grids.
struct Question {
  // The answer of one grid.
  std::function<Bounds(const LatticeSum& above, const LatticeSum& below, const detail::Saddle&)> ask;
  std::function<detail::Saddle(std::span<const LatticePart>)> saddle;
  std::function<double(const Bounds&)> width;  // of an answer, relative to the one wanted: done at 1
  double first_scale;                          // about how small steps * step^2 must be
};

Bounds refine(std::span<const Step> steps, const Question& question, double tail, Bounds trivial) {
  Bounds best = trivial;
  const double times = std::max(1.0, total_times(steps));
  const double spacing = common_spacing(steps);
  double step = kInfinite;
  double span = 0;
  for (const Step& one : steps) {
    step = std::min(step, rough_span(one.above) / 256);
    span = std::max(span, rough_span(one.above));
  }
  step = std::min(step, std::sqrt(question.first_scale / times));
  const auto work = static_cast<double>(steps.size());
  const double finest = std::max(span * work / kMostWork, 1e-9);
  for (const Step& one : steps) step = std::min(step, std::max(bulk_width(one.above) / 4, 8 * finest));
  double before = kInfinite;
  bool coarser = false;
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    step = aligned(std::max(step, finest), spacing);
    double worse = kInfinite;
    try {
      const Both parts = make_parts(steps, step, tail);
      const detail::Saddle saddle = question.saddle(parts.above);
      const LatticeSum above(parts.above, saddle.tilt);
      const LatticeSum below(parts.below, saddle.tilt);
      coarser = coarser || !above.usable();
      const Bounds found = question.ask(above, below, saddle);
      const Bounds joined{std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
      if (!(joined.lower <= joined.upper)) return trivial;  // cannot be: then nothing here is to be trusted
      best = joined;
      worse = question.width(best);
    } catch (const Error& error) {
      if (error.code() != Code::out_of_range) throw;
      coarser = true;
    }
    if (worse <= 1 || (before < kInfinite && worse > 0.7 * before)) break;
    before = worse;
    if (coarser) {
      if (worse < kInfinite) break;
      step *= 3;
    } else if (step <= finest * 1.01) {
      break;
    } else {
      step *= worse == kInfinite ? 1.0 / 3 : std::clamp(std::sqrt(0.6 / worse), 1.0 / 16, 0.7);
    }
  }
  return best;
}

// How small delta is, from a coarse grid: it only decides where tails may be cut.
double rough_delta(std::span<const Step> steps, const Question& question) {
  double span = 0;
  for (const Step& one : steps) span = std::max(span, rough_span(one.above));
  try {
    const Both parts = make_parts(steps, span / 512, 1e-120);
    return std::exp(std::max(-300.0, question.saddle(parts.above).log_delta - 3));
  } catch (const Error& error) {
    if (error.code() != Code::out_of_range) throw;
    return 1e-30;
  }
}

// Atoms alone, composed term by term; nothing when there are too many.
struct AtomAnswer {
  detail::AtomSum above;
  detail::AtomSum below;
};

std::optional<AtomAnswer> atoms_alone(std::span<const Step> steps) {
  std::vector<detail::TimedAtoms> above;
  std::vector<detail::TimedAtoms> below;
  for (const Step& step : steps) {
    const auto* high = std::get_if<AtomLoss>(&step.above);
    const auto* low = std::get_if<AtomLoss>(&below_of(step));
    if (high == nullptr || low == nullptr) return std::nullopt;
    above.push_back({high, step.times});
    below.push_back({low, step.times});
  }
  auto upper = detail::compose_atoms(above);
  if (!upper) return std::nullopt;
  auto lower = detail::compose_atoms(below);
  if (!lower) return std::nullopt;
  return AtomAnswer{std::move(*upper), std::move(*lower)};
}

std::vector<Step> without_empty(std::span<const Step> steps) {
  std::vector<Step> kept;
  for (const Step& step : steps) {
    if (step.times > 0) kept.push_back(step);
  }
  return kept;
}

// At most this P-mass of Gaussian noise lies where the grid does not reach (lattice_nodes.cc: beyond 36). Deltas that
// are not larger are left to the other engine.
double beyond_reach(std::span<const Step> steps) {
  double sum = 0;
  for (const Step& step : steps) {
    double largest = 0;
    if (const auto* gaussian = std::get_if<GaussianLoss>(&step.above)) largest = gaussian->mu;
    if (const auto* mixture = std::get_if<MixtureLoss>(&step.above)) {
      largest = mixture->mu * static_cast<double>(mixture->weights.size() - 1);
    }
    if (largest > 0) sum += static_cast<double>(step.times) * std::erfc((36 - largest) / std::numbers::sqrt2) / 2;
  }
  return sum;
}

void require_laws(std::span<const Step> steps) {
  for (const Step& step : steps) {
    if (detail::is_law(step.above) && detail::is_law(below_of(step))) continue;
    throw Error{Code::bad_number,
                "a loss is not that of a pair of laws: its numbers are not finite, or do not sum to 1",
                "give finite parameters, and masses that sum to 1"};
  }
}

void require_width(double width) {
  if (!(width > 0) || !std::isfinite(width)) {
    throw Error{Code::bad_number, fmt::format("the width is {}, but must be positive", width), "ask for 1e-6, say"};
  }
}

// What is given stands for every number up to the next double, so lower bounds are taken there. 0 is 0.
double next_double(double x) { return x == 0 ? 0 : std::nextafter(x, kInfinite); }

// Epsilon by atoms: adjacent doubles around the turn of each directed delta.
Bounds atom_epsilon(const AtomAnswer& atoms, double delta, double cap_above, double cap_below) {
  Bounds found{0, kInfinite};
  const auto fits = [&](double epsilon) { return atoms.above.delta_upper(epsilon) <= delta; };
  const auto exceeds = [&](double epsilon) { return atoms.below.delta_lower(epsilon) < next_double(delta); };
  const double end = atoms.above.atoms.empty() ? 0 : std::max(0.0, atoms.above.atoms.back().loss) * (1 + 1e-9) + 1e-9;
  if (fits(0)) {
    found.upper = 0;
  } else if (fits(end)) {
    found.upper = find_turn(fits, 0, end).holds;
  }
  const double end_below =
      atoms.below.atoms.empty() ? 0 : std::max(0.0, atoms.below.atoms.back().loss) * (1 + 1e-9) + 1e-9;
  if (!exceeds(0)) {
    if (!exceeds(end_below)) {
      found.lower = next_double(delta) < atoms.below.infinite_lower ? kInfinite : 0;
    } else {
      found.lower = find_turn(exceeds, 0, end_below).fails;
    }
  }
  if (delta == 0) found.lower = std::max(found.lower == kInfinite ? kInfinite : 0, cap_below);
  found.upper = std::min(found.upper, cap_above);
  return found.lower <= found.upper ? found : Bounds{0, cap_above};
}

}  // namespace

Bounds epsilon_by_lattice(std::span<const Step> given, double delta, double width) {
  require_width(width);
  if (!(delta >= 0 && delta <= 1)) {
    throw Error{Code::bad_probability, fmt::format("delta is {}, but must lie in [0, 1]", delta),
                "give a small probability such as 1e-6"};
  }
  require_laws(given);
  const std::vector<Step> steps = without_empty(given);
  if (steps.empty() || delta == 1) return {0, 0};
  const double cap = std::max(0.0, total_cap(steps, true));
  const double cap_below = std::max(0.0, total_cap(steps, false));
  if (const auto atoms = atoms_alone(steps)) return atom_epsilon(*atoms, delta, cap, cap_below);
  if (delta == 0) return {cap_below, cap};
  if (next_double(delta) < infinite_below(steps)) return {kInfinite, kInfinite};

  if (beyond_reach(steps) >= delta) return {0, cap};
  const double tail = delta * std::min(1e-11, 1e-3 * width) / total_times(steps);
  Question question;
  question.saddle = [&](std::span<const LatticePart> parts) { return detail::saddle_for_delta(parts, delta); };
  question.first_scale = width;
  question.width = [&](const Bounds& bounds) { return bounds.width() / width; };
  question.ask = [&](const LatticeSum& above, const LatticeSum& below, const detail::Saddle& saddle) {
    const double tolerance = std::max(1e-3 * width, 1e-14 * (1 + saddle.epsilon));
    const double guess = std::clamp(saddle.epsilon, 0.0, std::min(cap, 1e4));
    const double upper = solve([&](double x) { return above.delta_upper(x); }, delta, guess, tolerance, true);
    const double lower =
        solve([&](double x) { return below.delta_lower(x); }, next_double(delta), guess, tolerance, false);
    return Bounds{lower, std::min(upper, cap)};
  };
  return refine(steps, question, tail, {0, cap});
}

Bounds delta_by_lattice(std::span<const Step> given, double epsilon, double relative_width) {
  require_width(relative_width);
  if (!std::isfinite(epsilon)) throw Error{Code::bad_number, "epsilon is not a finite number", "give a number"};
  require_laws(given);
  const std::vector<Step> steps = without_empty(given);
  if (steps.empty()) {
    const double nothing = epsilon >= 0 ? 0 : -std::expm1(epsilon);
    return {nothing * (1 - 1e-15), std::min(1.0, nothing * (1 + 1e-15))};
  }
  if (const auto atoms = atoms_alone(steps)) {
    return {atoms->below.delta_lower(next_double(epsilon)), atoms->above.delta_upper(epsilon)};
  }
  if (epsilon >= total_cap(steps, true)) return {0, 0};

  Question question;
  question.saddle = [&](std::span<const LatticePart> parts) { return detail::saddle_for_epsilon(parts, epsilon); };
  question.first_scale = relative_width;
  question.width = [&](const Bounds& bounds) {
    return bounds.lower > 0 ? (bounds.upper / bounds.lower - 1) / relative_width : kInfinite;
  };
  question.ask = [&](const LatticeSum& above, const LatticeSum& below, const detail::Saddle&) {
    return Bounds{below.delta_lower(next_double(epsilon)), above.delta_upper(epsilon)};
  };
  const double rough = rough_delta(steps, question);
  if (beyond_reach(steps) >= rough) return {0, 1};
  const double tail = rough * std::min(1e-11, 1e-3 * relative_width) / total_times(steps);
  return refine(steps, question, std::max(tail, 1e-200), {0, 1});
}

}  // namespace dither::accounting
