#include "calculus/bounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/bounding_hash.h"
#include "base/error.h"
#include "calculus/aggregates.h"
#include "calculus/detail/contributions.h"
#include "calculus/detail/steps.h"
#include "calculus/norm_sum.h"

namespace dither::calculus {

namespace {

// Rows stand where they stood; `keep` says which stay.
Table kept_rows(const Table& table, const std::vector<bool>& keep) {
  Table result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (keep[i]) result.push_back(table[i]);
  }
  return result;
}

using Rank = std::pair<std::uint64_t, std::string>;  // hash, then bytes

Table keep_keys(const Table& table, std::uint64_t limit) {
  std::unordered_map<std::string, std::uint64_t> digests;                 // of keys: each is digested once
  std::map<std::string, std::map<Rank, std::vector<std::size_t>>> units;  // row numbers, by key in order of rank
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (detail::is_missing(table[i][0])) continue;
    std::string key = canonical(table[i][1]);
    const auto [digest, is_new] = digests.try_emplace(key);
    if (is_new) digest->second = bytes_digest(key);
    const std::uint64_t hash = bounding_hash(unit_digest(table[i][0]), digest->second);
    units[canonical(table[i][0])][{hash, std::move(key)}].push_back(i);
  }
  std::vector<bool> keep(table.size());
  for (const auto& [unit, keys] : units) {
    std::uint64_t left = limit;
    for (auto key = keys.begin(); key != keys.end() && left > 0; ++key, --left) {
      for (const std::size_t row : key->second) keep[row] = true;
    }
  }
  return kept_rows(table, keep);
}

Table truncate(const Table& table, std::size_t column, std::uint64_t limit, Excess excess) {
  std::map<std::string, std::vector<std::pair<Rank, std::size_t>>> keys;
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::string row = canonical(std::span(table[i]));
    const std::uint64_t hash = bounding_hash(bytes_digest(row), key_digest(table[i][column]));
    keys[canonical(table[i][column])].push_back({{hash, std::move(row)}, i});
  }
  std::vector<bool> keep(table.size());
  for (auto& [key, rows] : keys) {
    if (rows.size() > limit && excess == Excess::drop_all) continue;
    std::sort(rows.begin(), rows.end());  // equal rows stand beside each other: which of them stays is all the same
    for (std::size_t i = 0; i < rows.size() && i < limit; ++i) keep[rows[i].second] = true;
  }
  return kept_rows(table, keep);
}

// Rows added or removed for each step of the metric.
Rational rows_per_step(const TableDomain& table, const Metric& from) {
  if (from == Metric{MetricKind::symmetric}) return 1;
  if (from == Metric{MetricKind::change_one}) return 2;
  detail::require_units(from, "truncate");
  if (!table.rows_per_unit) {
    throw Error{Code::bad_limit, "truncate: nothing says how many rows a unit may have",
                "put keep-rows before it, before rows of other units are touched"};
  }
  const Rational rows(static_cast<Int128>(*table.rows_per_unit));
  return from == Metric{MetricKind::units_added} ? rows : 2 * rows;
}

}  // namespace

AnyTransformation make_keep_keys(const TableDomain& table, const Metric& from, std::uint64_t keys) {
  detail::require_units(from, "keep-keys");
  detail::require_columns(table, 2, "keep-keys");
  detail::require_limit(keys, "keep-keys", "keys per unit");
  TableDomain output = table;
  output.rows = {};
  output.columns[0].nullable = false;
  output.keys_per_unit = std::min(keys, table.keys_per_unit.value_or(keys));
  return AnyTransformation({
      .recipe = {"keep-keys", {{"keys", Rational(static_cast<Int128>(keys))}}},
      .input = table,
      .output = std::move(output),
      .from = from,
      .to = detail::without_missing_units(table, from),
      .map = detail::times(1),
      .function = [keys](const Data& data) -> Data { return keep_keys(as<Table>(data), keys); },
  });
}

AnyTransformation make_keep_rows(const TableDomain& table, const Metric& from, std::uint64_t rows) {
  detail::require_units(from, "keep-rows");
  detail::require_columns(table, 1, "keep-rows");
  detail::require_limit(rows, "keep-rows", "rows per unit");
  TableDomain output = table;
  output.rows = {};
  output.rows_per_unit = std::min(rows, table.rows_per_unit.value_or(rows));
  return AnyTransformation({
      .recipe = {"keep-rows", {{"rows", Rational(static_cast<Int128>(rows))}}},
      .input = table,
      .output = std::move(output),
      .from = from,
      .to = from,
      .map = detail::times(1),
      .function = [rows](const Data& data) -> Data { return truncate(as<Table>(data), 0, rows, Excess::keep_by_hash); },
  });
}

std::string_view excess_name(Excess excess) { return excess == Excess::drop_all ? "drop-all" : "keep-by-hash"; }

Excess excess_from(std::string_view name) {
  for (const Excess excess : {Excess::keep_by_hash, Excess::drop_all}) {
    if (excess_name(excess) == name) return excess;
  }
  throw Error{Code::unknown_key, fmt::format("there is no way \"{}\" to treat rows in excess", name),
              "write keep-by-hash or drop-all"};
}

AnyTransformation make_truncate(const TableDomain& table, const Metric& from, std::string_view column,
                                std::uint64_t rows, Excess excess) {
  const std::size_t at = table.column(column);
  detail::require_limit(rows, "truncate", "rows per key");
  const Rational most = excess == Excess::drop_all ? Rational(static_cast<Int128>(rows)) : Rational(2);
  TableDomain output = table;
  output.rows = {};
  output.rows_per_unit = {};
  output.keys_per_unit = {};
  return AnyTransformation({
      .recipe = {"truncate",
                 {{"column", std::string(column)},
                  {"rows", Rational(static_cast<Int128>(rows))},
                  {"excess", std::string(excess_name(excess))}}},
      .input = table,
      .output = std::move(output),
      .from = from,
      .to = {MetricKind::symmetric},
      .map = detail::times(most * rows_per_step(table, from)),
      .function = [at, rows, excess](const Data& data) -> Data { return truncate(as<Table>(data), at, rows, excess); },
  });
}

void add_bounding_makers(Makers& makers) {
  makers.transformations["keep-keys"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                           const Makers&) {
    return make_keep_keys(detail::table_domain(input), from, detail::limit_of(recipe, "keys"));
  };
  makers.transformations["keep-rows"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                           const Makers&) {
    return make_keep_rows(detail::table_domain(input), from, detail::limit_of(recipe, "rows"));
  };
  makers.transformations["truncate"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                          const Makers&) {
    return make_truncate(detail::table_domain(input), from, recipe.text("column"), detail::limit_of(recipe, "rows"),
                         excess_from(recipe.text("excess")));
  };
  add_aggregate_makers(makers);
  add_norm_sum_makers(makers);
}

}  // namespace dither::calculus
