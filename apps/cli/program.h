// The command from its words to its exit status.
#pragma once

#include "cli/verbs.h"

namespace dither::cli {

// Runs `dither WORDS...` and returns its exit status; what went wrong has been printed. For a process that does nothing
// else: signals are handled as the command wants them, and one that stops the work ends the process.
int run_program(const Words& words);

}  // namespace dither::cli
