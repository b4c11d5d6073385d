#include "cli/asking.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>

#include "base/error.h"
#include "base/text.h"
#include "cli/ledger_options.h"
#include "cli/numbers.h"
#include "cli/wanted.h"
#include "session/no_dumps.h"
#include "show/progress_bar.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"again", "", "a fresh draw, paid for, also where the answer is stored or was lost"},
    Option{"as", "ANALYST", "whose budget pays, by name or by path (the data set's own)"},
    Option{"hardened", "", "as a server does it: no progress, and nothing leaves before `deadline:`"},
    Option{"memory", "SIZE", "most memory for the run, such as 512M; the rest goes to temporary files (2G)"},
    Option{"threads", "N", "most threads for the run (as many as there are cores)"},
};

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

[[noreturn]] void refuse_memory(const std::string& text) {
  throw Error{Code::bad_argument, fmt::format("--memory is \"{}\", which is no size", echo(text)),
              "write a whole number with K, M, G or T behind it, such as 512M"};
}

std::uint64_t read_memory(const std::string& text) {
  static const std::string kLetters = "KMGT";
  const std::size_t letter = text.empty() ? std::string::npos : kLetters.find(text.back());
  const std::string digits = letter == std::string::npos ? text : text.substr(0, text.size() - 1);
  if (digits.empty() || digits.size() > 12 || digits.find_first_not_of("0123456789") != std::string::npos) {
    refuse_memory(text);
  }
  const int doublings = letter == std::string::npos ? 0 : 10 * (static_cast<int>(letter) + 1);
  const auto bytes = static_cast<UInt128>(std::stoull(digits)) << doublings;
  if (bytes < kMiB || bytes > (UInt128{1} << 60)) refuse_memory(text);
  return static_cast<std::uint64_t>(bytes);
}

// The bar on a terminal: how far the work is, or how long it has taken where nobody knows.
class Bar {
 public:
  explicit Bar(bool hidden)
      : share_("reading", show::terminal_of_stderr(hidden), stderr),
        seconds_("reading, seconds", show::terminal_of_stderr(hidden), stderr) {}

  // Called by the work, from any thread.
  void note(const ProgressReport& report) {
    const std::lock_guard lock(mutex_);
    last_ = report;
  }

  // Does the work on a second thread, and draws on this one.
  std::vector<session::Answer> while_running(const std::function<std::vector<session::Answer>()>& work) {
    const auto start = Progress::Clock::now();
    std::future<std::vector<session::Answer>> done = std::async(std::launch::async, work);
    while (done.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
      draw(Progress::Clock::now() - start);
    }
    share_.erase();
    seconds_.erase();
    return done.get();
  }

 private:
  void draw(std::chrono::nanoseconds elapsed) {
    const std::lock_guard lock(mutex_);
    if (last_) return share_.show({last_->done, last_->total, elapsed});
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    seconds_.show({static_cast<std::uint64_t>(seconds), 0, elapsed});
  }

  std::mutex mutex_;
  std::optional<ProgressReport> last_;
  show::ProgressBar share_, seconds_;
};

}  // namespace

std::span<const Option> asking_options() { return kOptions; }

Asking read_asking(const Given& given) {
  Asking asking;
  asking.wanted = read_wanted(given);
  if (given.contains("as")) asking.ask.analyst = given.at("as");
  asking.ask.by = read_by(given);
  asking.ask.again = given.contains("again");
  asking.ask.hardened = given.contains("hardened");
  if (given.contains("memory")) asking.limits.memory = read_memory(given.at("memory"));
  if (given.contains("threads")) {
    asking.limits.threads = static_cast<unsigned>(whole_number("threads", given.at("threads"), 1, 1024));
  }
  return asking;
}

std::vector<session::Answer> answered(session::Session& session, const std::string& text, bool script, Asking asking) {
  session::forbid_dumps();
  Bar bar(asking.for_program || asking.ask.hardened);
  Progress progress([&](const ProgressReport& report) { bar.note(report); }, asking.ask.watch.token);
  if (!asking.ask.hardened) asking.ask.watch.progress = &progress;
  return bar.while_running([&]() -> std::vector<session::Answer> {
    if (script) return sql::script(session, text, asking.wanted, asking.ask);
    return {sql::query(session, text, asking.wanted, asking.ask)};
  });
}

}  // namespace dither::cli
