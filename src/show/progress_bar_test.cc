#include "show/progress_bar.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"

namespace dither::show {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Terminal kPlain{true, false, 80};

// A file in memory and what was written to it.
class Page {
 public:
  Page() : file_(open_memstream(&text_, &size_)) {}
  ~Page() {
    std::fclose(file_);
    std::free(text_);
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

TEST(ProgressLine, ShowsPercentRateAndTimeLeft) {
  EXPECT_EQ(progress_line("drawing", {2'500'000, 10'000'000, seconds(5)}, kPlain),
            "drawing  [#######.......................]   25%  500k/s  ETA 15 s");
  EXPECT_EQ(progress_line("drawing", {0, 10, seconds(3)}, kPlain),
            "drawing  [..............................]    0%  0/s  ETA ?");
  EXPECT_EQ(progress_line("reading", {1'234'567, 0, seconds(2)}, kPlain), "reading  1.2M  617k/s");
}

TEST(ProgressLine, TimeLeftInReadableUnits) {
  const auto line = [](std::uint64_t done, std::uint64_t total) {
    const std::string text = progress_line("x", {done, total, seconds(10)}, kPlain);
    return text.substr(text.find("ETA"));
  };
  EXPECT_EQ(line(50, 100), "ETA 10 s");
  EXPECT_EQ(line(1, 31), "ETA 5 min");
  EXPECT_EQ(line(1, 1001), "ETA 3 h");
  EXPECT_EQ(line(1, 1'000'001), "ETA days");
}

TEST(ProgressLine, ColourOnlyWhereAllowed) {
  const Terminal coloured{true, true, 80};
  EXPECT_NE(progress_line("x", {1, 2, seconds(3)}, coloured).find("\x1b[32m"), std::string::npos);
  EXPECT_EQ(progress_line("x", {1, 2, seconds(3)}, kPlain).find('\x1b'), std::string::npos);
}

RC_GTEST_PROP(ProgressLine, FitsEveryTerminal, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 120);
  const auto total = *rc::gen::arbitrary<std::uint64_t>();
  const auto done = total == 0 ? *rc::gen::arbitrary<std::uint64_t>() : *rc::gen::arbitrary<std::uint64_t>() % total;
  const auto time = seconds(*rc::gen::inRange(0, 1'000'000));
  const std::string line = progress_line("M\u00fcnchen", {done, total, time}, {true, false, width});
  RC_ASSERT(display_width(line) <= width - 1);
}

TEST(ProgressBar, ShortWorkShowsNothing) {
  Page page;
  {
    ProgressBar bar("x", kPlain, page.file());
    bar.show({1, 10, milliseconds(1999)});
    bar.show({10, 10, milliseconds(2500)});
  }
  EXPECT_EQ(page.text(), "");
}

TEST(ProgressBar, LongWorkDrawsAndErases) {
  Page page;
  ProgressBar bar("x", kPlain, page.file());
  bar.show({5, 10, seconds(2)});
  EXPECT_EQ(page.text(), "\r\x1b[Kx  [###############...............]   50%  2/s  ETA 2 s");
  bar.show({10, 10, seconds(4)});
  EXPECT_TRUE(page.text().ends_with("ETA 2 s\r\x1b[K"));
}

TEST(ProgressBar, IsErasedWhenWorkStopsEarly) {
  Page page;
  {
    ProgressBar bar("x", kPlain, page.file());
    bar.show({5, 10, seconds(2)});
  }
  EXPECT_TRUE(page.text().ends_with("\r\x1b[K"));
}

TEST(ProgressBar, NothingWhereNothingMayBeDrawn) {
  Page page;
  {
    ProgressBar bar("x", Terminal{}, page.file());
    bar.show({5, 10, seconds(20)});
  }
  EXPECT_EQ(page.text(), "");
}

TEST(ProgressBar, FollowsAProgress) {
  Page page;
  std::int64_t now = 0;
  ProgressBar bar("x", kPlain, page.file());
  Progress progress([&](const ProgressReport& report) { bar.show(report); }, CancelToken{}, milliseconds(100),
                    [&] { return Progress::Clock::time_point(seconds(now)); });
  for (now = 1; now <= 4; ++now) progress.update(static_cast<std::uint64_t>(now), 4);
  EXPECT_TRUE(page.text().starts_with("\r\x1b[Kx  [")) << page.text();
  EXPECT_TRUE(page.text().ends_with("\r\x1b[K"));
}

TEST(Terminal, Rules) {
  EXPECT_TRUE(terminal_from(true, false, "xterm", nullptr, 100).draws);
  EXPECT_TRUE(terminal_from(true, false, "xterm", nullptr, 100).colour);
  EXPECT_EQ(terminal_from(true, false, "xterm", nullptr, 100).width, 100u);
  EXPECT_EQ(terminal_from(true, false, "xterm", nullptr, 0).width, 80u);
  EXPECT_FALSE(terminal_from(true, false, "xterm", "1", 100).colour);
  EXPECT_TRUE(terminal_from(true, false, "xterm", "1", 100).draws);
  EXPECT_TRUE(terminal_from(true, false, "xterm", "", 100).colour);  // set but empty does not count (no-color.org)
  EXPECT_FALSE(terminal_from(false, false, "xterm", nullptr, 100).draws);
  EXPECT_FALSE(terminal_from(true, true, "xterm", nullptr, 100).draws);
  EXPECT_FALSE(terminal_from(true, false, "dumb", nullptr, 100).draws);
  EXPECT_FALSE(terminal_from(true, false, nullptr, nullptr, 100).draws);
}

// Standard error on a terminal of 66 columns for as long as this lives.
class PretendTerminal {
 public:
  PretendTerminal() : saved_(dup(STDERR_FILENO)) {
    winsize size{};
    size.ws_col = 66;
    opened_ = openpty(&master_, &slave_, nullptr, nullptr, &size) == 0;
    dup2(slave_, STDERR_FILENO);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
  }
  ~PretendTerminal() {
    dup2(saved_, STDERR_FILENO);
    for (const int file : {saved_, master_, slave_}) close(file);
  }
  PretendTerminal(const PretendTerminal&) = delete;
  PretendTerminal& operator=(const PretendTerminal&) = delete;

  bool opened() const { return opened_; }

 private:
  int saved_;
  int master_ = -1;
  int slave_ = -1;
  bool opened_ = false;
};

TEST(Terminal, OfStandardErrorIsFoundOut) {
  const PretendTerminal pretend;
  ASSERT_TRUE(pretend.opened());
  const Terminal terminal = terminal_of_stderr(false);
  EXPECT_TRUE(terminal.draws);
  EXPECT_TRUE(terminal.colour);
  EXPECT_EQ(terminal.width, 66u);
  EXPECT_FALSE(terminal_of_stderr(true).draws);
}

TEST(Terminal, AFileIsNone) {
  const int saved = dup(STDERR_FILENO);
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  dup2(fileno(file), STDERR_FILENO);
  const Terminal terminal = terminal_of_stderr(false);
  dup2(saved, STDERR_FILENO);
  close(saved);
  std::fclose(file);
  EXPECT_FALSE(terminal.draws);
}

}  // namespace
}  // namespace dither::show
