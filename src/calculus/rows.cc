#include "calculus/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

constexpr std::array<std::string_view, 6> kComparisons = {"equal",   "not-equal", "less",
                                                          "at-most", "greater",   "at-least"};
constexpr std::array<std::string_view, 3> kNanPolicies = {"null", "low", "high"};

template <class E, std::size_t N>
E named(const std::array<std::string_view, N>& names, std::string_view name, std::string_view what) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<E>(at - names.begin());
  throw Error{Code::unknown_key, fmt::format("there is no {} \"{}\"", what, name),
              fmt::format("write one of: {}", fmt::join(names, ", "))};
}

bool holds(std::strong_ordering order, Comparison comparison) {
  switch (comparison) {
    case Comparison::equal:
      return order == 0;
    case Comparison::not_equal:
      return order != 0;
    case Comparison::less:
      return order < 0;
    case Comparison::at_most:
      return order <= 0;
    case Comparison::greater:
      return order > 0;
    case Comparison::at_least:
      return order >= 0;
  }
  return false;
}

// The column once nothing in it is missing: bounds then exclude infinities.
Column complete(Column column) {
  column.nullable = false;
  column.finite = column.finite || (column.type == CellType::real && column.bounds.has_value());
  return column;
}

}  // namespace

std::string_view comparison_name(Comparison comparison) { return kComparisons[static_cast<std::size_t>(comparison)]; }
Comparison comparison_from(std::string_view name) { return named<Comparison>(kComparisons, name, "comparison"); }
std::string_view nan_policy_name(NanPolicy policy) { return kNanPolicies[static_cast<std::size_t>(policy)]; }
NanPolicy nan_policy_from(std::string_view name) { return named<NanPolicy>(kNanPolicies, name, "policy for NaN"); }

AnyTransformation make_filter(const TableDomain& input, const Metric& from, std::string_view column,
                              Comparison comparison, const Cell& constant) {
  const std::size_t at = input.column(column);
  const CellType type = input.columns[at].type;
  if (detail::is_missing(constant)) {
    throw Error{Code::bad_number, "the constant of a filter is NULL or NaN, which compares with nothing",
                "write a value; to drop missing cells use drop-missing"};
  }
  const CellType given = *detail::type_of(constant);
  if (given != type && !(detail::is_number(given) && detail::is_number(type))) {
    throw Error{
        Code::wrong_type,
        fmt::format("column \"{}\" is {}, but the constant is {}", column, cell_type_name(type), cell_type_name(given)),
        "write a constant of the column's type"};
  }
  TableDomain output = input;
  output.columns[at].nullable = false;
  Recipe recipe{"filter",
                {{"column", std::string(column)},
                 {"comparison", std::string(comparison_name(comparison))},
                 {"constant", detail::spelled(constant)}}};
  return detail::keep_rows(std::move(recipe), input, from, output, [at, comparison, constant](const Row& row) {
    const auto order = detail::compare(row[at], constant);
    return order && holds(*order, comparison);
  });
}

AnyTransformation make_select_columns(const TableDomain& input, const Metric& from,
                                      const std::vector<std::string>& columns) {
  std::vector<std::size_t> at;
  for (const std::string& name : columns) at.push_back(input.column(name));
  if (std::set(at.begin(), at.end()).size() != at.size()) {
    throw Error{Code::duplicate_key, "a column is selected twice", "name each column once"};
  }
  const bool same_unit = !at.empty() && at[0] == 0, same_key = same_unit && at.size() > 1 && at[1] == 1;
  if (!same_unit) detail::require_other_than_unit(from, 0, "select-columns");
  TableDomain output{{}, input.rows};
  for (const std::size_t i : at) output.columns.push_back(input.columns[i]);
  if (same_unit) output.rows_per_unit = input.rows_per_unit;
  if (same_key) output.keys_per_unit = input.keys_per_unit;
  const auto [to, factor] = detail::row_by_row(from, {1, 1}, "select-columns");
  return AnyTransformation({
      .recipe = {"select-columns", {{"columns", columns}}},
      .input = input,
      .output = output,
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [at](const Data& data) -> Data {
        Table selected;
        for (const Row& row : as<Table>(data)) {
          Row& cells = selected.emplace_back();
          for (const std::size_t i : at) cells.push_back(row[i]);
        }
        return selected;
      },
  });
}

AnyTransformation make_impute(const TableDomain& input, const Metric& from, std::string_view column,
                              const Cell& constant) {
  const std::size_t at = input.column(column);
  Column after = complete(input.columns[at]);
  const auto* real = std::get_if<double>(&constant);
  if (detail::is_missing(constant) || (real != nullptr && !std::isfinite(*real))) {
    throw Error{Code::bad_number, "the constant for missing cells is itself NULL, NaN or infinite",
                "write a finite value"};
  }
  if (detail::type_of(constant) != after.type) {
    throw Error{Code::wrong_type,
                fmt::format("column \"{}\" is {}, but the constant is not", column, cell_type_name(after.type)),
                "write a constant of the column's type, such as 0.0 for reals"};
  }
  if (after.bounds && !member(Column{"", after.type, false, false, after.bounds}, constant)) {
    throw Error{Code::bad_bounds, fmt::format("the constant lies outside the bounds of column \"{}\"", column),
                "write a constant within the bounds, or impute before clamping"};
  }
  if (!after.categories.empty() && !member(after, constant)) after.categories.push_back(constant);
  Recipe recipe{"impute", {{"column", std::string(column)}, {"constant", detail::spelled(constant)}}};
  return detail::map_column(std::move(recipe), input, from, at, after,
                            [constant](const Cell& cell) { return detail::is_missing(cell) ? constant : cell; });
}

AnyTransformation make_category_codes(const TableDomain& input, const Metric& from, std::string_view column,
                                      const std::vector<Cell>& categories) {
  const std::size_t at = input.column(column);
  std::unordered_map<std::string, std::int64_t> codes;
  for (const Cell& category : categories) codes.emplace(canonical(category), static_cast<std::int64_t>(codes.size()));
  if (categories.empty())
    throw Error{Code::bad_count, "the list of categories is empty", "write at least one category"};
  if (codes.size() != categories.size()) {
    throw Error{Code::duplicate_key, "a category is listed twice", "list each category once"};
  }
  const std::int64_t other = static_cast<std::int64_t>(categories.size());
  const Column after{input.columns[at].name, CellType::integer, false, false, Bounds{0, other}};
  Recipe recipe{"category-codes", {{"column", std::string(column)}, {"categories", detail::spelled(categories)}}};
  return detail::map_column(std::move(recipe), input, from, at, after, [codes, other](const Cell& cell) -> Cell {
    if (detail::is_missing(cell)) return other;
    const auto code = codes.find(canonical(cell));
    return code == codes.end() ? other : code->second;
  });
}

AnyTransformation make_drop_missing(const TableDomain& input, const Metric& from,
                                    const std::vector<std::string>& columns) {
  std::vector<std::size_t> at;
  TableDomain output = input;
  for (const std::string& name : columns) {
    at.push_back(input.column(name));
    output.columns[at.back()] = complete(output.columns[at.back()]);
  }
  return detail::keep_rows({"drop-missing", {{"columns", columns}}}, input, from, output, [at](const Row& row) {
    return std::none_of(at.begin(), at.end(), [&](std::size_t i) { return detail::is_missing(row[i]); });
  });
}

}  // namespace dither::calculus
