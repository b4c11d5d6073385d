// Text as a terminal shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dither::show {

// The text made safe to print: control characters (also those of U+0080 to U+009F, and line and direction marks that
// could rearrange a terminal's line) become \xNN or \uNNNN, bytes that are not UTF-8 become U+FFFD. A key or a label
// can then neither move the cursor nor colour the screen.
std::string printable(std::string_view text);

// How many columns printable UTF-8 takes: one a character, none for combining marks, two for the wide East Asian blocks
// and emoji. Exact for ASCII and Latin, Greek, Cyrillic; a good guess elsewhere.
std::size_t display_width(std::string_view text);

}  // namespace dither::show
