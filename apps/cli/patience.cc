#include "cli/patience.h"

#include <chrono>
#include <cstdio>
#include <future>

#include "base/progress.h"
#include "show/progress_bar.h"

namespace dither::cli {

void with_patience(const std::string& label, bool for_program, const std::function<void()>& work) {
  show::ProgressBar bar(label + ", seconds", show::terminal_of_stderr(for_program), stderr);
  const auto start = Progress::Clock::now();
  std::future<void> done = std::async(std::launch::async, work);
  while (done.wait_for(std::chrono::milliseconds(200)) != std::future_status::ready) {
    const auto elapsed = Progress::Clock::now() - start;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    bar.show({static_cast<std::uint64_t>(seconds), 0, elapsed});
  }
  bar.erase();
  done.get();
}

}  // namespace dither::cli
