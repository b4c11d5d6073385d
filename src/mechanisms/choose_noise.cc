#include "mechanisms/choose_noise.h"

#include "mechanisms/calibrate.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/detail/reach.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/real_gaussian.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus
using accounting::NoiseLaw;

NoiseChoice choose_noise(const Rational& l1, const Rational& l2_squared, const Rational& epsilon,
                         const Rational& delta) {
  const Rational scale = laplace_scale(l1, epsilon);
  NoiseChoice laplace{NoiseLaw::laplace, scale, detail::discrete_laplace_width(scale).standard_error};
  if (delta.sign() == 0) return laplace;
  const Rational sigma = analytic_sigma(l2_squared, epsilon, delta);
  const NoiseChoice gaussian{NoiseLaw::gaussian, sigma, detail::rounded_gaussian_width(sigma).standard_error};
  return gaussian.standard_error < laplace.standard_error ? gaussian : laplace;
}

AnyMeasurement make_best_noise(const VectorDomain& domain, const CellsDistance& distance, const Rational& epsilon,
                               const Rational& delta) {
  const detail::Reach reach(domain, MetricKind::cells, MetricKind::l1);
  const NoiseChoice best = choose_noise(reach.l1(distance), reach.l2_squared(distance), epsilon, delta);
  if (best.law == NoiseLaw::laplace) return make_discrete_laplace(domain, best.scale, MetricKind::cells);
  return make_real_gaussian(domain, best.scale, MetricKind::cells, Measure::gaussian());
}

}  // namespace dither::mechanisms
