// One column in Arrow's memory: buffers that we own, or an array of another library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/arrow.h"

namespace dither::python {

using Bytes = std::unique_ptr<std::byte[]>;

// Written cell by cell, then handed over.
class ArrowColumn {
 public:
  ArrowColumn(std::string name, std::string format, std::int64_t rows)
      : name_(std::move(name)), format_(std::move(format)), rows_(rows), valid_(zeros(bits(rows))) {
    std::memset(valid_.get(), 0xFF, bits(rows));
  }

  static Bytes zeros(std::size_t size) { return std::make_unique<std::byte[]>(size); }
  static Bytes room(std::size_t size) { return std::make_unique_for_overwrite<std::byte[]>(size); }
  static std::size_t bits(std::int64_t rows) { return (static_cast<std::size_t>(rows) + 7) / 8; }

  std::int64_t rows() const { return rows_; }
  void set_null(std::int64_t row) {
    std::byte& byte = valid_[static_cast<std::size_t>(row / 8)];
    const std::byte bit = std::byte{1} << (row % 8);
    if ((byte & bit) != std::byte{0}) ++nulls_;
    byte &= ~bit;
  }
  void add(Bytes buffer) { buffers_.push_back(std::move(buffer)); }

  // Both own what they point to. The column is empty behind it.
  void hand_over(ArrowSchema& schema, ArrowArray& array) &&;

 private:
  std::string name_, format_;
  std::int64_t rows_;
  std::int64_t nulls_ = 0;
  Bytes valid_;
  std::vector<Bytes> buffers_;
};

// The schema under another name. Takes it over.
ArrowSchema renamed(const ArrowSchema& schema, std::string name);

// Columns of one length as a stream of one chunk, which owns them. Takes over the schemas and arrays.
void make_stream(std::vector<ArrowSchema> schemas, std::vector<ArrowArray> arrays, std::int64_t rows,
                 ArrowArrayStream& stream);

}  // namespace dither::python
