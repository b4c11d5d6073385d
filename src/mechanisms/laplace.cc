#include "mechanisms/laplace.h"

#include "mechanisms/detail/events.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/detail/reach.h"
#include "mechanisms/detail/real.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

AnyMeasurement make_laplace(const VectorDomain& domain, const Rational& scale, MetricKind from) {
  auto function = detail::rounded_noise(random::RealLaw::laplace(), scale);  // refuses a bad scale
  const detail::Reach reach(domain, from, MetricKind::l1);
  const detail::Width width = detail::rounded_laplace_width(scale);
  return AnyMeasurement({
      .recipe = {"laplace", {{"scale", scale}}},
      .input = domain,
      .from = {from},
      .measure = Measure::pure(),
      .loss = [scale, reach](const Distance& d) { return pure(reach.l1(d) / scale); },
      .events = [scale, reach](const Distance& d) { return detail::laplace_events(scale, reach, d); },
      .function = std::move(function),
      .error = detail::symmetric_error(width.standard_error, width.radius),
  });
}

Measurement<L1, Pure> make_laplace(const VectorDomain& domain, const Rational& scale) {
  return Measurement<L1, Pure>(make_laplace(domain, scale, MetricKind::l1));
}

}  // namespace dither::mechanisms
