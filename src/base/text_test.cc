#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace dither {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain", "M\u00fcnchen", "\u6771\u4eac", "a b", "\U0001F600"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, DisarmsControls) {
  EXPECT_EQ(printable("a\nb\tc"), "a\\x0ab\\x09c");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable(std::string("nul\0", 4)), "nul\\x00");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\u0085"), "\\x85");
  EXPECT_EQ(printable("\u202Egnp.exe"), "\\u202egnp.exe");
  EXPECT_EQ(printable("\u2028"), "\\u2028");
}

TEST(Printable, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\uFFFD");
  EXPECT_EQ(printable("\xc3"), "\uFFFD");                                // cut off
  EXPECT_EQ(printable("\xc0\xaf"), "\uFFFD\uFFFD");                      // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\uFFFD\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
  EXPECT_EQ(printable("a\xe2\x82z"), "a\uFFFD\uFFFDz");
}

RC_GTEST_PROP(Printable, IsIdempotentAndHasNoControlByte, (const std::string& text)) {
  const std::string once = printable(text);
  RC_ASSERT(printable(once) == once);
  for (const char c : once) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

TEST(Echo, CutsLongText) {
  EXPECT_EQ(echo("a\tb"), "a\\x09b");
  EXPECT_EQ(echo(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(echo(std::string(61, 'x')), std::string(60, 'x') + "...");
}

TEST(FirstCharacter, KnowsItsLength) {
  const Character wide = first_character("\u6771x");
  EXPECT_EQ(wide.code, 0x6771u);
  EXPECT_EQ(wide.bytes, 3u);
  EXPECT_TRUE(wide.valid);
  const Character cut = first_character("\xe6\x9d");
  EXPECT_EQ(cut.bytes, 1u);
  EXPECT_FALSE(cut.valid);
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("M\u00fcnchen"), 7u);
  EXPECT_EQ(display_width("e\u0301"), 1u);       // a combining accent
  EXPECT_EQ(display_width("\u6771\u4eac"), 4u);  // wide
  EXPECT_EQ(display_width("\uFFFD"), 1u);
  EXPECT_EQ(display_width("\U0001F600"), 2u);
  EXPECT_EQ(display_width("\U00020000"), 2u);
}

}  // namespace
}  // namespace dither
