#include "base/digest.h"

#include <gtest/gtest.h>

#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

// The examples of FIPS 180-4.
TEST(Digest, IsSha256) {
  EXPECT_EQ(sha256("").hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')).hex(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, IsReadBackFromItsDigits) {
  const Digest digest = sha256("abc");
  EXPECT_EQ(Digest::from_hex(digest.hex()), digest);
  EXPECT_NE(Digest::from_hex(std::string(64, '0')), digest);
}

TEST(Digest, RefusesOtherText) {
  const std::string digits = sha256("abc").hex();
  for (const std::string& text : {std::string(), digits.substr(1), digits + "0", digits.substr(2) + "0g",
                                  digits.substr(2) + "AB", digits.substr(2) + " 1"}) {
    EXPECT_EQ(refusal([&] { Digest::from_hex(text); }), Code::bad_syntax) << text;
  }
}

TEST(Hex, GoesThereAndBackForEveryByte) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  const std::string text = to_hex(bytes);
  EXPECT_EQ(text.substr(0, 8), "00010203");
  EXPECT_EQ(text.substr(504), "fcfdfeff");
  EXPECT_EQ(bytes_from_hex(text), bytes);
  EXPECT_EQ(bytes_from_hex(""), "");
}

TEST(Hex, RefusesHalfBytesAndOtherCharacters) {
  for (const char* text : {"a", "abc", "0x", "AB", "a b ", "\xC3\xA9"}) {
    EXPECT_EQ(refusal([&] { bytes_from_hex(text); }), Code::bad_syntax) << text;
  }
}

}  // namespace
}  // namespace dither
