#include "engine/detail/memory_digest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/int128.h"
#include "engine/detail/half.h"
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

// What a value is; behind it stands the value. What is the same number has the same.
enum Mark : char { kNull, kBoolean, kWhole, kWide, kReal, kFraction, kText, kMoment, kWideMoment };

constexpr std::int64_t kMicroseconds = 1'000'000;  // of a second
constexpr Int128 kMicrosecondsOfADay = Int128{86'400} * kMicroseconds;
constexpr std::int64_t kMillisecondsOfADay = 86'400'000;

// The rows of one column, one after the other.
class Values {
 public:
  Values(Chain& chain, const MemoryRows& rows)
      : chain_(chain), layout_(*rows.layout), values_(values_of(rows)), texts_(values_, layout_.kind) {}

  void add_null() { add<char>(kNull); }

  void add_at(std::int64_t place) {
    switch (layout_.kind) {
      case MemoryKind::unfit:
      case MemoryKind::nothing:
        return add_null();
      case MemoryKind::boolean:
        add<char>(kBoolean);
        return add<char>(bit_at(values_.buffers[1], place) ? 1 : 0);
      case MemoryKind::whole:
        return add_number(kWhole, kWide, whole(place));
      case MemoryKind::half:
        return add_real(from_half(value<std::uint16_t>(place)));
      case MemoryKind::single:
        return add_real(value<float>(place));
      case MemoryKind::real:
        return add_real(value<double>(place));
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
        return add_decimal(whole(place));
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

  template <class T>
  void add(T bytes) {
    chain_.add(&bytes, sizeof(bytes));
  }
  void add_number(Mark few, Mark many, Int128 number) {
    const auto small = static_cast<std::int64_t>(number);
    add<char>(small == number ? few : many);
    return small == number ? add(small) : add(number);
  }
  void add_real(double real) {
    const bool in_range = real >= -0x1p63 && real < 0x1p63;  // not NaN
    if (in_range && std::trunc(real) == real && !(real == 0 && std::signbit(real))) {
      return add_number(kWhole, kWide, static_cast<std::int64_t>(real));
    }
    add<char>(kReal);
    add(std::isnan(real) ? std::numeric_limits<double>::quiet_NaN() : real);
  }
  void add_text(std::string_view text) {
    if (text.data() == nullptr) return add_null();
    add<char>(kText);
    chain_.add_text(text);
  }
  void add_day(std::int64_t day) { add_number(kMoment, kWideMoment, day * kMicrosecondsOfADay); }
  void add_milliseconds(std::int64_t given) {
    add_day(given / kMillisecondsOfADay - (given % kMillisecondsOfADay < 0 ? 1 : 0));
  }
  void add_moment(std::int64_t given) {
    const std::int64_t per_second = layout_.per_second;
    const Int128 cut = per_second > kMicroseconds ? Int128{given / (per_second / kMicroseconds)}
                                                  : Int128{given} * (kMicroseconds / per_second);
    add_number(kMoment, kWideMoment, cut);
  }
  void add_decimal(Int128 number) {
    unsigned scale = number == 0 ? 0 : layout_.scale;
    for (; scale > 0 && number % 10 == 0; --scale) number /= 10;
    if (scale == 0) return add_number(kWhole, kWide, number);
    add<char>(kFraction);
    add(scale);
    add(number);
  }

  Chain& chain_;
  const MemoryLayout& layout_;
  const ArrowArray& values_;
  const MemoryTexts texts_;
};

void add_rows(Chain& chain, const MemoryRows& rows) {
  Values values(chain, rows);
  if (rows.layout->kind == MemoryKind::nothing) {
    for (std::size_t i = 0; i < rows.count; ++i) values.add_null();
    return;
  }
  FoundRows found;
  const Places places = find_rows(rows, found);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (is_set(found.valid, i)) {
      values.add_at(places.at(i));
    } else {
      values.add_null();
    }
  }
}

void add_column(Chain& chain, const MemoryContent& content, std::size_t column) {
  if (content.layouts[column].kind == MemoryKind::unfit) return;
  for (const MemorySlice& slice : content.slices) {
    for (std::int64_t at = 0; at < slice.rows; at += kMostRows) {
      const std::int64_t now = std::min<std::int64_t>(kMostRows, slice.rows - at);
      add_rows(chain, rows_of(content, column, {slice.chunk, slice.begin + at, now}));
    }
  }
}

}  // namespace

Digest content_digest(std::vector<std::string> names, const std::vector<MemoryColumn>& columns,
                      const MemoryContent& content) {
  std::sort(names.begin(), names.end());
  Chain chain;
  chain.add_size(content.rows);
  for (const std::string& name : names) {
    chain.add_text(name);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == name) add_column(chain, content, i);
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
