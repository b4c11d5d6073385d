#include "config/read.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "config/tree_check.h"
#include "testing/refusal.h"

namespace dither::config {
namespace {

// "code line:column", or the whole tree as JSON when the text is read.
std::string outcome(const std::string& text) {
  try {
    return as_json(read_text(text, "f"));
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty()) << text;
    const std::string message = error.what();
    const std::size_t second = message.find(':', message.find(':') + 1);
    EXPECT_TRUE(message.starts_with("f:")) << message;
    return std::string(code_name(error.code())) + " " + message.substr(2, message.find(':', second + 1) - 2);
  }
}

struct Case {
  std::string_view text, outcome;
};

template <std::size_t n>
void check(const Case (&cases)[n]) {
  for (const Case& c : cases) EXPECT_EQ(outcome(std::string(c.text)), c.outcome) << c.text;
}

TEST(Read, TakesYaml) {
  check({
      {"neighbours: add-remove\nevents:\n  - {mechanism: gaussian, sigma: 10, times: 30}\n  - mechanism: laplace\n"
       "    scale: 0.1\n",
       R"({"neighbours":"add-remove","events":[{"mechanism":"gaussian","sigma":10,"times":30},)"
       R"({"mechanism":"laplace","scale":0.1}]})"},
      {"a:\n- 1\n- 2\n", R"({"a":[1,2]})"},
      {"a: # why\n  b: 'it''s'\r\n", R"({"a":{"b":"it's"}})"},
      {"a: |\n  x\n   y\n", R"({"a":"x\u000a y\u000a"})"},
      {"a: >-\n  x\n  y\n", R"({"a":"x y"})"},
      {"---\na: 1\n...\n", R"({"a":1})"},
      {"\xEF\xBB\xBF"
       "a: 1\n",
       R"({"a":1})"},
      {"a:\nb: null\n", R"({"a":null,"b":null})"},
      {"[1, 2,\n]", "[1,2]"},
      {"[a: 1]", R"([{"a":1}])"},
      {"word", "\"word\""},
      {"M\u00fcnchen: \u6771\u4eac", "{\"M\u00fcnchen\":\"\u6771\u4eac\"}"},
  });
}

TEST(Read, TakesJson) {
  check({
      {R"({"a":[1,2.50,-3e-7,true,false,null,""],"b":{}})", R"({"a":[1,2.50,-3e-7,true,false,null,""],"b":{}})"},
      {"{\n  \"a\": [\n    1\n  ]\n}\n", R"({"a":[1]})"},
      {R"("\"\\\/\b\f\n\r\t\u00e9")", "\"\\u0022\\u005c/\\u0008\\u000c\\u000a\\u000d\\u0009\u00e9\""},
      {R"(["\ud83d\ude00", "\\ud83d\\ude00", '\ud83d\ude00', a"\ud83d\ude00])", "bad-syntax 1:52"},
      {R"(["\ud83d\ude00", "\\ud83d\\ude00", '\ud83d\ude00', a\ud83d\ude00])",
       R"(["\ud83d\ude00","\u005cud83d\u005cude00","\u005cud83d\u005cude00","a\u005cud83d\u005cude00"])"},
      {"0", "0"},
  });
}

TEST(Read, JsonAndYamlAreTheSame) {
  const Value yaml = read_text("a: [1, 0.5]\nb:\n  c: true\n  d: text\n", "f");
  EXPECT_TRUE(same(yaml, read_text(R"({"a": [1.0, 5e-1], "b": {"c": true, "d": "text"}})", "f")));
  EXPECT_FALSE(same(yaml, read_text(R"({"a": [1, 0.5], "b": {"c": true, "d": "texts"}})", "f")));
  EXPECT_FALSE(same(yaml, read_text(R"({"a": [1, "0.5"], "b": {"c": true, "d": "text"}})", "f")));
}

TEST(Read, RefusesWhatReadersDisagreeAbout) {
  check({
      {"a: &x 1\n", "bad-syntax 1:4"},
      {"a: *x\n", "bad-syntax 1:4"},
      {"&x a: 1\n", "bad-syntax 1:1"},
      {"a: &x\n", "bad-syntax 1:4"},
      {"a: !!str 1\n", "bad-syntax 1:4"},
      {"a: ! 1\n", "bad-syntax 1:4"},
      {"a: !x [1]\n", "bad-syntax 1:4"},
      {"a: !<x\n", "bad-syntax 1:7"},
      {"<<: {a: 1}\n", "bad-syntax 1:1"},
      {"%YAML 1.2\n---\na: 1\n", "bad-syntax 1:1"},
      {"# c\n%TAG ! x\n---\na: 1\n", "bad-syntax 2:1"},
      {"a: 1\n---\nb: 2\n", "bad-syntax 2:1"},
      {"a: 1\n...\nb: 2\n", "bad-syntax 3:1"},
      {"a: 1\n---\n", "bad-syntax 2:1"},
      {"a:\n\tb: 1\n", "bad-syntax 2:1"},
      {"a: 1\t# c\n", "bad-syntax 1:5"},
      {"a: 1\rb: 2\r", "bad-syntax 1:5"},
      {"a: x\xC2\x85y\n", "bad-syntax 1:5"},
      {"a: x\xE2\x80\xA8y\n", "bad-syntax 1:5"},
      {"a: x\x04y\n", "bad-syntax 1:5"},
      {"a: x\x1B[31m\n", "bad-syntax 1:5"},
      {"a: x\xEF\xBF\xBF\n", "bad-syntax 1:5"},
      {"\u00e9\u00e9: \xff\n", "bad-syntax 1:5"},
      {"a: \xed\xa0\x80\n", "bad-syntax 1:4"},
      {std::string_view("a: \0\n", 5), "bad-syntax 1:4"},
      {std::string_view("\xff\xfe"
                        "a\0:\0",
                        6),
       "bad-syntax 1:1"},
      {R"(a: "x\0y")", "bad-syntax 1:4"},
      {R"({"a": ["x\u0000y"]})", "bad-syntax 1:8"},
      {"a: yes\n", "bad-syntax 1:4"},
      {"off: 1\n", "bad-syntax 1:1"},
      {"[True]", "bad-syntax 1:2"},
      {"- ~\n", "bad-syntax 1:3"},
      {"a: 010\n", "bad-syntax 1:4"},
      {"a: .inf\n", "bad-syntax 1:4"},
      {"a:\n  - 1e10001\n", "out-of-range 2:5"},
  });
}

TEST(Read, RefusesKeysThatAreNotText) {
  check({
      {"1: x\n", "bad-syntax 1:1"},
      {"true: x\n", "bad-syntax 1:1"},
      {"null: x\n", "bad-syntax 1:1"},
      {"? [a]\n: b\n", "bad-syntax 1:3"},
      {"{{a: 1}: b}", "bad-syntax 1:2"},
      {": x\n", "bad-syntax 1:1"},
      {"{: x}", "bad-syntax 1:2"},
      {"\"1\": x\n", R"({"1":"x"})"},
  });
}

TEST(Read, RefusesDuplicateKeys) {
  check({
      {"a: 1\nb: 2\na: 3\nb: 4\n", "duplicate-key 3:1"},
      {R"({"a": 1, "a": 1})", "duplicate-key 1:10"},
      {"x:\n  - {b: 1, 'b': 1}\n", "duplicate-key 2:12"},
      {R"({"a": 1, "\u0061": 1})", "duplicate-key 1:10"},
      {"a: {b: 1}\nc: {b: 1}\n", R"({"a":{"b":1},"c":{"b":1}})"},
  });
  try {
    read_text("sigma: 1\n\nsigma: 2\n", "events.yaml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.str(),
              "error: duplicate-key: events.yaml:3:1: \"sigma\" was given before, in line 1\n"
              "hint:  delete one of the two");
  }
}

TEST(Read, FindsDuplicatesAmongManyKeys) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "k" + std::to_string(i * 7919 % 20'000) + ": 1\n";
  EXPECT_EQ(read_text(text, "f").map("map").size(), 20'000u);
  EXPECT_EQ(outcome(text + "k123: 1\n"), "duplicate-key 20001:1");
}

TEST(Read, RefusesBrokenShapes) {
  check({
      {"", "bad-syntax 1:1"},
      {"# only a comment\n", "bad-syntax 1:1"},
      {"---\n", "bad-syntax 1:1"},
      {",", "bad-syntax 1:1"},
      {"a:\n  b: 1\n c: 2\n", "bad-syntax 3:2"},
      {"a: 1\n  b: 2\n", "bad-syntax 2:4"},
      {"a: b: c\n", "bad-syntax 1:5"},
      {"a: \"b\" c\n", "bad-syntax 1:8"},
      {"- a\nb: 1\n", "bad-syntax 2:1"},
      {"a: 1\n- b\n", "bad-syntax 2:1"},
      {"a:\n  -\n  - 2\n", "bad-syntax 2:3"},
      {"[1] 2", "bad-syntax 1:5"},
      {"[1,,2]", "bad-syntax 1:4"},
      {"[,1]", "bad-syntax 1:2"},
      {"{a}", "bad-syntax 1:3"},
      {"{a:1}", "bad-syntax 1:5"},
      {"{a: , b: 1}", "bad-syntax 1:5"},
      {R"({"a": 1 "b": 2})", "bad-syntax 1:7"},
      {R"({"a": "x" "b": 2})", "bad-syntax 1:11"},
      {"[1", "bad-syntax 1:1"},
      {"a:\n  b: {c: [1, 2\n", "bad-syntax 2:10"},
      {"a: \"x\n", "bad-syntax 1:4"},
      {"a: 'x''\n\n", "bad-syntax 1:4"},
      {"a: \"x\\\"", "bad-syntax 1:8"},
      {"\"a", "bad-syntax 1:3"},
      {"a: @x\n", "bad-syntax 1:4"},
      {"a: \"\\q\"\n", "bad-syntax 1:7"},
      {R"(["\ud83d\ude00", "\ud83d"])", "bad-syntax 1:25"},
      {"a: \"\\ud83d\\ude00\"\n", "bad-syntax 1:11"},
      {"a: >- x\n", "bad-syntax 1:7"},
      {"{a: 1}}", "bad-syntax 1:7"},
  });
}

TEST(Read, EveryValueKnowsItsPlace) {
  const Value value =
      read_text("# c\n\u00e9: [\u00fc, \"\u6771\", {x: 1}]\r\nlong:\n  - |\n    t\n  - z: {}\nm:\n", "f");
  EXPECT_EQ(value.where(), "f:2:1");
  const auto& entries = value.map("map");
  EXPECT_EQ(entries[0].value.where(), "f:2:4");
  const auto& items = entries[0].value.list("list");
  EXPECT_EQ(items[0].where(), "f:2:5");
  EXPECT_EQ(items[1].where(), "f:2:8");
  EXPECT_EQ(items[2].where(), "f:2:13");
  EXPECT_EQ(items[2].find("x")->where(), "f:2:17");
  EXPECT_EQ(entries[1].position.line, 3u);
  EXPECT_EQ(entries[1].value.where(), "f:4:3");
  EXPECT_EQ(entries[1].value.list("list")[0].where(), "f:4:5");
  EXPECT_EQ(entries[1].value.list("list")[1].find("z")->where(), "f:6:8");
  EXPECT_EQ(value.find("m")->where(), "f:7:1");  // nothing stands where its key stands
}

TEST(Read, PlacesBehindJoinedSurrogatesAreThoseOfTheFile) {
  const Value value = read_text(R"(["\ud83d\ude00\ud83d\ude01", 7, "\ud83d\ude02", 8])", "f");
  EXPECT_EQ(value.list("list")[0].where(), "f:1:2");
  EXPECT_EQ(value.list("list")[1].where(), "f:1:30");
  EXPECT_EQ(value.list("list")[2].where(), "f:1:33");
  EXPECT_EQ(value.list("list")[3].where(), "f:1:49");
}

TEST(Read, DepthHasALimit) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(outcome(nested(kMaxDepth)), nested(kMaxDepth));
  EXPECT_EQ(outcome(nested(kMaxDepth + 1)), "bad-syntax 1:65");
  for (const char* part : {"[", "{", "- ", "? ", "{a: ", "[[a: "}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += part;
    EXPECT_EQ(outcome(text).substr(0, 11), "bad-syntax ") << part;
  }
}

TEST(Read, SizeHasALimit) {
  EXPECT_EQ(testing::refusal([] { read_text(std::string(kMaxFileBytes + 1, ' '), "f"); }), Code::bad_syntax);
}

TEST(Read, NamesCannotMoveTheCursor) {
  try {
    read_text("", "a\x1b[2Jb");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("a\\x1b[2Jb:1:1: "));
  }
}

std::string temporary(const std::string& name) { return ::testing::TempDir() + "dither_config_" + name; }

TEST(ReadFile, ReadsFiles) {
  const std::string path = temporary("a.yaml");
  std::ofstream(path) << "a: 1\n";
  EXPECT_EQ(as_json(read_file(path)), R"({"a":1})");
  EXPECT_EQ(read_file(path).where(), path + ":1:1");
  std::filesystem::remove(path);
}

TEST(ReadFile, ReadsStandardInput) {
  const std::string path = temporary("in.yaml");
  std::ofstream(path) << "a: [";
  ASSERT_NE(std::freopen(path.c_str(), "r", stdin), nullptr);
  try {
    read_file("-");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "standard input:1:4: the [ that opens here is not closed");
  }
  std::filesystem::remove(path);
}

TEST(ReadFile, SaysWhyAFileCannotBeRead) {
  try {
    read_file(temporary("none.yaml"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::cannot_read);
    EXPECT_TRUE(std::string(error.what()).ends_with("none.yaml: no such file"));
  }
  EXPECT_EQ(testing::refusal([] { read_file(::testing::TempDir()); }), Code::cannot_read);
  EXPECT_EQ(testing::refusal([] { read_file(""); }), Code::cannot_read);
  EXPECT_EQ(testing::refusal([] { read_file(std::string("a\0b", 3)); }), Code::cannot_read);
}

TEST(ReadFile, EndlessInputIsCutAtTheLimit) {
  EXPECT_EQ(testing::refusal([] { read_file("/dev/zero"); }), Code::bad_syntax);
}

}  // namespace
}  // namespace dither::config
