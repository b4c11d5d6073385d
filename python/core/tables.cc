// DataFrames and arrays as tables: Arrow by reference, numpy and pandas copied once.
#include "tables.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "columns.h"
#include "parts.h"
#include "unlocked.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

constexpr std::size_t kParts = 7;  // of a column: name, kind, data, missing, numerator, denominator, declared type

Table of_stream(const nb::object& capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  const Unlocked unlocked;  // a producer that is written in Python takes the lock itself
  return {engine::MemoryTable::take(stream)};
}

std::vector<GivenColumn> given_columns(const nb::list& columns) {
  std::vector<GivenColumn> given;
  for (const nb::handle one : columns) {
    const nb::tuple parts = nb::cast<nb::tuple>(one);
    if (parts.size() != kParts) throw nb::type_error("a column has seven parts");
    given.push_back({nb::cast<std::string>(parts[0]), nb::cast<std::string>(parts[1]), nb::borrow(parts[2]),
                     nb::borrow(parts[3]), nb::cast<std::int64_t>(parts[4]), nb::cast<std::int64_t>(parts[5]),
                     plan::type_from(nb::cast<std::string>(parts[6]))});
  }
  return given;
}

Table of_columns(const nb::list& columns, std::int64_t rows, const nb::object& cell_value, const nb::list& seen,
                 const nb::object& content_value) {
  const Busy busy;  // cells that are objects are asked for their values
  std::vector<engine::SeenColumn> digests;
  for (const GivenColumn& column : given_columns(seen)) digests.push_back(seen_column(column, rows, content_value));
  return {table_of(given_columns(columns), rows, cell_value, std::move(digests))};
}

std::vector<std::pair<std::string, std::string>> columns_of(const Table& table) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const engine::MemoryColumn& column : table.table->columns()) columns.emplace_back(column.name, column.type);
  return columns;
}

}  // namespace

void add_tables(nb::module_& core) {
  nb::class_<Table>(core, "Table", "A table in memory, with its columns and types.").def_prop_ro("columns", columns_of);
  core.def("table_of_stream", of_stream, nb::arg("capsule"), "Takes over the capsule of __arrow_c_stream__.");
  core.def(
      "table_of_columns", of_columns, nb::arg("columns"), nb::arg("rows"), nb::arg("cell_value"), nb::arg("seen"),
      nb::arg("content_value"),
      "Copies columns of numpy: (name, kind, data, missing, numerator, denominator, declared type) each. Of those in "
      "`seen`, which have the same parts, the digest alone is kept, as it is by content_value(cell) of objects.");
}

}  // namespace dither::python
