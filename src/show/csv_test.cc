#include "show/csv.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace dither::show {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_table({"epsilon", "delta"}, {{"1", "1e-06"}}), "epsilon,delta\r\n1,1e-06\r\n");
  EXPECT_EQ(csv_table({"a,b", "say \"x\""}, {{"two\nlines", " blank"}}),
            "\"a,b\",\"say \"\"x\"\"\"\r\n\"two\nlines\",\" blank\"\r\n");
  EXPECT_EQ(csv_table({"a"}, {{""}}), "a\r\n\"\"\r\n");
  EXPECT_EQ(csv_table({"a", "b"}, {{"", ""}}), "a,b\r\n,\r\n");
}

TEST(Csv, CellsAreNotChanged) { EXPECT_EQ(csv_table({"a"}, {{"-1"}, {"=1+1"}}), "a\r\n-1\r\n=1+1\r\n"); }

TEST(Csv, RealsAtTheEdges) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(csv_real(0.1), "0.1");
  EXPECT_EQ(csv_real(-0.0), "0");
  EXPECT_EQ(csv_real(5e-324), "5e-324");
  EXPECT_EQ(csv_real(Limits::infinity()), "inf");
  EXPECT_EQ(csv_real(-Limits::infinity()), "-inf");
  EXPECT_EQ(csv_real(Limits::quiet_NaN()), "nan");
  EXPECT_EQ(csv_real(-Limits::quiet_NaN()), "nan");
}

RC_GTEST_PROP(Csv, RealsReadBackBitByBit, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const std::string text = csv_real(value);
  double back = 0;
  RC_ASSERT(std::from_chars(text.data(), text.data() + text.size(), back).ptr == text.data() + text.size());
  RC_ASSERT(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value + 0.0));  // -0.0 is 0
}

// A reader by the letter of RFC 4180.
Rows read_csv(const std::string& text) {
  Rows rows;
  std::vector<std::string> row;
  std::string cell;
  bool in_quotes = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool doubled = c == '"' && in_quotes && at + 1 < text.size() && text[at + 1] == '"';
    const bool ends_cell = !in_quotes && (c == ',' || c == '\n');
    if (doubled) ++at;
    if (ends_cell) {
      row.push_back(std::exchange(cell, ""));
      if (c == '\n') rows.push_back(std::exchange(row, {}));
    } else if (c == '"' && !doubled) {
      in_quotes = !in_quotes;
    } else if (in_quotes || c != '\r') {
      cell += c;
    }
  }
  return rows;
}

RC_GTEST_PROP(Csv, EveryCellReadsBack, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 4);
  const auto letters = rc::gen::elementOf(std::string("ab,\"\r\n \t=-"));
  const auto line = rc::gen::container<std::vector<std::string>>(columns, rc::gen::container<std::string>(letters));
  const Rows rows = *rc::gen::container<Rows>(line);
  Rows wanted = rows;
  wanted.insert(wanted.begin(), std::vector<std::string>(columns, "title"));
  RC_ASSERT(read_csv(csv_table(wanted[0], rows)) == wanted);
}

}  // namespace
}  // namespace dither::show
