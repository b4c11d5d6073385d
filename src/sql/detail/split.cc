#include "sql/detail/split.h"

#include <algorithm>
#include <cmath>

namespace dither::sql::detail {
namespace {

using plan::AggregateKind;
using plan::Measure;
using plan::MeasureKind;

double near(const Rational& value) { return value.to_double_down(); }

}  // namespace

Spread spread_of(const Measure& measure) {
  const double step = near(measure.step);
  const double low = near(Rational(measure.rows == 0 ? measure.total_low : measure.low)) * step;
  const double high = near(Rational(measure.rows == 0 ? measure.total_high : measure.high)) * step;
  const double half = (high - low) / 2;
  return {std::max({std::abs(low), std::abs(high), step}) / 2, half, std::max(half * half / 3, step * step / 12)};
}

Rational unit_of(const Measure& measure) {
  const Rational finer = Rational::power_of_two(static_cast<long>(measure.finer));
  if (measure.kind == MeasureKind::squares) return measure.step * measure.step / (8 * finer);
  if (measure.kind == MeasureKind::sum) return (measure.centred ? measure.step / 2 : measure.step) / finer;
  return 1;
}

std::vector<double> weights(const Counting& counting) {
  const auto& measures = counting.exact.measures;
  std::vector<double> result(measures.size(), 0.0);
  const auto add = [&](const std::optional<std::size_t>& measure, double moves, double magnitude) {
    const double relative = moves * near(unit_of(measures[*measure])) / magnitude;
    result[*measure] += relative * relative;
  };
  for (const session::Estimate& column : counting.estimates) {
    switch (column.call.kind) {
      case AggregateKind::count_rows:
      case AggregateKind::count:
      case AggregateKind::count_units:
      case AggregateKind::count_cut_units:
        add(column.count, 1, 1);
        break;
      case AggregateKind::sum:
        add(column.sum, 1, spread_of(measures[*column.sum]).typical);
        break;
      case AggregateKind::avg: {
        const Spread spread = spread_of(measures[*column.sum]);
        add(column.sum, 1, spread.typical);
        add(column.count, std::sqrt(spread.square), spread.typical);
        break;
      }
      default: {
        const Spread spread = spread_of(measures[*column.sum]);
        const bool root =
            column.call.kind == AggregateKind::stddev_pop || column.call.kind == AggregateKind::stddev_samp;
        const double magnitude = root ? 2 * spread.square : spread.square;
        add(column.squares, 1, magnitude);
        add(column.sum, 2 * std::sqrt(spread.square), magnitude);
        add(column.count, spread.half * spread.half / 2 - spread.square, magnitude);
      }
    }
  }
  return result;
}

std::vector<Rational> shares(const std::optional<std::vector<double>>& weights,
                             const std::vector<double>& sensitivities, Losses losses) {
  const std::size_t n = sensitivities.size();
  if (!weights) return std::vector<Rational>(n, Rational(1, static_cast<long>(n)));
  std::vector<double> parts;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = sensitivities[i];
    parts.push_back(losses == Losses::epsilon ? std::cbrt((*weights)[i] * d * d) : std::sqrt((*weights)[i]) * d);
    sum += parts.back();
  }
  std::vector<Rational> result;
  Rational left = 1;
  for (const double part : parts) {
    // No number is left without noise that can be paid for.
    const auto share = static_cast<long>(std::clamp(part / sum * 1e12, 1e6, 1e12));
    result.emplace_back(share, 1'000'000'000'000L);
    left -= result.back();
  }
  result[static_cast<std::size_t>(std::max_element(parts.begin(), parts.end()) - parts.begin())] += left;
  return result;
}

}  // namespace dither::sql::detail
