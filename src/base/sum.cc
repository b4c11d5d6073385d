#include "base/sum.h"

#include <cmath>

#include "base/directed.h"
#include "base/error.h"

namespace dither {

namespace {

RunningSum sum_of(std::span<const double> values) {
  RunningSum sum;
  for (double x : values) sum += x;
  return sum;
}

}  // namespace

RunningSum& RunningSum::operator+=(double x) {
  if (std::isnan(x)) throw Error{Code::bad_number, "a term of a sum is NaN", "give numbers only"};
  const double next = sum_ + x;
  if (!std::isfinite(next)) {
    throw Error{Code::out_of_range, "a sum does not fit in a double", "give finite terms of smaller size"};
  }
  const double error = std::fabs(sum_) >= std::fabs(x) ? x - (next - sum_) : sum_ - (next - x);
  sum_ = next;
  if (error != 0) {
    errors_low_ = add_down(errors_low_, error);
    errors_high_ = add_up(errors_high_, error);
  }
  return *this;
}

double RunningSum::up() const { return add_up(sum_, errors_high_); }
double RunningSum::down() const { return add_down(sum_, errors_low_); }

double sum_up(std::span<const double> values) { return sum_of(values).up(); }
double sum_down(std::span<const double> values) { return sum_of(values).down(); }

}  // namespace dither
