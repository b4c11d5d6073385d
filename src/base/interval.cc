#include "base/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither {

namespace {

// An infinite end stands for numbers without bound, not for a number: times zero it is zero, divided by another
// infinite end it can be anything from zero on.
double product(double (*round)(double, double), double a, double b) { return a == 0 || b == 0 ? 0 : round(a, b); }

double quotient(double (*round)(double, double), double a, double b) { return std::isinf(b) ? 0 : round(a, b); }

}  // namespace

Interval::Interval(double low, double high) : low_(low), high_(high) {
  if (std::isnan(low) || std::isnan(high)) {
    throw Error{Code::bad_number, "an end of an interval is NaN", "give two numbers, the lower one first"};
  }
  if (low > high || low == kInfinity || high == -kInfinity) {
    throw Error{Code::out_of_range, fmt::format("[{}, {}] holds no number", low, high),
                "give two numbers, the lower one first"};
  }
}

double Interval::width() const { return sub_up(high_, low_); }

Interval operator+(const Interval& a, const Interval& b) {
  return {add_down(a.low_, b.low_), add_up(a.high_, b.high_)};
}

Interval operator*(const Interval& a, const Interval& b) {
  if (a.low_ >= 0 && b.low_ >= 0) return {product(mul_down, a.low_, b.low_), product(mul_up, a.high_, b.high_)};
  const auto extreme = [&](auto round, auto pick) {
    return pick({product(round, a.low_, b.low_), product(round, a.low_, b.high_), product(round, a.high_, b.low_),
                 product(round, a.high_, b.high_)});
  };
  return {extreme(mul_down, [](std::initializer_list<double> p) { return std::min(p); }),
          extreme(mul_up, [](std::initializer_list<double> p) { return std::max(p); })};
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0)) {
    throw Error{Code::division_by_zero, fmt::format("the divisor [{}, {}] holds 0", b.low_, b.high_),
                "give a divisor whose sign is known"};
  }
  if (b.high_ < 0) return -a / -b;
  // b > 0: the low end is smallest over b's high end when it is positive, over b's low end otherwise.
  return {quotient(div_down, a.low_, a.low_ >= 0 ? b.high_ : b.low_),
          quotient(div_up, a.high_, a.high_ >= 0 ? b.low_ : b.high_)};
}

}  // namespace dither
