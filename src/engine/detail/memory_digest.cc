#include "engine/detail/memory_digest.h"

#include "engine/detail/memory_content.h"
#include "engine/detail/memory_texts.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kBlock = 64;                    // bytes that SHA-256 takes at once
constexpr std::size_t kPiece = std::size_t{1} << 18;  // bytes

std::string_view view_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()};
}

// A long text in pieces: each is hashed behind the digest of those before it.
class Chain {
 public:
  void add(const void* bytes, std::size_t count) {
    const char* from = static_cast<const char*>(bytes);
    while (count > 0) {
      if (text_.size() == kPiece) link();
      const std::size_t now = std::min(count, kPiece - text_.size());
      text_.append(from, now);
      from += now;
      count -= now;
    }
  }
  void add_size(std::uint64_t size) { add(&size, sizeof(size)); }
  void add_text(std::string_view text) {
    add_size(text.size());
    add(text.data(), text.size());
  }
  Digest digest() const { return sha256(text_); }

 private:
  void link() { text_ = view_of(sha256(text_)); }

  std::string text_;
};

// Each row as a byte that says whether it is there, and the value.
void add_rows(Chain& chain, const MemoryRows& rows) {
  FoundRows found;
  const Places places = find_rows(rows, found);
  const ArrowArray& values = values_of(rows);
  const MemoryLayout& layout = *rows.layout;
  const MemoryTexts texts(values, layout.kind);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const char is_there = is_set(found.valid, i) ? 1 : 0;
    chain.add(&is_there, 1);
    if (is_there == 0) continue;
    const std::int64_t place = places.at(i);
    if (layout.kind == MemoryKind::boolean) {
      const char bit = bit_at(values.buffers[1], place) ? 1 : 0;
      chain.add(&bit, 1);
    } else if (layout.bytes > 0) {
      chain.add(static_cast<const char*>(values.buffers[1]) + place * static_cast<std::int64_t>(layout.bytes),
                layout.bytes);
    } else {
      chain.add_text(texts.at(place));
    }
  }
}

}  // namespace

Digest content_digest(const std::vector<MemoryColumn>& columns, const MemoryContent& content) {
  Chain chain;
  chain.add_size(content.rows);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const MemoryLayout& layout = content.layouts[i];
    chain.add_text(columns[i].name);
    chain.add_text(layout.type);
    for (const std::uint64_t number : {std::uint64_t{layout.bytes}, static_cast<std::uint64_t>(layout.per_second),
                                       std::uint64_t{layout.digits}, std::uint64_t{layout.scale}}) {
      chain.add_size(number);
    }
    if (layout.kind == MemoryKind::unfit || layout.kind == MemoryKind::nothing) continue;
    for (const MemorySlice& slice : content.slices) {
      for (std::int64_t at = 0; at < slice.rows; at += kMostRows) {
        const std::int64_t now = std::min<std::int64_t>(kMostRows, slice.rows - at);
        add_rows(chain, rows_of(content, i, {slice.chunk, slice.begin + at, now}));
      }
    }
  }
  return chain.digest();
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
