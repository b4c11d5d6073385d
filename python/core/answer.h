// Answers as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "session/answer.h"

namespace dither::python {

// An instance of dither.answer.Answer: the fields of `dither query --json`, and where it was accounted for: the path of
// the ledger, or "session only". Columns are handed over as lists, so that 10^5 keys take milliseconds. Holds released
// values and public parameters, and neither the session nor a path to its data.
nanobind::object answer_object(const session::Answer& answer, const std::string& accounted);

}  // namespace dither::python
