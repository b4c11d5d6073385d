#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sql/detail/place.h"

namespace dither::sql {

std::string Text::place(std::size_t offset) const {
  std::string_view before = typed_.substr(0, std::min(offset, typed_.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  if (lines > 0) before.remove_prefix(before.rfind('\n') + 1);
  std::size_t column = 1;
  for (; !before.empty(); before.remove_prefix(first_character(before).bytes)) ++column;
  return fmt::format("{}:{}", lines + 1, column);
}

void Text::refuse(Code code, std::size_t offset, const std::string& message, std::string hint) const {
  throw PlacedError{code, fmt::format("{}: {}", place(offset), message), std::move(hint)};
}

std::string quoted(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain) && (name[0] < '0' || name[0] > '9')) {
    return echo(name);
  }
  std::string result = "\"";
  for (const char c : echo(name)) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

}  // namespace dither::sql
