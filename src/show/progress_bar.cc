#include "show/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace dither::show {

namespace {

constexpr std::chrono::seconds kPatience{2};
constexpr std::string_view kErase = "\r\x1b[K";
constexpr std::size_t kMaxBar = 30;

double seconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) * 1e-9; }

// 950, 1.2k, 35M: at most four characters.
std::string short_number(double value) {
  constexpr std::array<const char*, 7> suffixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t i = 0;
  for (; value >= 999.5 && i + 1 < suffixes.size(); ++i) value /= 1000;
  return i > 0 && value < 9.95 ? fmt::format("{:.1f}{}", value, suffixes[i])
                               : fmt::format("{:.0f}{}", value, suffixes[i]);
}

std::string short_time(double left) {
  left = std::ceil(left);
  if (left < 100) return fmt::format("{:.0f} s", left);
  if (left < 6000) return fmt::format("{:.0f} min", std::ceil(left / 60));
  if (left < 360'000) return fmt::format("{:.0f} h", std::ceil(left / 3600));
  return "days";
}

std::string bar(double share, std::size_t length, bool colour) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(length));
  const std::string full(filled, '#');
  const std::string rest(length - filled, '.');
  return colour ? "[\x1b[32m" + full + "\x1b[0m" + rest + "]" : "[" + full + rest + "]";
}

// The words after the bar.
std::string figures(const ProgressReport& report) {
  const double time = std::max(seconds(report.elapsed), 1e-3);
  const double rate = static_cast<double>(report.done) / time;
  const std::string speed = short_number(rate) + "/s";
  if (report.total == 0) return fmt::format("{}  {}", short_number(static_cast<double>(report.done)), speed);
  const auto percent = static_cast<int>(100.0 * static_cast<double>(report.done) / static_cast<double>(report.total));
  const double left = static_cast<double>(report.total - report.done) / rate;
  return fmt::format("{:3d}%  {}  ETA {}", percent, speed, report.done == 0 ? "?" : short_time(left));
}

}  // namespace

Terminal terminal_from(bool is_terminal, bool for_program, const char* term, const char* no_color, std::size_t width) {
  const std::string_view kind = term == nullptr ? "" : term;
  const bool draws = is_terminal && !for_program && !kind.empty() && kind != "dumb";
  const bool plain = no_color != nullptr && *no_color != '\0';
  return {draws, draws && !plain, width == 0 ? 80 : width};
}

Terminal terminal_of_stderr(bool for_program) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  return terminal_from(isatty(STDERR_FILENO) == 1, for_program, std::getenv("TERM"), std::getenv("NO_COLOR"),
                       known ? size.ws_col : 0);
}

std::string progress_line(const std::string& label, const ProgressReport& report, const Terminal& terminal) {
  const std::string words = figures(report);
  const std::string name = printable(label);
  const std::size_t room = terminal.width - 1;  // the last column stays free, or some terminals break the line
  if (words.size() > room) return "";
  std::size_t used = words.size();
  std::string line = words;
  const std::size_t name_width = display_width(name) + 2;
  const bool named = used + name_width <= room;
  if (named) used += name_width;
  if (report.total > 0 && used + 10 <= room) {
    const double share = static_cast<double>(report.done) / static_cast<double>(report.total);
    line = bar(share, std::min(kMaxBar, room - used - 4), terminal.colour) + "  " + line;
  }
  return named ? name + "  " + line : line;
}

ProgressBar::ProgressBar(std::string label, Terminal terminal, std::FILE* out)
    : label_(std::move(label)), terminal_(terminal), out_(out) {}

ProgressBar::~ProgressBar() { erase(); }

void ProgressBar::show(const ProgressReport& report) {
  if (!terminal_.draws) return;
  if (report.total > 0 && report.done >= report.total) return erase();
  if (report.elapsed < kPatience) return;
  const std::string text = std::string(kErase) + progress_line(label_, report, terminal_);
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
  drawn_ = true;
}

void ProgressBar::erase() {
  if (!drawn_) return;
  std::fwrite(kErase.data(), 1, kErase.size(), out_);
  std::fflush(out_);
  drawn_ = false;
}

}  // namespace dither::show
