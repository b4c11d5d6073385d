#include "object_column.h"

#include <array>
#include <cmath>

#include "plan/functions.h"

namespace dither::python {

namespace nb = nanobind;
using plan::Type;

namespace {

std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

void forget_error() {
  if (PyErr_Occurred() == nullptr) return;
  const bool of_the_machine =
      PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0 || PyErr_ExceptionMatches(PyExc_MemoryError) != 0;
  if (of_the_machine) throw nb::python_error();
  PyErr_Clear();
}

ObjectColumn::ObjectColumn(const std::string& name, std::int64_t rows, Type declared, nb::object cell_value)
    : declared_(declared),
      cell_value_(std::move(cell_value)),
      type_name_(nb::str(std::string(plan::type_name(declared)).c_str())),
      texts_(name, declared == Type::real ? 0 : rows),
      reals_(name, "g", declared == Type::real ? rows : 0),
      doubles_(ArrowColumn::zeros(declared == Type::real ? static_cast<std::size_t>(rows) * sizeof(double) : 0)) {}

void ObjectColumn::add_null() {
  if (declared_ != Type::real) return texts_.add_null();
  reals_.set_null(written_++);
}

void ObjectColumn::add_double(double number) {
  std::memcpy(doubles_.get() + static_cast<std::size_t>(written_++) * sizeof number, &number, sizeof number);
}

void ObjectColumn::add_text(std::string_view text) {
  if (declared_ != Type::real) return texts_.add(text);
  static const plan::Function& cast = plan::function_named("real_of_text");
  const std::array cells = {Cell{std::string(without_spaces(text))}};
  const Cell read = plan::value_of_call(cast, cells);
  const auto* number = std::get_if<double>(&read);
  number == nullptr ? add_null() : add_double(*number);
}

void ObjectColumn::add_whole(long long whole) {
  if (declared_ == Type::real) return add_double(static_cast<double>(whole));
  if (declared_ != Type::integer) return add_null();
  texts_.add(std::to_string(whole));
}

// Its digits: how near a whole number may be to it, the engine decides, as of columns of floats.
void ObjectColumn::add_number(double number) {
  if (declared_ == Type::real) return add_double(number);
  if (declared_ != Type::integer || !std::isfinite(number)) return add_null();
  char* digits = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
  if (digits == nullptr) throw std::bad_alloc();
  texts_.add(digits);
  PyMem_Free(digits);
}

bool ObjectColumn::add_common(nb::handle object) {
  if (PyUnicode_Check(object.ptr())) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    forget_error();  // half a surrogate pair
    bytes == nullptr ? add_null() : add_text({bytes, static_cast<std::size_t>(size)});
    return true;
  }
  if (PyFloat_CheckExact(object.ptr())) {
    add_number(PyFloat_AS_DOUBLE(object.ptr()));
    return true;
  }
  if (!PyLong_CheckExact(object.ptr())) return false;
  int beyond = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(object.ptr(), &beyond);
  if (beyond == 0) add_whole(whole);
  return beyond == 0;
}

void ObjectColumn::add(nb::handle object) {
  if (!object || object.is_none()) return add_null();
  const nb::object held = nb::borrow(object);
  if (add_common(held)) return;
  const std::array<PyObject*, 2> arguments = {held.ptr(), type_name_.ptr()};
  const nb::object value = nb::steal(PyObject_Vectorcall(cell_value_.ptr(), arguments.data(), 2, nullptr));
  forget_error();
  if (!value || value.is_none() || !add_common(value)) add_null();
}

ArrowColumn ObjectColumn::column() && {
  if (declared_ != Type::real) return std::move(texts_).column();
  reals_.add(std::move(doubles_));
  return std::move(reals_);
}

}  // namespace dither::python
