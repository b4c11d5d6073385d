#include "mechanisms/key_threshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/key_release.h"
#include "base/directed.h"
#include "mechanisms/detail/key_noise.h"
#include "mechanisms/detail/noise.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/moments.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus
using accounting::KeyNoise;

namespace {

const Rational kWidestNoise = Rational::power_of_two(60);
const Rational kHighestThreshold = Rational::power_of_two(100);

void require_limit(std::string_view name, std::uint64_t limit) {
  if (limit >= 1 && limit <= static_cast<std::uint64_t>(detail::kMostCells)) return;
  throw Error{Code::bad_limit, fmt::format("{} per unit is {}, but lies in 1..10^12", name, limit),
              "bound what a unit contributes first, and give that bound"};
}

void require_budget(std::string_view name, const Rational& amount, const Rational& delta, const KeyLimits& limits) {
  if (amount.sign() <= 0) {
    throw Error{Code::bad_scale, fmt::format("{} is {}, but noise needs {} > 0", name, amount.str(), name),
                "give a positive budget"};
  }
  if (delta.sign() <= 0 || delta >= 1) {
    throw Error{Code::bad_probability,
                fmt::format("delta is {}, but keys nobody listed need 0 < delta < 1", delta.str()),
                "give a small delta such as 1e-6, or list the keys: then no delta is needed"};
  }
  if (delta < Rational::parse("1e-300")) {
    throw Error{Code::below_floor, "delta is below 1e-300, where tails cannot be certified", "give a larger delta"};
  }
  require_limit("the number of keys", limits.keys);
  require_limit("the contribution to a key", limits.contribution);
}

// What showing keys costs, by the same number that accounting::cost gives for the event.
Rational key_delta(KeyNoise noise, const KeyThreshold& rule, const Rational& contribution, const Rational& keys) {
  if (keys > detail::kMostCells || contribution > kHighestThreshold) return 1;
  const double mass = accounting::key_release_loss(noise, rule.scale, Rational(rule.threshold), contribution,
                                                   static_cast<std::uint64_t>(keys.floor()))
                          .infinite_mass;
  return Rational::from_double(std::min(1.0, mul_up(mass, 1 + 0x1p-48)));
}

KeyThreshold with_least_threshold(KeyNoise noise, const Rational& scale, const Rational& delta,
                                  const KeyLimits& limits) {
  if (scale > kWidestNoise) {
    throw Error{Code::bad_scale, "this budget needs noise wider than 2^60", "give more budget or stricter limits"};
  }
  const Rational keys(static_cast<Int128>(limits.keys)), contribution(static_cast<Int128>(limits.contribution));
  const auto fits = [&](Int128 threshold) { return key_delta(noise, {scale, threshold}, contribution, keys) <= delta; };
  return {scale, fits(1) ? 1 : detail::least_where(fits, 1)};
}

void require_rule(const KeyThreshold& rule) {
  if (rule.threshold >= 1 && Rational(rule.threshold) <= kHighestThreshold) return;
  throw Error{Code::bad_limit, fmt::format("the threshold is {}, but lies in 1..2^100", to_string(rule.threshold)),
              "let laplace_threshold_for or gaussian_threshold_for find it"};
}

// The keys whose noisy counts reach the threshold. Noise is drawn for every entry, whatever its count.
template <class Noise>
Keyed show_keys(const Noise& noise, Int128 threshold, const Keyed& exact, random::Source& source) {
  const Integers noisy = detail::add_noise(noise, exact.values, source);
  Keyed shown;
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    if (exact.values[i] <= 0 || noisy[i] < threshold) continue;
    shown.keys.push_back(exact.keys[i]);
    shown.values.push_back(noisy[i]);
  }
  return shown;
}

AnyMeasurement::ErrorFunction shown_error(KeyNoise noise, const KeyThreshold& rule, double standard_error) {
  const Int128 radius = detail::noise_radius(noise, rule.scale, Rational(1, 40));
  return [standard_error, radius, threshold = rule.threshold](Int128 released) {
    const bool near = released <= add_saturating(threshold, radius);
    return ErrorBar{standard_error, near ? Rational(1) : Rational(released) - Rational(radius),
                    Rational(released) + Rational(radius)};
  };
}

// The event that describes the release: a key release where each cell may move by the largest amount, otherwise what
// the tighter sums prove.
template <class Noise, class Stated>
std::vector<accounting::Event> key_events(const CellsDistance& d, bool full, const Noise& noise, Int128 threshold,
                                          const Stated& stated) {
  if (!full || d.cells > detail::kMostCells) return {{{}, stated}};
  const accounting::Mechanism one(noise);
  return {{{}, accounting::KeyRelease{one, static_cast<std::uint64_t>(d.cells.floor()), Rational(threshold)}}};
}

Recipe recipe_of(std::string name, const KeyThreshold& rule) {
  return {std::move(name), {{"scale", rule.scale}, {"threshold", Rational(rule.threshold)}}};
}

}  // namespace

KeyThreshold laplace_threshold_for(const Rational& epsilon, const Rational& delta, const KeyLimits& limits) {
  require_budget("epsilon", epsilon, delta, limits);
  const Rational moved =
      Rational(static_cast<Int128>(limits.keys)) * Rational(static_cast<Int128>(limits.contribution));
  return with_least_threshold(KeyNoise::discrete_laplace, moved / epsilon, delta, limits);
}

KeyThreshold gaussian_threshold_for(const Rational& rho, const Rational& delta, const KeyLimits& limits) {
  require_budget("rho", rho, delta, limits);
  const Rational moved(static_cast<Int128>(limits.contribution));
  const Rational squared = Rational(static_cast<Int128>(limits.keys)) * moved * moved / (2 * rho);
  const double sigma = sqrt_up(squared.to_double_up());
  if (!std::isfinite(sigma)) return with_least_threshold(KeyNoise::discrete_gaussian, 2 * kWidestNoise, delta, limits);
  return with_least_threshold(KeyNoise::discrete_gaussian, Rational::from_double(sigma), delta, limits);
}

Measurement<Cells, Approximate> make_laplace_threshold(const KeyedDomain& domain, const KeyThreshold& rule) {
  require_rule(rule);
  const random::DiscreteLaplace noise(rule.scale);  // refuses a bad scale
  const auto cost = [rule](const CellsDistance& d) {
    return accounting::ApproximateDp{d.l1 / rule.scale,
                                     key_delta(KeyNoise::discrete_laplace, rule, d.largest, d.cells)};
  };
  return Measurement<Cells, Approximate>(AnyMeasurement({
      .recipe = recipe_of("laplace-threshold", rule),
      .input = domain,
      .from = {MetricKind::cells},
      .measure = Measure::approximate(),
      .loss = [cost](const Distance& distance) -> Loss {
        const CellsDistance d = detail::of_integers(cells_of(distance));
        return d.cells.sign() == 0 ? approximate(0, 0) : cost(d);
      },
      .events = [cost, rule](const Distance& distance) -> std::vector<accounting::Event> {
        const CellsDistance d = detail::of_integers(cells_of(distance));
        if (d.cells.sign() == 0) return {};
        const accounting::ApproximateDp total = cost(d);
        return key_events(d, d.l1 == d.cells * d.largest, accounting::DiscreteLaplace{rule.scale, d.largest},
                          rule.threshold, accounting::BlackBox{total.epsilon, total.delta});
      },
      .function = [noise, rule](const Data& data, random::Source& source) -> Data {
        return show_keys(noise, rule.threshold, as<Keyed>(data), source);
      },
      .error = shown_error(KeyNoise::discrete_laplace, rule,
                           std::sqrt(*random::discrete_laplace_moments(rule.scale).variance)),
  }));
}

Measurement<Cells, Zcdp> make_gaussian_threshold(const KeyedDomain& domain, const KeyThreshold& rule) {
  require_rule(rule);
  const random::DiscreteGaussian noise(rule.scale);  // refuses a bad scale
  const auto cost = [rule](const CellsDistance& d) {
    return accounting::ConcentratedDp{d.l2_squared / (2 * rule.scale * rule.scale),
                                      key_delta(KeyNoise::discrete_gaussian, rule, d.largest, d.cells)};
  };
  return Measurement<Cells, Zcdp>(AnyMeasurement({
      .recipe = recipe_of("gaussian-threshold", rule),
      .input = domain,
      .from = {MetricKind::cells},
      .measure = Measure::concentrated(),
      .loss = [cost](const Distance& distance) -> Loss {
        const CellsDistance d = detail::of_integers(cells_of(distance));
        return d.cells.sign() == 0 ? concentrated(0) : cost(d);
      },
      .events = [cost, rule](const Distance& distance) -> std::vector<accounting::Event> {
        const CellsDistance d = detail::of_integers(cells_of(distance));
        if (d.cells.sign() == 0) return {};
        const accounting::ConcentratedDp total = cost(d);
        return key_events(d, d.l2_squared == d.cells * d.largest * d.largest,
                          accounting::DiscreteGaussian{rule.scale, d.largest}, rule.threshold,
                          accounting::Zcdp{total.rho, total.delta});
      },
      .function = [noise, rule](const Data& data, random::Source& source) -> Data {
        return show_keys(noise, rule.threshold, as<Keyed>(data), source);
      },
      .error = shown_error(KeyNoise::discrete_gaussian, rule,
                           std::sqrt(*random::discrete_gaussian_moments(rule.scale).variance)),
  }));
}

}  // namespace dither::mechanisms
