#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace dither {

namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t n>
bool lies_in(const std::array<Range, n>& ranges, char32_t code) {
  for (const Range& range : ranges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

constexpr std::array<Range, 6> kControls = {Range{0, 0x1F},   {0x7F, 0x9F},     {0x200E, 0x200F},
                                            {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
constexpr std::array<Range, 5> kZeroWidth = {
    Range{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
constexpr std::array<Range, 8> kWide = {Range{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},      {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0x1F300, 0x1FAFF}};
constexpr std::array<Range, 1> kWidePlanes = {Range{0x20000, 0x3FFFD}};

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {0xFFFD, 1, false};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, 1, false};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[length] || surrogate || code > 0x10FFFF) return {0xFFFD, 1, false};
  return {code, length, true};
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.valid)
      result += "\xEF\xBF\xBD";
    else if (!lies_in(kControls, c.code))
      result += text.substr(0, c.bytes);
    else if (c.code < 0x100)
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(c.code));
    else
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::string echo(std::string_view typed) {
  constexpr std::size_t longest = 60;
  return printable(typed.substr(0, longest)) + (typed.size() > longest ? "..." : "");
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (lies_in(kWide, c.code) || lies_in(kWidePlanes, c.code))
      width += 2;
    else if (!lies_in(kZeroWidth, c.code))
      width += 1;
    text.remove_prefix(c.bytes);
  }
  return width;
}

}  // namespace dither
