#include "accounting/detail/fourier_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace dither::accounting::detail {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kSample = 32;  // losses that stand for a long list while the tilt is sought
constexpr double kMostEffort = 2e8;  // nodes times frequencies
constexpr double kMostFrequencies = 1e6;
constexpr double kMostScale = 12;  // ln of the terms over delta: rounding is relative to the terms
constexpr double kGreatestSmoothing = 0.3;
// tried as tilts, and as orders for the alias above, in multiples of the best order
constexpr std::array<double, 6> kTilts{0.45, 0.55, 0.65, 0.75, 0.85, 0.95};
constexpr std::array<double, 7> kOrders{0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0};

// Minimises a function of theta that falls and then rises, to about a twentieth, over powers of two and then between.
template <typename Function>
double minimiser(const Function& f, double enough) {
  double theta = 1;
  double value = f(theta);
  for (const double factor : {2.0, 0.5}) {
    bool moved = false;
    while (theta > 1e-6 && theta < 1e5) {
      const double next = f(theta * factor);
      if (!(next < value - enough)) break;
      theta *= factor;
      value = next;
      moved = true;
    }
    if (moved) break;
  }
  for (const double factor : {1.4, 1.2, 1.1}) {
    for (const double other : {theta * factor, theta / factor}) {
      const double next = f(other);
      if (next < value) {
        theta = other;
        value = next;
        break;
      }
    }
  }
  return theta;
}

double few_bits(double x) {  // rounded down to 20 bits
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(mantissa * 0x1p20), exponent - 20);
}

// ln of the moment on a sample of the composition.
class Moment {
 public:
  explicit Moment(const Composition& all) : few_(sample(all)) {}
  double operator()(double theta) const { return total_log_moment(few_, theta).upper; }
  // ln of the bound on delta at epsilon.
  double log_delta(double theta, double epsilon) const {
    return log_chernoff({theta, (*this)(theta)}) - theta * epsilon;
  }

 private:
  Composition few_;
};

// The order of the least Renyi bound, and by the saddle point's rule the spread of the loss around epsilon and
// whichever of delta and epsilon is not given. The spread is taken below the order, where moments of sampled
// Gaussians are still those of their bulk.
void estimate(Plan& plan, const Moment& moment, const Question& question) {
  const auto objective = [&](double theta) {
    if (!question.asks_epsilon) return moment.log_delta(theta, question.epsilon);
    return (moment.log_delta(theta, 0) - question.log_delta) / theta;
  };
  const double best = minimiser(objective, question.asks_epsilon ? 1e-3 * question.width : 1e-3);
  const double bend = moment(0.9 * best) - 2 * moment(0.8 * best) + moment(0.7 * best);
  const double variance = std::max(0.0, bend / (0.01 * best * best));
  const double saddle = moment(best) - std::log1p(best * (best + 1) * std::sqrt(2 * std::numbers::pi * variance));
  plan.best_order = best;
  plan.deviation = std::sqrt(variance);
  plan.log_delta = question.asks_epsilon ? question.log_delta : std::min(0.0, saddle - best * question.epsilon);
  plan.epsilon = std::isnan(question.epsilon) ? (saddle - question.log_delta) / best : question.epsilon;
}

// The tilt and the order for the alias above that need the shortest window; the order is returned, 0 for none.
double choose_window(Plan& plan, const Moment& moment) {
  const double best = plan.best_order;
  double shortest = kNever;
  double chosen = 0;
  const double precision = -std::log(plan.accuracy);
  std::vector<double> tails;
  for (const double f : kOrders) tails.push_back(moment.log_delta(f * best, plan.epsilon) - plan.log_delta);
  for (const double f : kTilts) {
    const double theta = f * best;
    const double scale = moment(theta) - theta * plan.epsilon - plan.log_delta;
    if (scale > kMostScale && f < kTilts.back()) continue;
    for (std::size_t i = 0; i < kOrders.size(); ++i) {
      const double gap = (kOrders[i] - f) * best;
      if (gap < 0.04 * best || !(tails[i] < kNever)) continue;
      const double length = std::max((precision - plan.log_delta) / theta, (precision + std::max(0.0, tails[i])) / gap);
      if (length >= shortest) continue;
      shortest = length;
      plan.theta = theta;
      plan.digits = std::max(10.0, precision + scale);
      chosen = kOrders[i] * best;
    }
  }
  if (shortest < kNever) plan.spacing = few_bits(2 * std::numbers::pi / shortest);
  return chosen;
}

}  // namespace

Composition sample(const Composition& all) {
  if (all.groups.size() <= kSample) return all;
  Composition result{{}, all.gaussian_square};
  const double stride = static_cast<double>(all.groups.size()) / kSample;
  for (std::size_t i = 0; i < kSample; ++i) {
    Group group = all.groups[static_cast<std::size_t>((static_cast<double>(i) + 0.5) * stride)];
    group.times *= stride;
    result.groups.push_back(std::move(group));
  }
  return result;
}

Plan make_plan(const Composition& composition, const Question& question) {
  Plan plan;
  const Moment moment(composition);
  estimate(plan, moment, question);
  if (!(std::abs(plan.epsilon) < kNever) || !(std::abs(plan.log_delta) < kNever)) return plan;
  const double width = question.asks_epsilon ? question.width : question.relative_width / plan.best_order;
  plan.accuracy = std::clamp(plan.best_order * width / 16, 1e-13, 0.05);
  plan.smoothing = std::min(kGreatestSmoothing, std::sqrt(0.4 * width / (1 + plan.best_order)));
  const double order = choose_window(plan, moment);
  if (!(order > 0) || !(plan.spacing > 0)) return plan;
  for (const double f : {0.92, 1.0, 1.1}) {
    const Bounds certified = total_log_moment(composition, f * order);
    if (certified.upper < kNever) plan.orders.push_back({f * order, certified.upper});
  }
  plan.usable = !plan.orders.empty();
  return plan;
}

namespace {

std::vector<Factor> make_factors(const Composition& composition, const Plan& plan, double reach) {
  std::vector<Factor> result;
  result.reserve(composition.groups.size());
  for (const Group& g : composition.groups) {
    result.emplace_back(g.loss, g.times, plan.theta, reach, std::max(22.0, plan.digits + std::log(g.times) + 5));
  }
  return result;
}

// Bounds from a first frequency on, as far as is worth knowing: evenly spaced ranges up to ten times it, then wider
// ones.
Decay make_decay(const std::vector<Factor>& factors, double from, double to, double enough) {
  constexpr std::size_t kEven = 37;
  Decay result;
  for (std::size_t i = 0; i < kEven; ++i) result.edge.push_back(from * (1 + 0.25 * static_cast<double>(i)));
  while (result.edge.back() < to) result.edge.push_back(1.15 * result.edge.back());
  result.log_bound.assign(result.edge.size(), 0);
  for (const Factor& f : factors) f.tighten_decay(result.edge, kEven, enough, result.log_bound);
  return result;
}

// The least frequency between two beyond which all may be left out, for one amount of smoothing, to a fiftieth.
double least_cut(const Plan& plan, const Decay& decay, double gaussian_square, double smoothing, double low,
                 double high) {
  const Grid grid{plan.theta, plan.spacing, 0, smoothing};
  const double enough = std::exp(-plan.digits);
  const auto suffices = [&](double u) {
    const FrequencyTail tail = frequency_tail(decay, grid, gaussian_square, u);
    return tail.curve < enough && (smoothing == 0 || tail.density * smoothing * smoothing < enough);
  };
  if (!suffices(high)) return kNever;
  while (high > 1.02 * low) {
    const double middle = std::sqrt(low * high);
    (suffices(middle) ? high : low) = middle;
  }
  return high;
}

bool is_smooth(const Composition& composition) {
  return composition.gaussian_square > 0 ||
         std::any_of(composition.groups.begin(), composition.groups.end(),
                     [](const Group& g) { return std::holds_alternative<MixtureLoss>(g.loss); });
}

}  // namespace

Spectrum make_spectrum(const Composition& composition, const Plan& plan) {
  const double gaussian = composition.gaussian_square;
  const bool smooth = is_smooth(composition);
  const double width = std::sqrt(2 * plan.digits);
  const auto reach_of = [&](double s) { return width / std::sqrt(s * s + gaussian); };
  const double guess = width / std::max(plan.deviation, 1e-9);
  const double farthest = reach_of(plan.smoothing);
  const double reach = smooth ? std::min(1.2 * guess, farthest) : farthest;
  std::vector<Factor> factors = make_factors(composition, plan, reach);
  const double start = std::min(0.4 * guess, 0.5 * farthest);
  const Decay decay = smooth ? make_decay(factors, start, 1.3 * farthest, 1.5 * plan.digits + 20) : Decay{{0}, {0}};

  double effort = 0;
  for (const Factor& f : factors) effort += f.effort();
  const auto affordable = [&](double u) {  // nodes grow with the frequency, too
    const double nodes = effort * std::max(1.0, smooth ? u / reach : 1);
    return std::min(kMostFrequencies, kMostEffort / nodes) * plan.spacing;
  };
  const auto cut = [&](double s) { return least_cut(plan, decay, gaussian, s, start, 4 * reach_of(s)); };
  Grid grid{plan.theta, plan.spacing, 1, plan.smoothing};
  double last = cut(grid.smoothing);
  const double exact = smooth ? least_cut(plan, decay, gaussian, 0, start, 4 * farthest) : kNever;
  if (exact <= 1.3 * last) {  // smoothing costs width, so it must save frequencies
    last = exact;
    grid.smoothing = 0;
  }
  for (double s = plan.smoothing; last > affordable(last) && s < kGreatestSmoothing;) {
    s = std::min(kGreatestSmoothing, 1.3 * s);
    grid.smoothing = s;
    last = cut(s);
  }
  last = std::min(last, affordable(std::min(last, 4 * farthest)));
  grid.blocks = static_cast<std::size_t>(std::max(1.0, std::ceil(last / grid.spacing / kBlock)));
  const double top = static_cast<double>(grid.blocks * kBlock) * grid.spacing;
  if (smooth && top > reach) factors = make_factors(composition, plan, top);
  return Spectrum(composition, factors, grid, decay, plan.orders);
}

}  // namespace dither::accounting::detail
