#include "engine/detail/duckdb.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/int128.h"
#include "base/text.h"
#include "engine/detail/own_functions.h"

namespace dither::engine::detail {
namespace {

std::string doubled(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) result.append(c == quote ? 2 : 1, c);
  return result + quote;
}

template <class T>
const T& at(duckdb_vector vector, std::size_t row) {
  return static_cast<const T*>(duckdb().vector_get_data(vector))[row];
}

Cell cell_of(duckdb_vector vector, duckdb_type type, std::size_t row) {
  if (!duckdb().validity_row_is_valid(duckdb().vector_get_validity(vector), row)) return {};
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN:
      return at<bool>(vector, row);
    case DUCKDB_TYPE_TINYINT:
      return std::int64_t{at<std::int8_t>(vector, row)};
    case DUCKDB_TYPE_SMALLINT:
      return std::int64_t{at<std::int16_t>(vector, row)};
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE:
      return std::int64_t{at<std::int32_t>(vector, row)};
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_TIMESTAMP:
      return at<std::int64_t>(vector, row);
    case DUCKDB_TYPE_HUGEINT: {
      const duckdb_hugeint value = at<duckdb_hugeint>(vector, row);
      return to_string(static_cast<Int128>((static_cast<UInt128>(value.upper) << 64) | value.lower));
    }
    case DUCKDB_TYPE_DOUBLE:
      return at<double>(vector, row);
    case DUCKDB_TYPE_VARCHAR: {
      duckdb_string_t text = at<duckdb_string_t>(vector, row);
      return std::string(duckdb().string_t_data(&text), duckdb().string_t_length(text));
    }
    default:
      throw Error{Code::wrong_type, fmt::format("a column of DuckDB's type {} is not read", static_cast<int>(type)),
                  "cast it to BOOLEAN, BIGINT, DOUBLE, VARCHAR, DATE or TIMESTAMP"};
  }
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return fmt::format("[{}]", list);
}

}  // namespace

std::string quoted(std::string_view text) { return doubled(text, '\''); }
std::string quoted_name(std::string_view name) { return doubled(name, '"'); }

std::vector<std::vector<Cell>> Result::rows() {
  std::vector<std::vector<Cell>> rows;
  while (duckdb_data_chunk chunk = duckdb().fetch_chunk(result_)) {
    const std::size_t size = duckdb().data_chunk_get_size(chunk);
    for (std::size_t row = 0; row < size; ++row) {
      std::vector<Cell>& cells = rows.emplace_back();
      for (std::size_t column = 0; column < columns(); ++column) {
        cells.push_back(cell_of(duckdb().data_chunk_get_vector(chunk, column), type(column), row));
      }
    }
    duckdb().destroy_data_chunk(&chunk);
  }
  return rows;
}

Database::Database(const DatabaseOptions& options) {
  duckdb_config config = nullptr;
  duckdb().create_config(&config);
  const auto set = [&](const char* name, const std::string& value) {
    duckdb().set_config(config, name, value.c_str());
  };
  for (const char* off : {"autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions",
                          "allow_unsigned_extensions", "allow_persistent_secrets"}) {
    set(off, "false");
  }
  set("temp_directory", options.spill);
  if (options.memory > 0) set("memory_limit", fmt::format("{}B", options.memory));
  if (options.threads > 0) set("threads", fmt::format("{}", options.threads));
  char* why = nullptr;
  const duckdb_state opened = duckdb().open_ext(nullptr, &database_, config, &why);
  duckdb().destroy_config(&config);
  if (opened != DuckDBSuccess) {
    const std::string text = why == nullptr ? "" : why;
    duckdb().free(why);
    throw DuckDbFailure(text);
  }
  Connection connection(*this);
  if (!options.file.empty()) {
    connection.query(fmt::format("ATTACH {} AS source (READ_ONLY)", quoted(options.file)));
  }
  register_own_functions(connection.get());
  connection.query("SET GLOBAL TimeZone = 'UTC'");              // of every connection, whatever the machine's is
  connection.query("SET GLOBAL max_expression_depth = 10000");  // plan::kMostDepth calls, and what their spellings nest
  connection.query(fmt::format("SET allowed_paths = {}", list_of(options.may_read)));
  if (!options.folder.empty()) {
    connection.query(fmt::format("SET allowed_directories = {}", list_of({options.folder + "/"})));
  }
  if (!options.statistics) connection.query("SET disabled_optimizers = 'statistics_propagation'");
  if (options.spill_most > 0) {  // which DuckDB forgets where it is said while it opens
    connection.query(fmt::format("SET max_temp_directory_size = '{}B'", options.spill_most));
  }
  connection.query("SET enable_external_access = false");
  connection.query("SET lock_configuration = true");
}

Database::~Database() { duckdb().close(&database_); }

Connection::Connection(const Database& database) {
  if (duckdb().connect(database.get(), &connection_) != DuckDBSuccess) throw DuckDbFailure("cannot connect");
}

Connection::~Connection() { duckdb().disconnect(&connection_); }

Result Connection::query(const std::string& sql) {
  duckdb_result result{};
  if (duckdb().query(connection_, sql.c_str(), &result) == DuckDBSuccess) return Result(result);
  const char* why = duckdb().result_error(&result);
  DuckDbFailure failure(why == nullptr ? "" : why);
  duckdb().destroy_result(&result);
  throw failure;
}

Prepared::Prepared(const Connection& connection, const std::string& sql) {
  if (duckdb().prepare(connection.get(), sql.c_str(), &statement_) == DuckDBSuccess) return;
  const char* why = duckdb().prepare_error(statement_);
  DuckDbFailure failure(why == nullptr ? "" : why);
  duckdb().destroy_prepare(&statement_);
  throw failure;
}

std::vector<ResultColumn> Connection::columns_of(const std::string& sql) {
  const Prepared prepared(*this, sql);
  std::vector<ResultColumn> columns;
  for (std::size_t i = 0; i < duckdb().prepared_statement_column_count(prepared.get()); ++i) {
    const char* name = duckdb().prepared_statement_column_name(prepared.get(), i);
    duckdb_logical_type type = duckdb().prepared_statement_column_logical_type(prepared.get(), i);
    ResultColumn column{name, duckdb().get_type_id(type)};
    if (column.type == DUCKDB_TYPE_DECIMAL) column.scale = duckdb().decimal_scale(type);
    duckdb().destroy_logical_type(&type);
    duckdb().free(const_cast<char*>(name));
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace dither::engine::detail
