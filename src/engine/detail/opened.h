// The sources of a project, opened in one database.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"
#include "engine/detail/row_source.h"
#include "engine/detail/source_size.h"
#include "engine/detail/source_sql.h"
#include "engine/detail/spill_folder.h"
#include "engine/engine.h"
#include "plan/project.h"

namespace dither::engine::detail {

// A database that may read the files which the sources name now, and nothing else. Several threads may use it.
class Opened {
 public:
  // With the bytes that a batch of rows may take: one thread has room for it twice beyond the limit, since buffers double as they
  // grow. Otherwise what is on its way and what is collected share the limit.
  Opened(const plan::Project& project, const Limits& limits, MemoryTables memory = {}, std::uint64_t batch = 0);

  // Whether the files of these tables are those that were there: the same names, sizes and times of change.
  bool is_current(const std::vector<std::string>& tables) const;

  // What stands in FROM for the cells of a table, as Sources::typed; looked up once.
  // Refuses    cannot-read, bad-source, cannot-write; each names the table.
  std::string typed(const plan::TableDeclaration& table, Reading reading);
  std::string typed_with_nulls(const plan::TableDeclaration& table, Reading reading);

  // Whether a value of these tables could fail a statement that reads them as reading_of() says: the first time, where Parquet
  // files have columns that DuckDB checks. Then take_care(), which copies these files, and run it again.
  // Refuses    (take_care) cannot-read, cannot-write; throws Cancelled.
  bool can_fail(const std::vector<std::string>& tables);
  void take_care(const std::vector<std::string>& tables, const CancelToken& token = {});
  // What is known of the size of a table's source: what the disk says, and what was measured. Sources that count their rows are asked.
  SourceSize size_of(const plan::TableDeclaration& table);
  // Reads all of a source whose texts may take more than its size says, and of one that is public, once.
  // Refuses    what cannot be unpacked (cannot-read); throws DuckDbFailure, for a value that direct reading fails for, among others.
  void measure(const plan::TableDeclaration& table, Measuring how);
  // What another one measured.
  void take_sizes(const Opened& other);
  // Whether there is room for these copies and for so much besides, by the sizes of the files, whatever is in them.
  // Refuses    too little of it (cannot-write).
  void require_room(const std::vector<std::string>& tables, std::uint64_t besides);
  std::uint64_t room() const;  // that there is
  Reading reading_of(const std::string& table);

  // The columns of a statement, which is looked at without being run; each once.
  // Throws     DuckDbFailure, for what is nested too deeply (too-deep, as require_understood says it) or gone.
  std::vector<ResultColumn> columns_of(const std::string& sql);
  void require_understood(const std::string& sql);

  const Database& database() const { return *database_; }
  RowSources& row_sources() { return *row_sources_; }
  unsigned threads() const { return threads_; }  // of the database

 private:
  struct Files {
    std::vector<std::string> paths;
    std::string stamp;  // "" where there are none
  };
  template <class Make>
  std::string made(const plan::TableDeclaration& table, Make make);
  Files look(const plan::TableDeclaration& table) const;
  std::uint64_t file_bytes(const std::string& table, bool unpacked) const;
  bool can_fail(const std::string& table);  // under the lock
  std::uint64_t largest_group() const;
  std::uint64_t most_spilled() const;

  const plan::Project& project_;
  std::string folder_;
  MemoryTables memory_;
  std::map<std::string, Files> files_;
  SpillFolder spill_;
  unsigned threads_ = 1;
  std::unique_ptr<Database> database_;
  std::unique_ptr<RowSources> row_sources_;
  mutable std::mutex guard_;
  std::unique_ptr<Sources> sources_;
  std::map<std::pair<std::string, Reading>, std::string> typed_;
  std::map<std::string, SourceSize> sizes_;                  // by table
  std::map<std::string, Measuring> measured_;                // by table: in which way
  std::set<std::string> careful_;                            // tables
  std::map<std::string, std::vector<ResultColumn>> looked_;  // by digests of statements
};

}  // namespace dither::engine::detail
