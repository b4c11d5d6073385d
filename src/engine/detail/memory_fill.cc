#include "engine/detail/memory_fill.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/int128.h"
#include "engine/detail/half.h"
#include "engine/detail/memory_texts.h"
#include "engine/detail/utf8.h"
#include "engine/detail/vectors.h"

namespace dither::engine::detail {
namespace {

constexpr std::int64_t kMillisecondsOfADay = 86'400'000;
constexpr std::int64_t kMicroseconds = 1'000'000;  // of a second

// One call: rows, where their values are, and where they go.
class Filling {
 public:
  Filling(const MemoryRows& rows, duckdb_vector vector)
      : rows_(rows), vector_(vector), places_(find_rows(rows, found_)), values_(values_of(rows)) {}

  template <class T>
  void copy() {
    T* to = data<T>();
    if (places_.side_by_side()) {
      std::memcpy(to, where<T>(places_.at(0)), rows_.count * sizeof(T));
    } else {
      each([&](std::size_t i, std::int64_t place) { return to[i] = value<T>(place), true; });
    }
  }

  // `read` gives the value of what stands there, or nothing.
  template <class From, class To, class Read>
  void convert(const Read& read) {
    To* to = data<To>();
    each([&](std::size_t i, std::int64_t place) {
      const std::optional<To> read_value = read(value<From>(place));
      if (read_value) std::memcpy(to + i, &*read_value, sizeof(To));
      return read_value.has_value();
    });
  }

  void booleans() {
    bool* to = data<bool>();
    each([&](std::size_t i, std::int64_t place) { return to[i] = bit_at(values_.buffers[1], place), true; });
  }

  void texts();

  void finish() {
    const std::size_t words = (rows_.count + 63) / 64;
    if (std::all_of(found_.valid, found_.valid + words, [](std::uint64_t word) { return word == ~std::uint64_t{0}; }))
      return;
    duckdb().vector_ensure_validity_writable(vector_);
    std::memcpy(duckdb().vector_get_validity(vector_), found_.valid, words * sizeof(std::uint64_t));
  }

 private:
  template <class T>
  T* data() {
    return static_cast<T*>(duckdb().vector_get_data(vector_));
  }
  template <class T>
  const char* where(std::int64_t place) const {
    return static_cast<const char*>(values_.buffers[1]) + place * static_cast<std::int64_t>(sizeof(T));
  }
  template <class T>
  T value(std::int64_t place) const {  // buffers of others need not be aligned
    T read;
    std::memcpy(&read, where<T>(place), sizeof(T));
    return read;
  }

  // Calls back for what is not NULL; false makes it so.
  template <class Write>
  void each(const Write& write) {
    for (std::size_t i = 0; i < rows_.count; ++i) {
      if (is_set(found_.valid, i) && !write(i, places_.at(i))) clear(found_.valid, i);
    }
  }

  const MemoryRows& rows_;
  duckdb_vector vector_;
  FoundRows found_;
  Places places_;
  const ArrowArray& values_;
};

bool is_ascii(std::string_view text) {
  std::uint64_t all = 0;
  std::size_t at = 0;
  for (; at + sizeof(all) <= text.size(); at += sizeof(all)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof(eight));
    all |= eight;
  }
  for (; at < text.size(); ++at) all |= static_cast<unsigned char>(text[at]);
  return (all & 0x8080808080808080U) == 0;
}

duckdb_string_t where_it_lies(std::string_view text) {
  duckdb_string_t result{};
  result.value.inlined.length = static_cast<std::uint32_t>(text.size());
  if (text.size() <= kInlined) {
    std::memcpy(result.value.inlined.inlined, text.data(), text.size());
  } else {
    std::memcpy(result.value.pointer.prefix, text.data(), sizeof(result.value.pointer.prefix));
    result.value.pointer.ptr = const_cast<char*>(text.data());
  }
  return result;
}

// Where texts lie side by side, a look at all their bytes spares one at each.
void Filling::texts() {
  const MemoryTexts texts(values_, rows_.layout->kind);
  bool known = false;
  if (places_.side_by_side() && rows_.layout->kind != MemoryKind::text_view) {
    const std::string_view all = texts.all(places_.at(0), places_.at(rows_.count));
    known = all.data() != nullptr && is_ascii(all);
  }
  auto* to = data<duckdb_string_t>();
  each([&](std::size_t i, std::int64_t place) {
    const std::string_view text = texts.at(place);
    if (text.data() == nullptr || text.size() > std::numeric_limits<std::uint32_t>::max()) return false;
    if (!known && !is_ascii(text) && !is_utf8(text)) return false;
    to[i] = where_it_lies(text);
    return true;
  });
}

std::optional<std::int32_t> day_of(std::int64_t milliseconds) {
  const std::int64_t day = milliseconds / kMillisecondsOfADay - (milliseconds % kMillisecondsOfADay < 0 ? 1 : 0);
  if (day < std::numeric_limits<std::int32_t>::min() || day > std::numeric_limits<std::int32_t>::max()) return {};
  return static_cast<std::int32_t>(day);
}

void fill_moments(Filling& filling, std::int64_t per_second) {
  if (per_second == kMicroseconds) return filling.copy<std::int64_t>();
  filling.convert<std::int64_t, std::int64_t>([per_second](std::int64_t given) -> std::optional<std::int64_t> {
    if (per_second > kMicroseconds) return given / (per_second / kMicroseconds);  // as DuckDB cuts them
    std::int64_t value = 0;
    if (__builtin_mul_overflow(given, kMicroseconds / per_second, &value)) return {};
    return value;
  });
}

void fill_wholes(Filling& filling, unsigned bytes) {
  switch (bytes) {
    case 1:
      return filling.copy<std::uint8_t>();
    case 2:
      return filling.copy<std::uint16_t>();
    case 4:
      return filling.copy<std::uint32_t>();
    default:
      return filling.copy<std::uint64_t>();
  }
}

// DuckDB keeps decimals of few digits in few bytes, and trusts that there are no more.
template <class From>
void fill_decimals(Filling& filling, unsigned digits) {
  Int128 most = 1;
  for (unsigned i = 0; i < digits; ++i) most *= 10;
  const auto narrowed = [&](auto to) {
    using To = decltype(to);
    filling.convert<From, To>([most](From given) -> std::optional<To> {
      const Int128 value = given;
      if (value <= -most || value >= most) return {};
      return static_cast<To>(value);
    });
  };
  if (digits <= 4) return narrowed(std::int16_t{});
  if (digits <= 9) return narrowed(std::int32_t{});
  if (digits <= 18) return narrowed(std::int64_t{});
  narrowed(Int128{});
}

duckdb_type whole_type(const MemoryLayout& layout) {
  switch (layout.bytes) {
    case 1:
      return layout.is_signed ? DUCKDB_TYPE_TINYINT : DUCKDB_TYPE_UTINYINT;
    case 2:
      return layout.is_signed ? DUCKDB_TYPE_SMALLINT : DUCKDB_TYPE_USMALLINT;
    case 4:
      return layout.is_signed ? DUCKDB_TYPE_INTEGER : DUCKDB_TYPE_UINTEGER;
    default:
      return layout.is_signed ? DUCKDB_TYPE_BIGINT : DUCKDB_TYPE_UBIGINT;
  }
}

duckdb_type type_of(const MemoryLayout& layout) {
  switch (layout.kind) {
    case MemoryKind::boolean:
      return DUCKDB_TYPE_BOOLEAN;
    case MemoryKind::whole:
      return whole_type(layout);
    case MemoryKind::half:
    case MemoryKind::single:
      return DUCKDB_TYPE_FLOAT;
    case MemoryKind::real:
      return DUCKDB_TYPE_DOUBLE;
    case MemoryKind::days:
    case MemoryKind::milliseconds:
      return DUCKDB_TYPE_DATE;
    case MemoryKind::moment:
      return DUCKDB_TYPE_TIMESTAMP;
    case MemoryKind::decimal:
      return DUCKDB_TYPE_DECIMAL;
    default:
      return DUCKDB_TYPE_VARCHAR;
  }
}

void fill_values(Filling& filling, const MemoryLayout& layout) {
  switch (layout.kind) {
    case MemoryKind::unfit:
    case MemoryKind::nothing:
      return;  // fill_nothing
    case MemoryKind::boolean:
      return filling.booleans();
    case MemoryKind::whole:
      return fill_wholes(filling, layout.bytes);
    case MemoryKind::half:
      return filling.convert<std::uint16_t, float>([](std::uint16_t half) { return std::optional(from_half(half)); });
    case MemoryKind::single:
      return filling.copy<float>();
    case MemoryKind::real:
      return filling.copy<double>();
    case MemoryKind::text:
    case MemoryKind::large_text:
    case MemoryKind::text_view:
      return filling.texts();
    case MemoryKind::days:
      return filling.copy<std::int32_t>();
    case MemoryKind::milliseconds:
      return filling.convert<std::int64_t, std::int32_t>(day_of);
    case MemoryKind::moment:
      return fill_moments(filling, layout.per_second);
    case MemoryKind::decimal:
      if (layout.bytes == 4) return fill_decimals<std::int32_t>(filling, layout.digits);
      if (layout.bytes == 8) return fill_decimals<std::int64_t>(filling, layout.digits);
      return fill_decimals<Int128>(filling, layout.digits);
  }
}

}  // namespace

void fill_nothing(std::size_t rows, duckdb_vector vector) {
  duckdb().vector_ensure_validity_writable(vector);
  std::memset(duckdb().vector_get_validity(vector), 0, (rows + 63) / 64 * sizeof(std::uint64_t));
}

ResultColumn type_in_duckdb(const std::string& name, const MemoryLayout& layout) {
  return {name, type_of(layout), layout.scale};
}

void fill_vector(const MemoryRows& rows, duckdb_vector vector) {
  if (rows.layout->kind == MemoryKind::unfit || rows.layout->kind == MemoryKind::nothing) {
    return fill_nothing(rows.count, vector);
  }
  Filling filling(rows, vector);
  fill_values(filling, *rows.layout);
  filling.finish();
}

}  // namespace dither::engine::detail
