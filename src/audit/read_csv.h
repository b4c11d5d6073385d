// Cells of a CSV text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dither::audit {

// Calls row(cells) for every line; an empty one has one empty cell. Cells with commas between, "quoted" where they hold a comma, a quote
// (twice) or a line's end; lines end with \n or \r\n; a byte order mark is left out. `name` is for messages.
//
// Refuses    a quote that is not closed, text after a closing quote, NUL and bytes that are not UTF-8 (bad-syntax), with
//            the line.
void read_csv(std::string_view text, const std::string& name,
              const std::function<void(std::vector<std::string>&& cells)>& row);

}  // namespace dither::audit
