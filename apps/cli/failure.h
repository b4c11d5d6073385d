// How mistakes and failures reach people and shells.
#pragma once

#include "base/error.h"

namespace dither::cli {

// The error on standard error, with its hint where there is one.
void print_error(const Error& error);

// 3: refused by policy or budget. 4: failed on the way, or a ledger or library that cannot be used as it is. 2:
// everything else, a mistake in the request.
int exit_code(Code code);

}  // namespace dither::cli
