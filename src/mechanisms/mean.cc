#include "mechanisms/mean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "calculus/combinators.h"
#include "mechanisms/detail/radius.h"
#include "mechanisms/discrete_laplace.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

void require_epsilon(const Rational& epsilon) {
  if (epsilon.sign() > 0) return;
  throw Error{Code::bad_scale, fmt::format("epsilon is {}, but a mean needs epsilon > 0", epsilon.str()),
              "give a positive epsilon"};
}

// Noise that costs epsilon when one unit changes. A number that cannot move gets the least noise there is.
Rational scale_for(const AnyTransformation& total, const Rational& epsilon) {
  require_epsilon(epsilon);
  return std::max(number(total.map(Rational(1))) / epsilon, Rational(1, 1000));
}

AnyMeasurement noisy(const AnyTransformation& total, const Rational& scale) {
  return chain(total, make_discrete_laplace(std::get<VectorDomain>(total.output()), scale).any());
}

double standard_error(const AnyMeasurement& measurement) { return *measurement.error(0)->standard_error; }

bool may_be_missing(const Column& column) {
  return column.nullable || (column.type == CellType::real && !column.finite);
}

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

// Noise no larger than this with probability 97.5% or more.
Rational radius(const Rational& scale) {
  return Rational::from_double(detail::discrete_laplace_radius_up(scale.to_double_up(), 0.025));
}

// The grid of scaled sums: as fine as what one unit adds allows. Bounds that make no sense are refused with the sum.
unsigned finer_for(const Values& values, std::uint64_t rows) {
  if (values.step.sign() <= 0) return 0;
  const Rational most = abs(values.bounds.high - values.bounds.low) / values.step * whole(rows);
  return most > Rational::power_of_two(62) ? 0 : finer_grid(most.ceil());
}

// Everything public about a mean of private size.
struct Quotient {
  Bounds bounds;
  Rational step, sum_radius, count_radius, at_least;
  double sum_error, count_error;

  Rational within(const Rational& mean) const { return std::clamp(mean, bounds.low, bounds.high); }
  Rational middle() const { return (bounds.low + bounds.high) / 2; }

  // Over all sums and counts of the rectangle the quotient is least and greatest in its corners.
  MeanEstimate operator()(Int128 sum, Int128 count) const {
    const Rational total = Rational(sum) * step, wide = sum_radius * step;
    const Rational size = std::max({Rational(count), at_least, Rational(1)});
    const Rational offset = total / size;
    MeanEstimate result{within(middle() + offset), 0, bounds.low, bounds.high};
    const Rational inner = result.value - middle();
    result.standard_error =
        quotient_error(sum_error * step.to_double_up(), count_error, abs(inner).to_double_up(), size.to_double_down());
    const Rational fewest = std::max(Rational(count) - count_radius, at_least);
    const Rational most = std::max(Rational(count) + count_radius, fewest);
    if (fewest < 1) return result;
    const Rational least = total - wide, greatest = total + wide;
    result.low = within(middle() + (least.sign() < 0 ? least / fewest : least / most));
    result.high = within(middle() + (greatest.sign() < 0 ? greatest / most : greatest / fewest));
    return result;
  }
};

}  // namespace

double quotient_error(double sum_error, double count_error, double mean, double count) {
  return std::hypot(sum_error, mean * count_error) / count;
}

NoisyMean make_mean_of_known_size(const TableDomain& table, const Values& values, std::uint64_t size,
                                  const Rational& epsilon) {
  if (size == 0) throw Error{Code::bad_count, "a mean over 0 units", "declare how many units there are"};
  const AnyTransformation total = make_total_sum(table, {MetricKind::units_replaced}, values, 1, MetricKind::l1);
  for (const Column& column : {table.columns[0], table.columns[table.column(values.column)]}) {
    if (!may_be_missing(column)) continue;
    throw Error{Code::mixed_domains,
                fmt::format("a mean of known size, but \"{}\" may be missing: then the size is private", column.name),
                "fill in missing values first, or take the mean of private size"};
  }
  const AnyMeasurement measurement = noisy(total, scale_for(total, epsilon));
  const Rational per_step = values.step / (whole(size) * (values.centred ? 2 : 1));
  const Rational origin = values.centred ? (values.bounds.low + values.bounds.high) / 2 : Rational(0);
  return {measurement, [=, bounds = values.bounds](const Data& released) {
            const Int128 sum = as<Integers>(released)[0];
            const ErrorBar bar = *measurement.error(sum);
            const auto mean = [&](const Rational& steps) {
              return std::clamp(origin + steps * per_step, bounds.low, bounds.high);
            };
            return MeanEstimate{mean(Rational(sum)), *bar.standard_error * per_step.to_double_up(), mean(bar.low),
                                mean(bar.high)};
          }};
}

NoisyMean make_mean_of_private_size(const TableDomain& table, const Metric& from, const Values& values,
                                    std::uint64_t rows, const MeanBudget& budget, std::uint64_t at_least) {
  Values centred = values;
  centred.centred = true;
  centred.finer = finer_for(values, rows);
  const AnyTransformation sum = make_total_sum(table, from, centred, rows, MetricKind::l1);
  const AnyTransformation count = make_total_count(table, from, rows, MetricKind::l1, values.column);
  const Rational sum_scale = scale_for(sum, budget.sum), count_scale = scale_for(count, budget.count);
  const AnyMeasurement noisy_sum = noisy(sum, sum_scale), noisy_count = noisy(count, count_scale);
  const Rational step = values.step / (2 * Rational::power_of_two(static_cast<long>(*centred.finer)));
  const Quotient quotient{values.bounds,
                          step,
                          radius(sum_scale),
                          radius(count_scale),
                          whole(at_least),
                          standard_error(noisy_sum),
                          standard_error(noisy_count)};
  return {compose({noisy_sum, noisy_count}), [quotient](const Data& released) {
            const auto& parts = as<Answers>(released).parts;
            return quotient(as<Integers>(parts[0].data)[0], as<Integers>(parts[1].data)[0]);
          }};
}

}  // namespace dither::mechanisms
