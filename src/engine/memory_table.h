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
  static std::shared_ptr<const MemoryTable> take(ArrowArrayStream* stream);
  MemoryTable(const MemoryTable&) = delete;
  MemoryTable& operator=(const MemoryTable&) = delete;
  ~MemoryTable();

  const std::vector<MemoryColumn>& columns() const { return columns_; }
  std::uint64_t rows() const;

  // HMAC-SHA-256 of the rows, by the names and values of these columns, in hexadecimal digits: the same whatever library
  // wrote them, however they lie in chunks, and whatever is hidden under NULLs; the order of rows counts. More in
  // detail/memory_digest.h. Worked out once for a key and columns.
  // Cost       of a gibibyte some seconds.
  std::string digest(std::string_view key, const std::vector<std::string>& columns) const;

  const detail::MemoryContent& content() const { return *content_; }

 private:
  explicit MemoryTable(std::unique_ptr<detail::MemoryContent> content);

  std::unique_ptr<const detail::MemoryContent> content_;
  std::vector<MemoryColumn> columns_;
  mutable std::mutex guard_;
  mutable std::map<std::pair<std::string, std::vector<std::string>>, std::string> digests_;  // by key and columns
};

// By the names of the tables whose source is `{kind: memory}`.
using MemoryTables = std::map<std::string, std::shared_ptr<const MemoryTable>>;

}  // namespace dither::engine
