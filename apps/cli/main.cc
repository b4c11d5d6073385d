// The command `dither`.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/stop.h"
#include "cli/verbs.h"

namespace {

// 3: refused by policy or budget. 4: failed on the way out, or a ledger that cannot be used as it is. Everything else
// is a mistake in the request.
int exit_code(dither::Code code) {
  using dither::Code;
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
    case Code::cannot_write:
    case Code::ledger_busy:
    case Code::ledger_damaged:
      return 4;
    default:
      return 2;
  }
}

// Without a hint there is nothing to do about it (a reader that closed its pipe): one line is enough.
void print(const dither::Error& error) {
  const std::string text = error.str();
  fmt::print(stderr, "{}\n", error.hint().empty() ? text.substr(0, text.rfind("\nhint:")) : text);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, with its own message
  try {
    dither::cli::run({argv + 1, argv + argc});
  } catch (const dither::Error& error) {
    print(error);
    return exit_code(error.code());
  } catch (const dither::cli::FoundSomething&) {
    return 1;
  } catch (const dither::Cancelled&) {
    dither::cli::die_of_signal();
  } catch (const std::bad_alloc&) {
    std::fputs("error: internal: out of memory\n", stderr);
    return 4;
  } catch (const std::exception& error) {  // a mistake of ours
    fmt::print(stderr, "error: internal: {}\n", dither::printable(error.what()));
    return 4;
  }
  return 0;
}
