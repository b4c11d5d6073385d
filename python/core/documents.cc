// Files of other people, read by the strict reader: what readers of YAML disagree about is refused, with its place.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "config/config.h"
#include "parts.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

// Maps are dicts in the order of the file; numbers are exact: int if written without point and exponent, else Decimal.
nb::object object_of(const config::Value& value) {
  switch (value.kind()) {
    case config::Kind::null:
      return nb::none();
    case config::Kind::boolean:
      return nb::bool_(value.boolean("a value"));
    case config::Kind::text:
      return nb::str(value.text("a value").c_str());
    case config::Kind::number: {
      const std::string written(value.written());
      const bool whole = written.find_first_of(".eE") == std::string::npos;
      return (whole ? nb::module_::import_("builtins").attr("int")
                    : nb::module_::import_("decimal").attr("Decimal"))(written);
    }
    case config::Kind::list: {
      nb::list list;
      for (const config::Value& item : value.list("a value")) list.append(object_of(item));
      return list;
    }
    case config::Kind::map: {
      nb::dict dict;
      for (const config::Entry& entry : value.map("a value")) dict[entry.key.c_str()] = object_of(entry.value);
      return dict;
    }
  }
  return nb::none();
}

}  // namespace

void add_documents(nb::module_& core) {
  core.def("read_document",
           [](const std::string& text, const std::string& name) { return object_of(config::read_text(text, name)); });
}

}  // namespace dither::python
