// The parts of the module `dither._core`, each in a file of its own. Thin: options in, one call into a room, answer out.
#pragma once

#include <nanobind/nanobind.h>

namespace dither::python {

void add_errors(nanobind::module_& core);
void add_tables(nanobind::module_& core);
void add_session(nanobind::module_& core);
void add_answer(nanobind::module_& core);
void add_functions(nanobind::module_& core);
void add_mechanisms(nanobind::module_& core);
void add_accounting(nanobind::module_& core);
void add_audit(nanobind::module_& core);
void add_documents(nanobind::module_& core);
void add_program(nanobind::module_& core);

}  // namespace dither::python
