// The entry of every test program: GoogleTest, one line on each failed test that repeats the failure, and a time limit
// that names the test which hangs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "testing/seed.h"

namespace {

// Test programs lie in tests/<room>/, so the folder names the room.
std::string room_of(const char* program) {
  return std::filesystem::absolute(program).lexically_normal().parent_path().filename().string();
}

class Reproducer : public testing::EmptyTestEventListener {
 public:
  explicit Reproducer(std::string room) : room_(std::move(room)) {}

  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Failed()) return;
    fmt::print("reproduce: ./dev test {} --filter {}.{} --seed {}\n", room_, test.test_suite_name(), test.name(),
               dither::testing::run_seed());
    std::fflush(stdout);
  }

 private:
  std::string room_;
};

// What the handler of the alarm says: it may do nothing but write and leave.
std::array<char, 1024> last_words{};
std::size_t last_words_length = 0;

extern "C" void end_by_name(int) {
  const ssize_t written = write(STDERR_FILENO, last_words.data(), last_words_length);
  _exit(written < 0 ? 125 : 124);
}

// Ends the program after its time, with the name of the test that runs then.
class Watchdog : public testing::EmptyTestEventListener {
 public:
  Watchdog() : seconds_(limit()) {
    note("before its first test");
    std::signal(SIGALRM, end_by_name);
    alarm(seconds_);
  }

  void OnTestStart(const testing::TestInfo& test) override {
    note(fmt::format("in {}.{}", test.test_suite_name(), test.name()));
  }

 private:
  // As tools/watchdog.py has it.
  static unsigned limit() {
    const char* const given = std::getenv("DITHER_TEST_SECONDS");
    const double seconds = given != nullptr ? std::atof(given) : std::getenv("DITHER_NIGHTLY") != nullptr ? 10800 : 600;
    return std::max(1U, static_cast<unsigned>(seconds));
  }

  void note(const std::string& where) const {
    const std::string text = fmt::format("\nstopped after {} s {}\n", seconds_, where);
    last_words_length = 0;  // should the time be over just now
    last_words_length = text.copy(last_words.data(), last_words.size());
  }

  unsigned seconds_;
};

// Every draw of the run, RapidCheck's and those of child processes too, comes from one seed.
void share_seed() {
  const std::uint64_t seed = dither::testing::run_seed();
  const char* params = std::getenv("RC_PARAMS");
  setenv("DITHER_SEED", std::to_string(seed).c_str(), 1);
  setenv("RC_PARAMS", dither::testing::rapidcheck_params_with_seed(params == nullptr ? "" : params, seed).c_str(), 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string room = room_of(argv[0]);
  std::signal(SIGINT, SIG_DFL);  // ignored in background jobs, and tests send it
  testing::InitGoogleTest(&argc, argv);
  try {
    share_seed();
  } catch (const dither::Error& error) {
    fmt::print(stderr, "{}\n", error.str());
    return 2;
  }
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();  // own what is appended
  listeners.Append(new Reproducer(room));
  listeners.Append(new Watchdog);
  return RUN_ALL_TESTS();
}
