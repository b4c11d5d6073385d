#include "calculus/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/contributions.h"
#include "calculus/detail/grid.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

// Whether a step replaces rows, so that the size is public; refuses what is neither that nor adding and removing.
bool replaces(const Metric& from, std::string_view step) {
  const Metric to = detail::by_multiset(from, 1, step).to;
  if (to.kind != MetricKind::symmetric) detail::no_theorem(from, step, "make it for symmetric or change-one");
  return from.kind == MetricKind::change_one || from.kind == MetricKind::hamming;
}

detail::Grid grid_of(const TableDomain& input, std::size_t at, const Rational& step, std::string_view who) {
  const Column& column = input.columns[at];
  if (!detail::is_number(column.type)) {
    throw Error{Code::wrong_type,
                fmt::format("{} adds numbers, but column \"{}\" is {}", who, column.name, cell_type_name(column.type)),
                "cast and clamp the column first"};
  }
  if (!column.bounds) {
    throw Error{Code::bad_bounds, fmt::format("{}: column \"{}\" has no bounds", who, column.name),
                "clamp the column first"};
  }
  return {*column.bounds, step};
}

// What one row adds at least and at most: 0 too where its cell may be missing.
struct Span {
  Int128 low, high;
};
Span span_of(const detail::Grid& grid, const Column& column) {
  if (!detail::may_be_missing(column)) return {grid.low(), grid.high()};
  return {std::min<Int128>(grid.low(), 0), std::max<Int128>(grid.high(), 0)};
}

// Fewer than 2^60 rows of less than 2^62 steps: no sum reaches 2^122. A cell that is missing against the declaration
// would add 0; the clamp makes it add no less than the others.
Integers sum(const Table& table, std::size_t at, const detail::Grid& grid, const Span& span) {
  Int128 total = 0;
  for (const Row& row : table) total += std::clamp(grid.of(row[at]), span.low, span.high);
  return {total};
}

AnyTransformation make_exact_sum(Recipe recipe, const TableDomain& input, const Metric& from, std::size_t at,
                                 const detail::Grid& grid, const Rational& unit, const Rational& factor) {
  return AnyTransformation({
      .recipe = std::move(recipe),
      .input = input,
      .output = VectorDomain{1, unit},
      .from = from,
      .to = {MetricKind::l1},
      .map = detail::times(factor),
      .function = [at, grid, span = span_of(grid, input.columns[at])](const Data& data) -> Data {
        return sum(as<Table>(data), at, grid, span);
      },
  });
}

// Of counts per cell: each row lies in one cell at most, decided by the row alone.
AnyTransformation::Map counts_map(bool replaced, const std::optional<Rational>& cells) {
  return [replaced, cells](const Distance& distance) -> Distance {
    const Rational& d = number(distance);
    const Rational moved = replaced ? 2 * d : d;
    return CellsDistance{cells ? std::min(moved, *cells) : moved, moved, moved * d, d};
  };
}

}  // namespace

AnyTransformation make_count(const TableDomain& input, const Metric& from) {
  return AnyTransformation({
      .recipe = {"count"},
      .input = input,
      .output = VectorDomain{1},
      .from = from,
      .to = {MetricKind::l1},
      .map = detail::times(replaces(from, "count") ? 0 : 1),
      .function = [](const Data& data) -> Data { return Integers{static_cast<Int128>(as<Table>(data).size())}; },
  });
}

AnyTransformation make_sum(const TableDomain& input, const Metric& from, std::string_view column,
                           const Rational& step) {
  const std::size_t at = input.column(column);
  const detail::Grid grid = grid_of(input, at, step, "sum");
  const Span span = span_of(grid, input.columns[at]);
  const Rational size = std::max(abs(Rational(grid.low())), abs(Rational(grid.high())));
  return make_exact_sum({"sum", {{"column", std::string(column)}, {"step", step}}}, input, from, at, grid, step,
                        replaces(from, "sum") ? Rational(span.high - span.low) : size);
}

AnyTransformation make_mean(const TableDomain& input, const Metric& from, std::string_view column,
                            const Rational& step) {
  const std::size_t at = input.column(column);
  const detail::Grid grid = grid_of(input, at, step, "mean");
  if (!replaces(from, "mean"))
    detail::no_theorem(from, "mean", "release a sum and a count, or resize to a public size");
  if (!input.rows || detail::may_be_missing(input.columns[at])) {
    throw Error{Code::mixed_domains,
                fmt::format("the mean of \"{}\" needs a declared number of rows and no missing cells", column),
                "declare `rows`, and impute; or release a sum and a count"};
  }
  if (*input.rows == 0) throw Error{Code::bad_count, "the mean of 0 rows", "declare 1 row or more"};
  const Rational unit = step / Rational(static_cast<Int128>(*input.rows));
  return make_exact_sum({"mean", {{"column", std::string(column)}, {"step", step}}}, input, from, at, grid, unit,
                        Rational(grid.high() - grid.low()));
}

AnyTransformation make_histogram(const TableDomain& input, const Metric& from, std::string_view column,
                                 const std::vector<Cell>& categories, bool other) {
  const std::size_t at = input.column(column);
  std::unordered_map<std::string, std::size_t> cells;
  for (const Cell& category : categories) cells.emplace(canonical(category), cells.size());
  if (categories.empty()) throw Error{Code::bad_count, "a histogram without categories", "list at least one"};
  if (cells.size() != categories.size()) {
    throw Error{Code::duplicate_key, "a category of the histogram is listed twice", "list each category once"};
  }
  const std::size_t size = categories.size() + (other ? 1 : 0);
  return AnyTransformation({
      .recipe = {"histogram",
                 {{"column", std::string(column)}, {"categories", detail::spelled(categories)}, {"other", other}}},
      .input = input,
      .output = VectorDomain{size},
      .from = from,
      .to = {MetricKind::cells},
      .map = counts_map(replaces(from, "histogram"), Rational(static_cast<Int128>(size))),
      .function = [at, cells, size, other](const Data& data) -> Data {
        Integers counts(size, 0);
        for (const Row& row : as<Table>(data)) {
          const auto cell = cells.find(canonical(row[at]));
          if (cell != cells.end()) {
            ++counts[cell->second];
          } else if (other) {
            ++counts.back();
          }
        }
        return counts;
      },
  });
}

AnyTransformation make_count_by(const TableDomain& input, const Metric& from, std::string_view column) {
  const std::size_t at = input.column(column);
  return AnyTransformation({
      .recipe = {"count-by", {{"column", std::string(column)}}},
      .input = input,
      .output = KeyedDomain{},
      .from = from,
      .to = {MetricKind::cells},
      .map = counts_map(replaces(from, "count-by"), std::nullopt),
      .function = [at](const Data& data) -> Data {
        std::map<std::string, Int128> counts;
        for (const Row& row : as<Table>(data)) ++counts[canonical(row[at])];
        Keyed keyed;
        for (const auto& [key, count] : counts) {
          keyed.keys.push_back(key);
          keyed.values.push_back(count);
        }
        return keyed;
      },
  });
}

}  // namespace dither::calculus
