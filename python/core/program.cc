// The command `dither`, as the wheel installs it.
#include "cli/program.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <csignal>

#include "parts.h"

namespace dither::python {

namespace nb = nanobind;

void add_program(nb::module_& core) {
  core.def(
      "main",
      [](const cli::Words& words) {
        const nb::gil_scoped_release unlocked;
        std::signal(SIGINT, SIG_DFL);  // Python's handler waits for an interpreter that is busy here
        return cli::run_program(words);
      },
      nb::arg("words"), "Runs `dither WORDS...` in this process, for nothing else after it; returns the exit status.");
}

}  // namespace dither::python
