#include "base/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <new>

#include "base/error.h"

namespace dither {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

int digit(char c) {
  const std::size_t at = kDigits.find(c);
  if (at == std::string_view::npos) {
    throw Error{Code::bad_syntax, "a hash or key is not written in hexadecimal digits",
                "give it as it was printed: digits and the letters a to f"};
  }
  return static_cast<int>(at);
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string bytes_from_hex(std::string_view text) {
  if (text.size() % 2 != 0) {
    throw Error{Code::bad_syntax, "a hash or key has an odd number of digits", "give all of its digits"};
  }
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(16 * digit(text[i]) + digit(text[i + 1]));
  }
  return bytes;
}

std::string Digest::hex() const { return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); }

Digest Digest::from_hex(std::string_view text) {
  Digest digest;
  if (text.size() != 2 * digest.bytes.size()) {
    throw Error{Code::bad_syntax, "a hash has 64 hexadecimal digits, but this one has another length",
                "give all of its digits"};
  }
  const std::string bytes = bytes_from_hex(text);
  std::copy(bytes.begin(), bytes.end(), digest.bytes.begin());
  return digest;
}

Digest sha256(std::string_view bytes) {
  Digest digest;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.bytes.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();  // nothing else can fail here
  }
  return digest;
}

}  // namespace dither
