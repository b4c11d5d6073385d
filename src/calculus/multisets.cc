#include "calculus/multisets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

std::string bytes(const Row& row) { return canonical(std::span(row)); }

// Rows by their bytes, ascending: what a table is when order means nothing.
using Sorted = std::vector<std::pair<std::string, const Row*>>;
Sorted sorted(const Table& table) {
  Sorted rows;
  for (const Row& row : table) rows.emplace_back(bytes(row), &row);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return rows;
}

struct Record {
  Cell key;
  std::int64_t rows = 0;
  Cell least = {}, most = {};

  void add(const Cell& cell) {
    ++rows;
    if (detail::is_missing(cell)) return;
    const auto below = detail::compare(cell, least), above = detail::compare(cell, most);
    if (!below || *below < 0) least = cell;
    if (!above || *above > 0) most = cell;
  }
};

Table group(const Table& table, std::size_t key, std::size_t value) {
  std::map<std::string, Record> records;
  for (const Row& row : table) {
    Record& record = records.try_emplace(canonical(row[key]), Record{row[key]}).first->second;
    record.add(row[value]);
  }
  Table result;
  for (auto& [name, record] : records) result.push_back({record.key, record.rows, record.least, record.most});
  return result;
}

Table explode(const Table& table, std::size_t at, const std::string& separator, std::uint64_t most) {
  Table result;
  for (const Row& row : table) {
    const auto* text = std::get_if<std::string>(&row[at]);
    std::size_t begin = 0;
    for (std::uint64_t piece = 0; piece < most; ++piece) {
      result.push_back(row);
      if (text == nullptr) break;
      const std::size_t end = text->find(separator, begin);
      result.back()[at] = text->substr(begin, end == std::string::npos ? end : end - begin);
      if (end == std::string::npos) break;
      begin = end + separator.size();
    }
  }
  return result;
}

// Missing cells first, by bytes; then by value; then by the bytes of the row.
Table sort(const Table& table, std::size_t at) {
  Sorted rows = sorted(table);
  std::stable_sort(rows.begin(), rows.end(), [at](const auto& a, const auto& b) {
    const Cell &x = (*a.second)[at], &y = (*b.second)[at];
    const bool no_x = detail::is_missing(x), no_y = detail::is_missing(y);
    if (no_x || no_y) return no_x && !no_y;
    const auto order = detail::compare(x, y);
    return order && *order < 0;
  });
  Table result;
  for (const auto& [name, row] : rows) result.push_back(*row);
  return result;
}

void require_equal_columns(const TablesDomain& input, std::size_t least, std::string_view step) {
  const auto same = [&](const TableDomain& one) { return one.columns == input.tables[0].columns; };
  if (input.tables.size() >= least && std::all_of(input.tables.begin(), input.tables.end(), same)) return;
  throw Error{Code::mixed_domains, fmt::format("{} takes tables with equal columns, {} at least", step, least),
              "select, cast and clamp the columns of each table alike first"};
}

void require_two(const TablesDomain& input, std::string_view step) {
  if (input.tables.size() == 2) return;
  throw Error{Code::mixed_domains, fmt::format("{} takes two tables, not {}", step, input.tables.size()),
              "give two tables"};
}

// `sum of M` and `largest of M`, M without units: how often the distance counts, and M.
struct Inner {
  Metric metric;
  Rational times;
};
Inner inner_of(const Metric& from, std::size_t tables, std::string_view step) {
  const bool nested = from.kind == MetricKind::sum || from.kind == MetricKind::largest;
  if (!nested || detail::counts_units({from.inner})) {
    detail::no_theorem(from, step, "use `sum of symmetric`, or count units over all tables: units-added");
  }
  return {{from.inner}, from.kind == MetricKind::sum ? Rational(1) : Rational(static_cast<Int128>(tables))};
}

// Of two tables into one, when one row more in either changes `per_row` rows and a unit's rows give rows of that unit.
detail::Carried two_into_one(const Metric& from, const Rational& per_row, std::string_view step) {
  if (detail::counts_units(from)) return detail::row_by_row(from, {0, 1}, step);
  const Inner inner = inner_of(from, 2, step);
  if (inner.metric.kind == MetricKind::discrete) detail::no_theorem(from, step, "use `sum of symmetric`");
  const auto [to, factor] = detail::by_multiset(inner.metric, per_row, step);
  return {to, factor * inner.times};
}

// Rows of the first as often as `count` says, of how often both have them.
AnyTransformation make_by_counts(std::string name, const TablesDomain& input, const Metric& from,
                                 std::int64_t (*count)(std::int64_t first, std::int64_t second)) {
  require_two(input, name);
  require_equal_columns(input, 2, name);
  const auto [to, factor] = two_into_one(from, 1, name);
  TableDomain output = input.tables[0];
  output.rows = std::nullopt;
  return AnyTransformation({
      .recipe = {std::move(name)},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [count](const Data& data) -> Data {
        const Tables& tables = as<Tables>(data);
        std::map<std::string, std::int64_t> others;
        for (const Row& row : tables[1]) ++others[bytes(row)];
        const Sorted rows = sorted(tables[0]);
        Table result;
        for (std::size_t i = 0, end = 0; i < rows.size(); i = end) {
          while (end < rows.size() && rows[end].first == rows[i].first) ++end;
          const auto other = others.find(rows[i].first);
          const std::int64_t kept =
              count(static_cast<std::int64_t>(end - i), other == others.end() ? 0 : other->second);
          result.insert(result.end(), static_cast<std::size_t>(kept), *rows[i].second);
        }
        return result;
      },
  });
}

using Firsts = std::map<std::string, const Row*>;
Firsts first_rows(const Table& table, std::size_t key) {
  Firsts firsts;
  for (const auto& [name, row] : sorted(table)) {
    if (!detail::is_missing((*row)[key])) firsts.emplace(canonical((*row)[key]), row);
  }
  return firsts;
}

}  // namespace

AnyTransformation make_distinct(const TableDomain& input, const Metric& from) {
  const bool units = detail::counts_units(from);
  const auto [to, factor] =
      units ? detail::row_by_row(from, {1, 1}, "distinct") : detail::by_multiset(from, 1, "distinct");
  TableDomain output = input;
  output.rows = std::nullopt;
  return AnyTransformation({
      .recipe = {"distinct"},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [](const Data& data) -> Data {
        Table result;
        std::string last;
        for (const auto& [name, row] : sorted(as<Table>(data))) {
          if (result.empty() || name != last) result.push_back(*row);
          last = name;
        }
        return result;
      },
  });
}

AnyTransformation make_explode(const TableDomain& input, const Metric& from, std::string_view column,
                               std::string_view separator, std::uint64_t most) {
  const std::size_t at = input.column(column);
  detail::require_other_than_unit(from, at, "explode");
  if (most == 0) throw Error{Code::bad_limit, "at most 0 rows per row leave nothing", "write 1 or more"};
  if (separator.empty()) throw Error{Code::bad_syntax, "the separator is empty", "write one, such as \",\""};
  if (input.columns[at].type != CellType::text) {
    throw Error{Code::wrong_type, fmt::format("explode cuts text, but column \"{}\" is not", column),
                "cast the column to text first"};
  }
  const auto [to, factor] = detail::row_by_row(from, {1, most}, "explode");
  TableDomain output{input.columns};
  output.columns[at].categories.clear();
  const auto limit = [&](std::optional<std::uint64_t> before) {
    if (at == 0 || !before || *before > ~std::uint64_t{0} / most) return std::optional<std::uint64_t>();
    return std::optional(*before * most);
  };
  output.rows_per_unit = limit(input.rows_per_unit);
  output.keys_per_unit = at == 1 ? limit(input.keys_per_unit) : at == 0 ? std::nullopt : input.keys_per_unit;
  return AnyTransformation({
      .recipe = {"explode",
                 {{"column", std::string(column)},
                  {"separator", detail::spelled(Cell(std::string(separator)))},
                  {"most", Rational(static_cast<Int128>(most))}}},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [at, most, separator = std::string(separator)](const Data& data) -> Data {
        return explode(as<Table>(data), at, separator, most);
      },
  });
}

AnyTransformation make_group_by(const TableDomain& input, const Metric& from, std::string_view key,
                                std::string_view value) {
  const std::size_t by = input.column(key), at = input.column(value);
  const bool units = detail::counts_units(from);
  if (units && by != 0) detail::no_theorem(from, "group-by", "group by the unit, or convert to symmetric first");
  const auto [to, factor] =
      units ? detail::row_by_row(from, {1, 1}, "group-by") : detail::by_multiset(from, 2, "group-by");
  Column least = input.columns[at], most = input.columns[at];
  least.name += "_least";
  most.name += "_most";
  least.nullable = most.nullable = true;
  TableDomain output{{input.columns[by], {"rows", CellType::integer, false}, least, most}};
  output.rows_per_unit = output.keys_per_unit = 1;
  return AnyTransformation({
      .recipe = {"group-by", {{"key", std::string(key)}, {"value", std::string(value)}}},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [by, at](const Data& data) -> Data { return group(as<Table>(data), by, at); },
  });
}

AnyTransformation make_sort(const TableDomain& input, const Metric& from, std::string_view column) {
  const std::size_t at = input.column(column);
  detail::Carried carried{from, 1};
  if (!detail::counts_units(from)) carried = detail::by_multiset(from, 1, "sort");
  if (carried.to.kind == MetricKind::symmetric) carried.to = {MetricKind::insert_delete};
  return AnyTransformation({
      .recipe = {"sort", {{"column", std::string(column)}}},
      .input = input,
      .output = input,
      .from = from,
      .to = carried.to,
      .map = detail::times(carried.factor),
      .function = [at](const Data& data) -> Data { return sort(as<Table>(data), at); },
  });
}

AnyTransformation make_resize(const TableDomain& input, const Metric& from, std::uint64_t n, const Row& padding) {
  if (n == 0 || n > std::uint64_t{1} << 32) {
    throw Error{Code::bad_count, fmt::format("a table is to have {} rows", n), "write a number from 1 to 2^32"};
  }
  TableDomain output{input.columns, n};
  if (!member(TableDomain{input.columns}, Table{padding})) {
    throw Error{Code::mixed_domains, "the padding is not a row of the table",
                "give a cell for each column, within its facts"};
  }
  const detail::Carried rows = detail::by_multiset(from, 1, "resize");
  const bool tables = rows.to.kind == MetricKind::symmetric;
  return AnyTransformation({
      .recipe = {"resize", {{"rows", Rational(static_cast<Int128>(n))}, {"padding", detail::spelled(padding)}}},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = tables ? Metric{MetricKind::change_one} : from,
      .map = detail::times(1),
      .function = [n, padding](const Data& data) -> Data {
        Table result;
        for (const auto& [name, row] : sorted(as<Table>(data))) {
          if (result.size() < n) result.push_back(*row);
        }
        result.resize(n, padding);
        return result;
      },
  });
}

AnyTransformation make_concat(const TablesDomain& input, const Metric& from) {
  require_equal_columns(input, 1, "concat");
  detail::Carried carried{from, 1};
  if (!detail::counts_units(from)) {
    const Inner inner = inner_of(from, input.tables.size(), "concat");
    carried = {inner.metric, inner.times};
  }
  TableDomain output{input.tables[0].columns, 0};
  for (const TableDomain& one : input.tables) {
    output.rows = output.rows && one.rows ? std::optional(*output.rows + *one.rows) : std::nullopt;
  }
  return AnyTransformation({
      .recipe = {"concat"},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = carried.to,
      .map = detail::times(carried.factor),
      .function = [](const Data& data) -> Data {
        Table all;
        for (const Table& one : as<Tables>(data)) all.insert(all.end(), one.begin(), one.end());
        return all;
      },
  });
}

AnyTransformation make_intersect(const TablesDomain& input, const Metric& from) {
  return make_by_counts("intersect", input, from,
                        [](std::int64_t first, std::int64_t second) { return std::min(first, second); });
}

AnyTransformation make_except(const TablesDomain& input, const Metric& from) {
  return make_by_counts("except", input, from, [](std::int64_t first, std::int64_t second) {
    return std::max<std::int64_t>(first - second, 0);
  });
}

AnyTransformation make_join_unique(const TablesDomain& input, const Metric& from, std::string_view key) {
  require_two(input, "join-unique");
  const TableDomain &first = input.tables[0], &second = input.tables[1];
  const std::size_t left = first.column(key), right = second.column(key);
  if (first.columns[left].type != second.columns[right].type) {
    throw Error{Code::wrong_type, fmt::format("\"{}\" has another type in the second table", key), "cast one of them"};
  }
  if (detail::counts_units(from) && (left != 0 || right != 0)) {
    detail::no_theorem(from, "join-unique", "join on the unit, the first column of both tables");
  }
  const auto [to, factor] = two_into_one(from, 2, "join-unique");
  TableDomain output{first.columns};
  output.columns[left].nullable = false;
  for (std::size_t i = 0; i < second.columns.size(); ++i) {
    if (i != right) output.columns.push_back(second.columns[i]);
  }
  if (left == 0) output.rows_per_unit = output.keys_per_unit = 1;
  return AnyTransformation({
      .recipe = {"join-unique", {{"key", std::string(key)}}},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [left, right](const Data& data) -> Data {
        const Tables& tables = as<Tables>(data);
        const Firsts others = first_rows(tables[1], right);
        Table joined;
        for (const auto& [name, row] : first_rows(tables[0], left)) {
          const auto other = others.find(name);
          if (other == others.end()) continue;
          joined.push_back(*row);
          for (std::size_t i = 0; i < other->second->size(); ++i) {
            if (i != right) joined.back().push_back((*other->second)[i]);
          }
        }
        return joined;
      },
  });
}

}  // namespace dither::calculus
