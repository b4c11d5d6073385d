#include "mechanisms/skellam.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/error.h"
#include "mechanisms/detail/laws.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/one_number.h"
#include "random/poisson.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr long kMostVariance = 100'000'000;
constexpr long kSteps = 64;  // a variance is searched in steps of 1/64

void require_variance(const Rational& variance) {
  if (variance >= Rational(1, 1'000'000) && variance <= kMostVariance) return;
  throw Error{Code::bad_scale, fmt::format("the variance is {}, but it must lie in [10^-6, 10^8]", variance.str()),
              "give a positive variance, or let least_skellam_variance find it"};
}

}  // namespace

Measurement<L1, Approximate> make_skellam(const VectorDomain& domain, const Rational& variance,
                                          const Rational& epsilon) {
  require_variance(variance);
  detail::require_epsilon(epsilon);
  detail::require_one_number(domain, "Skellam");
  const auto tails = std::make_shared<const detail::SymmetricTails>(detail::skellam_tails(variance));
  const detail::Centred<random::Skellam> noise{random::Skellam(variance / 2, variance / 2)};
  return Measurement<L1, Approximate>(AnyMeasurement({
      .recipe = {"skellam", {{"variance", variance}, {"epsilon", epsilon}}},
      .input = domain,
      .from = {MetricKind::l1},
      .measure = Measure::approximate(),
      .loss = [tails, epsilon](const Distance& d) { return approximate(epsilon, tails->delta(epsilon, number(d))); },
      .events = [tails, epsilon](const Distance& d) -> std::vector<accounting::Event> {
        return {{{}, accounting::BlackBox{epsilon, tails->delta(epsilon, number(d))}}};
      },
      .function = [noise](const Data& data, random::Source& source) -> Data {
        return detail::add_noise(noise, as<Integers>(data), source);
      },
      .error = detail::symmetric_error(std::sqrt(variance.to_double_up()), tails->radius(0.05)),
  }));
}

Rational skellam_delta(const Rational& variance, const Rational& epsilon, const Rational& distance) {
  require_variance(variance);
  detail::require_epsilon(epsilon);
  return detail::skellam_tails(variance).delta(epsilon, distance);
}

Rational least_skellam_variance(const Rational& epsilon, const Rational& delta, const Rational& distance) {
  detail::require_epsilon(epsilon);
  detail::require_target(delta, distance);
  const auto variance = [](std::uint64_t steps) { return Rational(static_cast<Int128>(steps)) / kSteps; };
  const auto delta_of = [&](std::uint64_t steps) { return skellam_delta(variance(steps), epsilon, distance); };
  return variance(detail::least_count(delta_of, delta, std::uint64_t{kMostVariance} * kSteps));
}

}  // namespace dither::mechanisms
