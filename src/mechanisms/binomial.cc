#include "mechanisms/binomial.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/error.h"
#include "mechanisms/detail/laws.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/one_number.h"
#include "random/binomial.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

void require_trials(std::uint64_t trials) {
  if (trials > 0 && trials % 2 == 0 && trials <= kMostTrials) return;
  throw Error{Code::bad_count, fmt::format("trials is {}, but it must be even and at most 10^8", trials),
              "give an even number, or let least_trials find it"};
}

}  // namespace

Measurement<L1, Approximate> make_binomial(const VectorDomain& domain, std::uint64_t trials, const Rational& epsilon) {
  require_trials(trials);
  detail::require_epsilon(epsilon);
  detail::require_one_number(domain, "binomial");
  const auto tails = std::make_shared<const detail::SymmetricTails>(detail::binomial_tails(trials));
  const detail::Centred<random::Binomial> noise{random::Binomial(trials, Rational(1, 2)),
                                                static_cast<std::int64_t>(trials / 2)};
  return Measurement<L1, Approximate>(AnyMeasurement({
      .recipe = {"binomial", {{"trials", Rational(static_cast<Int128>(trials))}, {"epsilon", epsilon}}},
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
      .error = detail::symmetric_error(std::sqrt(static_cast<double>(trials)) / 2, tails->radius(0.05)),
  }));
}

Rational binomial_delta(std::uint64_t trials, const Rational& epsilon, const Rational& distance) {
  require_trials(trials);
  detail::require_epsilon(epsilon);
  return detail::binomial_tails(trials).delta(epsilon, distance);
}

std::uint64_t least_trials(const Rational& epsilon, const Rational& delta, const Rational& distance) {
  detail::require_epsilon(epsilon);
  detail::require_target(delta, distance);
  const auto delta_of = [&](std::uint64_t half) { return binomial_delta(2 * half, epsilon, distance); };
  return 2 * detail::least_count(delta_of, delta, kMostTrials / 2);
}

}  // namespace dither::mechanisms
