#include "mechanisms/discrete_laplace.h"

#include "mechanisms/detail/events.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/detail/reach.h"
#include "random/discrete_laplace.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

AnyMeasurement make_discrete_laplace(const VectorDomain& domain, const Rational& scale, MetricKind from) {
  const random::DiscreteLaplace noise(scale);  // refuses a bad scale
  const detail::Reach reach(domain, from, MetricKind::l1);
  const detail::Width width = detail::discrete_laplace_width(scale);
  return AnyMeasurement({
      .recipe = {"discrete-laplace", {{"scale", scale}}},
      .input = domain,
      .from = {from},
      .measure = Measure::pure(),
      .loss = [scale, reach](const Distance& d) { return pure(reach.l1(d) / scale); },
      .events = [scale, reach](const Distance& d) { return detail::discrete_laplace_events(scale, reach, d); },
      .function = [noise](const Data& data, random::Source& source) -> Data {
        return detail::add_noise(noise, as<Integers>(data), source);
      },
      .error = detail::symmetric_error(width.standard_error, width.radius),
  });
}

Measurement<L1, Pure> make_discrete_laplace(const VectorDomain& domain, const Rational& scale) {
  return Measurement<L1, Pure>(make_discrete_laplace(domain, scale, MetricKind::l1));
}

}  // namespace dither::mechanisms
