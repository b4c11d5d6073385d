// A table in the memory of this process, handed over in Arrow's C stream interface.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "engine/arrow.h"
#include "plan/type.h"

namespace dither::engine {

namespace detail {
struct MemoryContent;  // detail/memory_content.h
}

// What a column of such a table is.
struct MemoryColumn {
  std::string name;
  std::string type;  // in Arrow's words: "int64", "list"
  // The type of ours that its values have; nothing where they have none, and a declaration of the column is refused.
  std::optional<plan::Type> is;
};

// A column by its name and the digest of its values (column_digest.h).
using SeenColumn = std::pair<std::string, Digest>;

// Chunks of rows as they lie, referenced and not copied; released when the last owner goes, in whatever thread.
//
// Reads as   booleans, whole numbers of every size (unsigned ones above 2^63 - 1 are NULL), half, single and double
//            floats, texts (utf8, large, views; what is not UTF-8 is NULL), dates, timestamps (cut to microseconds;
//            with a time zone those of UTC; outside the years 1 to 9999 NULL), decimals up to 38 digits, dictionaries
//            of all these, and columns of nothing, which are text.
// Promise    immutable: any number of threads may scan it at once, again and again, and find the same rows.
// Trusted    that buffers are as long as the arrays say, and stay as they are: whoever made them lives in this process.
class MemoryTable {
 public:
  // Takes over the stream (its release becomes nothing, as the specification has it for moved ones), reads it to its
  // end and releases it; also when it throws.
  // Refuses    a stream that reports an error, or whose arrays do not have its own type (cannot-read); one whose arrays
  //            are no tables (bad-source). No text of the producer's is repeated: it may hold values.
  // `seen` are columns of the table whose digest is known: those that the stream does not have, and those that it has in
  // another form than the one that was given.
  static std::shared_ptr<const MemoryTable> take(ArrowArrayStream* stream, std::vector<SeenColumn> seen = {});
  MemoryTable(const MemoryTable&) = delete;
  MemoryTable& operator=(const MemoryTable&) = delete;
  ~MemoryTable();

  const std::vector<MemoryColumn>& columns() const { return columns_; }
  std::uint64_t rows() const;

  // HMAC-SHA-256 of the whole content, by the names and values of all columns, in hexadecimal digits: the same whatever
  // is declared, whatever library wrote them, in whatever order columns stand, however they lie in chunks, and whatever
  // is hidden under NULLs; the order of rows counts. More in column_digest.h. Worked out once.
  // Cost       of a gibibyte some seconds.
  std::string digest(std::string_view key) const;

  // All columns, those that were seen among them.
  const std::vector<SeenColumn>& seen_columns() const;

  const detail::MemoryContent& content() const { return *content_; }

 private:
  MemoryTable(std::unique_ptr<detail::MemoryContent> content, std::vector<SeenColumn> seen);

  std::unique_ptr<const detail::MemoryContent> content_;
  std::vector<MemoryColumn> columns_;
  mutable std::mutex guard_;
  mutable std::vector<SeenColumn> seen_;
  mutable bool seen_all_ = false;
};

// By the names of the tables whose source is `{kind: memory}`.
using MemoryTables = std::map<std::string, std::shared_ptr<const MemoryTable>>;

}  // namespace dither::engine
