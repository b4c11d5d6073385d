#include "engine/detail/memory_content.h"

#include <algorithm>
#include <cstring>

namespace dither::engine::detail {
namespace {

// How many buffers an array of this layout has at least, validity included.
std::int64_t least_buffers(const MemoryLayout& layout) {
  switch (layout.kind) {
    case MemoryKind::unfit:
    case MemoryKind::nothing:
      return 0;
    case MemoryKind::text:
    case MemoryKind::large_text:
    case MemoryKind::text_view:
      return 3;
    default:
      return 2;
  }
}

bool holds_values(const ArrowArray& array, const MemoryLayout& layout) {
  const std::int64_t buffers = least_buffers(layout);
  return array.length >= 0 && array.offset >= 0 && array.n_buffers >= buffers &&
         (buffers == 0 || array.length == 0 || array.buffers[1] != nullptr);
}

bool column_fits(const ArrowArray& column, const MemoryLayout& layout) {
  if (layout.index == nullptr) return holds_values(column, layout);
  return holds_values(column, *layout.index) && column.dictionary != nullptr &&
         holds_values(*column.dictionary, layout);
}

// So many bits (64 at most) from a place on, the lowest first; bytes behind them are not touched.
std::uint64_t bits_from(const std::uint8_t* bits, std::int64_t place, std::size_t count) {
  unsigned __int128 read = 0;
  const std::size_t shift = static_cast<std::size_t>(place % 8);
  std::memcpy(&read, bits + place / 8, (shift + count + 7) / 8);
  const auto found = static_cast<std::uint64_t>(read >> shift);
  return count == 64 ? found : found & ((std::uint64_t{1} << count) - 1);
}

// Clears what the validity of an array says is NULL.
void keep_valid(const ArrowArray& array, std::int64_t first, std::size_t count, std::uint64_t* words) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return;
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  for (std::size_t at = 0; at < count; at += 64) {
    words[at / 64] &= bits_from(bits, first + static_cast<std::int64_t>(at), std::min<std::size_t>(64, count - at));
  }
}

template <class Index>
void find_indices(const void* buffer, std::int64_t first, std::size_t count, std::int64_t* places) {
  const Index* indices = static_cast<const Index*>(buffer) + first;
  for (std::size_t i = 0; i < count; ++i) places[i] = std::int64_t{0} + indices[i];  // beyond 2^63: negative
}

void find_indices(const MemoryRows& rows, std::int64_t* places) {
  const MemoryLayout& index = *rows.layout->index;
  const auto find = [&](auto one, auto other) {
    if (index.is_signed) return find_indices<decltype(one)>(rows.column->buffers[1], rows.first(), rows.count, places);
    find_indices<decltype(other)>(rows.column->buffers[1], rows.first(), rows.count, places);
  };
  switch (index.bytes) {
    case 1:
      return find(std::int8_t{}, std::uint8_t{});
    case 2:
      return find(std::int16_t{}, std::uint16_t{});
    case 4:
      return find(std::int32_t{}, std::uint32_t{});
    default:
      return find(std::int64_t{}, std::uint64_t{});
  }
}

}  // namespace

MemoryContent::~MemoryContent() {
  for (ArrowArray& chunk : chunks) {
    if (chunk.release != nullptr) chunk.release(&chunk);
  }
  if (schema.release != nullptr) schema.release(&schema);
}

bool MemoryContent::fits(const ArrowArray& chunk) const {
  if (chunk.length < 0 || chunk.offset < 0 || chunk.n_children != static_cast<std::int64_t>(layouts.size()))
    return false;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const ArrowArray* column = chunk.children[i];
    if (column == nullptr || !column_fits(*column, layouts[i])) return false;
    if (column->length < chunk.offset + chunk.length) return false;
  }
  return true;
}

MemoryRows rows_of(const MemoryContent& content, std::size_t column, const MemorySlice& slice) {
  const ArrowArray& chunk = content.chunks[slice.chunk];
  return {&content.layouts[column], &chunk, chunk.children[column], slice.begin, static_cast<std::size_t>(slice.rows)};
}

Places find_rows(const MemoryRows& rows, FoundRows& found) {
  std::fill(std::begin(found.valid), std::end(found.valid), ~std::uint64_t{0});
  keep_valid(*rows.chunk, rows.chunk->offset + rows.begin, rows.count, found.valid);
  keep_valid(*rows.column, rows.first(), rows.count, found.valid);
  if (rows.layout->index == nullptr) return Places(rows.first());
  const ArrowArray& dictionary = *rows.column->dictionary;
  const bool has_null = dictionary.null_count != 0 && dictionary.n_buffers > 0 && dictionary.buffers[0] != nullptr;
  find_indices(rows, found.places);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::int64_t index = found.places[i];
    const bool inside = index >= 0 && index < dictionary.length;
    found.places[i] = dictionary.offset + (inside ? index : 0);
    if (!inside || (has_null && !bit_at(dictionary.buffers[0], found.places[i]))) clear(found.valid, i);
  }
  return Places(found.places);
}

}  // namespace dither::engine::detail
