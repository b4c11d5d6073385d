#include "engine/detail/bounding_read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "engine/detail/text_digest.h"

namespace dither::engine::detail {

namespace {

constexpr std::uint64_t kMostExpected = std::uint64_t{1} << 20;  // whole numbers that are found without hashing
constexpr std::uint64_t kExpectedAround = std::uint64_t{1} << 17;

// Calls `use` with a pointer to the values of a column of whole numbers.
template <class Use>
void with_whole(const Column& column, const Use& use) {
  switch (column.type) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_UTINYINT:
      return use(column.as<std::uint8_t>());
    case DUCKDB_TYPE_TINYINT:
      return use(column.as<std::int8_t>());
    case DUCKDB_TYPE_SMALLINT:
      return use(column.as<std::int16_t>());
    case DUCKDB_TYPE_USMALLINT:
      return use(column.as<std::uint16_t>());
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE:
      return use(column.as<std::int32_t>());
    case DUCKDB_TYPE_UINTEGER:
      return use(column.as<std::uint32_t>());
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_TIMESTAMP:
      return use(column.as<std::int64_t>());
    default:
      throw std::logic_error("a column that is not of whole numbers");
  }
}

std::string_view text_of(const duckdb_string_t& text) {
  const std::uint32_t length = text.value.inlined.length;
  return {length <= sizeof text.value.inlined.inlined ? text.value.inlined.inlined : text.value.pointer.ptr, length};
}

void read_texts(const Column& column, std::size_t rows, std::uint64_t* first, std::uint64_t* second) {
  constexpr std::size_t at_once = 64;
  std::array<std::string_view, at_once> texts;
  std::array<TextDigest, at_once> digests;
  for (std::size_t begin = 0; begin < rows; begin += at_once) {
    const std::size_t count = std::min(at_once, rows - begin);
    for (std::size_t i = 0; i < count; ++i) {
      texts[i] = column.is_null(begin + i) ? std::string_view() : text_of(column.as<duckdb_string_t>()[begin + i]);
    }
    text_digests(texts.data(), count, digests.data());
    for (std::size_t i = 0; i < count; ++i) {
      first[begin + i] = digests[i].first;
      second[begin + i] = digests[i].second;
    }
  }
}

// x q / p, half to even.
Int128 steps_of(std::int64_t x, Int128 p, Int128 q) {
  const Int128 n = x * q;
  Int128 below = n / p;
  if (n % p < 0) --below;
  const Int128 rest = n - below * p;
  return below + (2 * rest > p || (2 * rest == p && below % 2 != 0) ? 1 : 0);
}

template <class T>
bool add_whole(const T* values, const Column& column, const Field& field, std::size_t rows, std::uint64_t* words) {
  const std::int64_t low = field.low;
  const std::int64_t high = field.high;
  const unsigned shift = field.shift;
  const auto stored = [&](std::int64_t k) {
    return (static_cast<std::uint64_t>(k) - static_cast<std::uint64_t>(low) + 1) << shift;
  };
  if (column.valid == nullptr && field.p == 1 && field.q == 1) {
    for (std::size_t i = 0; i < rows; ++i) words[i] |= stored(std::clamp<std::int64_t>(values[i], low, high));
    return false;
  }
  bool missing = false;
  for (std::size_t i = 0; i < rows; ++i) {
    if (column.is_null(i))
      missing = true;
    else
      words[i] |=
          stored(static_cast<std::int64_t>(std::clamp<Int128>(steps_of(values[i], field.p, field.q), low, high)));
  }
  return missing;
}

// (x q) / p in binary64, then the nearest whole number, half to even.
bool add_real(const Column& column, const Field& field, std::size_t rows, std::uint64_t* words) {
  const double* values = column.as<double>();
  const auto q = static_cast<double>(field.q);
  const auto p = static_cast<double>(field.p);
  bool missing = false;
  for (std::size_t i = 0; i < rows; ++i) {
    if (column.is_null(i) || std::isnan(values[i])) {
      missing = true;
      continue;
    }
    // Bounds may not be doubles: the clamp of the whole number decides, the one of the double keeps it convertible.
    const double near = std::nearbyint(std::clamp(values[i] * q / p, -0x1p62, 0x1p62));
    const std::int64_t k = std::clamp(static_cast<std::int64_t>(near), field.low, field.high);
    words[i] |= (static_cast<std::uint64_t>(k) - static_cast<std::uint64_t>(field.low) + 1) << field.shift;
  }
  return missing;
}

bool add_presence(const Column& column, const Field& field, std::size_t rows, std::uint64_t* words) {
  const double* reals = field.type == plan::Type::real ? column.as<double>() : nullptr;
  bool missing = false;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool none = column.is_null(i) || (reals != nullptr && std::isnan(reals[i]));
    missing = missing || none;
    words[i] |= std::uint64_t{none ? 0U : 1U} << field.shift;
  }
  return missing;
}

}  // namespace

const std::vector<duckdb_type>& readable(plan::Type type) {
  static const std::vector<duckdb_type> booleans{DUCKDB_TYPE_BOOLEAN};
  static const std::vector<duckdb_type> integers{DUCKDB_TYPE_BIGINT,  DUCKDB_TYPE_INTEGER,  DUCKDB_TYPE_SMALLINT,
                                                 DUCKDB_TYPE_TINYINT, DUCKDB_TYPE_UINTEGER, DUCKDB_TYPE_USMALLINT,
                                                 DUCKDB_TYPE_UTINYINT};
  static const std::vector<duckdb_type> reals{DUCKDB_TYPE_DOUBLE};
  static const std::vector<duckdb_type> texts{DUCKDB_TYPE_VARCHAR};
  static const std::vector<duckdb_type> dates{DUCKDB_TYPE_DATE};
  static const std::vector<duckdb_type> timestamps{DUCKDB_TYPE_TIMESTAMP};
  switch (type) {
    case plan::Type::boolean:
      return booleans;
    case plan::Type::integer:
      return integers;
    case plan::Type::real:
      return reals;
    case plan::Type::text:
      return texts;
    case plan::Type::date:
      return dates;
    default:
      return timestamps;
  }
}

unsigned size_of(duckdb_type type) {
  if (type == DUCKDB_TYPE_VARCHAR) return sizeof(duckdb_string_t);
  if (type == DUCKDB_TYPE_DOUBLE) return sizeof(double);
  unsigned size = 0;
  with_whole({type, 0, nullptr, nullptr}, [&](const auto* values) { size = sizeof *values; });
  return size;
}

std::int64_t whole_at(const Column& column, std::size_t row) {
  std::int64_t whole = 0;
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): small whole numbers, no characters
  with_whole(column, [&](const auto* values) { whole = static_cast<std::int64_t>(values[row]); });
  return whole;
}

bool read_units(const Column& column, UnitKind kind, std::size_t rows, std::uint64_t* units, std::uint64_t* second,
                std::uint8_t* dropped) {
  bool some = column.valid != nullptr;
  if (some) {
    for (std::size_t i = 0; i < rows; ++i) dropped[i] = column.is_null(i) ? 1 : 0;
  }
  if (kind == UnitKind::whole || kind == UnitKind::boolean) {
    with_whole(column, [&](const auto* values) {
      for (std::size_t i = 0; i < rows; ++i)
        units[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i]));
    });
  } else if (kind == UnitKind::real) {
    const double* values = column.as<double>();
    for (std::size_t i = 0; i < rows; ++i) {
      units[i] = real_word(values[i]);
      dropped[i] = column.is_null(i) || std::isnan(values[i]) ? 1 : 0;
    }
    some = true;
  } else {
    read_texts(column, rows, units, second);
  }
  return some;
}

bool add_field(const Column& column, const Field& field, std::size_t rows, std::uint64_t* words) {
  if (field.presence) return add_presence(column, field, rows, words);
  if (field.type == plan::Type::real) return add_real(column, field, rows, words);
  bool missing = false;
  with_whole(column, [&](const auto* values) { missing = add_whole(values, column, field, rows, words); });
  return missing;
}

namespace {

// Whole numbers among public keys, where they lie close to each other.
void expect_public(const std::vector<std::vector<Cell>>& keys, std::size_t column, const KeyBooks& books,
                   WordCodes& codes) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  const auto each_whole = [&](const auto& use) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (const auto* whole = std::get_if<std::int64_t>(&keys[i][column])) use(*whole, i);
    }
  };
  each_whole([&](std::int64_t whole, std::size_t) {
    least = std::min(least, whole);
    most = std::max(most, whole);
  });
  const std::uint64_t span = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  if (least > most || span >= kMostExpected) return;
  codes.expect(static_cast<std::uint64_t>(least), span + 1);
  if (books.types().size() > 1) return;  // codes of columns are not those of keys
  each_whole([&](std::int64_t whole, std::size_t i) {
    codes.tell(static_cast<std::uint64_t>(whole), books.public_codes()[i]);
  });
}

}  // namespace

KeyReader::KeyReader(KeyBooks& books, const plan::BoundedAggregate& aggregate) {
  for (std::size_t i = 0; i < aggregate.keys; ++i) {
    if (books.types()[i] == plan::Type::text) {
      columns_.emplace_back(std::in_place_type<TextCodes>, books.column(i));
      continue;
    }
    WordCodes codes(books.column(i));
    if (aggregate.public_keys) expect_public(*aggregate.public_keys, i, books, codes);
    columns_.emplace_back(std::move(codes));
  }
  for (std::size_t i = 1; i < aggregate.keys; ++i) combined_.emplace_back(books.combined(i - 1));
}

void KeyReader::read_words(WordCodes& codes, const Column& column, std::size_t rows, std::uint32_t* out) {
  if (column.type == DUCKDB_TYPE_DOUBLE) {
    for (std::size_t i = 0; i < rows; ++i)
      out[i] = column.is_null(i) ? 0 : codes.code(real_word(column.as<double>()[i]));
    return;
  }
  with_whole(column, [&](const auto* values) {
    const auto word = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])); };
    if (!codes.expects() && rows > 0) codes.expect(word(0) - kExpectedAround, 2 * kExpectedAround);
    bool all = column.valid == nullptr;
    for (std::size_t i = 0; i < rows; ++i) {
      out[i] = codes.quick(word(i));
      all = all && out[i] != 0;
    }
    if (all) return;
    for (std::size_t i = 0; i < rows; ++i) {
      if (column.is_null(i))
        out[i] = 0;
      else if (out[i] == 0)
        out[i] = codes.code(word(i));
    }
  });
}

void KeyReader::read(const Column* columns, std::size_t rows, std::uint32_t* codes) {
  if (columns_.empty()) return std::fill_n(codes, rows, 0), void();
  next_.resize(rows);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::uint32_t* out = c == 0 ? codes : next_.data();
    if (auto* words = std::get_if<WordCodes>(&columns_[c])) {
      read_words(*words, columns[c], rows, out);
    } else {
      auto& texts = std::get<TextCodes>(columns_[c]);
      const auto* values = columns[c].as<duckdb_string_t>();
      for (std::size_t i = 0; i < rows; ++i) out[i] = columns[c].is_null(i) ? 0 : texts.code(text_of(values[i]));
    }
    if (c == 0) continue;
    for (std::size_t i = 0; i < rows; ++i) codes[i] = combined_[c - 1].code(std::uint64_t{codes[i]} << 32 | next_[i]);
  }
}

}  // namespace dither::engine::detail
