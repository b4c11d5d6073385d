#include "calculus/detail/contributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/bounding_hash.h"
#include "base/error.h"

namespace dither::calculus::detail {

namespace {

constexpr Int128 kMost = Int128{1} << 62;

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

[[noreturn]] void too_large(const Rational& bound) {
  throw Error{Code::bad_bounds, fmt::format("contributions of {} steps: more than 2^62", bound.str()),
              "use a coarser step, tighter bounds or fewer rows per unit"};
}

Int128 on_grid(const Rational& bound, const Rational& step) {
  const Rational steps = bound / step;
  if (!steps.is_integer()) {
    throw Error{Code::bad_grid,
                fmt::format("the bound {} is not a whole number of steps of {}", bound.str(), step.str()),
                "choose bounds that are multiples of the step"};
  }
  if (abs(steps) > Rational(kMost)) too_large(steps);
  return steps.floor();
}

}  // namespace

void require_units(const Metric& from, std::string_view step) {
  for (const MetricKind kind : {MetricKind::units_added, MetricKind::units_replaced, MetricKind::units_changed}) {
    if (from == Metric{kind}) return;
  }
  throw Error{Code::no_theorem,
              fmt::format("{} bounds what a unit does, but distances are in {}", step, metric_name(from)),
              "use it where units are counted: units-added or units-replaced"};
}

void require_columns(const TableDomain& table, std::size_t columns, std::string_view step) {
  if (table.columns.size() >= columns) return;
  throw Error{Code::mixed_domains,
              fmt::format("{} needs {} columns, but the table has {}", step, columns, table.columns.size()),
              columns == 1 ? "give the unit as first column" : "give the unit as first and the key as second column"};
}

void require_limit(std::uint64_t limit, std::string_view step, std::string_view what) {
  if (limit >= 1 && static_cast<Int128>(limit) <= kMost) return;
  throw Error{Code::bad_limit, fmt::format("{}: {} is {}", step, what, limit), "write a number from 1 to 2^62"};
}

std::uint64_t limit_of(const Recipe& recipe, std::string_view key) {
  const Rational& number = recipe.number(key);
  if (number.is_integer() && number.sign() >= 0 && number < Rational::power_of_two(64)) {
    return static_cast<std::uint64_t>(number.floor());
  }
  throw Error{Code::bad_limit, fmt::format("\"{}\" in the recipe of {} is {}", key, recipe.name, number.str()),
              "write a whole number from 1 to 2^62"};
}

bool may_be_missing(const Column& column) {
  return column.nullable || (column.type == CellType::real && !column.finite);
}

Metric without_missing_units(const TableDomain& table, const Metric& from) {
  if (from != Metric{MetricKind::units_replaced} || !may_be_missing(table.columns[0])) return from;
  return {MetricKind::units_changed};
}

Gridded::Gridded(const Bounds& given, const Rational& step) : step_(step), whole_(step == 1) {
  if (step.sign() <= 0) {
    throw Error{Code::bad_grid, fmt::format("the step {} of the grid is not positive", step.str()),
                "give a positive step, such as 1"};
  }
  const Bounds checked = bounds(given.low, given.high);
  low_ = on_grid(checked.low, step);
  high_ = on_grid(checked.high, step);
}

std::optional<Int128> Gridded::operator()(const Cell& cell) const {
  const auto* integer = std::get_if<std::int64_t>(&cell);
  if (integer != nullptr && whole_) return std::clamp<Int128>(*integer, low_, high_);
  if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isinf(*real)) {
    return *real < 0 ? low_ : high_;
  }
  const std::optional<Rational> exact = exact_number(cell);
  if (!exact) return std::nullopt;
  return std::clamp(*exact / step_, Rational(low_), Rational(high_)).round_half_even();
}

Int128 Range::largest() const { return std::max(low < 0 ? -low : low, high < 0 ? -high : high); }

Range range_of_totals(Int128 low, Int128 high, std::uint64_t rows) {
  const Rational r = whole(rows), least = std::min(Rational(low), r * Rational(low)),
                 most = std::max(Rational(high), r * Rational(high));
  for (const Rational& bound : {least, most}) {
    if (abs(bound) > Rational(kMost)) too_large(bound);
  }
  return {least.floor(), most.floor()};
}

Range on_finer_grid(const Range& range, unsigned finer) {
  const Rational times = Rational::power_of_two(static_cast<int>(finer));
  for (const Int128 bound : {range.low, range.high}) {
    if (abs(Rational(bound) * times) > Rational(kMost)) too_large(Rational(bound) * times);
  }
  return {range.low << finer, range.high << finer};
}

Rank ranked(const Cell& unit, const Cell& key) {
  Rank rank{0, canonical(key)};
  rank.hash = bounding_hash(unit_digest(unit), bytes_digest(rank.bytes));
  return rank;
}

std::vector<std::uint64_t> rows_that_count(const UnitCells& cells, std::uint64_t rows,
                                           const std::optional<std::uint64_t>& in_all) {
  std::vector<std::uint64_t> counted;
  Int128 sum = 0;
  for (const auto& [rank, cell] : cells) {
    counted.push_back(std::min(cell.rows, rows));
    sum += counted.back();
  }
  if (!in_all || sum <= static_cast<Int128>(*in_all)) return counted;
  std::vector<std::pair<Int128, std::size_t>> left;  // the larger remainder first, then the order of the cells
  std::uint64_t free = *in_all;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const Int128 share = static_cast<Int128>(*in_all) * static_cast<Int128>(counted[i]);
    left.emplace_back(-(share % sum), i);
    counted[i] = static_cast<std::uint64_t>(share / sum);
    free -= counted[i];
  }
  std::sort(left.begin(), left.end());
  for (std::size_t i = 0; i < free; ++i) ++counted[left[i].second];
  return counted;
}

Int128 scaled(const Gathered& cell, std::uint64_t counted, unsigned finer) {
  const Int128 all = (cell.sum << finer) * static_cast<Int128>(counted), rows = cell.rows;
  const Int128 rest = all % rows, below = (all - rest) / rows - (rest < 0 ? 1 : 0);  // the floor
  const Int128 twice = 2 * (all - below * rows) - rows;
  return below + (twice > 0 || (twice == 0 && below % 2 != 0) ? 1 : 0);
}

namespace {

// The largest sum of squares of up to `cells` numbers from 0 to `rows` that add up to `in_all` at most.
Rational largest_squares(const Rational& in_all, const Rational& rows) {
  const Rational full((in_all / rows).floor()), rest = in_all - full * rows;
  return full * rows * rows + rest * rest;
}

}  // namespace

CellsDistance Reach::operator()(const Metric& from, const Rational& d) const {
  const Rational c = whole(std::min(keys_per_unit, cells.value_or(keys_per_unit))), r = whole(rows);
  const Rational m(range.largest()), w(range.width()), far = always ? w : std::max(m, w);
  const Rational in_all = rows_in_all ? std::min(whole(*rows_in_all), c * r) : c * r;
  const Rational squares = largest_squares(in_all, r) / (r * r);  // in full cells
  const auto within = [&](const Rational& by_units, const Rational& of_a_cell) {
    return cells ? std::min(by_units, whole(*cells) * of_a_cell) : by_units;
  };
  const Rational l1 = in_all / r * m;
  if (from == Metric{MetricKind::units_added}) {
    return {within(c * d, 1), l1 * d, squares * m * m * d * d, m * d};
  }
  const Rational other = std::max<Rational>(0, std::min(-Rational(range.low), Rational(range.high)));
  const Rational l2 = std::min(c * std::max(w * w, 2 * m * m), 2 * squares * (m * m + other * other));
  return {always && w.sign() == 0 ? Rational(0) : within(2 * c * d, 1), within(2 * l1, far) * d,
          within(l2, far * far) * d * d, far * d};
}

void require_narrowing(MetricKind to, std::string_view step) {
  if (to == MetricKind::cells || to == MetricKind::l1 || to == MetricKind::l2 || to == MetricKind::linf) return;
  throw Error{Code::no_theorem, fmt::format("{} gives numbers, whose distance is not {}", step, metric_name({to})),
              "ask for cells, l1, l2 or linf"};
}

Distance narrowed(const CellsDistance& four, MetricKind to) {
  if (to == MetricKind::l1) return four.l1;
  if (to == MetricKind::l2) return four.l2_squared;
  if (to == MetricKind::linf) return four.largest;
  return four;
}

}  // namespace dither::calculus::detail
