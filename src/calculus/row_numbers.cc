#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/steps.h"
#include "calculus/rows.h"

namespace dither::calculus {

namespace {

std::size_t number_column(const TableDomain& input, std::string_view name, std::string_view step) {
  const std::size_t at = input.column(name);
  if (detail::is_number(input.columns[at].type)) return at;
  throw Error{
      Code::wrong_type,
      fmt::format("{} needs numbers, but column \"{}\" is {}", step, name, cell_type_name(input.columns[at].type)),
      "cast the column first"};
}

// NaN can occur in it.
bool may_be_nan(const Column& column) { return column.type == CellType::real && !column.finite; }

// The ends of the bounds as cells of the type.
struct Ends {
  Cell low, high;
};
Ends ends(const Bounds& bounds, CellType type) {
  const auto refuse = [&] {
    throw Error{Code::bad_bounds,
                fmt::format("no {} number lies in [{}, {}]", cell_type_name(type), bounds.low.str(), bounds.high.str()),
                "write wider bounds, the smaller number first"};
  };
  if (bounds.low > bounds.high) refuse();
  if (type == CellType::real) {
    const double low = bounds.low.to_double_up(), high = bounds.high.to_double_down();
    if (low > high || std::isinf(low) || std::isinf(high)) refuse();
    return {low, high};
  }
  const Rational least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  if (bounds.low > most || bounds.high < least) refuse();
  const Int128 low = std::max(bounds.low, least).ceil(), high = std::min(bounds.high, most).floor();
  if (low > high) refuse();
  return {to_int64_saturating(low), to_int64_saturating(high)};
}

std::string text_of(const Cell& cell) {
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real + 0.0);  // -0.0 is 0.0
  return std::get<std::string>(cell);
}

Cell whole_number(double real) {
  const double even = std::nearbyint(real);
  if (!(even >= -0x1p63 && even < 0x1p63)) return {};
  return static_cast<std::int64_t>(even);
}

template <class T>
Cell read(const std::string& text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  if (std::is_same_v<T, double> && !std::isfinite(static_cast<double>(value))) return {};
  return value;
}

Cell to_boolean(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole != 0;
  if (const auto* real = std::get_if<double>(&cell)) return *real != 0;
  const auto& text = std::get<std::string>(cell);
  if (text == "true" || text == "false") return text == "true";
  return {};
}

Cell cast(const Cell& cell, CellType type) {
  const auto now = detail::type_of(cell);
  if (!now || now == type) return cell;
  const auto* real = std::get_if<double>(&cell);
  if (real != nullptr && !std::isfinite(*real)) return {};
  const auto* truth = std::get_if<bool>(&cell);
  switch (type) {
    case CellType::boolean:
      return to_boolean(cell);
    case CellType::integer:
      if (truth != nullptr) return std::int64_t{*truth};
      if (real != nullptr) return whole_number(*real);
      return read<std::int64_t>(std::get<std::string>(cell));
    case CellType::real:
      if (truth != nullptr) return *truth ? 1.0 : 0.0;
      if (now == CellType::integer) return static_cast<double>(std::get<std::int64_t>(cell));
      return read<double>(std::get<std::string>(cell));
    case CellType::text:
      return text_of(cell);
  }
  return {};
}

// Of types only: what a cast may fail on.
bool cast_may_fail(const Column& from, CellType to) {
  if (from.type == to || from.type == CellType::boolean) return false;
  if (from.type == CellType::integer) return false;
  return from.type == CellType::text || !from.finite || to == CellType::integer;
}

double exact_double(const Rational& value, std::string_view what) {
  const double down = value.to_double_down();
  if (std::isfinite(down) && Rational::from_double(down) == value) return down;
  throw Error{Code::bad_number, fmt::format("the {} {} is not a binary64 number", what, value.str()),
              "write one that is, such as a small whole number or 0.5; or scale after the sum"};
}

AnyTransformation scale_integers(Recipe recipe, const TableDomain& input, const Metric& from, std::size_t at,
                                 const Rational& factor, const Rational& shift) {
  for (const Rational* one : {&factor, &shift}) {
    if (one->is_integer() && abs(*one) < Rational::power_of_two(63)) continue;
    throw Error{Code::bad_number,
                fmt::format("{} is not a 64-bit whole number, but the column holds those", one->str()),
                "cast the column to real first"};
  }
  const Int128 a = factor.floor(), b = shift.floor();  // |a x + b| < 2^126 + 2^63
  Column column{input.columns[at].name, CellType::integer};
  const Bounds range = input.columns[at].bounds.value_or(
      Bounds{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
  const Rational one = factor * range.low + shift, other = factor * range.high + shift;
  const Bounds image{std::min(one, other), std::max(one, other)};
  const bool fits = image.low >= -Rational::power_of_two(63) && image.high < Rational::power_of_two(63);
  column.nullable = input.columns[at].nullable || !fits;
  if (input.columns[at].bounds) column.bounds = image;
  return detail::map_column(std::move(recipe), input, from, at, column, [a, b](const Cell& cell) -> Cell {
    const auto* x = std::get_if<std::int64_t>(&cell);
    if (x == nullptr) return {};
    const Int128 y = a * *x + b;
    if (y != to_int64_saturating(y)) return {};
    return static_cast<std::int64_t>(y);
  });
}

AnyTransformation scale_reals(Recipe recipe, const TableDomain& input, const Metric& from, std::size_t at,
                              const Rational& factor, const Rational& shift) {
  const double a = exact_double(factor, "factor"), b = exact_double(shift, "shift");
  const Column& before = input.columns[at];
  Column column{before.name, CellType::real, before.nullable};
  if (before.bounds) {  // rounding is monotone, so the image of the ends bounds the image
    const Ends range = ends(*before.bounds, CellType::real);
    const double one = a * std::get<double>(range.low) + b, other = a * std::get<double>(range.high) + b;
    if (std::isfinite(one) && std::isfinite(other)) {
      column.bounds = Bounds{Rational::from_double(std::min(one, other)), Rational::from_double(std::max(one, other))};
      column.finite = before.finite;
    }
  }
  return detail::map_column(std::move(recipe), input, from, at, column, [a, b](const Cell& cell) -> Cell {
    const auto* x = std::get_if<double>(&cell);
    if (x == nullptr) return {};
    return a * *x + b;
  });
}

}  // namespace

AnyTransformation make_clamp(const TableDomain& input, const Metric& from, std::string_view column,
                             const Bounds& bounds, NanPolicy nan) {
  const std::size_t at = number_column(input, column, "clamp");
  const Column& before = input.columns[at];
  const Ends range = ends(bounds, before.type);
  Column after{before.name, before.type, before.nullable || (nan == NanPolicy::null && may_be_nan(before)),
               before.type == CellType::real, bounds};
  Recipe recipe{"clamp",
                {{"column", std::string(column)},
                 {"low", bounds.low},
                 {"high", bounds.high},
                 {"nan", std::string(nan_policy_name(nan))}}};
  return detail::map_column(std::move(recipe), input, from, at, after, [range, nan](const Cell& cell) -> Cell {
    if (std::holds_alternative<std::monostate>(cell)) return {};
    if (detail::is_missing(cell))
      return nan == NanPolicy::null ? Cell{} : nan == NanPolicy::low ? range.low : range.high;
    const auto below = detail::compare(cell, range.low), above = detail::compare(cell, range.high);
    if (!below || !above) return {};  // not a number: outside the domain
    return *below < 0 ? range.low : *above > 0 ? range.high : cell;
  });
}

AnyTransformation make_cast(const TableDomain& input, const Metric& from, std::string_view column, CellType type) {
  const std::size_t at = input.column(column);
  Column after = input.columns[at];
  if (after.type != type) {
    const bool nullable = after.nullable || cast_may_fail(after, type);
    after = Column{after.name, type, nullable, type == CellType::real};
  }
  Recipe recipe{"cast", {{"column", std::string(column)}, {"type", std::string(cell_type_name(type))}}};
  return detail::map_column(std::move(recipe), input, from, at, after,
                            [type](const Cell& cell) { return cast(cell, type); });
}

AnyTransformation make_bucket(const TableDomain& input, const Metric& from, std::string_view column,
                              const std::vector<Rational>& edges) {
  const std::size_t at = number_column(input, column, "bucket");
  if (edges.empty() || std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) != edges.end()) {
    throw Error{Code::bad_bounds, fmt::format("the {} edges of the buckets do not ascend", edges.size()),
                "write at least one edge, the smallest first, each once"};
  }
  const Column& before = input.columns[at];
  const Column after{before.name, CellType::integer, before.nullable || may_be_nan(before), false,
                     Bounds{0, static_cast<Int128>(edges.size())}};
  Recipe recipe{"bucket", {{"column", std::string(column)}, {"edges", edges}}};
  return detail::map_column(std::move(recipe), input, from, at, after, [edges](const Cell& cell) -> Cell {
    if (detail::is_missing(cell)) return {};
    if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isinf(*real)) {
      return *real > 0 ? static_cast<std::int64_t>(edges.size()) : std::int64_t{0};
    }
    const auto value = detail::exact_number(cell);
    if (!value) return {};  // not a number: outside the domain
    return static_cast<std::int64_t>(std::upper_bound(edges.begin(), edges.end(), *value) - edges.begin());
  });
}

AnyTransformation make_scale_shift(const TableDomain& input, const Metric& from, std::string_view column,
                                   const Rational& factor, const Rational& shift) {
  const std::size_t at = number_column(input, column, "scale-shift");
  Recipe recipe{"scale-shift", {{"column", std::string(column)}, {"factor", factor}, {"shift", shift}}};
  const bool whole = input.columns[at].type == CellType::integer;
  return (whole ? scale_integers : scale_reals)(std::move(recipe), input, from, at, factor, shift);
}

}  // namespace dither::calculus
