// Characters of text, and text as a terminal shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dither {

struct Character {
  char32_t code;      // U+FFFD where the text is not UTF-8
  std::size_t bytes;  // how many it takes; 1 where the text is not UTF-8
  bool valid;
};

// The first character of a non-empty text. Overlong forms, surrogates and what lies beyond Unicode are not UTF-8.
Character first_character(std::string_view text);

// The text made safe to print: control characters (also those of U+0080 to U+009F, and line and direction marks that
// could rearrange a terminal's line) become \xNN or \uNNNN, bytes that are not UTF-8 become U+FFFD. A key or a label
// can then neither move the cursor nor colour the screen.
std::string printable(std::string_view text);

// What was typed, fit for a message: printable, and long text cut at 60 bytes.
std::string echo(std::string_view typed);

// How many columns printable UTF-8 takes: one a character, none for combining marks, two for the wide East Asian blocks
// and emoji. Exact for ASCII and Latin, Greek, Cyrillic; a good guess elsewhere.
std::size_t display_width(std::string_view text);

}  // namespace dither
