#include "show/table.h"

#include <algorithm>
#include <cassert>

#include "base/text.h"

namespace dither::show {

namespace {

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string spaces(width - display_width(cell), ' ');
  return align == Align::left ? cell + spaces : spaces + cell;
}

void append_line(std::string& text, const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                 const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line += "  ";
    line += padded(cells[i], widths[i], columns[i].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

}  // namespace

std::string text_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns) lines[0].push_back(printable(column.title));
  for (const auto& row : rows) {
    assert(row.size() == columns.size());
    lines.emplace_back();
    for (const std::string& cell : row) lines.back().push_back(printable(cell));
  }
  std::vector<std::size_t> widths(columns.size(), 1);
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const auto& line : lines) widths[i] = std::max(widths[i], display_width(line[i]));
    rule.emplace_back(widths[i], '-');
  }
  lines.insert(lines.begin() + 1, rule);
  std::string text;
  for (const auto& line : lines) append_line(text, columns, widths, line);
  return text;
}

}  // namespace dither::show
