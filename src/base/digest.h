// SHA-256, and bytes as hexadecimal digits.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace dither {

// 32 bytes that stand for a text. Written as 64 hexadecimal digits, in lower case.
struct Digest {
  std::array<std::uint8_t, 32> bytes{};

  std::string hex() const;
  // The reverse; bad-syntax for other text.
  static Digest from_hex(std::string_view text);
  auto operator<=>(const Digest&) const = default;
};

Digest sha256(std::string_view bytes);

// Any bytes in hexadecimal digits, and back; bad-syntax for an odd number of digits or for other characters.
std::string to_hex(std::string_view bytes);
std::string bytes_from_hex(std::string_view text);

}  // namespace dither
