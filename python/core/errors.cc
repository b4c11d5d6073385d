// Mistakes and failures as Python exceptions: dither.Error and what dither/errors.py derives from it.
#include "base/error.h"

#include "base/progress.h"
#include "cli/failure.h"
#include "parts.h"
#include "unlocked.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

void set_error(const Error& error) {
  const nb::object made = nb::module_::import_("dither.errors")
                              .attr("made")(std::string(code_name(error.code())).c_str(), cli::exit_code(error.code()),
                                            error.what(), error.hint().c_str());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*nothing*/) {
  const Busy busy;  // errors are made by Python
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    set_error(error);
  } catch (const Cancelled&) {
    set_error({Code::cancelled, "cancelled", "what was charged by then stays charged"});
  }
}

}  // namespace

void add_errors(nb::module_& core) {
  nb::register_exception_translator(translate);
  nb::list codes;
  for (const Code code : all_codes()) codes.append(std::string(code_name(code)).c_str());
  core.attr("codes") = codes;
}

}  // namespace dither::python
