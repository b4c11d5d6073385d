#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace dither::testing {
namespace {

// This program again with one test and this environment, started as a background job is: SIGINT is ignored.
struct Ended {
  int status;
  std::string text;
};
Ended run_again(const std::string& filter, const std::string& environment) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = environment + " '" + program + "' --gtest_filter=" + filter;
  FILE* const pipe = popen(("trap '' INT; GTEST_OUTPUT= " + command + " 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
  return {WEXITSTATUS(pclose(pipe)), text};
}

TEST(Watchdog, EndsAProgramThatHangsAndNamesTheTest) {
  if (std::getenv("DITHER_HANGS_HERE") != nullptr) {
    for (;;) pause();
  }
  const Ended ended = run_again("Watchdog.Ends*", "DITHER_HANGS_HERE=1 DITHER_TEST_SECONDS=1");
  EXPECT_EQ(ended.status, 124);
  EXPECT_NE(ended.text.find("stopped after 1 s in Watchdog.EndsAProgramThatHangsAndNamesTheTest\n"), std::string::npos)
      << ended.text;
}

// Tests send it to programs that they start, which would ignore it too.
TEST(Watchdog, InterruptsComeInBackgroundJobsToo) {
  if (std::getenv("DITHER_INTERRUPTED_HERE") != nullptr) {
    struct sigaction now {};
    ASSERT_EQ(sigaction(SIGINT, nullptr, &now), 0);
    ASSERT_EQ(now.sa_handler, SIG_DFL);
    return;
  }
  const Ended ended = run_again("Watchdog.Interrupts*", "DITHER_INTERRUPTED_HERE=1");
  EXPECT_EQ(ended.status, 0) << ended.text;
}

}  // namespace
}  // namespace dither::testing
