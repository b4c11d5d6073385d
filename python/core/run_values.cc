#include "run_values.h"

#include <nanobind/ndarray.h>

#include <cmath>

namespace dither::python {

namespace nb = nanobind;

namespace {

using audit::RunCell;
using audit::RunValue;

constexpr double kExact = 0x1p53;

// No Python code is run while cells are read, whatever their types say: it could take away what is being read.

std::string text_of(nb::handle text) {
  Py_ssize_t bytes = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &bytes);
  if (utf8 == nullptr) throw nb::python_error();
  return {utf8, static_cast<std::size_t>(bytes)};
}

// Its digits; in base 16 where there are more than Python writes in base 10.
std::string digits_of(PyObject* number) {
  nb::object digits = nb::steal(PyNumber_ToBase(number, 10));
  if (!digits.is_valid()) {
    PyErr_Clear();
    digits = nb::steal(PyNumber_ToBase(number, 16));
  }
  if (!digits.is_valid()) throw nb::python_error();
  return text_of(digits);
}

// A whole number that no double holds is a word, so that no difference is lost.
RunCell whole_cell(PyObject* number) {
  const double value = PyLong_AsDouble(number);
  if (value == -1 && PyErr_Occurred() != nullptr)
    PyErr_Clear();  // beyond all doubles
  else if (std::abs(value) <= kExact)
    return value;
  return digits_of(number);
}

// Whether it is one of the simple kinds; then it is added.
bool add_cell(PyObject* said, std::vector<RunCell>& cells) {
  if (PyFloat_Check(said)) {
    cells.emplace_back(PyFloat_AS_DOUBLE(said));
  } else if (said == Py_True || said == Py_False) {
    cells.emplace_back(std::string(said == Py_True ? "true" : "false"));
  } else if (said == Py_None) {
    cells.emplace_back(std::string("null"));
  } else if (PyLong_Check(said)) {
    cells.push_back(whole_cell(said));
  } else if (PyUnicode_CheckExact(said) && PyUnicode_AsUTF8AndSize(said, nullptr) != nullptr) {
    cells.emplace_back(text_of(said));
  } else {
    PyErr_Clear();  // text that is no Unicode
    return false;
  }
  return true;
}

bool add_cells(PyObject* said, std::vector<RunCell>& cells) {
  if (!PyTuple_Check(said) && !PyList_Check(said)) return add_cell(said, cells);
  const nb::object items = PyList_Check(said) ? nb::steal(PyList_AsTuple(said)) : nb::borrow(said);
  if (!items.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); ++i) {
    if (!add_cell(PyTuple_GET_ITEM(items.ptr(), i), cells)) return false;
  }
  return true;
}

}  // namespace

RunValue run_value(nb::handle said, const nb::object& cells) {
  RunValue run;
  if (add_cells(said.ptr(), run.cells)) return run;
  run.cells.clear();
  const nb::object simple = cells(said);
  add_cells(simple.ptr(), run.cells);
  return run;
}

std::vector<RunValue> run_values(nb::handle said, const nb::object& cells) {
  using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  std::vector<RunValue> runs;
  Matrix matrix;
  if (nb::try_cast(said, matrix, false)) {
    const double* cell = matrix.data();
    for (std::size_t i = 0; i < matrix.shape(0); ++i, cell += matrix.shape(1)) {
      runs.push_back({.status = "ok", .cells = {cell, cell + matrix.shape(1)}});
    }
    return runs;
  }
  for (const nb::handle one : said) runs.push_back(run_value(one, cells));
  return runs;
}

RunValue run_that_raised() {
  const bool failed = PyErr_ExceptionMatches(PyExc_Exception) != 0 || PyErr_ExceptionMatches(PyExc_SystemExit) != 0;
  if (!failed) throw nb::python_error();
  const nb::python_error raised;
  return {.status = nb::borrow<nb::str>(raised.type().attr("__name__")).c_str(), .cells = {}};
}

}  // namespace dither::python
