#include "cli/program.h"

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

namespace dither::cli {

int run_program(const Words& words) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, with its own message
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow any further
  try {
    run(words);
  } catch (const Error& error) {
    print_error(error);
    return exit_code(error.code());
  } catch (const FoundSomething&) {
    return 1;
  } catch (const Cancelled&) {
    die_of_signal();
  } catch (const std::bad_alloc&) {
    std::fputs("error: internal: out of memory\n", stderr);
    return 4;
  } catch (const std::exception& error) {  // a mistake of ours
    fmt::print(stderr, "error: internal: {}\n", printable(error.what()));
    return 4;
  }
  return 0;
}

}  // namespace dither::cli
