#include "sql/detail/errors.h"

#include <cmath>

#include "sql/detail/split.h"

namespace dither::sql::detail {
namespace {

using plan::AggregateKind;
using session::Part;
using session::PredictedError;

constexpr double kNormal95 = 1.959963984540054;

bool is_root(AggregateKind kind) { return kind == AggregateKind::stddev_pop || kind == AggregateKind::stddev_samp; }

// Standard error of a quotient of noisy sums to first order, at n rows.
double quotient_error(const session::Estimate& column, const Counting& counting, const std::vector<Part>& parts,
                      double n) {
  const Spread spread = spread_of(counting.exact.measures[*column.sum]);
  const double q = std::sqrt(spread.square);
  const double sum = parts[*column.sum].standard_error;
  const double count = parts[*column.count].standard_error;
  if (column.call.kind == AggregateKind::avg) return std::hypot(sum, q * count) / n;
  const double squares = parts[*column.squares].standard_error;
  const double variance = std::hypot(squares, 2 * q * sum, (spread.half * spread.half / 2 - spread.square) * count) / n;
  return is_root(column.call.kind) ? variance / (2 * q) : variance;
}

}  // namespace

Size expected_size(const plan::Project& project, const Counting& counting, const std::optional<std::uint64_t>& expect) {
  const bool private_keys = counting.exact.keys > 0 && !counting.exact.public_keys;
  if (private_keys && !expect) return {};
  const double keys = counting.exact.public_keys ? static_cast<double>(counting.exact.public_keys->size()) : 1;
  if (expect) return {static_cast<double>(*expect) / keys, static_cast<double>(*expect) / keys};
  for (const std::string& name : counting.exact.rows->tables()) {
    const plan::TableDeclaration& table = project.table(name);
    if (table.is_public) continue;
    Size size;
    if (table.expected.rows) size.rows = static_cast<double>(*table.expected.rows) / keys;
    if (table.expected.units) size.units = static_cast<double>(*table.expected.units) / keys;
    if (counting.row_is_unit && !size.rows) size.rows = size.units;
    if (!size.units) size.units = size.rows;
    if (size.rows || size.units) return size;
  }
  return {};
}

std::vector<PredictedError> predicted_errors(const Counting& counting, const std::vector<Part>& parts, const Size& size,
                                             const std::vector<std::string>& names) {
  const bool private_keys = counting.exact.keys > 0 && !counting.exact.public_keys;
  std::vector<PredictedError> errors;
  for (std::size_t i = 0; i < counting.estimates.size(); ++i) {
    const session::Estimate& column = counting.estimates[i];
    PredictedError error{names[i], {}, {}, ""};
    if (!column.count || !column.sum) {
      const Part& part = parts[column.count ? *column.count : *column.sum];
      error.standard_error = part.standard_error;
      error.within95 = part.within95;
    } else if (size.rows && *size.rows > 0) {
      error.standard_error = quotient_error(column, counting, parts, *size.rows);
      error.within95 = kNormal95 * *error.standard_error;
      error.note = "to first order, at the expected number of rows";
    } else {
      error.note = private_keys ? "depends on the number of rows: give --expect N, the rows of one key"
                                : "depends on the number of rows: declare `expected: {rows: N}` or give --expect N";
    }
    errors.push_back(std::move(error));
  }
  return errors;
}

std::vector<std::optional<double>> magnitudes(const Counting& counting, const Size& size) {
  std::vector<std::optional<double>> result;
  for (const session::Estimate& column : counting.estimates) {
    const AggregateKind kind = column.call.kind;
    const bool of_units = kind == AggregateKind::count_units || kind == AggregateKind::count_cut_units;
    const std::optional<double>& n = of_units ? size.units : size.rows;
    if (!n || *n <= 0) {
      result.emplace_back();
    } else if (!column.sum) {
      result.emplace_back(*n);
    } else {
      const Spread spread = spread_of(counting.exact.measures[*column.sum]);
      const double q = std::sqrt(spread.square);
      const bool mean = column.call.kind == AggregateKind::avg;
      result.emplace_back(!column.count ? *n * spread.typical
                          : mean        ? spread.typical
                                        : (is_root(column.call.kind) ? q : spread.square));
    }
  }
  return result;
}

}  // namespace dither::sql::detail
