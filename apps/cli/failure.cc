#include "cli/failure.h"

#include <cstdio>

namespace dither::cli {

// Without a hint there is nothing to do about it (a reader that closed its pipe): one line is enough.
void print_error(const Error& error) {
  const std::string text = error.str();
  const std::string shown = error.hint().empty() ? text.substr(0, text.rfind("\nhint:")) : text;
  std::fputs((shown + "\n").c_str(), stderr);  // where it cannot be written there is nobody to tell
}

int exit_code(Code code) {
  switch (code) {
    case Code::answer_lost:
    case Code::budget_differs:
    case Code::expired:
    case Code::frozen:
    case Code::ledger_behind:
    case Code::ledger_frozen:
    case Code::missing_purpose:
    case Code::not_allowed:
    case Code::over_budget:
    case Code::review_overdue:
    case Code::revoked:
      return 3;
    case Code::cancelled:
    case Code::cannot_write:
    case Code::ledger_busy:
    case Code::ledger_damaged:
    case Code::no_engine:
    case Code::run_failed:
      return 4;
    default:
      return 2;
  }
}

}  // namespace dither::cli
