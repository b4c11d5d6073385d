#include "config/value.h"

#include <gtest/gtest.h>

#include "config/read.h"
#include "testing/refusal.h"

namespace dither::config {
namespace {

Value field(const std::string& written) { return *read_text("x: " + written, "f").find("x"); }

std::string complaint(const std::string& written, void (*act)(const Value&)) {
  try {
    act(field(written));
    return "none";
  } catch (const Error& error) {
    return std::string(code_name(error.code())) + ": " + error.what();
  }
}

TEST(Value, NumbersAreExact) {
  EXPECT_EQ(field("0.1").number("x"), Rational(1, 10));
  EXPECT_EQ(field("1e-6").number("x"), Rational(1, 1'000'000));
  EXPECT_EQ(field("-3").number("x"), Rational(-3));
  EXPECT_EQ(field("+.5").number("x"), Rational(1, 2));
  EXPECT_EQ(field("1e-6").written(), "1e-6");
  EXPECT_EQ(field("9007199254740993").number("x"), Rational(9007199254740993));
}

TEST(Value, FractionsAreNumbersInQuotesOrNot) {
  EXPECT_EQ(field("1/3").number("x"), Rational(1, 3));
  EXPECT_EQ(field("\"-2/6\"").number("x"), Rational(-1, 3));
  EXPECT_EQ(field("1/3").text("x"), "1/3");
  for (const char* other : {"\"3\"", "1/", "/3", "1/2/3", "1.5/2", "a/b", "1/-3", "\" 1/3\""}) {
    EXPECT_EQ(testing::refusal([&] { field(other).number("x"); }), Code::wrong_type) << other;
  }
  EXPECT_EQ(complaint("1/0", [](const Value& v) { v.number("\"x\""); }),
            "bad-number: f:1:4: \"x\": \"1/0\" is not a number");
}

TEST(Value, WholeNumbers) {
  EXPECT_EQ(field("0").whole("x"), 0u);
  EXPECT_EQ(field("1e4").whole("x"), 10'000u);
  EXPECT_EQ(field("18446744073709551615").whole("x"), ~std::uint64_t{0});
  const auto whole = [](const Value& v) { v.whole("\"x\""); };
  EXPECT_EQ(complaint("18446744073709551616", whole),
            "out-of-range: f:1:4: \"x\" is 18446744073709551616, beyond 18446744073709551615");
  EXPECT_EQ(complaint("1e10000", whole), "out-of-range: f:1:4: \"x\" is 1e10000, beyond 18446744073709551615");
  EXPECT_EQ(complaint("1.5", whole), "wrong-type: f:1:4: \"x\" must be a whole number, 0 or more, not the number 1.5");
  EXPECT_EQ(complaint("-1", whole), "wrong-type: f:1:4: \"x\" must be a whole number, 0 or more, not the number -1");
  EXPECT_EQ(complaint("4/2", whole), "wrong-type: f:1:4: \"x\" must be a whole number, not the text \"4/2\"");
}

TEST(Value, SaysWhatItIsWhenAskedForSomethingElse) {
  const auto number = [](const Value& v) { v.number("sigma"); };
  EXPECT_EQ(complaint("[1]", number), "wrong-type: f:1:4: sigma must be a number, not a list");
  EXPECT_EQ(complaint("{}", number), "wrong-type: f:1:4: sigma must be a number, not a map");
  EXPECT_EQ(complaint("true", number), "wrong-type: f:1:4: sigma must be a number, not true");
  EXPECT_EQ(complaint("", number), "wrong-type: f:1:1: sigma must be a number, not empty");
  EXPECT_EQ(complaint("\"10\"", number), "wrong-type: f:1:4: sigma must be a number, not the text \"10\"");
  EXPECT_EQ(complaint("10", [](const Value& v) { v.text("a name"); }),
            "wrong-type: f:1:4: a name must be text, not the number 10");
  EXPECT_EQ(complaint("10", [](const Value& v) { v.boolean("it"); }),
            "wrong-type: f:1:4: it must be true or false, not the number 10");
  EXPECT_EQ(complaint("10", [](const Value& v) { v.list("it"); }),
            "wrong-type: f:1:4: it must be a list, not the number 10");
  EXPECT_EQ(complaint("10", [](const Value& v) { v.map("it"); }),
            "wrong-type: f:1:4: it must be a map, not the number 10");
}

TEST(Value, EchoesNoControlCharacters) {
  EXPECT_EQ(complaint("\"\\e[2J\"", [](const Value& v) { v.number("x"); }),
            "wrong-type: f:1:4: x must be a number, not the text \"\\x1b[2J\"");
}

TEST(Value, FindsKeys) {
  const Value map = read_text("{b: 1, a: [2]}", "f");
  EXPECT_EQ(map.map("map")[0].key, "b");
  EXPECT_EQ(map.find("a")->kind(), Kind::list);
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(map.find("b")->find("c"), nullptr);
}

TEST(Value, OthersCanReportItsPlace) {
  const Value map = read_text("a: 1\nsigma: -1\n", "f");
  EXPECT_STREQ(error_at(*map.find("sigma"), Code::bad_scale, "sigma is -1", "hint").what(), "f:2:8: sigma is -1");
  EXPECT_STREQ(error_at(map.map("map")[1], Code::bad_scale, "sigma is -1", "hint").what(), "f:2:1: sigma is -1");
}

}  // namespace
}  // namespace dither::config
