#include "accounting/detail/composed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/detail/cost_parts.h"
#include "accounting/failure.h"
#include "accounting/fourier.h"
#include "accounting/gaussian.h"
#include "accounting/lattice.h"
#include "accounting/native_atoms.h"
#include "accounting/optimal.h"
#include "accounting/renyi.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/sum.h"

namespace dither::accounting::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostForLattice = 300;  // releases that are asked of a grid unless it is named
constexpr std::size_t kMostKindsForLattice = 50;
constexpr double kFew = 30;             // releases under which sampled Gaussians are quicker on a grid
constexpr std::size_t kFewAtoms = 100;  // as are losses with so few values
constexpr double kCoarseRatio = 1e3;    // the same for delta, relative: the other views may lie far below
constexpr double kCoarse = 1e-3;        // width that is enough to see that a view is not the worst
constexpr double kBetweenPairs = 1e-4;  // closest that is tried for when the pairs above and below differ

constexpr const char* kGaussianTheorem =
    "Gaussian noise composes exactly: mu^2 adds, and delta(epsilon) is a closed form";
constexpr const char* kZcdpTheorem = "zCDP: rhos add, converted at the best moment";
constexpr const char* kAdvancedTheorem = "advanced composition: the losses of pure DP concentrate around a small mean";
constexpr const char* kOptimalTheorem = "optimal composition: the worst mechanisms with these epsilons and deltas";
constexpr const char* kFourierTheorem =
    "dominating pairs compose; delta(epsilon) by certified Fourier inversion of the privacy loss";
constexpr const char* kLatticeTheorem =
    "dominating pairs compose; delta(epsilon) of the privacy loss between two grids, one above and one below";

std::string renyi_theorem(double order) { return fmt::format("Renyi curves add, converted at order {:.6g}", order); }

[[noreturn]] void refuse(const std::string& missing) {
  throw Error{Code::no_theorem, missing, "leave out --accountant to use the best one that applies"};
}

bool costs_nothing(const Cost& cost) {
  const auto& approximate = cost.approximate;
  return approximate && approximate->epsilon.sign() == 0 && approximate->delta.sign() == 0;
}

double next_up(double x) { return std::nextafter(x, kInfinity); }

bool same_steps(const std::vector<Step>& a, const std::vector<Step>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Step& x, const Step& y) {
    return x.times == y.times && x.above == y.above && x.below == y.below;
  });
}

}  // namespace

Composed::Composed(const EventList& list) : events_(list.events.size()) {
  for (std::size_t i = 0; i < list.events.size(); ++i) {
    const Event& event = list.events[i];
    if (event.times == 0) continue;
    try {
      Cost one = cost(event, list.neighbours, list.group);
      if (!costs_nothing(one)) parts_.push_back({i, event.times, std::move(one)});
    } catch (const Error& error) {
      throw Error{error.code(), fmt::format("event {}: {}", i + 1, error.what()), error.hint()};
    }
  }
  for (const Part& part : parts_) {
    overflow_ = add_up(overflow_, mul_up(part.cost.overflow, static_cast<double>(part.times)));
  }
  if (!has_pairs()) return;
  const bool keep_below = attained();  // otherwise no lower bound is asked for
  for (const Part& part : parts_) {
    for (const auto& [view, steps] : part.cost.pairs) {
      std::vector<Step> repeated = steps;
      repeat(repeated, part.times);
      for (Step& step : repeated) {
        if (!keep_below) step.below.reset();
        steps_[view].push_back(std::move(step));
      }
    }
  }
  // Neighbours of a symmetric list look alike from both sides.
  const auto remove = steps_.find(View::remove);
  const auto add = steps_.find(View::add);
  if (remove != steps_.end() && add != steps_.end() && same_steps(remove->second, add->second)) steps_.erase(add);
}

bool Composed::only_gaussian() const {
  return !parts_.empty() && overflow_ == 0 &&
         std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.cost.squared_mu.has_value(); });
}

bool Composed::has_pairs() const {
  return std::none_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.cost.pairs.empty(); });
}

bool Composed::attained() const {
  return has_pairs() && overflow_ == 0 &&
         std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.cost.attained; });
}

bool Composed::homogeneous() const {
  return !parts_.empty() && std::all_of(parts_.begin(), parts_.end(), [this](const Part& part) {
    const auto& first = parts_.front().cost.approximate;
    const auto& here = part.cost.approximate;
    return first && here && first->epsilon == here->epsilon && first->delta == here->delta;
  });
}

double Composed::releases() const {
  double sum = 0;
  for (const Part& part : parts_) sum += static_cast<double>(part.times);
  return sum;
}

bool Composed::suits_lattice() const {
  return has_pairs() && parts_.size() <= kMostKindsForLattice && releases() <= kMostForLattice;
}

bool Composed::prefers_lattice() const {
  const auto sampled = [](const Step& step) { return std::holds_alternative<MixtureLoss>(step.above); };
  const auto has_many_values = [](const Step& step) {
    const auto* atoms = std::get_if<AtomLoss>(&step.above);
    return atoms == nullptr || atoms->atoms.size() > kFewAtoms;
  };
  return suits_lattice() && releases() <= kFew && (any_step(sampled) || !any_step(has_many_values));
}

bool Composed::has_gap() const {
  return any_step([](const Step& step) { return step.below.has_value(); });
}

bool Composed::any_step(const std::function<bool(const Step&)>& is) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [&](const auto& view) { return std::any_of(view.second.begin(), view.second.end(), is); });
}

template <class EpsilonAt>
double Composed::beside_overflow(double delta, const EpsilonAt& epsilon_at) const {
  if (overflow_ == 0) return epsilon_at(delta);
  double guess = epsilon_at(delta);
  for (int round = 0; round < 20 && std::isfinite(guess); ++round) {
    const double rest = sub_down(delta, mul_up(add_up(1, exp_up(guess)), overflow_));
    if (rest <= 0) break;
    const double epsilon = epsilon_at(rest);
    if (epsilon <= guess) return epsilon;  // (1 + e^epsilon) overflow is within what was set aside
    guess = epsilon * (1 + 1e-9);
  }
  return kInfinity;
}

Found Composed::epsilon(Accountant accountant, const Rational& delta, double width) const {
  if (parts_.empty()) return {accountant, {0, 0}, true, "nothing is released"};
  if (delta >= Rational(1)) return {accountant, {0, 0}, true, "delta 1 allows everything"};
  const double safe_delta = delta.to_double_down();
  switch (accountant) {
    case Accountant::basic:
      return basic_epsilon(delta);
    case Accountant::advanced:
      return advanced_epsilon(safe_delta);
    case Accountant::optimal:
      return optimal_epsilon(safe_delta, width);
    case Accountant::zcdp:
      return zcdp_epsilon(safe_delta);
    case Accountant::renyi:
      return renyi_epsilon(safe_delta);
    case Accountant::gdp: {
      const Mu mu = total_mu();
      return {accountant,
              {gaussian_epsilon_down(mu.down, delta.to_double_up()), gaussian_epsilon_up(mu.up, safe_delta)},
              attained(),
              kGaussianTheorem};
    }
    case Accountant::fourier:
      return exact_epsilon(accountant, epsilon_by_fourier, safe_delta, width, kFourierTheorem);
    case Accountant::lattice:
      break;
  }
  return exact_epsilon(accountant, epsilon_by_lattice, safe_delta, width, kLatticeTheorem);
}

Found Composed::delta(Accountant accountant, const Rational& epsilon, double width) const {
  if (parts_.empty()) return {accountant, {0, 0}, true, "nothing is released"};
  const double safe_epsilon = epsilon.to_double_down();
  switch (accountant) {
    case Accountant::basic:
      return basic_delta(epsilon);
    case Accountant::advanced:
      refuse("the advanced theorem goes from delta to epsilon alone");
    case Accountant::optimal:
      return optimal_delta(safe_epsilon, width);
    case Accountant::zcdp:
      return zcdp_delta(safe_epsilon);
    case Accountant::renyi:
      return renyi_delta(safe_epsilon);
    case Accountant::gdp: {
      const Mu mu = total_mu();
      return {accountant,
              {gaussian_delta_down(mu.down, epsilon.to_double_up()), gaussian_delta_up(mu.up, safe_epsilon)},
              attained(),
              kGaussianTheorem};
    }
    case Accountant::fourier:
      return exact_delta(accountant, delta_by_fourier, safe_epsilon, width, kFourierTheorem);
    case Accountant::lattice:
      break;
  }
  return exact_delta(accountant, delta_by_lattice, safe_epsilon, width, kLatticeTheorem);
}

Composed::Sums Composed::sums() const {
  Sums sums;
  for (const Part& part : parts_) {
    const auto& approximate = part.cost.approximate;
    if (!approximate) refuse(fmt::format("event {} has no (epsilon, delta) of its own", part.event + 1));
    sums.epsilon += times(approximate->epsilon, part.times);
    sums.delta += times(approximate->delta, part.times);
  }
  return sums;
}

Found Composed::basic_epsilon(const Rational& delta) const {
  if (only_gaussian() && delta.sign() == 0) {
    return {Accountant::basic, {kInfinity, kInfinity}, attained(), "Gaussian noise keeps no epsilon at delta 0"};
  }
  const Sums total = sums();
  const char* const theorem = "basic composition: epsilons and deltas add";
  if (delta < total.delta) return {Accountant::basic, {0, kInfinity}, false, theorem};
  // Without a delta the sum is reached: all losses are largest at once.
  const bool exact = delta.sign() == 0 && attained() &&
                     std::none_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.cost.rounded; });
  return {
      Accountant::basic, {exact ? total.epsilon.to_double_down() : 0, total.epsilon.to_double_up()}, exact, theorem};
}

Found Composed::basic_delta(const Rational& epsilon) const {
  const Sums total = sums();
  const bool enough = epsilon >= total.epsilon;
  return {Accountant::basic,
          {0, enough ? std::min(1.0, total.delta.to_double_up()) : 1.0},
          false,
          "basic composition: epsilons and deltas add"};
}

std::vector<ApproximateRelease> Composed::approximate_releases() const {
  sums();  // refuses events without (epsilon, delta)
  std::vector<ApproximateRelease> list;
  for (const Part& part : parts_) {
    list.push_back({part.cost.approximate->epsilon, part.cost.approximate->delta, part.times});
  }
  return list;
}

Found Composed::advanced_epsilon(double delta) const {
  const std::vector<ApproximateRelease> all = approximate_releases();
  if (delta == 0) refuse("at delta 0 losses do not concentrate: ask the basic accountant");
  const double upper = std::min(advanced_epsilon_up(all, delta), tanh_epsilon_up(all, delta));
  return {Accountant::advanced, {0, upper}, false, kAdvancedTheorem};
}

// The same pairs for all events with the same (epsilon, delta): the worst ones.
std::vector<Step> Composed::worst_steps() const {
  std::vector<Step> steps;
  for (const ApproximateRelease& one : approximate_releases())
    steps.push_back({black_box(one.epsilon, one.delta), {}, one.times});
  return steps;
}

Found Composed::optimal_epsilon(double delta, double width) const {
  const std::vector<ApproximateRelease> all = approximate_releases();
  if (delta == 0) refuse("at delta 0 nothing beats the sum: ask the basic accountant");
  if (!homogeneous()) {
    return {Accountant::optimal, worst_bounds(epsilon_by_lattice, epsilon_by_fourier, delta, width), worst_of_kind(),
            kOptimalTheorem};
  }
  const Equal equal = equal_releases();
  return {Accountant::optimal,
          {optimal_epsilon_down(equal.epsilon.low, equal.delta.low, equal.times, next_up(delta)),
           optimal_epsilon_up(equal.epsilon.high, equal.delta.high, equal.times, delta)},
          worst_of_kind(),
          kOptimalTheorem};
}

Found Composed::optimal_delta(double epsilon, double width) const {
  if (!homogeneous()) {
    return {Accountant::optimal, worst_bounds(delta_by_lattice, delta_by_fourier, epsilon, width), worst_of_kind(),
            kOptimalTheorem};
  }
  const Equal equal = equal_releases();
  return {Accountant::optimal,
          {optimal_delta_down(equal.epsilon.low, equal.delta.low, equal.times, next_up(epsilon)),
           optimal_delta_up(equal.epsilon.high, equal.delta.high, equal.times, epsilon)},
          worst_of_kind(),
          kOptimalTheorem};
}

Composed::Equal Composed::equal_releases() const {
  std::uint64_t releases = 0;
  for (const Part& part : parts_) releases += part.times;
  const ApproximateDp& one = *parts_.front().cost.approximate;
  return {{one.epsilon.to_double_down(), one.epsilon.to_double_up()},
          {one.delta.to_double_down(), one.delta.to_double_up()},
          releases};
}

// The worst mechanisms by one engine or, where that leaves them too far apart, the better ends of both.
Bounds Composed::worst_bounds(const Engine& lattice, const Engine& fourier, double at, double width) const {
  const std::vector<Step> steps = worst_steps();
  Bounds bounds = fourier(steps, at, width);
  if (suits_lattice() && bounds.width() > width * std::min(1.0, bounds.upper)) {
    const Bounds other = lattice(steps, at, width);
    bounds = {std::max(bounds.lower, other.lower), std::min(bounds.upper, other.upper)};
  }
  return bounds;
}

bool Composed::worst_of_kind() const {
  return attained() && std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.cost.extremal; });
}

Composed::Concentrated Composed::concentrated() const {
  Rational rho = 0;
  FailureProbability failure;
  for (const Part& part : parts_) {
    const auto& one = part.cost.concentrated;
    if (!one) refuse(fmt::format("event {} has no zCDP bound", part.event + 1));
    rho += times(one->rho, part.times);
    failure.add(one->delta.to_double_up(), part.times);
  }
  return {rho.to_double_up(), failure.up()};
}

Found Composed::zcdp_epsilon(double delta) const {
  const Concentrated total = concentrated();
  const auto rest = delta_beside_failure_down(delta, total.failure);
  return {Accountant::zcdp, {0, rest ? zcdp_epsilon_up(total.rho, *rest) : kInfinity}, false, kZcdpTheorem};
}

Found Composed::zcdp_delta(double epsilon) const {
  const Concentrated total = concentrated();
  return {Accountant::zcdp,
          {0, delta_with_failure_up(zcdp_delta_up(total.rho, epsilon), total.failure)},
          false,
          kZcdpTheorem};
}

RenyiCurve Composed::renyi_curve() const {
  RenyiCurve curve;
  for (const Part& part : parts_) {
    if (!part.cost.renyi) refuse(fmt::format("event {} has no Renyi curve", part.event + 1));
    curve.add(part.cost.renyi->epsilon, part.times, part.cost.renyi->delta);
  }
  return curve;
}

Found Composed::renyi_epsilon(double delta) const {
  const RenyiCurve curve = renyi_curve();
  double order = 0;
  const double epsilon = beside_overflow(delta, [&](double rest) {
    const RenyiBound bound = renyi_epsilon_up(curve, rest);
    order = bound.order;
    return bound.value;
  });
  return {Accountant::renyi, {0, epsilon}, false, renyi_theorem(order)};
}

Found Composed::renyi_delta(double epsilon) const {
  const RenyiBound bound = renyi_delta_up(renyi_curve(), epsilon);
  return {Accountant::renyi, {0, with_overflow(bound.value, epsilon)}, false, renyi_theorem(bound.order)};
}

Composed::Mu Composed::total_mu() const {
  Rational squared = 0;
  for (const Part& part : parts_) {
    if (!part.cost.squared_mu || overflow_ > 0) refuse(fmt::format("event {} is not Gaussian noise", part.event + 1));
    squared += times(*part.cost.squared_mu, part.times);
  }
  return {sqrt_down(squared.to_double_down()), sqrt_up(squared.to_double_up())};
}

// The worst view. One that is certainly not it is looked at no closer than needed to see that.
Bounds Composed::worst_view(const std::function<Bounds(const std::vector<Step>&, double width)>& ask, double width,
                            double coarse) const {
  Bounds worst{0, 0};
  for (const View view : {View::replace, View::remove, View::add}) {
    const auto steps = steps_.find(view);
    if (steps == steps_.end()) continue;
    Bounds bounds = worst.upper > 0 && width < coarse ? ask(steps->second, coarse) : Bounds{};
    if (bounds.upper > worst.lower) bounds = ask(steps->second, width);
    worst = {std::max(worst.lower, bounds.lower), std::max(worst.upper, bounds.upper)};
  }
  return worst;
}

Found Composed::exact_epsilon(Accountant accountant, const Engine& engine, double delta, double width,
                              const char* theorem) const {
  require_pairs(delta);
  if (has_gap()) width = std::max(width, kBetweenPairs);
  const auto ask = [&](const std::vector<Step>& steps, double how_close) {
    Bounds bounds;
    bounds.upper = beside_overflow(delta, [&](double rest) {
      const Bounds here = engine(steps, rest, how_close);
      bounds.lower = here.lower;
      return here.upper;
    });
    return bounds;
  };
  const Bounds worst = worst_view(ask, width, kCoarse);
  return {accountant, worst, attained(), theorem, has_gap() || worst.width() <= width};
}

Found Composed::exact_delta(Accountant accountant, const Engine& engine, double epsilon, double width,
                            const char* theorem) const {
  require_pairs(1);
  if (has_gap()) width = std::max(width, kBetweenPairs);
  const auto ask = [&](const std::vector<Step>& steps, double how_close) {
    const Bounds bounds = engine(steps, epsilon, how_close);
    return Bounds{bounds.lower, with_overflow(bounds.upper, epsilon)};
  };
  const Bounds worst = worst_view(ask, width, kCoarseRatio);
  return {accountant, worst, attained(), theorem, has_gap() || worst.width() <= width * worst.upper};
}

void Composed::require_pairs(double delta) const {
  for (const Part& part : parts_) {
    if (part.cost.pairs.empty()) refuse(fmt::format("event {} has no dominating pair", part.event + 1));
  }
  if (delta == 0) refuse("at delta 0 the losses themselves add: ask the basic accountant");
}

double Composed::with_overflow(double delta, double epsilon) const {
  if (overflow_ == 0) return delta;
  return std::min(1.0, add_up(delta, mul_up(add_up(1, exp_up(epsilon)), overflow_)));
}

}  // namespace dither::accounting::detail
