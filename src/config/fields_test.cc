#include "config/fields.h"

#include <gtest/gtest.h>

#include "config/read.h"

namespace dither::config {
namespace {

struct Gaussian {
  Rational sigma;
  std::uint64_t times;
};

Gaussian read_gaussian(const Value& value) {
  Fields fields(value, "a gaussian");
  fields.expect({"mechanism", "sigma", "times"});
  EXPECT_EQ(fields.text("mechanism"), "gaussian");
  Gaussian result{fields.number("sigma"), fields.optional_whole("times").value_or(1)};
  fields.finish();
  return result;
}

std::string complaint(const std::string& text) {
  try {
    read_gaussian(read_text(text, "f"));
    return "none";
  } catch (const Error& error) {
    return error.str();
  }
}

TEST(Fields, HandsOutWhatIsThere) {
  const Gaussian all = read_gaussian(read_text("{mechanism: gaussian, sigma: 0.1, times: 30}", "f"));
  EXPECT_EQ(all.sigma, Rational(1, 10));
  EXPECT_EQ(all.times, 30u);
  EXPECT_EQ(read_gaussian(read_text("{mechanism: gaussian, sigma: 2}", "f")).times, 1u);
}

TEST(Fields, MissingKeys) {
  EXPECT_EQ(complaint("\n  mechanism: gaussian\n"),
            "error: missing-key: f:2:3: a gaussian needs \"sigma\"\nhint:  add the key `sigma:` and its value");
}

TEST(Fields, UnknownKeysNameTheNearestRightOne) {
  EXPECT_EQ(complaint("mechanism: gaussian\nsigam: 1\n"),
            "error: unknown-key: f:2:1: \"sigam\" is not a key of a gaussian\nhint:  write sigma");
  EXPECT_EQ(complaint("mechanism: gaussian\nsigma: 1\ntime: 1\n"),
            "error: unknown-key: f:3:1: \"time\" is not a key of a gaussian\nhint:  write times");
}

TEST(Fields, WrongTypes) {
  EXPECT_EQ(complaint("mechanism: gaussian\nsigma: [1]\n"),
            "error: wrong-type: f:2:8: \"sigma\" must be a number, not a list\n"
            "hint:  write a number such as 10, 0.5 or 1e-6, without quotes");
  EXPECT_EQ(complaint("mechanism: gaussian\nsigma: 1\ntimes:\n").substr(0, 61),
            "error: wrong-type: f:3:1: \"times\" must be a whole number, not");
  EXPECT_EQ(complaint("[1]").substr(0, 61), "error: wrong-type: f:1:1: a gaussian must be a map, not a lis");
}

TEST(Fields, FinishAloneRefusesUnknownKeys) {
  const Value value = read_text("{a: true, b: text, c: [1, 2], d: 1.5, e: {f: 3}, g: 1}", "f");
  Fields fields(value, "a thing");
  EXPECT_TRUE(fields.boolean("a"));
  EXPECT_EQ(fields.optional_text("b"), "text");
  EXPECT_EQ(fields.list("c").size(), 2u);
  EXPECT_EQ(fields.optional_number("d"), Rational(3, 2));
  Fields inner(fields.required("e"), "an inner thing");
  EXPECT_EQ(inner.whole("f"), 3u);
  inner.finish();
  EXPECT_EQ(fields.optional("h"), nullptr);
  EXPECT_EQ(fields.optional_boolean("i"), std::nullopt);
  try {
    fields.finish();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unknown_key);
    EXPECT_STREQ(error.what(), "f:1:50: \"g\" is not a key of a thing");
  }
}

TEST(Fields, AMapThatMayHaveNoKeys) {
  const Value empty = read_text("{}", "f");
  Fields(empty, "nothing").finish();
  const Value some = read_text("{a: 1}", "f");
  EXPECT_THROW(Fields(some, "nothing").finish(), Error);
}

TEST(FieldsDeathTest, ForgettingToFinishIsNotForgiven) {
  const Value value = read_text("{a: 1, b: 2}", "f");
  EXPECT_DEATH(Fields(value, "a thing").number("a"), "");
}

}  // namespace
}  // namespace dither::config
