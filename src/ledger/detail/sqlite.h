// SQLite's C interface with errors as exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace dither::ledger::detail {

// Throws the error that a result code of SQLite stands for. `path` is the ledger's file.
[[noreturn]] void throw_sqlite(int code, const std::string& path, bool writing);

// Runs statements without parameters or results.
void execute(sqlite3* db, const std::string& path, const char* sql);

// A prepared statement that is kept. Bind, step until it is false, then reset. Texts bound must live until then.
class Statement {
 public:
  Statement(sqlite3* db, const std::string& path, const std::string& sql, bool writes);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int at, std::string_view text);
  Statement& bind_blob(int at, std::string_view bytes);
  Statement& bind(int at, std::int64_t number);
  bool step();
  void run() {  // for statements without a result
    while (step()) {
    }
  }

  std::string_view column(int at) const;  // text or blob
  std::int64_t integer(int at) const;
  void reset() noexcept;

 private:
  void check(int code) const;

  sqlite3_stmt* statement_ = nullptr;
  const std::string& path_;
  bool writes_;
};

// Resets a statement at the end of its use, whatever happens.
struct InUse {
  Statement& statement;
  ~InUse() { statement.reset(); }
};

}  // namespace dither::ledger::detail
