#include "cli/page.h"

#include <string_view>

#include "base/text.h"
#include "show/table.h"

namespace dither::cli {

namespace {

std::string wrapped(const std::string& text) {
  constexpr std::size_t kColumns = 100;
  std::string lines;
  std::size_t column = 0;
  const std::string safe = printable(text);
  for (std::size_t at = 0; at < safe.size();) {
    const std::size_t end = std::min(safe.find(' ', at), safe.size());
    const std::string word = safe.substr(at, end - at);
    const std::size_t width = display_width(word);
    if (column > 0 && column + 1 + width > kColumns) {
      lines += '\n';
      column = 0;
    }
    if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += width;
    at = end + 1;
  }
  return lines + '\n';
}

// A backslash before whatever has a meaning; < and & as well, since Markdown lets HTML through.
std::string escaped(const std::string& text) {
  constexpr std::string_view kSpecial = "\\`*_{}[]<>()#+!|&~";
  std::string safe;
  for (const char c : printable(text)) {
    if (kSpecial.find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + escaped(cell) + " |";
  return line + "\n";
}

std::string underlined(const std::string& heading, char mark) {
  return heading + "\n" + std::string(display_width(heading), mark) + "\n";
}

}  // namespace

std::string page_text(const Page& page) {
  std::string text = underlined(printable(page.title), '=');
  for (const Section& section : page.sections) {
    text += "\n" + underlined(printable(section.heading), '-');
    for (const std::string& paragraph : section.paragraphs) text += wrapped(paragraph);
    if (section.titles.empty()) continue;
    std::vector<show::Column> columns;
    for (const std::string& title : section.titles) columns.push_back({title, show::Align::left});
    text += (section.paragraphs.empty() ? "" : "\n") + show::text_table(columns, section.rows);
  }
  return text;
}

std::string page_markdown(const Page& page) {
  std::string text = "# " + escaped(page.title) + "\n";
  for (const Section& section : page.sections) {
    text += "\n## " + escaped(section.heading) + "\n";
    for (const std::string& paragraph : section.paragraphs) text += "\n" + escaped(paragraph) + "\n";
    if (section.titles.empty()) continue;
    text += "\n" + markdown_row(section.titles) + "|";
    for (std::size_t i = 0; i < section.titles.size(); ++i) text += "---|";
    text += "\n";
    for (const auto& row : section.rows) text += markdown_row(row);
  }
  return text;
}

}  // namespace dither::cli
