#include "engine/detail/stored_table.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

struct Place {
  std::string database, schema, table;

  std::string from() const {
    return fmt::format("{}.{}.{}", quoted_name(database), quoted_name(schema), quoted_name(table));
  }
  // Capitals play no part in names of DuckDB.
  std::string is(const std::string& database_column, const std::string& schema_column) const {
    return fmt::format("{} = {} AND lower({}) = lower({}) AND lower(table_name) = lower({})", database_column,
                       detail::quoted(database), schema_column, detail::quoted(schema), detail::quoted(table));
  }
};

// "BASE TABLE", "VIEW", or "" where nothing has this name.
std::string kind_of(Connection& connection, const Place& place) {
  const auto rows = connection
                        .query(fmt::format("SELECT table_type FROM information_schema.tables WHERE {}",
                                           place.is("table_catalog", "table_schema")))
                        .rows();
  return rows.empty() ? "" : std::get<std::string>(rows[0][0]);
}

// Columns with an expression, of a table that has computed ones; a mere default among them is taken for one of those.
void mark_computed(Connection& connection, const Place& place, SourcePart& part) {
  const std::string here = place.is("database_name", "schema_name");
  const auto rows =
      connection
          .query(fmt::format(
              "SELECT column_name FROM duckdb_columns() WHERE {0} AND column_default IS NOT NULL AND EXISTS "
              "(SELECT 1 FROM duckdb_tables() WHERE {0} AND contains(sql, 'GENERATED ALWAYS AS'))",
              here))
          .rows();
  for (const auto& row : rows)
    part.unfit[std::get<std::string>(row[0])] = "is computed while it is read, or has a default beside such columns";
}

}  // namespace

SourcePart stored_table(Connection& connection, const std::string& database, const std::string& table,
                        const std::string& file) {
  std::vector<Place> places = {{database, "main", table}};
  if (const std::size_t dot = table.find('.'); dot != std::string::npos) {
    places.push_back({database, table.substr(0, dot), table.substr(dot + 1)});
  }
  const std::string as = fmt::format("a database with the table \"{}\"", echo(table));
  for (const Place& place : places) {
    const std::string kind = kind_of(connection, place);
    if (kind == "VIEW") {
      throw Error{
          Code::bad_source, fmt::format("\"{}\" of {} is a view", echo(table), short_name(file)),
          "copy what it shows into a table, with CREATE TABLE ... AS, and name that: a view can fail for a value"};
    }
    if (kind.empty()) continue;
    SourcePart part = described(connection, place.from(), file, as);
    mark_computed(connection, place, part);
    return part;
  }
  throw Error{Code::bad_source, fmt::format("{} cannot be read as {}", short_name(file), as),
              "look whether it is complete and of that kind, and whether it may be read"};
}

}  // namespace dither::engine::detail
