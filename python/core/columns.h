// Columns of numpy and pandas, copied once into Arrow's memory.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/memory_table.h"
#include "plan/type.h"

namespace dither::python {

// One column as dither/tables.py hands it over.
struct GivenColumn {
  std::string name;
  // "int8" ... "uint64", "float16" ... "float64", "bool": cells as they lie. "time": 64-bit counts of `numerator` /
  // `denominator` microseconds, and "days": 64-bit counts of days; the smallest number stands for nothing in both.
  // "wide": UCS-4 texts of equal length, "bytes": UTF-8 of equal length; zeros at the end are no part of them.
  // "object": any Python objects, see object_column.h. "arrow": the two capsules of __arrow_c_array__. "unfit": what no
  // declaration can read, such as lists; no data, and NULL in every row.
  std::string kind;
  nanobind::object data;
  nanobind::object missing;  // booleans, true where there is nothing; or None
  std::int64_t numerator = 1, denominator = 1;
  plan::Type declared = plan::Type::text;  // how objects are read
};

// A table of these columns, all of this length. What cannot be read is NULL; `cell_value` is for ObjectColumn. Holds
// the interpreter's lock for objects alone. `seen` as MemoryTable::take has them.
// Refuses    columns of another length, or another layout than their kind says (bad-source).
std::shared_ptr<const engine::MemoryTable> table_of(const std::vector<GivenColumn>& given, std::int64_t rows,
                                                    const nanobind::object& cell_value,
                                                    std::vector<engine::SeenColumn> seen = {});

// The digest of a column as it was given, whatever it is declared to be; not to be shown. Of objects,
// content_value(object) is asked for those that are neither None, text nor a float: see _cells.py.
engine::SeenColumn seen_column(const GivenColumn& column, std::int64_t rows, const nanobind::object& content_value);

}  // namespace dither::python
