#include "ledger/sqlite_store.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/checked_vfs.h"
#include "ledger/detail/migrate.h"
#include "ledger/detail/sqlite.h"
#include "ledger/local_file.h"

namespace dither::ledger {
namespace {

using detail::InUse;
using detail::Statement;
using Clock = std::chrono::steady_clock;

constexpr int kApplicationId = 0x44697468;  // "Dith"

constexpr std::array kAllTables = {Table::facts, Table::datasets, Table::budgets, Table::releases,
                                   Table::draws, Table::held,     Table::answers};

std::string schema() {
  std::string sql = fmt::format(
      "CREATE TABLE records(number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT;"
      "CREATE TABLE notes(name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;"
      "PRAGMA user_version = {};",
      kSchemaVersion);
  for (const Table table : kAllTables) {
    const bool large = table == Table::answers;  // long values are better kept apart from their keys
    sql += fmt::format("CREATE TABLE {}(key TEXT PRIMARY KEY, value {} NOT NULL) STRICT{};", table_name(table),
                       large ? "BLOB" : "TEXT", large ? "" : ", WITHOUT ROWID");
  }
  return sql;
}

// Waits a little, at random, so that many writers do not wait in step; longer after many tries, when there are many of
// them, so that asking is not all they do.
int wait_for_others(void* context, int tries) {
  thread_local std::minstd_rand random{static_cast<unsigned>(getpid())};
  const auto& until = *static_cast<const Clock::time_point*>(context);
  if (Clock::now() >= until) return 0;
  const unsigned most = std::min(200u + 50u * static_cast<unsigned>(tries), 10'000u);
  std::this_thread::sleep_for(std::chrono::microseconds(100 + random() % most));
  return 1;
}

// Looks at the first bytes of a file: SQLite's own words, and our mark, which was written before all else. The pages of
// other files have no checksums, and would look damaged.
//
// They are read through SQLite: were the file opened and closed here, the system would drop all locks that this process
// has on it, also those of other connections.
void require_mark(sqlite3* db, const std::string& path) {
  std::array<unsigned char, 100> header{};
  sqlite3_file* file = nullptr;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  const int code = file->pMethods->xRead(file, header.data(), header.size(), 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) detail::throw_sqlite(code, path, false);
  const std::uint32_t mark = std::uint32_t{header[68]} << 24 | header[69] << 16 | header[70] << 8 | header[71];
  const std::string_view start(reinterpret_cast<const char*>(header.data()), 16);
  const bool ours = code == SQLITE_OK && start == std::string_view("SQLite format 3\0", 16) && mark == kApplicationId;
  if (!ours) detail::throw_sqlite(SQLITE_NOTADB, path, false);
}

// Every name of a file has a log and locks of its own, so that processes under two names would not see each other.
void require_one_name(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0 || about.st_nlink == 1) return;
  throw Error{Code::cannot_write, fmt::format("{} has other names too (hard links)", echo(path)),
              "copy the ledger with `dither budget backup` instead, and remove the other names"};
}

// Which file a name leads to; zeros for none.
using FileId = std::pair<std::uint64_t, std::uint64_t>;
FileId file_at(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) return {};
  return {about.st_dev, about.st_ino};
}

// A path as SQLite's file: names want it, for opening a file on a disk that nobody can write.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
    uri += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

// What a database is made of: names of tables, indexes, triggers and views, and how each was made.
std::map<std::string, std::string> parts_of(sqlite3* db, const std::string& path) {
  std::map<std::string, std::string> parts;
  Statement all(db, path, "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema", false);
  while (all.step()) parts.emplace(all.column(0), all.column(1));
  return parts;
}

// A trigger or a view that somebody added would work along with every statement.
std::string schema_complaint(sqlite3* db, const std::string& path) {
  sqlite3* memory = nullptr;
  const int code = sqlite3_open(":memory:", &memory);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> plain(memory, sqlite3_close);
  if (code != SQLITE_OK) detail::throw_sqlite(code, path, false);
  detail::execute(memory, path, schema().c_str());
  const std::map<std::string, std::string> wanted = parts_of(memory, path);
  const std::map<std::string, std::string> found = parts_of(db, path);
  for (const auto& [name, sql] : found) {
    const auto there = wanted.find(name);
    if (there == wanted.end() || there->second != sql) return fmt::format("no ledger has the {}", echo(name));
  }
  for (const auto& [name, sql] : wanted) {
    if (!found.contains(name)) return fmt::format("the {} is missing", echo(name));
  }
  return "";
}

}  // namespace

class SqliteStore::Connection {
 public:
  Connection(const std::string& path, Opening opening, const SqliteOptions& options)
      : path_(path),
        patience_(options.patience),
        vfs_(options.vfs),
        raw_(opening == Opening::raw),
        steps_(options.migrations != nullptr ? *options.migrations : detail::migrations()) {
    try {
      open(opening);
      prepare();
    } catch (...) {
      close();
      throw;
    }
  }
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::string& path() const { return path_; }
  sqlite3* db() const { return db_; }

  void require_same_process() const {
    if (getpid() == pid_) return;
    throw Error{Code::wrong_state, "a ledger was opened before fork and is used in the child",
                "open the ledger again in the child process"};
  }
  const std::vector<detail::Migration>& steps() const { return steps_; }
  bool is_old() { return pragma("user_version") < detail::version_after(steps_); }
  // That no newer program has changed the file since it was opened. Within a transaction.
  void require_version() {
    const InUse use{cached(version_, "PRAGMA user_version", false)};
    if (use.statement.step() && use.statement.integer(0) > detail::version_after(steps_)) {
      throw_newer(use.statement.integer(0));
    }
  }
  // That the names still lead to the files that are open. Whoever went on with others would spend from a ledger that
  // nobody else sees. Within a transaction.
  void require_same_files() const {
    if (!files_ || *files_ == files_now()) return;
    throw Error{Code::wrong_state,
                fmt::format("{} or its log was moved, removed or replaced while it was open", echo(path_)),
                "put the files back, or open the ledger that is there now"};
  }
  void start_waiting() { until_ = Clock::now() + patience_; }

  void run(const char* sql) { detail::execute(db_, path_, sql); }
  // For looking into a file that may not be a ledger at all.
  std::int64_t pragma(const std::string& name) {
    Statement statement(db_, path_, "PRAGMA " + name, false);
    return statement.step() ? statement.integer(0) : 0;
  }

  // The statement of this kind and table, prepared when first used.
  enum class Kind { get, put, erase, scan, last };
  Statement& statement(Kind kind, Table table) {
    auto& slot = by_table_.at(static_cast<std::size_t>(table)).at(static_cast<std::size_t>(kind));
    if (!slot) {
      const bool writes = kind == Kind::put || kind == Kind::erase;
      slot =
          std::make_unique<Statement>(db_, path_, fmt::format(fmt::runtime(sql_of(kind)), table_name(table)), writes);
    }
    return *slot;
  }
  Statement& append() { return cached(append_, "INSERT INTO records(number, body, hash) VALUES(?1, ?2, ?3)", true); }
  Statement& head() { return cached(head_, "SELECT number, hash FROM records ORDER BY number DESC LIMIT 1", false); }
  Statement& note() { return cached(note_, "SELECT text FROM notes WHERE name = ?1", false); }
  Statement& set_note() { return cached(set_note_, "INSERT OR REPLACE INTO notes(name, text) VALUES(?1, ?2)", true); }
  Statement& begin_read() { return cached(begin_read_, "BEGIN DEFERRED", false); }
  Statement& begin_write() { return cached(begin_write_, "BEGIN IMMEDIATE", true); }
  Statement& commit() { return cached(commit_, "COMMIT", true); }

  const std::string& vfs() const { return vfs_; }
  // Whoever may not read the one file may not read the other.
  void take_permissions_of(const std::string& file) const {
    if (!vfs_.empty()) return;
    using std::filesystem::perms;
    std::error_code ignored;  // what we have just made is ours
    const perms wanted = std::filesystem::status(file).permissions() | perms::owner_read | perms::owner_write;
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::permissions(path_ + end, wanted, ignored);
  }

 private:
  static const char* sql_of(Kind kind) {
    constexpr std::array kSql = {
        "SELECT value FROM {} WHERE key = ?1", "INSERT OR REPLACE INTO {}(key, value) VALUES(?1, ?2)",
        "DELETE FROM {} WHERE key = ?1", "SELECT key, value FROM {} WHERE key >= ?1 ORDER BY key",
        "SELECT key, value FROM {} WHERE key >= ?1 AND key < ?2 ORDER BY key DESC LIMIT 1"};
    return kSql.at(static_cast<std::size_t>(kind));
  }
  Statement& cached(std::unique_ptr<Statement>& slot, const char* sql, bool writes) {
    if (!slot) slot = std::make_unique<Statement>(db_, path_, sql, writes);
    return *slot;
  }

  using Files = std::array<FileId, 3>;
  Files files_now() const {
    const std::string name = sqlite3_db_filename(db_, "main");  // links are followed
    return {file_at(name), file_at(name + "-wal"), file_at(name + "-shm")};
  }

  void open(Opening opening) {
    if (vfs_.empty()) {
      require_local(path_);
      if (opening == Opening::existing) require_one_name(path_);
      if (opening == Opening::fresh && std::filesystem::exists(path_)) throw_there_already();
    }
    const bool writes = opening == Opening::existing || opening == Opening::fresh;
    int flags = (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE;
    if (opening == Opening::fresh) flags |= SQLITE_OPEN_CREATE;
    const std::string vfs = raw_ ? vfs_ : detail::checked_vfs_name(vfs_);
    open_file(path_, flags, vfs);
    if (vfs_.empty() && opening != Opening::fresh) require_mark(db_, path_);
    if (opening == Opening::fresh) {
      make();
    } else if (!writes) {
      open_on_frozen_disk(flags, vfs);
    }
    require_ours(writes);
    if (writes && vfs_.empty()) files_ = files_now();
  }

  void open_file(const std::string& name, int flags, const std::string& vfs) {
    const int code = sqlite3_open_v2(name.c_str(), &db_, flags, vfs.empty() ? nullptr : vfs.c_str());
    if (code != SQLITE_OK) detail::throw_sqlite(code, path_, (flags & SQLITE_OPEN_CREATE) != 0);
    sqlite3_busy_handler(db_, wait_for_others, &until_);
    start_waiting();
  }

  // A write-ahead log needs two files beside the ledger. Where nobody can make them and there is no log, the file
  // cannot change under us.
  void open_on_frozen_disk(int flags, const std::string& vfs) {
    const int code = sqlite3_exec(db_, "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
    const bool refused = (code & 0xFF) == SQLITE_CANTOPEN || (code & 0xFF) == SQLITE_READONLY;
    if (!refused || access((path_ + "-wal").c_str(), F_OK) == 0) return;
    close();
    open_file(immutable_uri(path_), flags | SQLITE_OPEN_URI, vfs);
  }

  void make() {
    detail::reserve_page_bytes(db_);
    run(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());  // in the file before there is a log
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("BEGIN IMMEDIATE");
    if (Statement tables(db_, path_, "SELECT 1 FROM sqlite_schema", false); tables.step()) {
      throw_there_already();
    }
    run(schema().c_str());
    run("COMMIT");
  }

  [[noreturn]] void throw_there_already() const {
    throw Error{Code::cannot_write, fmt::format("{} is there already", echo(path_)),
                "choose another file, or leave the ledger that is there"};
  }

  void require_ours(bool writes) {
    if (pragma("application_id") != kApplicationId) detail::throw_sqlite(SQLITE_NOTADB, path_, false);
    const std::int64_t version = pragma("user_version");
    const int known = detail::version_after(steps_);
    if (version > known) throw_newer(version);
    if (version < 1) {
      throw Error{Code::not_a_ledger, fmt::format("{} was not completed when it was made", echo(path_)),
                  "where making it was interrupted, remove it and make it again; otherwise bring a backup back"};
    }
    if (version == known || writes) return;
    throw Error{
        Code::wrong_state,
        fmt::format("{} has version {} of the format; this program reads version {}", echo(path_), version, known),
        "open it once to write, with its key: that brings it up to date"};
  }

  [[noreturn]] void throw_newer(std::int64_t version) const {
    throw Error{Code::ledger_newer,
                fmt::format("{} has version {} of the format; this program knows up to {}", echo(path_), version,
                            detail::version_after(steps_)),
                "use the program that wrote it, or a newer one"};
  }

  void prepare() {
    run("PRAGMA synchronous = FULL");
    run("PRAGMA trusted_schema = OFF");
    // A ledger has neither; what somebody planted there must not run.
    sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    run("PRAGMA cell_size_check = ON");
    run("PRAGMA temp_store = MEMORY");
  }

  void close() noexcept {
    for (auto& row : by_table_) row = {};
    for (auto* slot : {&append_, &head_, &note_, &set_note_, &begin_read_, &begin_write_, &commit_, &version_}) {
      slot->reset();
    }
    // A child must not touch the locks of its parent: what it inherited is left as it is.
    if (getpid() == pid_) sqlite3_close_v2(db_);
    db_ = nullptr;
  }

  std::string path_;
  std::chrono::milliseconds patience_;
  std::string vfs_;
  bool raw_;
  const std::vector<detail::Migration>& steps_;
  pid_t pid_ = getpid();
  Clock::time_point until_;
  sqlite3* db_ = nullptr;
  std::optional<Files> files_;  // of a ledger that is written
  std::array<std::array<std::unique_ptr<Statement>, 5>, kTables> by_table_;
  std::unique_ptr<Statement> append_, head_, note_, set_note_, begin_read_, begin_write_, commit_, version_;
};

SqliteStore::SqliteStore(const std::string& path, Opening opening, const SqliteOptions& options)
    : connection_(std::make_unique<Connection>(path, opening, options)) {
  if (connection_->is_old()) detail::migrate(*this, connection_->db(), connection_->path(), connection_->steps());
}
SqliteStore::~SqliteStore() = default;

const std::string& SqliteStore::path() const { return connection_->path(); }

void SqliteStore::begin(Access access) {
  connection_->require_same_process();
  connection_->start_waiting();
  Statement& statement = access == Access::write ? connection_->begin_write() : connection_->begin_read();
  const InUse use{statement};
  statement.run();
  if (access == Access::read) return;
  try {
    connection_->require_same_files();
    connection_->require_version();
  } catch (...) {
    rollback();
    throw;
  }
}

void SqliteStore::commit() {
  const InUse use{connection_->commit()};
  use.statement.run();
}

void SqliteStore::rollback() noexcept {
  if (sqlite3_get_autocommit(connection_->db()) == 0) {
    sqlite3_exec(connection_->db(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Head SqliteStore::head() {
  const InUse use{connection_->head()};
  if (!use.statement.step()) return {};
  Head head;
  head.number = static_cast<std::uint64_t>(use.statement.integer(0));
  const std::string_view hash = use.statement.column(1);
  if (hash.size() != head.hash.bytes.size()) detail::throw_sqlite(SQLITE_CORRUPT, path(), false);
  std::copy(hash.begin(), hash.end(), head.hash.bytes.begin());
  return head;
}

void SqliteStore::append(const Record& record) {
  const InUse use{connection_->append()};
  const std::string hash(record.hash.bytes.begin(), record.hash.bytes.end());
  use.statement.bind(1, static_cast<std::int64_t>(record.number)).bind(2, record.body).bind_blob(3, hash).run();
}

void SqliteStore::records(std::uint64_t from, const std::function<bool(const Record&)>& visit) {
  Statement statement(connection_->db(), path(),
                      "SELECT number, body, hash FROM records WHERE number >= ?1 ORDER BY number", false);
  // From 0 on means all there are, also those that somebody gave a number below 1.
  statement.bind(1, from == 0 ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(from));
  Record record;
  while (statement.step()) {
    record.number = static_cast<std::uint64_t>(statement.integer(0));
    record.body = statement.column(1);
    const std::string_view hash = statement.column(2);
    record.hash = {};  // of another length it is no hash
    if (hash.size() == record.hash.bytes.size()) std::copy(hash.begin(), hash.end(), record.hash.bytes.begin());
    if (!visit(record)) return;
  }
}

std::string SqliteStore::note(std::string_view name) {
  const InUse use{connection_->note()};
  return use.statement.bind(1, name).step() ? std::string(use.statement.column(0)) : std::string();
}

void SqliteStore::set_note(std::string_view name, std::string_view text) {
  const InUse use{connection_->set_note()};
  use.statement.bind(1, name).bind(2, text).run();
}

std::optional<std::string> SqliteStore::get(Table table, std::string_view key) {
  const InUse use{connection_->statement(Connection::Kind::get, table)};
  if (!use.statement.bind(1, key).step()) return std::nullopt;
  return std::string(use.statement.column(0));
}

void SqliteStore::put(Table table, std::string_view key, std::string_view value) {
  const InUse use{connection_->statement(Connection::Kind::put, table)};
  use.statement.bind(1, key);
  table == Table::answers ? use.statement.bind_blob(2, value) : use.statement.bind(2, value);
  use.statement.run();
}

void SqliteStore::erase(Table table, std::string_view key) {
  const InUse use{connection_->statement(Connection::Kind::erase, table)};
  use.statement.bind(1, key).run();
}

void SqliteStore::scan(Table table, std::string_view from, const Visit& visit) {
  const InUse use{connection_->statement(Connection::Kind::scan, table)};
  use.statement.bind(1, from);
  while (use.statement.step()) {
    if (!visit(use.statement.column(0), use.statement.column(1))) return;
  }
}

std::optional<std::pair<std::string, std::string>> SqliteStore::last(Table table, std::string_view prefix) {
  const std::string end = std::string(prefix) + '\xFF';
  const InUse use{connection_->statement(Connection::Kind::last, table)};
  if (!use.statement.bind(1, prefix).bind(2, end).step()) return std::nullopt;
  return std::pair(std::string(use.statement.column(0)), std::string(use.statement.column(1)));
}

void SqliteStore::back_up(const std::string& path) {
  connection_->require_same_process();
  connection_->start_waiting();
  SqliteStore copy(path, Opening::fresh, {std::chrono::seconds(30), connection_->vfs()});
  sqlite3* to = copy.connection_->db();
  copy.connection_->take_permissions_of(connection_->path());
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", connection_->db(), "main");
  if (backup == nullptr) detail::throw_sqlite(sqlite3_extended_errcode(to), path, true);
  const int code = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) detail::throw_sqlite(code, path, true);
}

std::string SqliteStore::structure_complaint() {
  Statement check(connection_->db(), path(), "PRAGMA integrity_check(1)", false);
  if (!check.step()) return "no answer";
  const std::string answer(check.column(0));
  return answer == "ok" ? schema_complaint(connection_->db(), path()) : answer;
}

}  // namespace dither::ledger
