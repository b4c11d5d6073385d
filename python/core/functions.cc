// Aggregates and expressions of the SQL front end, for the query builder.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "base/text.h"
#include "parts.h"
#include "plan/aggregate_call.h"
#include "sql/expression_text.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

// Name, usage and what it does, in one line each.
nb::list aggregates() {
  nb::list all;
  for (const plan::NamedAggregate& one : plan::all_aggregates()) {
    all.append(nb::make_tuple(std::string(one.sql), std::string(one.usage), std::string(one.does)));
  }
  return all;
}

}  // namespace

void add_functions(nb::module_& core) {
  core.def("aggregates", aggregates);
  core.def("require_expression", sql::require_expression, nb::arg("text"));
  core.def("name_in_sql", sql::name_in_sql, nb::arg("name"));
  core.def("printable", printable, nb::arg("text"));
}

}  // namespace dither::python
