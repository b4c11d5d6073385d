// What a table in memory holds: chunks in Arrow's layout, and how each column lies in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/arrow.h"
#include "plan/type.h"

namespace dither::engine::detail {

enum class MemoryKind {
  unfit,    // not read here
  nothing,  // NULL in every row
  boolean,
  whole,
  half,
  single,
  real,
  text,        // 32 bits an offset
  large_text,  // 64
  text_view,
  days,          // since 1970
  milliseconds,  // the same as a date
  moment,
  decimal,
};

// How the values of a column lie.
struct MemoryLayout {
  MemoryKind kind = MemoryKind::unfit;
  std::string type = {};                 // in Arrow's words
  unsigned bytes = 0;                    // of a value, where all have the same
  bool is_signed = true;                 // of whole numbers
  std::int64_t per_second = 0;           // of moments
  unsigned digits = 0, scale = 0;        // of decimals
  const MemoryLayout* index = nullptr;   // of a dictionary: whole numbers that say where in it the values stand
  std::optional<plan::Type> is() const;  // nothing where it is unfit
};

// The layout of a column, or of the values of its dictionary.
MemoryLayout layout_of(const ArrowSchema& column);

// Rows of a chunk that one thread reads at a time.
struct MemorySlice {
  std::size_t chunk;
  std::int64_t begin, rows;
};

// Owns what a stream gave.
struct MemoryContent {
  MemoryContent() = default;
  MemoryContent(const MemoryContent&) = delete;
  MemoryContent& operator=(const MemoryContent&) = delete;
  ~MemoryContent();

  // Whether an array has the type of the table, as far as can be seen without looking at values.
  bool fits(const ArrowArray& chunk) const;

  ArrowSchema schema{};
  std::vector<ArrowArray> chunks;
  std::vector<MemoryLayout> layouts;
  std::vector<MemorySlice> slices;
  std::uint64_t rows = 0;
};

// Rows of one column that lie side by side.
struct MemoryRows {
  const MemoryLayout* layout;
  const ArrowArray* chunk;
  const ArrowArray* column;
  std::int64_t begin;  // in the chunk
  std::size_t count;

  std::int64_t first() const { return chunk->offset + column->offset + begin; }  // in the buffers of the column
};
MemoryRows rows_of(const MemoryContent& content, std::size_t column, const MemorySlice& slice);

// Where the values of rows stand in their buffers.
class Places {
 public:
  explicit Places(std::int64_t first) : first_(first) {}
  explicit Places(const std::int64_t* found) : found_(found) {}
  std::int64_t at(std::size_t row) const {
    return found_ == nullptr ? first_ + static_cast<std::int64_t>(row) : found_[row];
  }
  bool side_by_side() const { return found_ == nullptr; }

 private:
  std::int64_t first_ = 0;
  const std::int64_t* found_ = nullptr;
};

inline bool bit_at(const void* bits, std::int64_t place) {
  return (static_cast<const std::uint8_t*>(bits)[place / 8] >> (place % 8) & 1) != 0;
}

// At most so many rows are looked at together.
inline constexpr std::size_t kMostRows = 2048;

// Which of the rows are not NULL (a bit each, the lowest first), and where the values of those stand: in the column
// itself, or in its dictionary. An index that points outside is NULL.
struct FoundRows {
  std::uint64_t valid[kMostRows / 64];
  std::int64_t places[kMostRows];  // of a dictionary
};
Places find_rows(const MemoryRows& rows, FoundRows& found);

inline bool is_set(const std::uint64_t* words, std::size_t row) { return (words[row / 64] >> (row % 64) & 1) != 0; }
inline void clear(std::uint64_t* words, std::size_t row) { words[row / 64] &= ~(std::uint64_t{1} << (row % 64)); }

// The array that the values stand in.
inline const ArrowArray& values_of(const MemoryRows& rows) {
  return rows.layout->index == nullptr ? *rows.column : *rows.column->dictionary;
}

}  // namespace dither::engine::detail
