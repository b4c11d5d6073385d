#include "calculus/detail/depth.h"

#include <algorithm>
#include <cstddef>

namespace dither::calculus::detail {

int depth_of_json(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;  // whatever is escaped ends no string
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      deepest = std::max(deepest, depth);
    }
  }
  return deepest;
}

}  // namespace dither::calculus::detail
