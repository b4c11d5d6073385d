#include "accounting/fourier.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "accounting/detail/fourier_ends.h"
#include "accounting/detail/fourier_plan.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::Composition;
using detail::Ends;
using detail::Plan;
using detail::Question;
using detail::Spectrum;

constexpr int kAttempts = 3;

// The least point at which a falling bound of ln delta passes a target, found by secants; not certified.
template <typename Function>
double crossing(const Function& log_bound, double target, double start, double slope, double tolerance) {
  double x = start;
  double y = log_bound(x) - target;
  for (int i = 0; i < 30 && std::isfinite(y); ++i) {
    const double next = x + y / slope;
    const double value = log_bound(next) - target;
    const bool done = std::abs(next - x) < tolerance;
    if (std::abs(next - x) > 0 && std::isfinite(value)) {
      const double secant = -(value - y) / (next - x);
      if (secant > 0.05 * slope && secant < 20 * slope) slope = secant;
    }
    x = next;
    y = value;
    if (done) break;
  }
  return x;
}

// Steps outwards from `start` until a check holds, in doubling steps; nothing when it never does.
template <typename Check>
std::optional<double> first_checked(const Check& holds, double start, double step) {
  if (!std::isfinite(start)) return std::nullopt;
  for (int i = 0; i < 40; ++i) {
    if (holds(start)) return start;
    start += step;
    step *= 2;
  }
  return std::nullopt;
}

// The two ends of the least epsilon with D(epsilon) <= delta, D the curve of the spectrum and delta known to lie
// between two numbers; only checked ends.
Bounds invert(const Spectrum& spectrum, const Plan& plan, Bounds delta, double width) {
  Bounds result{0, kInfinity};
  const double target = std::log(delta.lower);
  const double tolerance = std::max(width / 500, 1e-13);
  const auto upper = [&](double epsilon) { return spectrum.delta(epsilon).upper; };
  const auto lower = [&](double epsilon) { return spectrum.delta(epsilon).lower; };
  const auto log_upper = [&](double epsilon) { return std::log(upper(epsilon)); };
  const auto log_lower = [&](double epsilon) { return std::log(lower(epsilon)); };
  const double slope = std::max(plan.best_order, 1e-6);
  const double high = crossing(log_upper, target, plan.epsilon, slope, tolerance);
  const auto fits = [&](double epsilon) { return epsilon >= 0 && upper(epsilon) <= delta.lower; };
  if (const auto checked = first_checked(fits, std::max(high + tolerance, 0.0), tolerance)) result.upper = *checked;
  double low = crossing(log_lower, std::log(delta.upper), high, slope, tolerance);
  if (!std::isfinite(low)) low = high;
  const auto exceeds = [&](double epsilon) { return epsilon <= 0 || lower(epsilon) > delta.upper; };
  if (const auto checked = first_checked(exceeds, low - tolerance, -tolerance)) result.lower = std::max(0.0, *checked);
  return result;
}

// What to ask for after missing the width by a factor: at an atom of the loss the width falls as the smoothing, not as
// its square.
double tightened(double wanted, double missed) {
  return std::isfinite(missed) ? wanted / std::clamp(2 * missed * missed, 4.0, 1e4) : wanted / 8;
}

double middle(const Bounds& bounds) {
  return bounds.upper < kInfinity && bounds.lower > 0 ? bounds.lower + (bounds.upper - bounds.lower) / 2 : std::nan("");
}

// Ends of epsilon for one list of losses. A long list is first tried on a sample of it, for a good guess.
Bounds epsilon_of(const Ends& ends, double delta, double width) {
  const double next = delta == 0 ? 0 : std::nextafter(delta, kInfinity);
  if (ends.infinite.lower > next) return {kInfinity, kInfinity};
  Bounds result{ends.least_epsilon(next), ends.greatest_epsilon(delta)};
  const Bounds left{sub_down(delta, ends.infinite.upper), sub_up(next, ends.infinite.lower)};
  if (!(left.lower > 0)) return result;
  Question question{true, std::log(left.lower), std::nan(""), std::clamp(width, 1e-12, 1e3), 0};
  const Composition few = detail::sample(ends.finite);
  if (few.groups.size() < ends.finite.groups.size()) {
    const Plan rough = detail::make_plan(few, question);
    if (rough.usable) question.epsilon = middle(invert(detail::make_spectrum(few, rough), rough, left, question.width));
  }
  for (int attempt = 0; attempt < kAttempts && !(result.width() <= width); ++attempt) {
    const Plan plan = detail::make_plan(ends.finite, question);
    if (!plan.usable) break;
    for (const detail::Order& order : plan.orders) {
      const double bound = div_up(sub_up(log_chernoff(order), log_down(left.lower)), order.theta);
      result.upper = std::min(result.upper, std::max(0.0, bound));
    }
    if (result.upper <= result.lower) break;
    const Bounds found = invert(detail::make_spectrum(ends.finite, plan), plan, left, question.width);
    result = {std::max(result.lower, found.lower), std::min(result.upper, found.upper)};
    question.epsilon = middle(found);
    const bool guessed_well = std::abs(question.epsilon - plan.epsilon) * plan.best_order < 1;
    if (guessed_well) question.width = tightened(question.width, result.width() / width);
  }
  if (!(result.lower <= result.upper)) return {0, ends.greatest_epsilon(delta)};  // cannot be: fail closed
  return result;
}

Bounds delta_of(const Ends& ends, double epsilon, double relative_width) {
  const double next = epsilon == 0 ? 0 : std::nextafter(epsilon, kInfinity);
  Bounds result{std::max(ends.infinite.lower, ends.least_delta(next)), 1};
  if (epsilon >= ends.greatest.upper) return ends.infinite;
  double wanted = std::clamp(relative_width, 1e-12, 1e3);
  const auto wide = [&] { return !(result.upper - result.lower <= relative_width * result.lower); };
  for (int attempt = 0; attempt < kAttempts && wide(); ++attempt) {
    const Plan plan = detail::make_plan(ends.finite, {false, 0, epsilon, 0, wanted});
    if (!plan.usable) break;
    Bounds found{0, 1};
    for (const detail::Order& order : plan.orders) {
      found.upper = std::min(found.upper, exp_up(sub_up(log_chernoff(order), mul_down(order.theta, epsilon))));
    }
    const auto spectrum = detail::make_spectrum(ends.finite, plan);
    const Bounds curve{spectrum.delta(next).lower, spectrum.delta(epsilon).upper};
    found = {curve.lower, std::min(found.upper, curve.upper)};
    found = {add_down(found.lower, ends.infinite.lower), add_up(found.upper, ends.infinite.upper)};
    result = {std::max(result.lower, found.lower), std::min(result.upper, found.upper)};
    if (!(result.lower <= result.upper)) return {0, 1};
    wanted = tightened(wanted, (result.upper - result.lower) / (relative_width * result.lower));
  }
  return result;
}

bool has_below(std::span<const Step> steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.below && s.times > 0; });
}

}  // namespace

Bounds epsilon_by_fourier(std::span<const Step> steps, double delta, double width) {
  if (!(delta >= 0) || !(width > 0)) return {};
  if (delta >= 1) return {0, 0};
  const std::optional<Ends> above = detail::ends_of(steps, false);
  if (!above) return {};
  Bounds result = epsilon_of(*above, delta, width);
  if (has_below(steps)) {
    const std::optional<Ends> below = detail::ends_of(steps, true);
    result.lower = below ? epsilon_of(*below, delta, width).lower : 0;
  }
  return result.lower <= result.upper ? result : Bounds{};
}

Bounds delta_by_fourier(std::span<const Step> steps, double epsilon, double relative_width) {
  if (std::isnan(epsilon) || !(relative_width > 0)) return {0, 1};
  const std::optional<Ends> above = detail::ends_of(steps, false);
  if (!above) return {0, 1};
  Bounds result = delta_of(*above, epsilon, relative_width);
  if (has_below(steps)) {
    const std::optional<Ends> below = detail::ends_of(steps, true);
    result.lower = below ? delta_of(*below, epsilon, relative_width).lower : 0;
  }
  return result.lower <= result.upper ? result : Bounds{0, 1};
}

}  // namespace dither::accounting
