// How Ctrl-C and kill end the work tidily.
#pragma once

#include "base/progress.h"

namespace dither::cli {

// A token that SIGINT, SIGTERM and SIGHUP cancel from now on, once; a second signal ends the process at once. Work then
// throws Cancelled, so that unfinished files are removed on the way out.
CancelToken cancel_on_signals();

// Ends the process as the signal that arrived would have, so that shells see it.
[[noreturn]] void die_of_signal();

}  // namespace dither::cli
