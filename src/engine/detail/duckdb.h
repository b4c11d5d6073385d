// DuckDB with owners: databases, connections and results that close themselves.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "engine/detail/duckdb_api.h"
#include "plan/type.h"

namespace dither::engine::detail {

// Whatever DuckDB complains of. Its text may hold values of rows: it is for the steward's own verbs and for tests, and never
// shown, logged or stored by a run.
class DuckDbFailure : public std::exception {
 public:
  explicit DuckDbFailure(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return "the database failed"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A result that is held in memory. Its columns have types of the expression language or are not read through cell().
class Result {
 public:
  explicit Result(duckdb_result result) : result_(result) {}
  Result(Result&& other) noexcept : result_(std::exchange(other.result_, {})) {}
  Result& operator=(Result&&) = delete;
  ~Result() { duckdb().destroy_result(&result_); }

  std::size_t columns() { return duckdb().column_count(&result_); }
  std::string name(std::size_t column) { return duckdb().column_name(&result_, column); }
  duckdb_type type(std::size_t column) { return duckdb().column_type(&result_, column); }

  // All rows. Columns are BOOLEAN, whole numbers up to 64 bits, DOUBLE, VARCHAR, DATE (days) or TIMESTAMP (microseconds); a HUGEINT
  // is given as text of its digits. wrong-type for others.
  std::vector<std::vector<Cell>> rows();

 private:
  duckdb_result result_;
};

// A column of a result, as the database names and types it.
struct ResultColumn {
  std::string name;
  duckdb_type type;
  unsigned scale = 0;  // of decimals: digits behind the point
  bool operator==(const ResultColumn&) const = default;
};

struct DatabaseOptions {
  std::uint64_t memory = 0;           // bytes; 0: as DuckDB likes
  unsigned threads = 0;               // 0: as many as there are cores
  std::string spill;                  // folder for what does not fit; "": nothing is spilled
  std::uint64_t spill_most = 0;       // bytes there; 0: as DuckDB likes
  std::vector<std::string> may_read;  // files and globs, absolute; nothing else can be opened
  std::string folder;                 // whatever lies in it can be opened too; "": none
  bool statistics = true;             // whether what files say of their values may spare the reading of them
  std::string file;                   // a database to attach read-only as `source`; "": none
};

// A database in memory from which SQL reaches nothing but what is named: no extensions, no network, no other files, and no way to
// change that.
class Database {
 public:
  explicit Database(const DatabaseOptions& options);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();
  duckdb_database get() const { return database_; }

 private:
  duckdb_database database_ = nullptr;
};

class Connection {
 public:
  explicit Connection(const Database& database);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Throws DuckDbFailure.
  Result query(const std::string& sql);
  // The columns that a statement would give. Reads no rows. Throws DuckDbFailure.
  std::vector<ResultColumn> columns_of(const std::string& sql);
  void interrupt() { duckdb().interrupt(connection_); }
  duckdb_connection get() const { return connection_; }

 private:
  duckdb_connection connection_ = nullptr;
};

// A statement that is understood and not run yet. Throws DuckDbFailure.
class Prepared {
 public:
  Prepared(const Connection& connection, const std::string& sql);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { duckdb().destroy_prepare(&statement_); }
  duckdb_prepared_statement get() const { return statement_; }

 private:
  duckdb_prepared_statement statement_ = nullptr;
};

// Text as SQL writes it: 'it''s', and a name: "a ""b""".
std::string quoted(std::string_view text);
std::string quoted_name(std::string_view name);

}  // namespace dither::engine::detail
