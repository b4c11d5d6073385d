#include "plan/type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"

namespace dither::plan {
namespace {

std::optional<std::int64_t> day(std::string_view text) {
  std::int64_t days = 0;
  return date_from(text, days) ? std::optional(days) : std::nullopt;
}

std::optional<std::int64_t> moment(std::string_view text) {
  std::int64_t microseconds = 0;
  return timestamp_from(text, microseconds) ? std::optional(microseconds) : std::nullopt;
}

TEST(Type, NamesReadBack) {
  for (const Type type : {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp}) {
    EXPECT_EQ(type_from(type_name(type)), type);
  }
  EXPECT_EQ(type_from("decimal"), Type::real);
  EXPECT_TRUE(is_number(Type::integer) && is_number(Type::real));
  EXPECT_FALSE(is_number(Type::date) || is_number(Type::boolean));
}

TEST(Type, UnknownNamesAreRefusedWithTheNearest) {
  try {
    type_from("varchar");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unknown_type);
    EXPECT_EQ(std::string(error.what()), "there is no type \"varchar\"");
    EXPECT_NE(error.hint().find("did you mean text?"), std::string::npos);
  }
  try {
    type_from("integr");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("did you mean integer?"), std::string::npos);
  }
}

TEST(Constant, HasOneSpelling) {
  const std::vector<std::pair<Constant, std::string>> spellings = {
      {{Type::text, std::monostate{}}, "NULL"},
      {{Type::boolean, true}, "true"},
      {{Type::boolean, false}, "false"},
      {{Type::integer, std::int64_t{-5}}, "-5"},
      {{Type::integer, std::numeric_limits<std::int64_t>::min()}, "-9223372036854775808"},
      {{Type::real, 0.25}, "0.25"},
      {{Type::real, 5.0}, "5.0"},
      {{Type::real, -0.0}, "0.0"},
      {{Type::real, 0.1}, "0.1"},
      {{Type::real, 1e300}, "1e+300"},
      {{Type::real, 5e-324}, "5e-324"},
      {{Type::real, std::nan("")}, "NaN"},
      {{Type::real, -std::numeric_limits<double>::infinity()}, "-Infinity"},
      {{Type::text, std::string("it's")}, "'it''s'"},
      {{Type::date, *day("2024-02-29")}, "DATE '2024-02-29'"},
      {{Type::timestamp, *moment("2024-02-29T23:59:59.5")}, "TIMESTAMP '2024-02-29 23:59:59.5'"},
  };
  for (const auto& [constant, text] : spellings) EXPECT_EQ(str(constant), text);
}

// Julian days by the formula of Fliegel and Van Flandern: another way to the same numbers.
std::int64_t by_formula(int y, int m, int d) {
  return (1461 * (y + 4800 + (m - 14) / 12)) / 4 + (367 * (m - 2 - 12 * ((m - 14) / 12))) / 12 -
         (3 * ((y + 4900 + (m - 14) / 12) / 100)) / 4 + d - 32075 - 2440588;
}

TEST(Date, EveryDayOfTheCalendarReadsBackAndIsTheNext) {
  for (std::int64_t days = kFirstDay; days <= kLastDay; ++days) {
    const std::string text = date_text(days);
    const int year = std::stoi(text.substr(0, 4)), month = std::stoi(text.substr(5, 2)), d = std::stoi(text.substr(8));
    ASSERT_EQ(by_formula(year, month, d), days) << text;
    ASSERT_EQ(day(text), days) << text;
  }
  EXPECT_EQ(date_text(kFirstDay), "0001-01-01");
  EXPECT_EQ(date_text(kLastDay), "9999-12-31");
  EXPECT_EQ(date_text(0), "1970-01-01");
}

TEST(Date, OtherTextIsNone) {
  for (const char* text :
       {"", "2024", "2024-2-29", "2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00",
        "0000-01-01", "10000-01-01", "2024-02-29 ", " 2024-02-29", "2024/02/29", "2024-02-29T00:00", "-024-01-01"}) {
    EXPECT_EQ(day(text), std::nullopt) << text;
  }
  EXPECT_TRUE(day("2000-02-29"));
}

TEST(Timestamp, ReadsWhatPeopleWrite) {
  EXPECT_EQ(moment("1970-01-01"), 0);
  EXPECT_EQ(moment("1970-01-01 00:01"), 60'000'000);
  EXPECT_EQ(moment("1970-01-01T00:00:01Z"), 1'000'000);
  EXPECT_EQ(moment("1969-12-31 23:59:59.999999"), -1);
  EXPECT_EQ(moment("1970-01-01 00:00:00.25"), 250'000);
  EXPECT_EQ(moment("0001-01-01"), kFirstMicrosecond);
  EXPECT_EQ(moment("9999-12-31T23:59:59.999999Z"), kLastMicrosecond);
}

TEST(Timestamp, OtherTextIsNone) {
  for (const char* text :
       {"", "12:00", "1970-01-01T", "1970-01-01 24:00", "1970-01-01 00:60", "1970-01-01 00:00:60", "1970-01-01 1:00",
        "1970-01-01 00:00:00.", "1970-01-01 00:00:00.1234567", "1970-01-01 00:00.5", "1970-01-01 00:00+01:00",
        "1970-01-01Z", "1970-01-01 00:00:00ZZ", "1970-01-01  00:00"}) {
    EXPECT_EQ(moment(text), std::nullopt) << text;
  }
}

TEST(Timestamp, TextReadsBack) {
  for (std::int64_t at = kFirstMicrosecond; at < kLastMicrosecond - 987'654'321'987'654; at += 987'654'321'987'654) {
    EXPECT_EQ(moment(timestamp_text(at)), at);
  }
  EXPECT_EQ(timestamp_text(-1), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(timestamp_text(0), "1970-01-01 00:00:00");
  EXPECT_EQ(timestamp_text(250'000), "1970-01-01 00:00:00.25");
}

}  // namespace
}  // namespace dither::plan
