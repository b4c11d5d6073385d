#include "accounting/odometer.h"

#include <fmt/format.h>

#include <limits>

#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {

PureOdometer charged(const PureOdometer& odometer, const PureCharge& charge) {
  return {add_saturating(odometer.spent, charge.epsilon)};
}

OdometerReading reading(const PureOdometer& odometer) {
  if (odometer.spent.steps() == kInt128Max) return {std::numeric_limits<double>::infinity(), {}};
  return {odometer.spent.value().to_double_up(), {}};
}

Odometer::Odometer(SquareAmount tuned, DeltaAmount slack, DeltaAmount limit)
    : tuned_(tuned), slack_(slack), limit_(limit) {
  if (tuned.steps() == 0) {
    throw Error{Code::bad_scale, "the odometer is tuned for a variance of 0, but that must be positive",
                "give the sum of squared epsilons at which it should be tightest, such as 1"};
  }
  if (slack.steps() == 0 || slack.value() >= 1 || limit.value() >= 1) {
    throw Error{Code::bad_probability,
                fmt::format("the slack {} of the odometer must be above 0, and that and its limit {} below 1",
                            slack.str(), limit.str()),
                "give small probabilities such as 1e-6"};
  }
}

void Odometer::add(SquareAmount variance, DeltaAmount delta) {
  variance_ = add_saturating(variance_, variance);
  delta_ = add_saturating(delta_, delta);
}

Odometer charged(Odometer odometer, const ApproximateCharge& charge) {
  odometer.add(square_up(charge.epsilon), charge.delta);
  return odometer;
}

Odometer charged(Odometer odometer, const ZcdpCharge& charge) {
  odometer.add(variance_up(add_saturating(charge.rho, charge.rho)), charge.delta);
  return odometer;
}

Odometer charged(Odometer odometer, const GdpCharge& charge) {
  odometer.add(variance_up(charge.mu_squared), {});
  return odometer;
}

OdometerReading reading(const Odometer& odometer) {
  const DeltaAmount delta = add_saturating(odometer.slack_, odometer.limit_);
  if (odometer.delta_ > odometer.limit_ || odometer.variance_.steps() == kInt128Max) {
    return {std::numeric_limits<double>::infinity(), delta};
  }
  const Rational variance = odometer.variance_.value();
  if (variance.sign() == 0) return {0, delta};
  const double v = variance.to_double_up();
  const double sum = (variance + odometer.tuned_.value()).to_double_up();
  const double ratio = div_up(sum, odometer.tuned_.value().to_double_down());
  const double log_slack = -log_down(odometer.slack_.value().to_double_down());
  const double logs = add_up(mul_up(0.5, log_up(ratio)), log_slack);
  return {add_up(mul_up(0.5, v), sqrt_up(mul_up(mul_up(2, sum), logs))), delta};
}

}  // namespace dither::accounting
