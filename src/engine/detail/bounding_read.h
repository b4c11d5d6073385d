// Columns of DuckDB's chunks as units, codes and fields of records.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "engine/detail/bounding_codes.h"
#include "engine/detail/bounding_layout.h"

namespace dither::engine::detail {

// One column of a batch of rows, flat.
struct Column {
  duckdb_type type;
  unsigned size;  // of a value, in bytes
  const void* data;
  const std::uint64_t* valid;  // a bit for each row; nullptr: no NULLs

  // Leaves out the first rows: a multiple of 64.
  void advance(std::size_t rows) {
    data = static_cast<const char*>(data) + rows * size;
    if (valid != nullptr) valid += rows / 64;
  }

  bool is_null(std::size_t row) const { return valid != nullptr && (valid[row / 64] >> (row % 64) & 1) == 0; }
  template <class T>
  const T* as() const {
    return static_cast<const T*>(data);
  }
};

// The types that columns of a plan's type are read as; others are cast to the first.
const std::vector<duckdb_type>& readable(plan::Type type);
unsigned size_of(duckdb_type type);  // in bytes

// A cell of a column of whole numbers, truth values, days or moments.
std::int64_t whole_at(const Column& column, std::size_t row);

// Units of a batch. `second` is filled for text. Returns whether some row has none; those are marked in `dropped`.
bool read_units(const Column& column, UnitKind kind, std::size_t rows, std::uint64_t* units, std::uint64_t* second,
                std::uint8_t* dropped);

// Adds a field to its place in a payload word of every row. Returns whether some row has no value.
bool add_field(const Column& column, const Field& field, std::size_t rows, std::uint64_t* words);

// Codes of keys, with what one thread remembers.
class KeyReader {
 public:
  KeyReader(KeyBooks& books, const plan::BoundedAggregate& aggregate);
  void read(const Column* columns, std::size_t rows, std::uint32_t* codes);

 private:
  void read_words(WordCodes& codes, const Column& column, std::size_t rows, std::uint32_t* out);

  std::vector<std::variant<WordCodes, TextCodes>> columns_;
  std::vector<WordCodes> combined_;
  std::vector<std::uint32_t> next_;
};

}  // namespace dither::engine::detail
