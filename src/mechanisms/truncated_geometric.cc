#include "mechanisms/truncated_geometric.h"

#include <fmt/format.h>

#include <algorithm>

#include "mechanisms/detail/events.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/detail/reach.h"
#include "random/discrete_laplace.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

struct Ends {
  Int128 low, high;
  Int128 within(Int128 x) const { return std::min(std::max(x, low), high); }
  void cut(Integers& values) const {
    for (Int128& x : values) x = within(x);
  }
};

Ends ends_of(const VectorDomain& domain) {
  const Rational most = Rational::power_of_two(126);
  if (!domain.bounds) {
    throw Error{Code::bad_bounds, "noise that stays in a range needs one, but the vector has no bounds",
                "declare bounds, or use discrete Laplace noise, which has none"};
  }
  const auto& [low, high] = *domain.bounds;
  if (!low.is_integer() || !high.is_integer() || low < -most || high > most) {
    throw Error{Code::bad_bounds, fmt::format("the range {} .. {} does not end at grid points", low.str(), high.str()),
                "give whole numbers of steps below 2^126"};
  }
  return {low.floor(), high.floor()};
}

// |released - exact| <= |noise| wherever it was cut, so the radius of the noise holds; the exact value lies within.
AnyMeasurement::ErrorFunction error_within(const Ends& ends, const detail::Width& width) {
  return [ends, width](Int128 released) {
    const Rational at = ends.within(released);
    return ErrorBar{width.standard_error, std::max(Rational(ends.low), at - width.radius),
                    std::min(Rational(ends.high), at + width.radius)};
  };
}

}  // namespace

AnyMeasurement make_truncated_geometric(const VectorDomain& domain, const Rational& scale, MetricKind from) {
  const Ends ends = ends_of(domain);
  const random::DiscreteLaplace noise(scale);  // refuses a bad scale
  const detail::Reach reach(domain, from, MetricKind::l1);
  return AnyMeasurement({
      .recipe = {"truncated-geometric", {{"scale", scale}}},
      .input = domain,
      .from = {from},
      .measure = Measure::pure(),
      .loss = [scale, reach](const Distance& d) { return pure(reach.l1(d) / scale); },
      .events = [scale, reach](const Distance& d) { return detail::discrete_laplace_events(scale, reach, d); },
      .function = [noise, ends](const Data& data, random::Source& source) -> Data {
        Integers inside = as<Integers>(data);
        ends.cut(inside);
        Integers noisy = detail::add_noise(noise, inside, source);
        ends.cut(noisy);
        return noisy;
      },
      .error = error_within(ends, detail::discrete_laplace_width(scale)),
  });
}

Measurement<L1, Pure> make_truncated_geometric(const VectorDomain& domain, const Rational& scale) {
  return Measurement<L1, Pure>(make_truncated_geometric(domain, scale, MetricKind::l1));
}

}  // namespace dither::mechanisms
