// What Python functions return, as what one run of a mechanism said.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "audit/run_value.h"

namespace dither::python {

// A number, a word (text, true, false, None), or a tuple or list of these, in at most a microsecond; all else is turned
// into a list of them by `cells`, a function of the package, which raises what it cannot read.
audit::RunValue run_value(nanobind::handle said, const nanobind::object& cells);

// One for each run: the rows of a matrix of doubles, or the items of a list.
std::vector<audit::RunValue> run_values(nanobind::handle said, const nanobind::object& cells);

// The run that raised the exception Python holds now, which is let go of: the name of its type is how it ended, also that
// of SystemExit, since a function that calls exit() has failed. What else is no Exception, such as KeyboardInterrupt, is
// thrown on.
audit::RunValue run_that_raised();

}  // namespace dither::python
