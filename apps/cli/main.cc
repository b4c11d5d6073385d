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

// What failed on the way out is a 4; everything else is a mistake in the request.
int exit_code(dither::Code code) { return code == dither::Code::cannot_write ? 4 : 2; }

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
