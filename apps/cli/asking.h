// Asking with a person at the keyboard: a bar while it runs, Ctrl-C, and no private numbers in core files.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "session/answer.h"
#include "sql/query.h"

namespace dither::cli {

struct Asking {
  sql::Wanted wanted;
  session::Ask ask;
  engine::Limits limits;
  bool for_program = false;  // nothing is drawn
};

// --again, --as, --hardened, --memory, --threads.
std::span<const Option> asking_options();

// Those, and the price. Refuses    bad-number, bad-count, bad-argument.
Asking read_asking(const Given& given);

// The answers of one statement, or of a script. The token of `asking` cancels: what was opened by then stays charged,
// and the error says so. The process leaves no core file from here on.
// Refuses    what sql::query and sql::script refuse; cancelled.
std::vector<session::Answer> answered(session::Session& session, const std::string& text, bool script, Asking asking);

}  // namespace dither::cli
