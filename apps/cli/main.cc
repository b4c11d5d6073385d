// The command `dither`.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/failure.h"
#include "cli/stop.h"
#include "cli/verbs.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, with its own message
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow any further
  try {
    dither::cli::run({argv + 1, argv + argc});
  } catch (const dither::Error& error) {
    dither::cli::print_error(error);
    return dither::cli::exit_code(error.code());
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
