// A column of Python objects, read as its declared type.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "plan/type.h"
#include "text_column.h"

namespace dither::python {

// Clears what a cell raised, if anything; throws what is the machine's: KeyboardInterrupt and MemoryError.
void forget_error();

// What a value gives depends on itself and on the declared type, and not on what else is in the column: numbers give
// what they give in a column of numbers, texts what they give in a column of texts. What no column is read from, no
// object is either: numbers are no texts and no booleans, booleans are no numbers; they are NULL. Reals are doubles here
// (texts are read by the cast), all else is text that the engine reads.
class ObjectColumn {
 public:
  // cell_value(object, name of the type) is asked for objects that are neither text nor a common number: a text, an
  // integer of 64 bits, a float, or None.
  ObjectColumn(const std::string& name, std::int64_t rows, plan::Type declared, nanobind::object cell_value);

  // None is NULL, and so is an object that cannot be read, whatever it raises; but see forget_error().
  void add(nanobind::handle object);

  // Once all rows are written.
  ArrowColumn column() &&;

 private:
  void add_null();
  void add_text(std::string_view text);
  void add_whole(long long whole);
  void add_number(double number);
  void add_double(double number);
  // Whether it is of these: otherwise nothing was added.
  bool add_common(nanobind::handle object);

  plan::Type declared_;
  nanobind::object cell_value_, type_name_;
  TextColumn texts_;
  ArrowColumn reals_;
  Bytes doubles_;
  std::int64_t written_ = 0;
};

}  // namespace dither::python
