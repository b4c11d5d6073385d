// SQLite without a ledger around it, for tests of what lies below one.
#pragma once

#include <string>

struct sqlite3;

namespace dither::testing {

// A connection that reports what SQLite returns and decides nothing.
class PlainSqlite {
 public:
  // Opens or creates the file through the VFS of that name (null: the default one). Nothing is read or written yet.
  PlainSqlite(const std::string& path, const char* vfs);
  ~PlainSqlite();
  PlainSqlite(const PlainSqlite&) = delete;
  PlainSqlite& operator=(const PlainSqlite&) = delete;

  // Runs the statements up to the first that fails. Returns SQLite's extended code; 0 is success.
  int run(const std::string& statements);
  // All values of all rows, each followed by one space; or "error N" with the extended code.
  std::string text(const std::string& statement);
  sqlite3* handle() { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace dither::testing
