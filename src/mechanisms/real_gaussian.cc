#include "mechanisms/real_gaussian.h"

#include <fmt/format.h>

#include "mechanisms/detail/events.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/detail/reach.h"
#include "mechanisms/detail/real.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

AnyMeasurement::LossMap loss_in(const Measure& measure, const Rational& sigma, const detail::Reach& reach) {
  const auto squared_mu = [sigma, reach](const Distance& d) { return reach.l2_squared(d) / (sigma * sigma); };
  if (measure == Measure::concentrated()) return [=](const Distance& d) { return concentrated(squared_mu(d) / 2); };
  if (measure == Measure::gaussian()) return [=](const Distance& d) { return accounting::GaussianDp{squared_mu(d)}; };
  throw Error{Code::mixed_metrics, fmt::format("Gaussian noise has no exact loss in {} DP", measure.name()),
              "ask for concentrated or gaussian, and cast the measurement"};
}

}  // namespace

AnyMeasurement make_real_gaussian(const VectorDomain& domain, const Rational& sigma, MetricKind from,
                                  const Measure& measure) {
  auto function = detail::rounded_noise(random::RealLaw::normal(), sigma);  // refuses a bad sigma
  const detail::Reach reach(domain, from, MetricKind::l2);
  const detail::Width width = detail::rounded_gaussian_width(sigma);
  return AnyMeasurement({
      .recipe = {"real-gaussian", {{"sigma", sigma}, {"measure", std::string(measure.name())}}},
      .input = domain,
      .from = {from},
      .measure = measure,
      .loss = loss_in(measure, sigma, reach),
      .events = [sigma, reach](const Distance& d) { return detail::gaussian_events(sigma, reach, d); },
      .function = std::move(function),
      .error = detail::symmetric_error(width.standard_error, width.radius),
  });
}

Measurement<L2, Zcdp> make_real_gaussian(const VectorDomain& domain, const Rational& sigma) {
  return Measurement<L2, Zcdp>(make_real_gaussian(domain, sigma, MetricKind::l2, Measure::concentrated()));
}

Measurement<L2, Gdp> make_real_gaussian_gdp(const VectorDomain& domain, const Rational& sigma) {
  return Measurement<L2, Gdp>(make_real_gaussian(domain, sigma, MetricKind::l2, Measure::gaussian()));
}

}  // namespace dither::mechanisms
