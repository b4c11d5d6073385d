#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/big_interval.h"
#include "random/moments.h"
#include "random/real_cdf.h"

namespace dither::random {

namespace {

using Kind = RealLaw::Kind;
using Moment = Moments::Moment;

constexpr long kBits = 256;

double real(const Rational& x) { return x.to_double_down(); }

bool is_heavy(const RealLaw& law) {
  return law.kind == Kind::cauchy || law.kind == Kind::student_t || law.kind == Kind::log_normal;
}

// P(|round(ratio * Z)| >= k).
BigInterval tail_of(const RealLaw& law, const Rational& ratio, Int128 k) {
  const Rational z = (Rational(k) - Rational(1, 2)) / ratio;
  return BigInterval(Rational(1), kBits) - real_cdf(law, z, kBits) + real_cdf(law, -z, kBits);
}

struct Shape {
  Moment mean;
  Moment variance;
  double centre;
  double spread;
};

Shape student_shape(const Rational& degrees) {
  const Moment infinite = std::numeric_limits<double>::infinity();
  const Moment variance = degrees > 2 ? Moment(real(degrees / (degrees - 2))) : degrees > 1 ? infinite : Moment();
  return {degrees > 1 ? Moment(0) : Moment(), variance, 0, degrees > 2 ? std::sqrt(*variance) : 1};
}

Shape log_normal_shape(double mu, double sigma) {
  const double mean = std::exp(mu + sigma * sigma / 2);
  return {mean, std::expm1(sigma * sigma) * mean * mean, std::exp(mu), std::exp(mu + sigma) - std::exp(mu)};
}

Shape beta_shape(double a, double b) {
  const double mean = a / (a + b);
  const double variance = mean * b / ((a + b) * (a + b + 1));
  return {mean, variance, mean, std::sqrt(variance)};
}

// At scale one.
Shape shape_of(const RealLaw& law) {
  const double a = real(law.first);
  const double b = real(law.second);
  switch (law.kind) {
    case Kind::beta:
      return beta_shape(a, b);
    case Kind::cauchy:
      return {{}, {}, 0, 1};
    case Kind::exponential:
      return {1, 1, 1, 1};
    case Kind::gamma:
      return {a, a, a, std::sqrt(a)};
    case Kind::laplace:
      return {0, 2, 0, std::sqrt(2)};
    case Kind::log_normal:
      return log_normal_shape(a, b);
    case Kind::normal:
      return {0, 1, 0, 1};
    case Kind::student_t:
      return student_shape(law.first);
  }
  std::abort();
}

}  // namespace

Moments real_moments(const RealLaw& law, const Rational& ratio) {
  const Shape shape = shape_of(law);
  const double r = real(ratio);
  const auto times = [](Moment x, double factor) { return x ? Moment(*x * factor) : x; };
  const auto tail = [law, ratio](Int128 k) -> std::optional<double> {
    const BigInterval p = tail_of(law, ratio, k);
    return std::max(0.0, (p.low_double() + p.high_double()) / 2);
  };
  return {times(shape.mean, r), times(shape.variance, r * r), tail, shape.centre * r, shape.spread * r};
}

bool real_fits_int64(const RealLaw& law, const Rational& ratio) {
  // Light tails are far below that bound at 2^52 times their width.
  if (is_heavy(law)) return tail_of(law, ratio, Int128{1} << 63).surely_below(Rational::power_of_two(-100));
  const Rational width = law.kind == Kind::gamma && law.first > 1 ? law.first : Rational(1);
  return ratio * width <= Rational::power_of_two(52);
}

}  // namespace dither::random
