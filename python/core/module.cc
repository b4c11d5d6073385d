// dither._core: what Python calls of the rooms. People use the package `dither`, which is written on top of it.
#include "parts.h"

NB_MODULE(_core, core) {
  core.attr("__version__") = DITHER_VERSION;
  dither::python::add_errors(core);
  dither::python::add_tables(core);
  dither::python::add_session(core);
  dither::python::add_answer(core);
  dither::python::add_functions(core);
  dither::python::add_mechanisms(core);
  dither::python::add_accounting(core);
  dither::python::add_audit(core);
  dither::python::add_documents(core);
  dither::python::add_program(core);
}
