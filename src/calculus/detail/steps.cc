#include "calculus/detail/steps.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::calculus::detail {

namespace {

template <class D>
const D& expect(const Domain& domain, std::string_view wanted) {
  if (const D* right = std::get_if<D>(&domain)) return *right;
  throw Error{Code::mixed_domains, fmt::format("a step that takes {} was given {}", wanted, describe(domain)),
              "put it behind a step that gives such data"};
}

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

}  // namespace

Carried row_by_row(const Metric& from, Yield yield, std::string_view step) {
  const Rational most = whole(yield.most);
  const bool one_for_one = yield.least == 1 && yield.most == 1;
  switch (from.kind) {
    case MetricKind::symmetric:
    case MetricKind::insert_delete:
      return {from, most};
    case MetricKind::change_one:
      if (one_for_one) return {from, 1};
      return {{MetricKind::symmetric}, 2 * most};
    case MetricKind::hamming:
      if (one_for_one) return {from, 1};
      return {{MetricKind::insert_delete}, 2 * most};
    case MetricKind::units_replaced:
      if (yield.least == 0) return {{MetricKind::units_changed}, 1};
      return {from, 1};
    case MetricKind::units_added:
    case MetricKind::units_changed:
    case MetricKind::discrete:
      return {from, 1};
    default:
      no_theorem(from, step, "make it for a metric between tables, such as symmetric");
  }
}

Carried by_multiset(const Metric& from, const Rational& per_row, std::string_view step) {
  switch (from.kind) {
    case MetricKind::symmetric:
    case MetricKind::insert_delete:
      return {{MetricKind::symmetric}, per_row};
    case MetricKind::change_one:
    case MetricKind::hamming:
      return {{MetricKind::symmetric}, 2 * per_row};
    case MetricKind::discrete:
      return {from, 1};
    default:
      no_theorem(from, step, "limit the rows per unit and convert to symmetric first");
  }
}

bool counts_units(const Metric& metric) {
  return metric.kind == MetricKind::units_added || metric.kind == MetricKind::units_replaced ||
         metric.kind == MetricKind::units_changed;
}

void require_other_than_unit(const Metric& from, std::size_t column, std::string_view step) {
  if (column != 0 || !counts_units(from)) return;
  no_theorem(from, step, "leave the first column alone: it says whose row it is");
}

void no_theorem(const Metric& from, std::string_view step, std::string_view hint) {
  throw Error{Code::no_theorem, fmt::format("{} has no proven map for distances in {} here", step, metric_name(from)),
              std::string(hint)};
}

AnyTransformation::Map times(const Rational& factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * factor; };
}

AnyTransformation map_column(Recipe recipe, const TableDomain& input, const Metric& from, std::size_t at, Column column,
                             std::function<Cell(const Cell&)> change) {
  require_other_than_unit(from, at, recipe.name);
  const auto [to, factor] = row_by_row(from, {1, 1}, recipe.name);
  TableDomain output = input;
  output.columns[at] = std::move(column);
  if (at == 0) output.rows_per_unit = output.keys_per_unit = std::nullopt;
  return AnyTransformation({
      .recipe = std::move(recipe),
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = times(factor),
      .function = [at, change = std::move(change)](const Data& data) -> Data {
        Table table = as<Table>(data);
        for (Row& row : table) row[at] = change(row[at]);
        return table;
      },
  });
}

AnyTransformation keep_rows(Recipe recipe, const TableDomain& input, const Metric& from, TableDomain output,
                            std::function<bool(const Row&)> passes) {
  const auto [to, factor] = row_by_row(from, {0, 1}, recipe.name);
  output.rows = std::nullopt;
  return AnyTransformation({
      .recipe = std::move(recipe),
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = times(factor),
      .function = [passes = std::move(passes)](const Data& data) -> Data {
        Table kept;
        for (const Row& row : as<Table>(data)) {
          if (passes(row)) kept.push_back(row);
        }
        return kept;
      },
  });
}

const TableDomain& table_domain(const Domain& domain) { return expect<TableDomain>(domain, "a table"); }
const TablesDomain& tables_domain(const Domain& domain) { return expect<TablesDomain>(domain, "several tables"); }
const VectorDomain& vector_domain(const Domain& domain) { return expect<VectorDomain>(domain, "integers"); }
const RealsDomain& reals_domain(const Domain& domain) { return expect<RealsDomain>(domain, "reals"); }
const KeyedDomain& keyed_domain(const Domain& domain) { return expect<KeyedDomain>(domain, "numbers by key"); }

}  // namespace dither::calculus::detail
