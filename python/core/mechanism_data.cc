// Data of mechanisms, from Python and back.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "mechanisms.h"

namespace dither::python {

namespace nb = nanobind;
using namespace calculus;  // NOLINT: bindings are written in the words of the calculus

namespace {

using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object array_of(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* at) noexcept { delete static_cast<std::vector<T>*>(at); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// The cell as the declared type holds it, else NULL.
Cell converted(CellType type, const Cell& cell) {
  if (type == CellType::boolean && std::holds_alternative<bool>(cell)) return cell;
  if (type == CellType::text && std::holds_alternative<std::string>(cell)) return cell;
  const auto* whole = std::get_if<std::int64_t>(&cell);
  const auto* real = std::get_if<double>(&cell);
  if (type == CellType::real && whole != nullptr) return static_cast<double>(*whole);
  if (type == CellType::real && real != nullptr) return cell;
  if (type == CellType::integer && whole != nullptr) return cell;
  if (type == CellType::integer && real != nullptr && *real == std::floor(*real) && std::fabs(*real) < 0x1p63) {
    return static_cast<std::int64_t>(*real);
  }
  return {};
}

}  // namespace

Cell any_cell(const nb::handle& value) {
  if (value.is_none()) return {};
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (PyLong_Check(value.ptr())) {
    int overflow = 0;
    const long number = PyLong_AsLongAndOverflow(value.ptr(), &overflow);
    return overflow == 0 ? Cell(static_cast<std::int64_t>(number)) : Cell();
  }
  if (PyFloat_Check(value.ptr())) return PyFloat_AsDouble(value.ptr());
  if (!PyUnicode_Check(value.ptr())) return {};
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text != nullptr) return std::string(text, static_cast<std::size_t>(size));
  PyErr_Clear();  // a lone surrogate is no text
  return {};
}

namespace {

void put_column(Table& table, CellType type, const nb::handle& column) {
  Longs longs;
  Doubles doubles;
  if (nb::try_cast(column, longs, false)) {
    for (std::size_t i = 0; i < longs.size(); ++i) table.at(i).push_back(converted(type, longs.data()[i]));
  } else if (nb::try_cast(column, doubles, false)) {
    for (std::size_t i = 0; i < doubles.size(); ++i) table.at(i).push_back(converted(type, doubles.data()[i]));
  } else {
    std::size_t i = 0;
    for (const nb::handle value : nb::cast<nb::list>(column)) table.at(i++).push_back(converted(type, any_cell(value)));
  }
}

nb::object numbers(const Integers& values, const Outcome& outcome) {
  if (outcome.step != 1 || outcome.reals) {
    std::vector<double> reals;
    reals.reserve(values.size());
    std::transform(values.begin(), values.end(), std::back_inserter(reals), ToReal(outcome.step));
    return array_of(std::move(reals));
  }
  std::vector<std::int64_t> whole;
  whole.reserve(values.size());
  for (const Int128 value : values) whole.push_back(to_int64_saturating(value));
  return array_of(std::move(whole));
}

}  // namespace

Cell cell_from(const nb::handle& value) {
  Cell cell = any_cell(value);
  if (value.is_none() || !std::holds_alternative<std::monostate>(cell)) return cell;
  throw Error{Code::wrong_type, "a value in the list is none that a table can hold",
              "give None, True or False, whole numbers of 64 bits, floats or text"};
}

std::vector<Cell> cells_from(const nb::handle& values) {
  std::vector<Cell> all;
  for (const nb::handle value : values) all.push_back(cell_from(value));
  return all;
}

Table table_from(const TableDomain& domain, const nb::list& columns) {
  Table table(nb::len(columns) == 0 ? 0 : nb::len(nb::handle(columns[0])));
  for (std::size_t i = 0; i < domain.columns.size(); ++i) put_column(table, domain.columns[i].type, columns[i]);
  return table;
}

nb::object to_python(const Data& data, const Outcome& outcome) {
  if (const auto* integers = std::get_if<Integers>(&data)) return numbers(*integers, outcome);
  if (const auto* keyed = std::get_if<Keyed>(&data)) {
    nb::list keys;
    for (const std::string& key : keyed->keys) keys.append(nb::bytes(key.data(), key.size()));
    return nb::make_tuple(keys, numbers(keyed->values, outcome));
  }
  nb::list all;
  const Answers& answers = as<Answers>(data);
  for (std::size_t i = 0; i < answers.parts.size(); ++i) {
    all.append(to_python(answers.parts[i].data, i < outcome.parts.size() ? outcome.parts[i] : outcome));
  }
  return all;
}

}  // namespace dither::python
