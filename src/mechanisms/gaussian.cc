#include "mechanisms/gaussian.h"

#include "mechanisms/detail/events.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/detail/reach.h"
#include "random/discrete_gaussian.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

AnyMeasurement make_gaussian(const VectorDomain& domain, const Rational& sigma, MetricKind from) {
  const random::DiscreteGaussian noise(sigma);  // refuses a bad sigma
  const detail::Reach reach(domain, from, MetricKind::l2);
  const detail::Width width = detail::discrete_gaussian_width(sigma);
  return AnyMeasurement({
      .recipe = {"gaussian", {{"sigma", sigma}}},
      .input = domain,
      .from = {from},
      .measure = Measure::concentrated(),
      // L2 distances are kept squared, so the whole map stays in exact rationals.
      .loss = [sigma, reach](const Distance& d) { return concentrated(reach.l2_squared(d) / (2 * sigma * sigma)); },
      .events = [sigma, reach](const Distance& d) { return detail::discrete_gaussian_events(sigma, reach, d); },
      .function = [noise](const Data& data, random::Source& source) -> Data {
        return detail::add_noise(noise, as<Integers>(data), source);
      },
      .error = detail::symmetric_error(width.standard_error, width.radius),
  });
}

Measurement<L2, Zcdp> make_gaussian(const VectorDomain& domain, const Rational& sigma) {
  return Measurement<L2, Zcdp>(make_gaussian(domain, sigma, MetricKind::l2));
}

}  // namespace dither::mechanisms
