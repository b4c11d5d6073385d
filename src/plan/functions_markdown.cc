// docs/sql.md: the head is written here, the rest is the table.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plan/functions.h"

namespace dither::plan {

namespace {

constexpr std::string_view kHead = R"(# SQL: what may be asked

This page is made from the function table (`./dev docs`). `dither functions` prints the same in the terminal, and
`dither explain` says what a statement would cost.

## Statements

One `SELECT` in PostgreSQL's grammar, at most 256 KiB of UTF-8. It ends in aggregates of private tables; rows of
private tables are never shown.

- Aggregates: `COUNT(*)`, `COUNT(x)`, `COUNT(DISTINCT unit)`, `SUM(x)`, `AVG(x)`, `VAR_POP`, `VAR_SAMP` (`VARIANCE`),
  `STDDEV_POP`, `STDDEV_SAMP` (`STDDEV`), each with `FILTER (WHERE ...)`.
- `WHERE`, `GROUP BY` expressions, `HAVING`, `ORDER BY`, `LIMIT`, `OFFSET`, `WITH`, derived tables.
- Joins of private tables on their unit, and with public tables by columns that are unique there.
- BigQuery's `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(...)`: epsilon, delta, max_groups_contributed (without GROUP BY also
  max_rows_contributed), privacy_unit_column, and bounds per row or per group in the aggregates. Expressions mean what
  they mean here: `/` of two integers drops the fraction.

Sums, means and variances need bounds: those of the column, or `CLAMP(x, low, high)`; reals need a grid, or `ROUND(x,
n)`. Keys of `GROUP BY` are public when all values of the expression are known (from declared keys, booleans, short
ranges of integers and dates, and where `CASE` or `COALESCE` chooses between constants); otherwise they are selected,
which costs delta.

Of a unit with more rows than count for it (`bounds:` in the project file), `COUNT` and `SUM` take the nearest total that so many
rows can have. In `AVG`, `VAR` and `STDDEV` each of its rows weighs less instead, so that the unit's own mean stays: of n rows,
of which t count, each weighs t / n. `explain` says for each number which rule holds. A `SUM` beside an `AVG` is a number of its own,
and `SUM(x) / COUNT(x)` is not a mean where units are cut: it divides a total of more rows by the number of fewer.

A mean or variance is NULL where its group may be empty, as far as its released count says: where the 95% interval of that begins
below 1 (of a sample variance below 2). A note says so. Means and their intervals lie within the bounds of the column. Counts and
sums are not clamped to theirs, which would bias those of small groups: they may be below 0.

Refused by name: several statements, whatever is no `SELECT` (`not-a-query`), windows, grouping sets, recursive
queries and all that is not on this page (`not-supported`, `unknown-function`), rows instead of aggregates
(`private-rows`), joins that mix the rows of several units (`private-join`), aggregates of aggregates
(`nested-aggregate`).

## Values

| type | holds |
|---|---|
| `boolean` | true or false |
| `integer` | whole numbers of 64 bits |
| `real` | binary64; also what a project file calls `decimal`, which has a grid besides |
| `text` | UTF-8, compared by its bytes |
| `date` | days of the years 1 to 9999 |
| `timestamp` | microseconds of the years 1 to 9999, in UTC |

Every type has NULL. No value can make a function fail: what has no result is NULL, as each row below says, and a real
result that would be NaN or infinite is NULL. So is a cell of a source that is NaN or infinite, in every kind of file:
reals are finite numbers. Where an argument is NULL so is the result, but for the functions of logic and choice,
`IS ...` and `CONCAT`. Aggregates of `x` leave out rows in which `x` is NULL, `COUNT(x)` too; `COUNT(*)` counts all rows.

Integers become reals, and dates become timestamps, where the other side is one; a constant text beside a date is a
date. `a / b` of integers drops the fraction, as in PostgreSQL: write `a * 1.0 / b` to keep it. Rounding is half to
even. `+ - * /`, `SQRT` and rounding give the same bits on every engine; the last digits of the other functions of
mathematics may differ between engines, and what is known of their ranges allows for that. Texts that a function makes
longer than 64 KiB are NULL, as are cells of a source without `max_length:`. Letters change between capital and small in ASCII
alone. Searches take time in proportion to both texts; what one row may take is known before it is charged, and too much is refused
(`needs-memory`, `too-long`).

An expression may be 300 calls deep.

A dash under an engine means that it has nothing with the same meaning: a statement that needs it there is refused
(`not-supported`). DuckDB has all of them. Sessions of Spark run in UTC.
)";

std::string types(const Function& function) {
  std::string text;
  for (std::size_t i = 0; i < function.takes.size(); ++i)
    text.append(i == 0 ? "" : ", ").append(type_name(function.takes[i]));
  return fmt::format("{}{} -> {}", text, function.variadic ? ", ..." : "", type_name(function.gives));
}

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string_view mark(std::size_t without, std::size_t all) {
  return without == 0 ? "yes" : without == all ? "-" : "in part";
}

// Overloads that are written the same way and do the same are one row.
struct Row {
  std::vector<std::string> types;
  std::string_view does;
  std::string when_null;
  std::size_t all = 0, no_postgresql = 0, no_spark = 0;
};

void add(Row& row, const Function& function) {
  row.types.push_back(types(function));
  if (row.does.empty()) row.does = function.does;
  if (row.when_null.find(function.when_null) == std::string::npos) {
    row.when_null.append(row.when_null.empty() ? "" : "; ").append(function.when_null);
  }
  ++row.all;
  row.no_postgresql += function.spelling.postgresql.empty() ? 1 : 0;
  row.no_spark += function.spelling.spark.empty() ? 1 : 0;
}

std::string all_types(const std::vector<std::string>& types) {
  if (types.size() >= 6) return "any type";
  std::string text;
  for (const std::string& one : types) text.append(text.empty() ? "" : "; ").append(one);
  return text;
}

std::string written(const std::string& usage, const Row& row) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", cell(usage), all_types(row.types), cell(row.does),
                     cell(row.when_null), mark(row.no_postgresql, row.all), mark(row.no_spark, row.all));
}

// CAST(x AS date) of a date: no row of its own.
bool keeps_its_type(const Function& function) {
  return function.group == "casts" && function.takes[0] == function.gives;
}

std::string section(std::string_view group) {
  std::string text = fmt::format("\n## {}{}\n\n", static_cast<char>(group[0] - 'a' + 'A'), group.substr(1));
  text += "| write | types | gives | NULL when | PostgreSQL | Spark |\n|---|---|---|---|---|---|\n";
  std::vector<std::pair<std::string, Row>> rows;
  for (const Function& function : all_functions()) {
    if (function.group != group || keeps_its_type(function)) continue;
    const auto alike = [&](const auto& row) { return row.first == function.usage && row.second.does == function.does; };
    auto found = std::find_if(rows.begin(), rows.end(), alike);
    if (found == rows.end()) found = rows.insert(rows.end(), {std::string(function.usage), Row{}});
    add(found->second, function);
  }
  for (const auto& [usage, row] : rows) text += written(usage, row);
  std::string shorthands;
  for (const Shorthand& shorthand : all_shorthands()) {
    if (shorthand.group != group || shorthand.usage.empty()) continue;
    shorthands += fmt::format("| `{}` | {} |\n", cell(shorthand.usage), cell(shorthand.does));
  }
  if (!shorthands.empty()) text += "\n| write | short for |\n|---|---|\n" + shorthands;
  return text;
}

}  // namespace

std::string functions_markdown() {
  std::string text(kHead);
  std::vector<std::string_view> groups;
  for (const Function& function : all_functions()) {
    if (std::find(groups.begin(), groups.end(), function.group) == groups.end()) groups.push_back(function.group);
  }
  text += fmt::format("\nThere are {} names in {} groups.\n", count_names(), groups.size());
  for (const std::string_view group : groups) text += section(group);
  return text;
}

}  // namespace dither::plan
