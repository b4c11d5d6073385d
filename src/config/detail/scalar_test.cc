#include "config/detail/scalar.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "testing/refusal.h"

namespace dither::config::detail {
namespace {

void expect_kind(Kind kind, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    EXPECT_EQ(read_plain(word).kind, kind) << word;
    EXPECT_EQ(read_plain(word).complaint, "") << word;
  }
}

TEST(Plain, KnowsTheFewWordsThatAreNotText) {
  expect_kind(Kind::null, {"null"});
  expect_kind(Kind::boolean, {"true", "false"});
  expect_kind(Kind::number,
              {"0", "-0", "3", "-12", "+3", "0.1", ".5", "5.", "1e5", "1E-6", "2.50e+03", "0e0", "1e10000"});
}

TEST(Plain, LeavesOtherWordsAlone) {
  expect_kind(Kind::text,
              {"",       "a",         "add-remove", "1/3",      "1.2.3",    "10s",  "5%",   "3 apples", "1,000",
               "e5",     ".",         "-",          "+",        "1e",       "1e+",  "1.e+", "..5",      "nan",
               "inf",    "yesterday", "none",       "nullable", "007-bond", "0xyz", "0x",   "2024-13",  "2024-1-1x",
               "12-1-1", "a:b",       "10.0.0.1",   "_1",       "x_1",      "1_a",  "a=b",  "<"});
}

TEST(Plain, RefusesOtherSpellingsOfBooleansAndNull) {
  for (const char* word :
       {"yes", "Yes", "YES", "no", "No",   "NO",   "on",    "On",    "ON",   "off", "Off",  "OFF",
        "y",   "Y",   "n",   "N",  "True", "TRUE", "False", "FALSE", "tRuE", "~",   "Null", "NULL"}) {
    EXPECT_NE(read_plain(word).complaint, "") << word;
  }
  EXPECT_EQ(read_plain("on").hint, "write true, or \"on\" if it is text");
  EXPECT_EQ(read_plain("N").hint, "write false, or \"N\" if it is text");
  EXPECT_EQ(read_plain("~").hint, "write null, or \"~\" if it is text");
}

TEST(Plain, RefusesNumbersThatReadersDisagreeAbout) {
  for (const char* word : {"010",
                           "-007",
                           "00",
                           "00.5",
                           "01e5",
                           "0x1F",
                           "0XFF",
                           "-0x1.8p+3",
                           "0o17",
                           "0b101",
                           "1_000",
                           "1_0.5",
                           "._1",
                           "-1_0e3",
                           "1:30",
                           "-190:20:30.15",
                           "00:11:22",
                           "2024-01-31",
                           "2024-1-1t10:00",
                           "2024-01-01 10:00:00",
                           ".inf",
                           "-.Inf",
                           "+.INF",
                           ".nan",
                           ".NaN",
                           "<<",
                           "="}) {
    EXPECT_NE(read_plain(word).complaint, "") << word;
    EXPECT_EQ(read_plain(word).code, Code::bad_syntax) << word;
  }
}

TEST(Plain, RefusesNumbersThatNothingCanHold) {
  for (const std::string& word :
       {std::string("1e10001"), std::string("1e-10001"), std::string("1e99999999999999999999"),
        std::string(10'001, '1'), "0." + std::string(10'000, '1')}) {
    EXPECT_EQ(read_plain(word).code, Code::out_of_range) << word;
    EXPECT_NE(read_plain(word).complaint, "") << word;
  }
  EXPECT_EQ(read_plain(std::string(10'000, '1')).complaint, "");
}

// Whatever passes as a number is one to Rational; what Rational takes as one passes or is refused, but is never text,
// fractions apart.
RC_GTEST_PROP(Plain, AgreesWithRational, ()) {
  const auto letters = rc::gen::elementOf(std::string("00112579+-..eE_xX:/"));
  const std::string word = *rc::gen::container<std::string>(letters);
  const Plain plain = read_plain(word);
  const bool parses = !dither::testing::refusal([&] { Rational::parse(word); });
  if (plain.kind == Kind::number && plain.complaint.empty()) RC_ASSERT(parses);
  if (parses && word.find('/') == std::string::npos) RC_ASSERT(plain.kind == Kind::number || !plain.complaint.empty());
}

}  // namespace
}  // namespace dither::config::detail
