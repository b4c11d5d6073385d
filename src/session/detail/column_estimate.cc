#include "session/detail/column_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/directed.h"
#include "mechanisms/noise_radius.h"
#include "session/estimate.h"

namespace dither::session::detail {
namespace {

using plan::AggregateKind;

// Whether both parts of a fraction are doubles: their quotient is then rounded once.
bool is_short(const Rational& number) {
  constexpr std::size_t bits = 53;
  return mpz_sizeinbase(mpq_numref(number.get()), 2) <= bits && mpz_sizeinbase(mpq_denref(number.get()), 2) <= bits;
}

// The nearest double, half to even; the largest finite one beyond.
double nearest_double(const Rational& number) {
  if (is_short(number)) return mpz_get_d(mpq_numref(number.get())) / mpz_get_d(mpq_denref(number.get()));
  const double below = number.to_double_down(), above = number.to_double_up();
  if (below == above || !std::isfinite(above)) return below;
  if (!std::isfinite(below)) return above;
  const Rational under = number - Rational::from_double(below), over = Rational::from_double(above) - number;
  if (under != over) return under < over ? below : above;
  int exponent = 0;
  return std::fmod(std::ldexp(std::frexp(below, &exponent), 53), 2) == 0 ? below : above;
}

Interval around(Int128 number) {
  const bool is_double = magnitude(number) < (UInt128{1} << 53);
  return is_double ? Interval(static_cast<double>(number)) : Interval(Rational(number));
}

Interval cut(const Interval& interval, double low, double high) {
  return {std::clamp(interval.low(), low, high), std::clamp(interval.high(), low, high)};
}
// Into [-w, w].
Interval cut(const Interval& interval, const Interval& width) { return cut(interval, -width.high(), width.high()); }
Rational cut(const Rational& value, const Rational& width) { return std::clamp(value, -width, width); }

constexpr double kMost = 0x1p127;  // no count is larger

Interval squared(const Interval& interval) {
  const double a = std::abs(interval.low()), b = std::abs(interval.high());
  const bool holds_zero = interval.contains(0);
  return {holds_zero ? 0 : mul_down(std::min(a, b), std::min(a, b)), mul_up(std::max(a, b), std::max(a, b))};
}

void set_interval(ValueError& error, const Interval& interval) {
  if (!std::isfinite(interval.low()) || !std::isfinite(interval.high())) return;
  error.low = interval.low() + 0.0;  // never -0.0
  error.high = interval.high() + 0.0;
}

bool is_sample(AggregateKind kind) { return kind == AggregateKind::var_samp || kind == AggregateKind::stddev_samp; }
bool is_root(AggregateKind kind) { return kind == AggregateKind::stddev_pop || kind == AggregateKind::stddev_samp; }
bool is_count(AggregateKind kind) {
  return kind == AggregateKind::count || kind == AggregateKind::count_rows || kind == AggregateKind::count_units ||
         kind == AggregateKind::count_cut_units;
}

mechanisms::NoiseReach reach_of(const Part& part, double failure) {
  switch (part.noise) {
    case Noise::none:
      return {0, 0};
    case Noise::discrete_laplace:
      return mechanisms::discrete_laplace_reach(part.scale, failure);
    case Noise::real_gaussian:
      return mechanisms::rounded_gaussian_reach(part.scale, failure);
    case Noise::discrete_gaussian:
      return mechanisms::discrete_gaussian_reach(part.scale, failure);
  }
  std::abort();
}

}  // namespace

PartError::PartError(const PricedPlan& plan, std::size_t part, double failure) {
  // Given that it is shown, a number is far off twice as often at most: key_threshold.h has the proof.
  const bool decides = plan.keys && plan.keys->part == part;
  const mechanisms::NoiseReach reach = reach_of(plan.parts[part], decides ? failure / 2 : failure);
  step_ = 1 / Rational::power_of_two(static_cast<long>(plan.exact.measures[plan.parts[part].measure].finer));
  radius_ = reach.radius;
  radius_up_ = reach.radius.to_double_up();
  standard_error_ = reach.standard_error * step_.to_double_up();
  if (decides) shown_from_ = plan.keys->measurement.recipe().number("threshold").floor();
}

bool PartError::is_near(Int128 released) const {
  return shown_from_ && static_cast<double>(sub_saturating(released, *shown_from_)) <= radius_up_;
}

PartError::Ends PartError::ends(Int128 released) const {
  const Rational high = Rational(released) + radius_;
  return {(is_near(released) ? std::min(Rational(1), high) : Rational(released) - radius_) * step_, high * step_};
}

Interval PartError::around(Int128 released) const {
  const Interval all = detail::around(released) + Interval(-radius_up_, radius_up_);
  const Interval step(step_.to_double_up());  // exact
  return is_near(released) ? Interval(std::min(1.0, all.high()), all.high()) : all * step;
}

ColumnEstimate::ColumnEstimate(const PricedPlan& plan, const Estimate& estimate, double failure)
    : plan_(plan), estimate_(estimate) {
  std::vector<std::size_t> parts;
  for (const auto& part : {estimate.count, estimate.sum, estimate.squares}) {
    if (part) parts.push_back(*part);
  }
  for (const std::size_t part : parts) {
    errors_.emplace_back(plan, part, failure / static_cast<double>(parts.size()));
  }
  if (parts.size() < 2) return;
  count_at_95_.emplace(plan, *estimate.count, kUsualFailure);
  const plan::Measure& measure = plan.exact.measures[plan.parts[*estimate.sum].measure];
  const Rational half = measure.step / 2, width(measure.high - measure.low), quarter = half * half;
  lowest_ = nearest_double(Rational(measure.low) * measure.step);
  highest_ = nearest_double(Rational(measure.high) * measure.step);
  frame_ = {Known(half),
            Known(Rational(measure.low + measure.high) * half),
            Known(width),
            Known(width * width),
            Known(quarter / 2),
            Known(quarter),
            Known(width * width * quarter)};
}

Valued ColumnEstimate::at(const Released& released, std::size_t key) const {
  const auto number = [&](const std::optional<std::size_t>& part) { return part ? released.parts[*part][key] : 0; };
  const Numbers numbers{number(estimate_.count), number(estimate_.sum), number(estimate_.squares)};
  if (is_count(estimate_.call.kind)) return single(numbers.count);
  if (estimate_.call.kind == AggregateKind::sum) return single(numbers.sum);
  return estimate_.call.kind == AggregateKind::avg ? mean(numbers) : variance(numbers);
}

// By the law of the noise, in exact numbers.
Valued ColumnEstimate::single(Int128 released) const {
  const bool count = is_count(estimate_.call.kind);
  const Rational unit = count ? Rational(1) : plan_.exact.measures[plan_.parts[*estimate_.sum].measure].step;
  const Rational value = errors_[0].in_steps(released) * unit;
  Valued result;
  result.value =
      count ? Cell(std::int64_t{to_int64_saturating(released)}) : Cell(nearest_double(value) + 0.0);  // never -0.0
  result.error.standard_error = errors_[0].standard_error() * unit.to_double_up();
  const PartError::Ends ends = errors_[0].ends(released);
  set_interval(result.error, {(ends.low * unit).to_double_down(), (ends.high * unit).to_double_up()});
  return result;
}

bool ColumnEstimate::may_lack(Int128 count, int rows) const {
  return count < rows || count_at_95_->ends(count).low < rows;
}

Valued ColumnEstimate::mean(const Numbers& numbers) const {
  if (may_lack(numbers.count, 1)) return {{}, {}, true};
  const auto& [half, middle, width, most, eighth, quarter, top] = frame_;
  const Rational ratio = cut(errors_[1].in_steps(numbers.sum) / Rational(numbers.count), width.exact);
  Valued result;
  result.value = nearest_double(middle.exact + half.exact * ratio) + 0.0;
  const double moves = nearest_double(ratio) * errors_[0].standard_error();  // with the count
  result.error.standard_error =
      half.around.high() / static_cast<double>(numbers.count) * std::hypot(errors_[1].standard_error(), moves);
  // Where there is a mean at all, there is a value.
  const Interval count = cut(errors_[0].around(numbers.count), 1, kMost);
  const Interval off = cut(errors_[1].around(numbers.sum) / count, width.around);
  set_interval(result.error, cut(middle.around + half.around * off, lowest_, highest_));
  return result;
}

// Var = (step^2 / 8) (S / n + w^2) - (step^2 / 4) (Y / n)^2, where S sums 2 y^2 - w^2 and Y sums y; of a sample, n / (n
// - 1) times that. Without the factor it lies between 0 and w^2 step^2 / 4.
Valued ColumnEstimate::variance(const Numbers& numbers) const {
  const AggregateKind kind = estimate_.call.kind;
  const int fewest = is_sample(kind) ? 2 : 1;
  if (may_lack(numbers.count, fewest)) return {{}, {}, true};
  const auto& [half, middle, width, most, eighth, quarter, top] = frame_;
  const Rational count(numbers.count);
  const Rational a = cut(errors_[2].in_steps(numbers.squares) / count, most.exact);
  const Rational b = cut(errors_[1].in_steps(numbers.sum) / count, width.exact);
  const Rational factor = is_sample(kind) ? count / (count - 1) : Rational(1);
  const Rational spread = eighth.exact * (a + most.exact) - quarter.exact * b * b;
  double shown = nearest_double(std::clamp(spread, Rational(0), top.exact) * factor);

  const Interval n = cut(errors_[0].around(numbers.count), fewest, kMost);
  const Interval squares = cut(errors_[2].around(numbers.squares) / n, most.around);
  const Interval sums = cut(errors_[1].around(numbers.sum) / n, width.around);
  Interval range = eighth.around * (squares + most.around) - quarter.around * squared(sums);
  range = cut(range, 0, top.around.high());
  if (is_sample(kind)) {
    range = range * Interval(div_down(n.high(), sub_up(n.high(), 1)), div_up(n.low(), sub_down(n.low(), 1)));
  }

  const double q = nearest_double(b);  // to first order, how far it moves with each number
  const double moves = std::hypot(errors_[2].standard_error() / 2, 2 * q * errors_[1].standard_error(),
                                  (nearest_double(a) / 2 - 2 * q * q) * errors_[0].standard_error());
  double off = quarter.around.high() / static_cast<double>(numbers.count) * nearest_double(factor) * moves;
  if (is_root(kind)) {
    shown = std::sqrt(shown);
    range = {sqrt_down(range.low()), sqrt_up(range.high())};
    off = shown > 0 ? off / (2 * shown) : std::numeric_limits<double>::infinity();
  }
  Valued result;
  result.value = shown;
  if (std::isfinite(off)) result.error.standard_error = off;
  set_interval(result.error, range);
  return result;
}

}  // namespace dither::session::detail
