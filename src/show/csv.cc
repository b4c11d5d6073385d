#include "show/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace dither::show {

namespace {

bool needs_quotes(std::string_view cell) {
  return cell.find_first_of(",\"\r\n") != std::string_view::npos || cell.starts_with(' ') || cell.ends_with(' ');
}

std::string quoted(std::string_view cell) {
  std::string result = "\"";
  for (const char c : cell) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
  if (cells.size() == 1 && cells[0].empty()) return "\"\"\r\n";  // an empty line would be no row
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != cells.data()) line += ',';
    line += needs_quotes(cell) ? quoted(cell) : cell;
  }
  return line + "\r\n";
}

}  // namespace

std::string csv_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  std::string text = csv_line(titles);
  for (const auto& row : rows) text += csv_line(row);
  return text;
}

std::string csv_real(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value + 0.0); }

}  // namespace dither::show
