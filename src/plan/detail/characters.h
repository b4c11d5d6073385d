// Characters of UTF-8 text; a byte that is not UTF-8 counts as one.
#pragma once

#include <cstring>
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

// Where `part` begins in the text from `from` on, npos if nowhere. In time linear in both, whatever they hold: std::string_view::find
// compares again at every place, and a text of one letter makes that the product of both lengths.
inline std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0) {
  if (from > text.size()) return std::string_view::npos;
  const void* at = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return at == nullptr ? std::string_view::npos : static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
}

}  // namespace dither::plan::detail
