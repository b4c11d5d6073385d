#include "mechanisms/detail/key_names.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace dither::mechanisms::detail {

namespace {

std::string spelled(const std::string& key) {
  std::string digits;
  for (const char byte : key) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::string key_from(const std::string& digits) {
  std::string key;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    key += static_cast<char>(byte);
  }
  if (spelled(key) == digits) return key;
  throw Error{Code::bad_syntax, "a key in the recipe is not written in hexadecimal", "write two digits for each byte"};
}

}  // namespace

std::vector<std::string> spelled(const std::vector<std::string>& keys) {
  std::vector<std::string> spellings;
  for (const std::string& key : keys) spellings.push_back(spelled(key));
  return spellings;
}

std::vector<std::string> keys_from(const std::vector<std::string>& spellings) {
  std::vector<std::string> keys;
  for (const std::string& digits : spellings) keys.push_back(key_from(digits));
  return keys;
}

}  // namespace dither::mechanisms::detail
