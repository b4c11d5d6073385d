#include "accounting/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "base/big_interval.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {
namespace {

void require_shape(const Rational& shape) {
  if (shape > -1) return;
  throw Error{Code::no_theorem, fmt::format("the shape is {}, but the theorem is about shapes above -1", shape.str()),
              "use 1 (geometric) or 0 (logarithmic), or give a fixed number of runs, each of which is charged"};
}

void require_stop(const Rational& stop) {
  if (stop > 0 && stop < 1) return;
  throw Error{Code::bad_probability, fmt::format("stop is {}, but it must lie in (0, 1)", stop.str()),
              "about one over the number of runs wanted"};
}

}  // namespace

Rational tuned_epsilon(const Rational& epsilon, const Rational& shape) {
  detail::require_epsilon(epsilon);
  require_shape(shape);
  return (2 + shape) * epsilon;
}

double expected_runs_up(const Rational& shape, const Rational& stop) {
  require_shape(shape);
  require_stop(stop);
  const auto exact = [](const Rational& x) { return BigInterval(x, 256); };
  if (shape == 0) return (exact(1 / stop - 1) / -log(exact(stop))).high_double();
  return (exact(shape * (1 - stop) / stop) / -expm1(exact(shape) * log(exact(stop)))).high_double();
}

double tuned_renyi_up(double order, const std::function<double(double order)>& curve, const Rational& shape,
                      const Rational& stop) {
  detail::require_order(order);
  const double runs = div_up(log_up(expected_runs_up(shape, stop)), sub_down(order, 1));
  const double factor = (1 + shape).to_double_up();
  const double log_stop = -log_down(stop.to_double_down());
  double best = kInfinity;
  for (double above = 1e-3; above < 1e7; above *= 1.15) {  // b = 1 + above
    const double b = 1 + above;
    const double at = curve(b);
    if (!(at < kInfinity)) continue;
    const double share = sub_up(1, div_down(1, b));
    best = std::min(best, mul_up(factor, add_up(mul_up(share, at), div_up(log_stop, b))));
  }
  const double own = curve(order);
  if (!(own < kInfinity)) return kInfinity;
  return add_up(add_up(own, best), runs);
}

}  // namespace dither::accounting
