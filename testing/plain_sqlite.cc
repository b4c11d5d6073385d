#include "testing/plain_sqlite.h"

#include <sqlite3.h>

namespace dither::testing {

PlainSqlite::PlainSqlite(const std::string& path, const char* vfs) {
  const int opened = sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs);
  if (opened == SQLITE_OK) sqlite3_extended_result_codes(handle_, 1);
}

PlainSqlite::~PlainSqlite() { sqlite3_close_v2(handle_); }

int PlainSqlite::run(const std::string& statements) {
  return sqlite3_exec(handle_, statements.c_str(), nullptr, nullptr, nullptr);
}

std::string PlainSqlite::text(const std::string& statement) {
  std::string values;
  const auto append = [](void* out, int columns, char** row, char**) {
    for (int i = 0; i < columns; ++i) {
      static_cast<std::string*>(out)->append(row[i] == nullptr ? "NULL" : row[i]).push_back(' ');
    }
    return 0;
  };
  const int code = sqlite3_exec(handle_, statement.c_str(), append, &values, nullptr);
  return code == SQLITE_OK ? values : "error " + std::to_string(code);
}

}  // namespace dither::testing
