#include "sql/detail/stability.h"

#include <fmt/format.h>

#include "calculus/aggregates.h"
#include "calculus/bounding.h"

namespace dither::sql::detail {
namespace {

using calculus::AnyTransformation;
using calculus::MetricKind;
using plan::Measure;
using plan::MeasureKind;

bool may_be_missing(const plan::Facts& facts) {
  return facts.nullable || (facts.type == plan::Type::real && !facts.finite);
}

std::string column_name(std::size_t measure) { return fmt::format("value {}", measure); }

Rational whole(Int128 value) { return Rational(value); }

MetricKind metric_of(const plan::Project& project, const Counting& counting) {
  if (project.neighbours == accounting::Neighbours::add_remove) return MetricKind::units_added;
  return counting.exact.rows->drops_rows() ? MetricKind::units_changed : MetricKind::units_replaced;
}

std::uint64_t protected_rows(const plan::Project& project, const Counting& counting) {
  std::uint64_t most = 1;
  for (const std::string& name : counting.exact.rows->tables()) {
    const auto* rows = std::get_if<plan::UnitRows>(&project.table(name).unit);
    if (rows != nullptr && !project.table(name).is_public) most = std::max(most, rows->rows);
  }
  return most;
}

// Public keys as one column of the calculus: each key of several columns is its canonical bytes.
calculus::Keys keys_of(const plan::BoundedAggregate& exact) {
  if (!exact.public_keys) return std::nullopt;
  std::vector<Cell> cells;
  for (const auto& key : *exact.public_keys) cells.emplace_back(canonical(key));
  return cells;
}

AnyTransformation by_key(
    const BoundedRows& rows, const plan::BoundedAggregate& exact,
    const std::function<AnyTransformation(const calculus::TableDomain&, const calculus::Metric&)>& make) {
  const AnyTransformation keep = make_keep_keys(rows.domain, rows.metric, exact.keys_per_unit);
  return chain(keep, make(std::get<calculus::TableDomain>(keep.output()), keep.to()));
}

std::size_t place_of(const plan::BoundedAggregate& exact, const Measure& measure) {
  return static_cast<std::size_t>(std::find(exact.measures.begin(), exact.measures.end(), measure) -
                                  exact.measures.begin());
}

calculus::Values values_of(const Measure& measure, const std::string& column) {
  const Int128 width = measure.high - measure.low;
  if (measure.rows == 0) return {column, {whole(measure.total_low), whole(measure.total_high)}, 1, false};
  calculus::Values values{column, {whole(measure.low), whole(measure.high)}, 1, measure.centred};
  if (measure.kind == MeasureKind::squares) values = {column, {0, whole(width * width)}, 1, true};
  if (measure.cut == plan::Cut::scale) values.finer = measure.finer;
  return values;
}

}  // namespace

BoundedRows bounded_rows(const plan::Project& project, const Counting& counting) {
  const plan::BoundedAggregate& exact = counting.exact;
  const auto& facts = exact.rows->columns();
  BoundedRows rows{{},
                   {metric_of(project, counting)},
                   Rational(static_cast<Int128>(protected_rows(project, counting))),
                   keys_of(exact)};
  auto& columns = rows.domain.columns;
  columns.push_back({.name = "unit", .type = calculus::CellType::text, .nullable = facts[exact.unit()].nullable});
  if (exact.keys > 0) columns.push_back({.name = "key", .type = calculus::CellType::text, .nullable = false});
  for (std::size_t i = 0; i < exact.measures.size(); ++i) {
    const Measure& measure = exact.measures[i];
    calculus::Column column{.name = column_name(i), .type = calculus::CellType::integer, .nullable = false};
    if (measure.column) column.nullable = may_be_missing(facts[*measure.column]);
    columns.push_back(std::move(column));
  }
  return rows;
}

AnyTransformation exact_measure(const BoundedRows& rows, const plan::BoundedAggregate& exact, const Measure& measure) {
  const std::string column = column_name(place_of(exact, measure));
  const calculus::Keys& keys = rows.keys;
  // A total that was stated itself is no number of rows, and rows are not allocated for it.
  const bool stated = measure.rows == 0;
  const std::uint64_t count_rows = stated ? static_cast<std::uint64_t>(measure.total_high) : measure.rows;
  const std::uint64_t sum_rows = stated ? 1 : measure.rows;
  const auto in_all = stated ? std::nullopt : exact.rows_per_unit;
  const std::optional<std::string> of = measure.column ? std::optional(column) : std::nullopt;
  const auto make = [&](const calculus::TableDomain& table, const calculus::Metric& from) {
    switch (measure.kind) {
      case MeasureKind::units:
        return exact.keys > 0 ? make_units_by_key(table, from, keys) : make_total_units(table, from);
      case MeasureKind::rows:
        return exact.keys > 0 ? make_count_by_key(table, from, keys, {count_rows, in_all}, MetricKind::cells, of)
                              : make_total_count(table, from, count_rows, MetricKind::cells, of);
      // A unit adds 0 or 1 to each key that it keeps, whatever makes it 1 there: for keys that it does not keep, too, which this step
      // behind keep-keys does not see. So the distance is the same.
      case MeasureKind::cut_units:
        return exact.keys > 0 ? make_cut_units_by_key(table, from, keys, {count_rows, in_all})
                              : make_total_cut_units(table, from, count_rows);
      default:
        return exact.keys > 0 ? make_sum_by_key(table, from, keys, values_of(measure, column), {sum_rows, in_all})
                              : make_total_sum(table, from, values_of(measure, column), sum_rows);
    }
  };
  return exact.keys > 0 ? by_key(rows, exact, make) : make(rows.domain, rows.metric);
}

AnyTransformation units_by_key(const BoundedRows& rows, const plan::BoundedAggregate& exact) {
  return by_key(rows, exact, [](const calculus::TableDomain& table, const calculus::Metric& from) {
    return make_units_by_key(table, from, std::nullopt);
  });
}

calculus::CellsDistance distance_of(const BoundedRows& rows, const AnyTransformation& measure) {
  return calculus::cells_of(measure.map(rows.steps));
}

}  // namespace dither::sql::detail
