// Public keys in recipes.
#pragma once

#include <string>
#include <vector>

namespace dither::mechanisms::detail {

// Canonical bytes as hexadecimal digits, since recipes hold UTF-8 alone, and back; bad-syntax for anything else.
std::vector<std::string> spelled(const std::vector<std::string>& keys);
std::vector<std::string> keys_from(const std::vector<std::string>& spellings);

}  // namespace dither::mechanisms::detail
