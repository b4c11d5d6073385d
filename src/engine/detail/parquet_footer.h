// The end of a Parquet file, where it says what its columns are and where their pages lie.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"

namespace dither::engine::detail {

// How DuckDB takes the values of a column, where one of them can make it give up: texts have to be UTF-8, moments in milliseconds
// must fit into microseconds, decimals of more bytes than a number has must fit into one.
enum class Checked { none, text, milliseconds, decimal };

struct ParquetFooter {
  std::string plain;  // without statistics, which are values of rows
  std::string
      raw;  // so, and with texts as bytes and moments in milliseconds as whole numbers: nothing is left to check
  std::vector<Checked> columns;     // those at the top, in order
  std::vector<std::string> names;   // theirs, as the file has them
  std::uint64_t largest_group = 0;  // bytes of the pages of a row group, unpacked
};

// What is not written as the end of a Parquet file is. Says nothing of what it holds.
class BadFooter : public std::exception {
 public:
  const char* what() const noexcept override { return "not the end of a Parquet file"; }
};

// From the bytes between the pages and the length (Thrift's compact form). Throws BadFooter.
ParquetFooter parse_footer(std::string_view bytes);

// That of a file. Throws BadFooter where it has none; Error (cannot-read).
ParquetFooter read_footer(const std::string& file);

// Writes a file (mode 0600) that has this footer and no pages: it says what the columns are, and cannot be read. Error (cannot-write).
void write_look(const std::string& to, std::string_view footer);

// A copy of the file (mode 0600) with the raw footer. Where it does not come to an end, nothing of it is left. Throws BadFooter;
// Error (cannot-read, cannot-write); Cancelled.
void write_raw_copy(const std::string& file, const std::string& to, const CancelToken& token);

}  // namespace dither::engine::detail
