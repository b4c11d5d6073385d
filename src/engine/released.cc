#include "engine/released.h"

#include <fmt/format.h>

#include "base/error.h"
#include "engine/detail/duckdb.h"
#include "engine/detail/fill_table.h"

namespace dither::engine {
namespace {

// One thread keeps rows in the order in which they were put in.
detail::DatabaseOptions one_thread() {
  detail::DatabaseOptions options;
  options.threads = 1;
  return options;
}

std::string declared(const std::vector<plan::Type>& types) {
  std::string columns;
  for (std::size_t i = 0; i < types.size(); ++i) {
    columns += fmt::format("{}c{} {}", i == 0 ? "" : ", ", i, detail::sql_type(types[i]));
  }
  return fmt::format("CREATE TEMP TABLE released ({})", columns);  // of this connection alone
}

}  // namespace

struct ReleasedDatabase::Inside {
  detail::Database database{one_thread()};
};

ReleasedDatabase::ReleasedDatabase() : inside_(std::make_unique<Inside>()) {}
ReleasedDatabase::~ReleasedDatabase() = default;

std::vector<std::vector<Cell>> ReleasedDatabase::run(const std::vector<plan::Type>& types,
                                                     std::span<const std::vector<Cell>> rows, const std::string& sql) {
  try {
    detail::Connection connection(inside_->database);
    connection.query(declared(types));
    detail::fill_table(connection, "released", types, rows);
    return connection.query(sql).rows();
  } catch (const detail::DuckDbFailure&) {
    throw Error{Code::run_failed, "the database in which released values are put in order failed: memory is lacking",
                "the answer is stored: ask again, at no further charge"};
  }
}

}  // namespace dither::engine
