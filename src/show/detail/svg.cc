#include "show/detail/svg.h"

#include <fmt/format.h>

#include "base/text.h"

namespace dither::show::detail {

std::string escaped(std::string_view text) {
  std::string result;
  const std::string safe = printable(text);
  for (std::string_view rest = safe; !rest.empty(); rest.remove_prefix(first_character(rest).bytes)) {
    const Character c = first_character(rest);
    if (c.code == '&')
      result += "&amp;";
    else if (c.code == '<')
      result += "&lt;";
    else if (c.code == '>')
      result += "&gt;";
    else if (c.code == '"')
      result += "&quot;";
    else if (c.code == 0xFFFE || c.code == 0xFFFF)
      result += "\uFFFD";
    else
      result += rest.substr(0, c.bytes);
  }
  return result;
}

std::string px(double value) { return fmt::format("{:.2f}", value == 0 ? 0.0 : value); }

}  // namespace dither::show::detail
