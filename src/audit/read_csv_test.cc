#include "audit/read_csv.h"

#include <gtest/gtest.h>

#include "testing/refusal.h"

namespace dither::audit {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text) {
  Rows rows;
  read_csv(text, "runs.csv", [&](std::vector<std::string>&& cells) { rows.push_back(std::move(cells)); });
  return rows;
}

TEST(ReadCsv, CellsAndLines) {
  EXPECT_EQ(rows_of("1,2\n3,4\n"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows_of("1,2\r\n3,4"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows_of("\xEF\xBB\xBFx\n"), (Rows{{"x"}}));
  EXPECT_EQ(rows_of(",\n\n,,"), (Rows{{"", ""}, {""}, {"", "", ""}}));
  EXPECT_EQ(rows_of(""), Rows{});
}

TEST(ReadCsv, Quotes) {
  EXPECT_EQ(rows_of("\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\n1\n"),
            (Rows{{"a,b", "say \"no\"", "two\nlines"}, {"1"}}));
  EXPECT_EQ(rows_of("a\"b\n"), (Rows{{"a\"b"}}));
}

TEST(ReadCsv, Mistakes) {
  EXPECT_EQ(testing::refusal([] { rows_of("\"open\n"); }), Code::bad_syntax);
  EXPECT_EQ(testing::refusal([] { rows_of("\"a\"b\n"); }), Code::bad_syntax);
  EXPECT_EQ(testing::refusal([] { rows_of("\xFF\xFE"); }), Code::bad_syntax);
  EXPECT_EQ(testing::refusal([] { rows_of(std::string_view("a\0b\n", 4)); }), Code::bad_syntax);
}

}  // namespace
}  // namespace dither::audit
