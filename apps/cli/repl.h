// Asking one statement after the other.
#pragma once

#include "cli/arguments.h"

namespace dither::cli {

// Reads statements, each ended by a semicolon, and commands, which begin with a backslash, from the keyboard or from a
// pipe, until \q or the end. Mistakes and refusals are shown and do not end it.
// Throws     FoundSomething at the end of a pipe of which something failed.
void repl(const Given& given);

}  // namespace dither::cli
