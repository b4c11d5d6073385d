#include "ledger/detail/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <new>

#include "base/error.h"
#include "base/text.h"

namespace dither::ledger::detail {
namespace {

// SQLite takes a null pointer for NULL, also where the length is 0.
const char* not_null(std::string_view text) { return text.data() == nullptr ? "" : text.data(); }

}  // namespace

void throw_sqlite(int code, const std::string& path, bool writing) {
  const std::string file = echo(path);
  switch (code & 0xFF) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error{Code::ledger_busy, fmt::format("{} is locked by another process that writes", file),
                  "try again; when it stays so, look for a process that is stopped while it writes"};
    case SQLITE_NOTADB:
      throw Error{Code::not_a_ledger, fmt::format("{} is not a ledger", file),
                  "give the file that `dither budget create` made"};
    case SQLITE_CORRUPT:
      throw Error{Code::ledger_damaged, fmt::format("{} is damaged", file),
                  "nothing was changed; run `dither budget verify`, and restore a backup with `dither budget restore`"};
    case SQLITE_FULL:
      throw Error{Code::cannot_write, fmt::format("{}: the disk is full", file),
                  "make room; nothing was changed by this step"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw Error{Code::cannot_write, fmt::format("{} cannot be written: no permission, or a read-only disk", file),
                  "use an account that may write the file and its folder"};
    default:
      break;
  }
  if (code == SQLITE_IOERR_DATA) throw_sqlite(SQLITE_CORRUPT, path, writing);
  throw Error{writing ? Code::cannot_write : Code::cannot_read,
              fmt::format("{}: {} ({})", file, sqlite3_errstr(code), code),
              "check the disk, the folder and its permissions"};
}

void execute(sqlite3* db, const std::string& path, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw_sqlite(sqlite3_extended_errcode(db), path, true);
  }
}

Statement::Statement(sqlite3* db, const std::string& path, const std::string& sql, bool writes)
    : path_(path), writes_(writes) {
  const int code = sqlite3_prepare_v3(db, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  if (code != SQLITE_OK) throw_sqlite(sqlite3_extended_errcode(db), path_, writes_);
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(int at, std::string_view text) {
  check(sqlite3_bind_text64(statement_, at, not_null(text), text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(int at, std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_, at, not_null(bytes), bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind(int at, std::int64_t number) {
  check(sqlite3_bind_int64(statement_, at, number));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw_sqlite(sqlite3_extended_errcode(sqlite3_db_handle(statement_)), path_, writes_);
}

std::string_view Statement::column(int at) const {
  const void* bytes = sqlite3_column_blob(statement_, at);
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_, at))};
}

std::int64_t Statement::integer(int at) const { return sqlite3_column_int64(statement_, at); }

void Statement::reset() noexcept {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw_sqlite(code, path_, writes_);
}

}  // namespace dither::ledger::detail
