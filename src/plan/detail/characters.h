// Characters of UTF-8 text; a byte that is not UTF-8 counts as one.
#pragma once

#include <string_view>

#include "base/text.h"

namespace dither::plan::detail {

inline std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes);
  return count;
}

// Bytes of the first so many characters.
inline std::size_t bytes_of(std::string_view text, std::size_t characters) {
  const std::size_t all = text.size();
  for (; characters > 0 && !text.empty(); --characters) text.remove_prefix(first_character(text).bytes);
  return all - text.size();
}

}  // namespace dither::plan::detail
