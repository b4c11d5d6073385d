#include "text_column.h"

#include <cmath>

namespace dither::python {

namespace nb = nanobind;

namespace {

constexpr std::size_t kEnd = sizeof(std::int64_t);

void append(std::string& text, char32_t code) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      add(0xE0 | (code >> 12));
    } else {
      add(0xF0 | (code >> 18));
      add(0x80 | ((code >> 12) & 0x3F));
    }
    add(0x80 | ((code >> 6) & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

}  // namespace

TextColumn::TextColumn(const std::string& name, std::int64_t rows)
    : column_(name, "U", rows), ends_(ArrowColumn::zeros((static_cast<std::size_t>(rows) + 1) * kEnd)) {}

void TextColumn::add(std::string_view text) {
  text_ += text;
  const auto end = static_cast<std::int64_t>(text_.size());
  std::memcpy(ends_.get() + static_cast<std::size_t>(++written_) * kEnd, &end, kEnd);
}

void TextColumn::add_null() {
  column_.set_null(written_);
  add("");
}

void TextColumn::add_wide(const std::byte* characters, std::size_t length) {
  std::u32string wide(length, U'\0');
  std::memcpy(wide.data(), characters, length * sizeof(char32_t));
  while (!wide.empty() && wide.back() == U'\0') wide.pop_back();
  std::string text;
  for (const char32_t code : wide) {
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return add_null();
    append(text, code);
  }
  add(text);
}

void TextColumn::add_float(double value) {
  if (std::isnan(value)) return add_null();
  // Whole numbers as such, so that they can be read as integers.
  if (std::trunc(value) == value && std::abs(value) < 0x1p53) return add(std::to_string(static_cast<long long>(value)));
  char* digits = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
  if (digits == nullptr) throw std::bad_alloc();
  add(digits);
  PyMem_Free(digits);
}

void TextColumn::add_object(nb::handle object, const nb::object& cell_text) {
  const nb::object held = nb::borrow(object);
  if (!object || object.is_none()) return add_null();
  nb::object text = held;
  if (!PyUnicode_Check(object.ptr())) {
    if (PyFloat_CheckExact(object.ptr())) return add_float(PyFloat_AS_DOUBLE(object.ptr()));
    int beyond = 0;
    if (PyLong_CheckExact(object.ptr())) {
      const long long whole = PyLong_AsLongLongAndOverflow(object.ptr(), &beyond);
      if (beyond == 0) return add(std::to_string(whole));
    }
    text = nb::steal(PyObject_CallOneArg(cell_text.ptr(), object.ptr()));
  }
  Py_ssize_t size = 0;
  const char* bytes = text && PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
  if (bytes != nullptr) return add({bytes, static_cast<std::size_t>(size)});
  PyErr_Clear();  // half a surrogate pair, or an object that cannot be written: the cell cannot be read
  add_null();
}

ArrowColumn TextColumn::column() && {
  Bytes text = ArrowColumn::room(text_.size());
  std::memcpy(text.get(), text_.data(), text_.size());
  column_.add(std::move(ends_));
  column_.add(std::move(text));
  return std::move(column_);
}

}  // namespace dither::python
