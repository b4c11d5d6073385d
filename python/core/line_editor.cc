// Lines typed into `dither query` of the wheel, which carries no library for editing them: plain ones, no history.
#include "cli/line_editor.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace dither::cli {

struct LineEditor::Terminal {};

// NOLINTNEXTLINE(performance-unnecessary-value-param): the editor that the command has keeps them
LineEditor::LineEditor(std::string /*history_file*/, std::function<Completions(const std::string&)> /*complete*/) {}

LineEditor::~LineEditor() = default;

LineEditor::Read LineEditor::read(const std::string& prompt, std::string& line) {
  if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) {
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
  }
  return std::getline(std::cin, line) ? Read::line : Read::end;
}

std::string history_file() { return ""; }

}  // namespace dither::cli
