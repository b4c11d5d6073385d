// The line that shows how far long work is.
#pragma once

#include <cstdio>
#include <string>

#include "base/progress.h"

namespace dither::show {

// What may be drawn where a person might look.
struct Terminal {
  bool draws = false;  // a bar may be drawn and erased
  bool colour = false;
  std::size_t width = 80;
};

// What standard error allows. Nothing is drawn unless it is a terminal that can erase a line (TERM set and not "dumb"),
// nor when the answer is meant for a program (`for_program`, as with --json). Colour also needs NO_COLOR unset or
// empty.
Terminal terminal_of_stderr(bool for_program);

// The rule behind it, from the facts; `width` is 0 when unknown.
Terminal terminal_from(bool is_terminal, bool for_program, const char* term, const char* no_color, std::size_t width);

// The text of the bar, at most width - 1 columns: label, bar, percent, rate, time left. With an unknown total: label,
// number done, rate.
std::string progress_line(const std::string& label, const ProgressReport& report, const Terminal& terminal);

// Draws the line over itself at each report, from two seconds on, and erases it at the end of the work and when it is
// destroyed; short work shows nothing at all. Draws nothing where the terminal does not allow it. Failing writes are
// ignored: a bar is no reason to stop work. It must outlive the Progress whose callback it is:
//
//   show::ProgressBar bar("drawing", show::terminal_of_stderr(json), stderr);
//   Progress progress([&](const ProgressReport& report) { bar.show(report); }, token);
class ProgressBar {
 public:
  ProgressBar(std::string label, Terminal terminal, std::FILE* out);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const ProgressReport& report);
  void erase();  // before anything else is written

 private:
  std::string label_;
  Terminal terminal_;
  std::FILE* out_;
  bool drawn_ = false;
};

}  // namespace dither::show
