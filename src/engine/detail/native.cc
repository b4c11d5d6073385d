#include "engine/detail/native.h"

#include <fmt/format.h>

namespace dither::engine::detail {

using plan::Type;

namespace {

Native moment(const std::string& cell) {
  return {
      Type::timestamp,
      fmt::format("(CASE WHEN {0} BETWEEN TIMESTAMP '0001-01-01 00:00:00' AND TIMESTAMP '9999-12-31 23:59:59.999999' "
                  "THEN {0} END)",
                  cell)};
}

// The nearest double, whatever the scale. DuckDB's own cast divides, which rounds twice where the digits have no double; below 10^15
// they have.
std::string double_of_decimal(const std::string& cell, unsigned scale) {
  constexpr unsigned kDigits = 15;
  std::string by_text = fmt::format("CAST(CAST({} AS VARCHAR) AS DOUBLE)", cell);
  if (scale >= kDigits) return by_text;
  const std::string end = "1" + std::string(kDigits - scale, '0');
  return fmt::format("(CASE WHEN {0} < {1} AND {0} > -{1} THEN CAST({0} AS DOUBLE) ELSE {2} END)", cell, end, by_text);
}

}  // namespace

std::optional<Native> native(const ResultColumn& column, const std::string& cell) {
  switch (column.type) {
    case DUCKDB_TYPE_BOOLEAN:
      return Native{Type::boolean, cell};
    case DUCKDB_TYPE_BIGINT:
      return Native{Type::integer, cell};
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
      return Native{Type::integer, fmt::format("CAST({} AS BIGINT)", cell)};
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
      return Native{Type::integer, fmt::format("TRY_CAST({} AS BIGINT)", cell), true};
    case DUCKDB_TYPE_DOUBLE:
      return Native{Type::real, cell};
    case DUCKDB_TYPE_FLOAT:
      return Native{Type::real, fmt::format("CAST({} AS DOUBLE)", cell)};
    case DUCKDB_TYPE_DECIMAL:
      // Ids are often written so; a double would make one of several.
      if (column.scale == 0) return Native{Type::integer, fmt::format("TRY_CAST({} AS BIGINT)", cell), true};
      return Native{Type::real, double_of_decimal(cell, column.scale)};
    case DUCKDB_TYPE_VARCHAR:
      // A column of a database may have a collation, by which other texts are equal: here bytes decide. JSON is text of another name.
      return Native{Type::text, fmt::format("(CAST({} AS VARCHAR) COLLATE \"binary\")", cell)};
    case DUCKDB_TYPE_ENUM:
    case DUCKDB_TYPE_UUID:
      return Native{Type::text, fmt::format("CAST({} AS VARCHAR)", cell)};
    case DUCKDB_TYPE_DATE:
      return Native{Type::date,
                    fmt::format("(CASE WHEN {0} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN {0} END)", cell)};
    case DUCKDB_TYPE_TIMESTAMP:
      return moment(cell);
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return moment(fmt::format("TRY_CAST({} AS TIMESTAMP)", cell));
    default:
      return std::nullopt;
  }
}

}  // namespace dither::engine::detail
