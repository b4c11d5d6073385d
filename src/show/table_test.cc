#include "show/table.h"

#include <gtest/gtest.h>

namespace dither::show {
namespace {

TEST(TextTable, AlignsColumns) {
  EXPECT_EQ(text_table({{"city", Align::left}, {"count", Align::right}}, {{"Berlin", "12"}, {"Rom", "1234567"}}),
            "city      count\n"
            "------  -------\n"
            "Berlin       12\n"
            "Rom     1234567\n");
}

TEST(TextTable, UnicodeKeepsItsColumns) {
  EXPECT_EQ(text_table({{"stadt", Align::left}, {"n", Align::right}}, {{"M\u00fcnchen", "1"}, {"\u6771\u4eac", "22"}}),
            "stadt     n\n"
            "-------  --\n"
            "M\u00fcnchen   1\n"
            "\u6771\u4eac     22\n");
}

TEST(TextTable, NoTrailingSpaces) {
  EXPECT_EQ(text_table({{"a", Align::left}, {"note", Align::left}}, {{"1", ""}, {"22", "x"}}),
            "a   note\n--  ----\n1\n22  x\n");
}

TEST(TextTable, WithoutRowsOnlyTitles) { EXPECT_EQ(text_table({{"a", Align::left}}, {}), "a\n-\n"); }

TEST(TextTable, ACellCannotBreakTheTable) {
  EXPECT_EQ(text_table({{"a", Align::left}}, {{"x\ny\x1b[2J"}}), "a\n-------------\nx\\x0ay\\x1b[2J\n");
}

}  // namespace
}  // namespace dither::show
