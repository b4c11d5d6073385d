#include "engine/database_tables.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "engine/detail/duckdb.h"

namespace dither::engine {

std::vector<DatabaseTable> tables_in(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw Error{Code::cannot_read, fmt::format("there is no file {}", echo(file)), "name a database that is there"};
  }
  detail::DatabaseOptions options;
  options.file = file;
  try {
    const detail::Database database(options);
    detail::Connection connection(database);
    std::vector<DatabaseTable> tables;
    for (const auto& row :
         connection
             .query(
                 "SELECT table_name, table_type = 'VIEW' FROM information_schema.tables WHERE table_catalog = 'source' "
                 "AND table_schema = 'main' ORDER BY table_name")
             .rows()) {
      tables.push_back({std::get<std::string>(row[0]), std::get<bool>(row[1])});
    }
    return tables;
  } catch (const detail::DuckDbFailure&) {
    throw Error{Code::bad_source, fmt::format("{} is no DuckDB database that can be opened", echo(file)),
                "name a database of this version of DuckDB, or export its tables as Parquet"};
  }
}

}  // namespace dither::engine
