// Declared tables as they lie in files: looked at without reading rows, and read cell by cell as the declared types.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"
#include "engine/detail/memory_scan.h"
#include "engine/detail/parquet_parts.h"
#include "engine/detail/record_table.h"
#include "engine/detail/source_part.h"
#include "engine/detail/typed_cell.h"
#include "plan/project.h"

namespace dither::engine::detail {

// Sources of one database. Whatever is read lies in files that the database may read, or is read by this process itself.
class Sources {
 public:
  // `folder`: where ends and copies of Parquet files are made; the database may read it.
  Sources(const Database& database, const std::string& folder, MemoryTables memory = {})
      : connection_(database),
        records_(connection_),
        parquet_(connection_, folder),
        memory_(connection_, std::move(memory)) {}

  // What stands in FROM for the cells of a table: columns c0, c1 ... in the order of the declared ones and of their types; what
  // cannot be read as its type is NULL.
  // Refuses    a file that is not there or cannot be opened (cannot-read); one that is not of its kind, lacks a declared column or
  //            holds in it what has no cast to the declared type, and a view (bad-source). No value of a row plays a part in that,
  //            and no message holds one.
  std::string typed(const Declared& table, const std::vector<std::string>& files, Reading reading);
  // The same with columns n0, n1 ... that say whether the source has nothing there.
  std::string typed_with_nulls(const Declared& table, const std::vector<std::string>& files, Reading reading);

  // Whether direct reading of what is declared could fail for a value.
  bool has_checked(const plan::TableDeclaration& table, const std::vector<std::string>& files);
  // Makes what careful reading of such files takes: before typed(). As ParquetParts::copy.
  void copy(const std::vector<std::string>& files, const CancelToken& token) { parquet_.copy(files, token); }

  // The parts of a source of files, with these columns of CSV and JSON, and all of the others.
  std::vector<SourcePart> parts(const plan::Source& source, const std::vector<std::string>& files,
                                std::span<const plan::ColumnDeclaration> wanted, Reading reading);

 private:
  std::string all_typed(const Declared& declared, const std::vector<std::string>& files, bool nulls, Reading reading);
  std::vector<SourcePart> csv_parts(const plan::Source& source, const std::vector<std::string>& files,
                                    std::span<const plan::ColumnDeclaration> wanted);
  SourcePart json_part(const std::vector<std::string>& files, std::span<const plan::ColumnDeclaration> wanted);
  std::string attach(const std::string& file);

  Connection connection_;
  RecordTables records_;
  ParquetParts parquet_;
  MemoryScans memory_;
  std::map<std::string, std::string> attached_;  // file to name
};

}  // namespace dither::engine::detail
