// Files of records as a table of DuckDB: the records that csv.h and json.h define, all fields as text.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"
#include "engine/detail/records.h"
#include "plan/project.h"

namespace dither::engine::detail {

// Files that look the same, and the columns that are wanted of them.
struct RecordFiles {
  plan::SourceKind kind = plan::SourceKind::csv;
  std::vector<std::string> paths;
  std::vector<std::string> wanted;  // of JSON: names
  char delimiter = ',';             // of CSV
  std::vector<std::string> header;
  std::vector<std::size_t> places;  // of what is wanted, in the header
  std::vector<std::size_t>
      longest;  // bytes that a field that is wanted may mean something with; of more, one more is handed on
};

// Lives as long as the database.
class RecordTables {
 public:
  explicit RecordTables(Connection& connection);
  RecordTables(const RecordTables&) = delete;
  RecordTables& operator=(const RecordTables&) = delete;

  // What stands in FROM: columns f0, f1 ... as wanted, VARCHAR. Rows come in no order that means anything. A file that has another
  // header by then fails the statement.
  std::string add(RecordFiles files);

  const RecordFiles& at(std::size_t index) const;

 private:
  mutable std::mutex guard_;
  std::deque<RecordFiles> files_;  // stays in place while it grows
};

}  // namespace dither::engine::detail
