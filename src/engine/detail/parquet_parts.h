// Parquet files as parts of a source.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/detail/parquet_footer.h"
#include "engine/detail/source_part.h"

namespace dither::engine::detail {

// What the columns are is asked of the ends of the files alone, without their statistics: DuckDB would look at those, and a value
// among them could make it give up.
class ParquetParts {
 public:
  ParquetParts(Connection& connection, std::string folder) : connection_(connection), folder_(std::move(folder)) {}

  // Files with the same columns are one part.
  // Refuses    a file that is no Parquet file, or has decimals that not every value of theirs fits into (bad-source); cannot-read.
  std::vector<SourcePart> parts(const std::vector<std::string>& files, Reading reading);

  // Makes the copies that careful reading takes, once each: before parts(). As parts(); cannot-write where there is no room;
  // Cancelled.
  void copy(const std::vector<std::string>& files, const CancelToken& token);

  // Whether a value of one of these columns could fail direct reading.
  bool has_checked(const std::string& file, const std::function<bool(const std::string& column)>& is_read);

 private:
  struct Look {
    std::string end;   // the file without its pages
    std::string copy;  // "" while there is none
    SourcePart part;
    std::vector<Checked> checked;
    bool operator==(const Look& other) const { return part.columns == other.part.columns && checked == other.checked; }
  };
  Look& look(const std::string& file);

  Connection& connection_;
  std::string folder_;
  std::map<std::string, Look> looks_;  // by file
  std::size_t ends_ = 0;               // made so far, also of files that were refused: DuckDB remembers names
};

}  // namespace dither::engine::detail
