#include "engine/detail/canonical_sql.h"

#include <fmt/format.h>

#include "base/bounding_hash.h"
#include "base/error.h"

namespace dither::engine::detail {

using plan::Dialect;
using plan::Type;

namespace {

// One of three, by dialect, with {0} replaced.
std::string in(Dialect dialect, std::string_view duckdb, std::string_view postgresql, std::string_view spark,
               const std::string& first, const std::string& second = "") {
  const std::string_view form = dialect == Dialect::duckdb       ? duckdb
                                : dialect == Dialect::postgresql ? postgresql
                                                                 : spark;
  return fmt::format(fmt::runtime(form), first, second);
}

std::string whole_of(Type type, Dialect dialect, const std::string& cell) {
  if (type == Type::date) {
    return in(dialect, "({} - DATE '1970-01-01')", "CAST({} - DATE '1970-01-01' AS bigint)",
              "CAST(datediff({}, DATE'1970-01-01') AS BIGINT)", cell);
  }
  if (type == Type::timestamp) {
    return in(dialect, "epoch_us({})", "CAST(extract(epoch FROM {}) * 1000000 AS bigint)",
              "timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01 00:00:00', {})", cell);
  }
  return cell;
}

std::string bits_of(Dialect dialect, const std::string& real) {
  if (dialect == Dialect::spark) {
    throw Error{Code::not_supported,
                "Spark cannot tell real numbers apart bit by bit, so they are no keys or units there",
                "group by a whole number or a text"};
  }
  return in(dialect, "lower(hex(CAST(CAST({0} + 0.0 AS BIT) AS BLOB)))", "encode(float8send({0} + 0.0), 'hex')", "",
            real);
}

std::string_view nan_of(Dialect dialect) { return dialect == Dialect::duckdb ? "'NaN'::DOUBLE" : "'NaN'::float8"; }

}  // namespace

std::string_view wide_type(Dialect dialect) {
  return dialect == Dialect::duckdb ? "HUGEINT" : dialect == Dialect::postgresql ? "numeric" : "DECIMAL(38, 0)";
}

std::string wide_sql(Dialect dialect, const std::string& number) {
  return fmt::format("CAST({} AS {})", number, wide_type(dialect));
}

std::string as_digits_sql(Dialect dialect, const std::string& whole) {
  return in(dialect, "CAST({} AS VARCHAR)", "CAST({} AS text)", "CAST({} AS STRING)", whole);
}

std::string canonical_sql(Type type, Dialect dialect, const std::string& cell) {
  switch (type) {
    case Type::boolean:
      return fmt::format("(CASE WHEN {0} THEN 'b1' WHEN NOT {0} THEN 'b0' ELSE 'n' END)", cell);
    case Type::real:
      return fmt::format(
          "(CASE WHEN {0} < {1} THEN concat('r', {2}) WHEN {0} IS NULL THEN 'n' ELSE 'r7ff8000000000000' END)", cell,
          nan_of(dialect), bits_of(dialect, cell));
    case Type::text:
      return fmt::format("(CASE WHEN {0} IS NULL THEN 'n' ELSE concat('t', {0}) END)", cell);
    default:
      return fmt::format("(CASE WHEN {0} IS NULL THEN 'n' ELSE concat('i', {1}) END)", cell,
                         as_digits_sql(dialect, whole_of(type, dialect, cell)));
  }
}

std::string canonical_sql(const std::vector<Type>& types, Dialect dialect, const std::vector<std::string>& cells) {
  if (cells.empty()) return "''";
  if (cells.size() == 1) return canonical_sql(types[0], dialect, cells[0]);
  std::string sql = "concat('l'";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string one = canonical_sql(types[i], dialect, cells[i]);
    sql += fmt::format(", {}, ':', {}", in(dialect, "strlen({})", "octet_length({})", "octet_length({})", one), one);
  }
  return sql + ")";
}

std::string bytes_digest_sql(Dialect dialect, const std::string& bytes) {
  return in(
      dialect, "(CAST(CAST(concat('0x', substr(sha256({0}), 1, 15)) AS BIGINT) AS HUGEINT) + 1)",
      "(CAST(CAST(CAST(concat('x0', substr(encode(sha256(convert_to({0}, 'UTF8')), 'hex'), 1, 15)) AS bit(64)) AS "
      "bigint) AS numeric) + 1)",
      "(CAST(conv(substr(sha2({0}, 256), 1, 15), 16, 10) AS DECIMAL(19, 0)) + 1)", bytes);
}

std::string unit_digest_sql(Type type, Dialect dialect, const std::string& unit) {
  if (type != Type::integer && type != Type::date && type != Type::timestamp) {
    return bytes_digest_sql(dialect, canonical_sql(type, dialect, unit));
  }
  const std::string p = wide_sql(dialect, std::to_string(kHashPrime));
  const std::string a = wide_sql(dialect, "163245215218020493");
  const std::string b = wide_sql(dialect, "828122566398759590");
  const auto mod = [&](const std::string& number) { return fmt::format("mod({}, {})", number, p); };
  const std::string x = mod(fmt::format("{} + {}", mod(wide_sql(dialect, whole_of(type, dialect, unit))), p));
  const std::string m = mod(fmt::format("{} * {} + {}", x, a, b));
  return fmt::format("GREATEST({}, {})", mod(fmt::format("{0} * {0}", m)), wide_sql(dialect, "1"));
}

std::string hash_sql(Dialect dialect, const std::string& unit_digest, const std::string& bytes_digest) {
  return fmt::format("mod({} * {}, {})", unit_digest, bytes_digest, wide_sql(dialect, std::to_string(kHashPrime)));
}

std::string by_bytes_sql(Dialect dialect, const std::string& text) {
  return in(dialect, "encode({})", "convert_to({}, 'UTF8')", "CAST({} AS BINARY)", text);
}

std::string cell_sql(Type type, Dialect dialect, const std::string& cell) {
  return type == Type::real ? fmt::format("{} + 0.0", cell) : whole_of(type, dialect, cell);
}

}  // namespace dither::engine::detail
