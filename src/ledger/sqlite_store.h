// A ledger in one SQLite file.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "ledger/store.h"

namespace dither::ledger {

namespace detail {
struct Migration;
}

enum class Opening {
  existing,   // to read and write
  read_only,  // changes nothing, and needs no permission to
  fresh,      // makes the file; cannot-write when it is there
  raw,        // read only, and without the checksums of pages, so that a damaged file can be looked at
};

struct SqliteOptions {
  std::chrono::milliseconds patience{30'000};  // how long to wait for other processes that write
  std::string vfs;                             // SQLite's way to files; empty: the usual one
  // How older files are brought up to date; none: as this program does. Must outlive the store.
  const std::vector<detail::Migration>* migrations = nullptr;
};

// Promise    what Store promises, also when the process is killed or the power fails: write-ahead log, full sync at every
//            commit. Every page carries a checksum. Other processes may use the same file; readers wait for nobody.
// Refuses    a network file system (network-file); a file that is not a ledger (not-a-ledger), or of a newer version
//            (ledger-newer), one of an older version that is only to be read (wrong-state): opening it to write brings it
//            up to date; a file to write that has several names (cannot-write); use in a child process after fork, and
//            writing when the file or its log is not at its place any more (wrong-state).
// Cost       opening under a millisecond, however long the ledger.
class SqliteStore : public Store {
 public:
  SqliteStore(const std::string& path, Opening opening, const SqliteOptions& options = {});
  ~SqliteStore() override;

  const std::string& path() const;
  // Writes a copy of the committed state to a new file, durably, while others go on.
  void back_up(const std::string& path);
  // SQLite's own check of pages and indexes, and whether the file has the tables of a ledger and nothing else: empty when
  // all is well.
  std::string structure_complaint();

  void begin(Access access) override;
  void commit() override;
  void rollback() noexcept override;
  Head head() override;
  void append(const Record& record) override;
  void records(std::uint64_t from, const std::function<bool(const Record&)>& visit) override;
  std::string note(std::string_view name) override;
  void set_note(std::string_view name, std::string_view text) override;
  std::optional<std::string> get(Table table, std::string_view key) override;
  void put(Table table, std::string_view key, std::string_view value) override;
  void erase(Table table, std::string_view key) override;
  void scan(Table table, std::string_view from, const Visit& visit) override;
  std::optional<std::pair<std::string, std::string>> last(Table table, std::string_view prefix) override;

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
};

// The version of the file that this program writes; older ones are brought up to it when opened to write.
inline constexpr int kSchemaVersion = 1;

}  // namespace dither::ledger
