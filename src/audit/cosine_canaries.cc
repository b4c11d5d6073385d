#include "audit/cosine_canaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "audit/detail/require_rate.h"
#include "base/error.h"

namespace dither::audit {

namespace {

constexpr double kMostEpsilon = 700;

double normal(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// P(low < X < high); tails are taken on the side where they are small.
double mass(const NormalLaw& law, double low, double high) {
  const double a = (low - law.mean) / law.deviation;
  const double b = (high - law.mean) / law.deviation;
  return a > 0 ? normal(-a) - normal(-b) : normal(b) - normal(a);
}

// P(S) - e^epsilon Q(S) for the best S, where log(p/q) > epsilon: where a parabola in x is positive.
double one_way(const NormalLaw& p, const NormalLaw& q, double epsilon) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double grow = std::exp(epsilon);
  const auto gain = [&](double low, double high) {
    return std::max(0.0, mass(p, low, high) - grow * mass(q, low, high));
  };
  const double z = (p.mean - q.mean) / q.deviation;  // in units of q
  const double s = p.deviation / q.deviation;
  // log(p/q) at q.mean + x q.deviation is square x^2 + slope x + level.
  const double square = (1 - 1 / (s * s)) / 2;
  const double slope = z / (s * s);
  const double level = -z * z / (2 * s * s) - std::log(s) - epsilon;
  const auto at = [&](double x) { return q.mean + x * q.deviation; };
  if (square == 0) {
    if (slope == 0) return 0;  // one law
    return slope > 0 ? gain(at(-level / slope), infinity) : gain(-infinity, at(-level / slope));
  }
  const double inside = slope * slope - 4 * square * level;
  if (inside <= 0) return 0;  // no x, or at epsilon 0 all of them
  const double half = -(slope + std::copysign(std::sqrt(inside), slope)) / 2;
  const double one = half / square;
  const double two = level / half;
  const double low = at(std::min(one, two));
  const double high = at(std::max(one, two));
  return square > 0 ? gain(-infinity, low) + gain(high, infinity) : gain(low, high);
}

void require_deviation(double deviation) {
  if (deviation > 0 && std::isfinite(deviation)) return;
  throw Error{Code::bad_scale, fmt::format("a deviation is {}, but it must be positive", deviation),
              "give canaries whose cosines differ"};
}

}  // namespace

double normal_pair_delta(const NormalLaw& p, const NormalLaw& q, double epsilon) {
  require_deviation(p.deviation);
  require_deviation(q.deviation);
  detail::require_not_negative("epsilon", epsilon);
  return std::max(one_way(p, q, epsilon), one_way(q, p, epsilon));
}

double cosine_canary_estimate(std::span<const double> cosines, std::int64_t dimensions, double delta) {
  detail::require_open_probability("delta", delta);
  detail::require_count("the number of canaries", static_cast<std::int64_t>(cosines.size()), 2, 1'000'000'000);
  detail::require_count("the number of dimensions", dimensions, 2, 1'000'000'000'000);
  const double n = static_cast<double>(cosines.size());
  double mean = 0;
  for (const double cosine : cosines) {
    if (!(cosine >= -1 && cosine <= 1)) {
      throw Error{Code::out_of_range, fmt::format("a cosine is {}, but it must lie in [-1, 1]", cosine),
                  "divide by the lengths of both vectors"};
    }
    mean += cosine / n;
  }
  double squares = 0;
  for (const double cosine : cosines) squares += (cosine - mean) * (cosine - mean);
  const NormalLaw in{mean, std::sqrt(squares / (n - 1))};
  const NormalLaw out{0, 1 / std::sqrt(static_cast<double>(dimensions))};
  if (normal_pair_delta(in, out, 0) <= delta) return 0;
  double low = 0;
  double high = kMostEpsilon;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (normal_pair_delta(in, out, middle) <= delta ? high : low) = middle;
  }
  return high;
}

}  // namespace dither::audit
