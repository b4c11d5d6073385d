#include "mechanisms/discrete_laplace.h"

#include <cmath>

#include "accounting/accuracy.h"
#include "mechanisms/detail/noise.h"
#include "random/discrete_laplace.h"
#include "random/moments.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

Measurement<L1, Pure> make_discrete_laplace(const VectorDomain& domain, const Rational& scale) {
  const random::DiscreteLaplace noise(scale);  // refuses a bad scale
  const bool single = domain.dimension == 1u;
  return Measurement<L1, Pure>(AnyMeasurement({
      .recipe = {"discrete-laplace", {{"scale", scale}}},
      .input = domain,
      .from = {MetricKind::l1},
      .measure = Measure::pure(),
      .loss = [scale](const Distance& d) { return pure(number(d) / scale); },
      // The exact law of the loss is known for one number; several cost no more than any mechanism with this epsilon.
      .events = [scale, single](const Distance& d) -> std::vector<accounting::Event> {
        if (single) return {{{}, accounting::DiscreteLaplace{scale, number(d)}}};
        return {{{}, accounting::BlackBox{number(d) / scale}}};
      },
      .function = [noise](const Data& data, random::Source& source) -> Data {
        return detail::add_noise(noise, as<Integers>(data), source);
      },
      .error = detail::symmetric_error(std::sqrt(*random::discrete_laplace_moments(scale).variance),
                                       accounting::discrete_laplace_error(scale.to_double_up(), {1, 0.05})),
  }));
}

}  // namespace dither::mechanisms
