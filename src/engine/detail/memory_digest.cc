#include "engine/detail/memory_digest.h"

#include <algorithm>

#include "engine/column_digest.h"
#include "engine/detail/half.h"
#include "engine/detail/memory_content.h"
#include "engine/detail/memory_texts.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kBlock = 64;  // bytes that SHA-256 takes at once

std::string_view view_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()};
}

constexpr std::int64_t kMicroseconds = 1'000'000;  // of a second
constexpr Int128 kMicrosecondsOfADay = Int128{86'400} * kMicroseconds;
constexpr std::int64_t kMillisecondsOfADay = 86'400'000;

// The rows of one column, one after the other.
class Values {
 public:
  Values(ColumnDigest& digest, const MemoryRows& rows)
      : digest_(digest), layout_(*rows.layout), values_(values_of(rows)), texts_(values_, layout_.kind) {}

  void add_at(std::int64_t place) {
    switch (layout_.kind) {
      case MemoryKind::unfit:
      case MemoryKind::nothing:
        return digest_.add_null();
      case MemoryKind::boolean:
        return digest_.add_boolean(bit_at(values_.buffers[1], place));
      case MemoryKind::whole:
        return digest_.add_whole(whole(place));
      case MemoryKind::half:
        return digest_.add_real(from_half(value<std::uint16_t>(place)));
      case MemoryKind::single:
        return digest_.add_real(value<float>(place));
      case MemoryKind::real:
        return digest_.add_real(value<double>(place));
      case MemoryKind::text:
      case MemoryKind::large_text:
      case MemoryKind::text_view:
        return add_text(texts_.at(place));
      case MemoryKind::days:
        return add_day(value<std::int32_t>(place));
      case MemoryKind::milliseconds:
        return add_milliseconds(value<std::int64_t>(place));
      case MemoryKind::moment:
        return add_moment(value<std::int64_t>(place));
      case MemoryKind::decimal:
        return digest_.add_decimal(whole(place), layout_.scale);
    }
  }

 private:
  template <class T>
  T value(std::int64_t place) const {  // buffers of others need not be aligned
    T read;
    std::memcpy(&read, static_cast<const char*>(values_.buffers[1]) + place * static_cast<std::int64_t>(sizeof(T)),
                sizeof(T));
    return read;
  }
  Int128 whole(std::int64_t place) const {
    switch (layout_.bytes) {
      case 1:
        return layout_.is_signed ? Int128{value<std::int8_t>(place)} : Int128{value<std::uint8_t>(place)};
      case 2:
        return layout_.is_signed ? Int128{value<std::int16_t>(place)} : Int128{value<std::uint16_t>(place)};
      case 4:
        return layout_.is_signed ? Int128{value<std::int32_t>(place)} : Int128{value<std::uint32_t>(place)};
      case 8:
        return layout_.is_signed ? Int128{value<std::int64_t>(place)} : Int128{value<std::uint64_t>(place)};
      default:
        return value<Int128>(place);
    }
  }

  void add_text(std::string_view text) { text.data() == nullptr ? digest_.add_null() : digest_.add_text(text); }
  void add_day(std::int64_t day) { digest_.add_moment(day * kMicrosecondsOfADay); }
  void add_milliseconds(std::int64_t given) {
    add_day(given / kMillisecondsOfADay - (given % kMillisecondsOfADay < 0 ? 1 : 0));
  }
  void add_moment(std::int64_t given) {
    const std::int64_t per_second = layout_.per_second;
    digest_.add_moment(per_second > kMicroseconds ? Int128{given / (per_second / kMicroseconds)}
                                                  : Int128{given} * (kMicroseconds / per_second));
  }

  ColumnDigest& digest_;
  const MemoryLayout& layout_;
  const ArrowArray& values_;
  const MemoryTexts texts_;
};

void add_rows(ColumnDigest& digest, const MemoryRows& rows) {
  if (rows.layout->kind == MemoryKind::nothing || rows.layout->kind == MemoryKind::unfit) {
    for (std::size_t i = 0; i < rows.count; ++i) digest.add_null();
    return;
  }
  Values values(digest, rows);
  FoundRows found;
  const Places places = find_rows(rows, found);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (is_set(found.valid, i)) {
      values.add_at(places.at(i));
    } else {
      digest.add_null();
    }
  }
}

}  // namespace

Digest digest_of_column(const MemoryContent& content, std::size_t column) {
  ColumnDigest digest;
  for (const MemorySlice& slice : content.slices) {
    for (std::int64_t at = 0; at < slice.rows; at += kMostRows) {
      const std::int64_t now = std::min<std::int64_t>(kMostRows, slice.rows - at);
      add_rows(digest, rows_of(content, column, {slice.chunk, slice.begin + at, now}));
    }
  }
  return digest.digest();
}

Digest content_digest(std::uint64_t rows, std::vector<SeenColumn> columns) {
  std::sort(columns.begin(), columns.end());  // also those that share a name
  ColumnDigest all;
  all.add_whole(rows);
  for (const auto& [name, digest] : columns) {
    all.add_text(name);
    all.add_text(view_of(digest));
  }
  return all.digest();
}

Digest hmac_sha256(std::string_view key, const Digest& message) {
  std::string block(key.size() > kBlock ? view_of(sha256(key)) : key);
  block.resize(kBlock, '\0');
  std::string inner, outer;
  for (const char c : block) {
    inner += static_cast<char>(c ^ 0x36);
    outer += static_cast<char>(c ^ 0x5c);
  }
  return sha256(outer.append(view_of(sha256(inner.append(view_of(message))))));
}

}  // namespace dither::engine::detail
