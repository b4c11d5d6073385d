// A column of texts, written one after the other.
#pragma once

#include <nanobind/nanobind.h>

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
  // Texts as they are, numbers as they are written; NaN and None are NULL. For the rest cell_text(object) gives a text or
  // None. Never throws for what an object is or does.
  void add_object(nanobind::handle object, const nanobind::object& cell_text);

  // Once all rows are written.
  ArrowColumn column() &&;

 private:
  void add_float(double value);

  ArrowColumn column_;
  Bytes ends_;
  std::int64_t written_ = 0;
  std::string text_;
};

}  // namespace dither::python
