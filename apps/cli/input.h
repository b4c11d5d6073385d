// Files as bytes.
#pragma once

#include <string>

namespace dither::cli {

// All bytes of a file, or of standard input for "-". cannot-read otherwise, also for folders and devices, which have no
// bytes or no end; `option` is what named it.
std::string read_bytes(const std::string& path, const std::string& option);

// Without the byte order mark that some editors put before UTF-8.
std::string without_mark(std::string text);

}  // namespace dither::cli
