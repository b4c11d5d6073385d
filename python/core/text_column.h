// A column of texts, written one after the other.
#pragma once

#include <string>
#include <string_view>

#include "arrow_column.h"

namespace dither::python {

// Cells that hold no text are NULL; whether bytes are UTF-8 is seen to when they are read.
class TextColumn {
 public:
  TextColumn(const std::string& name, std::int64_t rows);

  void add(std::string_view text);
  void add_null();
  // UCS-4, without the zeros at its end.
  void add_wide(const std::byte* characters, std::size_t length);

  // Once all rows are written.
  ArrowColumn column() &&;

 private:
  ArrowColumn column_;
  Bytes ends_;
  std::int64_t written_ = 0;
  std::string text_;
};

}  // namespace dither::python
