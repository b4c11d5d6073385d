#include "engine/detail/row_bytes.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/detail/vectors.h"

namespace dither::engine::detail {
namespace {

// The first byte of a cell. That of a whole number is kZero and the number of bytes that follow, less than kZero below zero.
constexpr unsigned char kNull = 0, kZero = 0x80, kReal = 0x90, kText = 0xA0;
constexpr unsigned kMostBytes = 8;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

void append_big_endian(std::uint64_t word, unsigned count, std::string& bytes) {
  for (unsigned i = count; i > 0; --i) bytes += static_cast<char>(word >> (8 * (i - 1)));
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t word = 0;
  for (const char c : bytes) word = word << 8 | static_cast<unsigned char>(c);
  return word;
}

unsigned bytes_of(std::uint64_t word) { return (static_cast<unsigned>(std::bit_width(word)) + 7) / 8; }

void append_real(double value, Spelling spelling, std::string& bytes) {
  const std::uint64_t word = spelling == Spelling::key ? real_word(value) : std::bit_cast<std::uint64_t>(value);
  bytes += static_cast<char>(kReal);
  append_big_endian((word & kSign) != 0 ? ~word : word | kSign, 8, bytes);
}

std::int64_t whole_of(std::string_view bytes) {
  const auto tag = static_cast<unsigned char>(bytes[0]);
  const std::uint64_t word = big_endian(bytes.substr(1));
  if (tag >= kZero || bytes.size() > kMostBytes) return static_cast<std::int64_t>(word);
  return static_cast<std::int64_t>(word | ~std::uint64_t{0} << (8 * (bytes.size() - 1)));
}

double real_of(std::string_view bytes) {
  const std::uint64_t word = big_endian(bytes.substr(1));
  return std::bit_cast<double>((word & kSign) != 0 ? word & ~kSign : ~word);
}

// `room` holds what has zero bytes in it.
std::string_view text_of(std::string_view bytes, std::string& room) {
  std::string_view escaped = bytes.substr(1, bytes.size() - 3);
  if (escaped.find('\0') == std::string_view::npos) return escaped;
  room.clear();
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    room += escaped[at];
    if (escaped[at] == '\0') ++at;
  }
  return room;
}

}  // namespace

void append_whole(std::int64_t value, std::string& bytes) {
  const auto word = static_cast<std::uint64_t>(value);
  const unsigned count = value >= 0 ? bytes_of(word) : std::max(1U, bytes_of(~word));
  bytes += static_cast<char>(value >= 0 ? kZero + count : kZero - count);
  append_big_endian(word, count, bytes);
}

// A zero byte is followed by 255, two zero bytes are the end.
void append_text(std::string_view text, std::string& bytes) {
  bytes += static_cast<char>(kText);
  while (!text.empty()) {
    const void* zero = std::memchr(text.data(), 0, text.size());
    if (zero == nullptr) break;
    const auto upto = static_cast<std::size_t>(static_cast<const char*>(zero) - text.data()) + 1;
    bytes.append(text.substr(0, upto)) += '\xff';
    text.remove_prefix(upto);
  }
  bytes.append(text).append(2, '\0');
}

void append_cell(const Column& column, plan::Type type, std::size_t row, Spelling spelling, std::string& bytes) {
  if (column.is_null(row)) {
    bytes += static_cast<char>(kNull);
  } else if (type == plan::Type::text) {
    append_text(view_of(column.as<duckdb_string_t>()[row]), bytes);
  } else if (type == plan::Type::real) {
    append_real(column.as<double>()[row], spelling, bytes);
  } else {
    append_whole(whole_at(column, row), bytes);
  }
}

Cell cell_at(const Column& column, plan::Type type, std::size_t row) {
  if (column.is_null(row)) return {};
  if (type == plan::Type::boolean) return whole_at(column, row) != 0;
  if (type == plan::Type::real) return column.as<double>()[row];
  if (type != plan::Type::text) return whole_at(column, row);
  return std::string(view_of(column.as<duckdb_string_t>()[row]));
}

bool can_join(const Column& column, plan::Type type, std::size_t row) {
  return !column.is_null(row) && (type != plan::Type::real || !std::isnan(column.as<double>()[row]));
}

std::size_t cell_size(std::string_view bytes) {
  const auto tag = static_cast<unsigned char>(bytes[0]);
  if (tag == kNull) return 1;
  if (tag == kReal) return 9;
  if (tag != kText) return 1 + static_cast<std::size_t>(tag >= kZero ? tag - kZero : kZero - tag);
  for (std::size_t at = 1;; ++at) {
    at = bytes.find('\0', at) + 1;
    if (bytes[at] == '\0') return at + 1;
  }
}

void put_cell(std::string_view bytes, plan::Type type, duckdb_vector vector, std::size_t row) {
  if (bytes.empty() || static_cast<unsigned char>(bytes[0]) == kNull) return set_null(vector, row);
  void* data = duckdb().vector_get_data(vector);
  switch (type) {
    case plan::Type::boolean:
      static_cast<bool*>(data)[row] = whole_of(bytes) != 0;
      return;
    case plan::Type::integer:
    case plan::Type::timestamp:
      static_cast<std::int64_t*>(data)[row] = whole_of(bytes);
      return;
    case plan::Type::date:
      static_cast<std::int32_t*>(data)[row] = static_cast<std::int32_t>(whole_of(bytes));
      return;
    case plan::Type::real:
      static_cast<double*>(data)[row] = real_of(bytes);
      return;
    case plan::Type::text: {
      std::string room;
      const std::string_view text = text_of(bytes, room);
      duckdb().unsafe_vector_assign_string_element_len(vector, row, text.data(), text.size());
    }
  }
}

Cell cell_of(std::string_view bytes, plan::Type type) {
  if (static_cast<unsigned char>(bytes[0]) == kNull) return {};
  if (type == plan::Type::boolean) return whole_of(bytes) != 0;
  if (type == plan::Type::real) return real_of(bytes);
  if (type != plan::Type::text) return whole_of(bytes);
  std::string room;
  return std::string(text_of(bytes, room));
}

}  // namespace dither::engine::detail
