#include "mechanisms/poisson_rows.h"

#include <map>
#include <string>

#include "random/bernoulli.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT

namespace {

Table kept_rows(const Table& table, const random::Bernoulli& coin, random::Source& source) {
  Table kept;
  for (const Row& row : table) {
    if (coin.draw(source)) kept.push_back(row);
  }
  return kept;
}

// Units are equal when their canonical bytes are; rows without a cell are all one unit's.
Table kept_units(const Table& table, const random::Bernoulli& coin, random::Source& source) {
  std::map<std::string, bool> kept_unit;
  Table kept;
  for (const Row& row : table) {
    const auto [unit, is_new] = kept_unit.try_emplace(row.empty() ? "" : canonical(row[0]), false);
    if (is_new) unit->second = coin.draw(source);
    if (unit->second) kept.push_back(row);
  }
  return kept;
}

}  // namespace

Subsampler poisson_rows(const Metric& from, const Rational& rate) {
  const bool units = from.kind == MetricKind::units_added;
  return [units, coin = random::Bernoulli::with_probability(rate)](const Table& table, random::Source& source) {
    return units ? kept_units(table, coin, source) : kept_rows(table, coin, source);
  };
}

AnyMeasurement make_sampled(const AnyMeasurement& measurement, const Rational& rate) {
  return sample(measurement, rate, poisson_rows(measurement.from(), rate));
}

}  // namespace dither::mechanisms
