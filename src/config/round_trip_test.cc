// Random trees written as JSON and as YAML read back the same; files cut or changed anywhere are read or refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "config/detail/scalar.h"
#include "config/read.h"
#include "config/tree_check.h"

namespace dither::config {
namespace {

const auto kFile = std::make_shared<const std::string>("f");

Value make(Value::Content content) { return {std::move(content), {}, kFile}; }

std::string any_text() {
  static const std::vector<std::string> parts = {
      "a",      "b7",         " ",      "\"",   "'", "\\", ":", "#", ", ",  "\n", "-",  "[",       "}",   "\u00e9",
      "\u6771", "\U0001F600", "\u2028", "\x01", "%", "&",  "*", "!", "yes", "1",  "0x", "\\ud83d", "null"};
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(parts))) text += part;
  return text;
}

std::string any_number() {
  const int shift = *rc::gen::inRange(-40, 40);
  const auto digits = *rc::gen::arbitrary<std::int64_t>();
  return shift == 0 ? fmt::format("{}", digits) : fmt::format("{}{}e{}", digits, shift % 2 == 0 ? ".5" : "", shift);
}

Value any_tree(int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 4 : 6)) {
    case 0:
      return make(std::monostate{});
    case 1:
      return make(*rc::gen::arbitrary<bool>());
    case 2:
      return make(Value::Number{any_number()});
    case 3:
      return make(any_text());
    case 4: {
      std::vector<Value> items;
      for (int left = *rc::gen::inRange(0, 5); left > 0; --left) items.push_back(any_tree(depth - 1));
      return make(std::move(items));
    }
    default: {
      std::vector<Entry> entries;
      for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
        entries.push_back({any_text() + std::to_string(left), {}, any_tree(depth - 1)});
      }
      return make(std::move(entries));
    }
  }
}

// Plain where a careful person would, in single quotes where possible, or in double quotes.
std::string yaml_text(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '7' || c == '-'; };
  const bool word = !text.empty() && text[0] >= 'a' && std::all_of(text.begin(), text.end(), letter);
  if (word && detail::read_plain(text).kind == Kind::text && detail::read_plain(text).complaint.empty()) return text;
  const bool printable_line = printable(text) == text;
  if (!printable_line) {
    std::string result = json_text(text);  // without pairs of surrogates, which YAML does not know
    for (const std::string pair = "\\ud83d\\ude00"; result.find(pair) != std::string::npos;) {
      result.replace(result.find(pair), pair.size(), "\\U0001F600");
    }
    return result;
  }
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

// One entry a line, indented by two.
std::string yaml_block(const Value& value, const std::string& indent) {
  std::string result;
  if (value.kind() == Kind::list && !value.list("value").empty()) {
    for (const Value& item : value.list("value")) result += "\n" + indent + "- " + yaml_block(item, indent + "  ");
    return result;
  }
  if (value.kind() == Kind::map && !value.map("value").empty()) {
    for (const Entry& entry : value.map("value")) {
      result += "\n" + indent + yaml_text(entry.key) + ": " + yaml_block(entry.value, indent + "  ");
    }
    return result;
  }
  return value.kind() == Kind::text ? yaml_text(value.text("value")) : as_json(value);
}

RC_GTEST_PROP(RoundTrip, JsonAndYamlReadBackTheSame, ()) {
  const Value tree = any_tree(3);
  RC_LOG() << as_json(tree) << "\n---\n" << yaml_block(tree, "");
  RC_ASSERT(same(read_text(as_json(tree), "json"), tree));
  RC_ASSERT(same(read_text(yaml_block(tree, ""), "yaml"), tree));
}

// Reads or refuses with a place and a hint; anything else fails the test or the process.
void read_or_refuse(const std::string& text) {
  try {
    const Value value = read_text(text, "f");
    EXPECT_TRUE(same(value, read_text(as_json(value), "f"))) << text;
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("f:")) << text;
    EXPECT_FALSE(error.hint().empty()) << text;
  }
}

const std::vector<std::string>& samples() {
  static const std::vector<std::string> all = {
      "# a ledger\nneighbours: add-remove\nevents:\n  - {mechanism: gaussian, sigma: 10, times: 30}\n"
      "  - {sample: {poisson: 0.01}, of: {mechanism: \"gauss\\u00e9\", sigma: 1.0}, times: 10000}\n"
      "text: |\n  two\n  lines\nquoted: 'it''s'\nempty:\n? odd\n: 1e-6\n",
      R"({"events": [{"mechanism": "gaussian", "sigma": 1.5e-3, "note": "\ud83d\ude00 \u00e9"}, [], {}, null, true]})",
      "---\n- - a\n  - b: c\n    d: >-\n      folded\n      text\n- \"\u6771\u4eac\"\n...\n",
      "a: &x [1, *x]\nb: !!map {<<: *x}\n--- 010\n",
  };
  return all;
}

TEST(Truncated, EveryPrefixIsReadOrRefused) {
  for (const std::string& text : samples()) {
    for (std::size_t end = 0; end <= text.size(); ++end) read_or_refuse(text.substr(0, end));
  }
}

TEST(Truncated, JsonCutAnywhereIsRefused) {
  const std::string& text = samples()[1];
  for (std::size_t end = 0; end < text.size(); ++end) EXPECT_THROW(read_text(text.substr(0, end), "f"), Error) << end;
  EXPECT_EQ(read_text(text, "f").kind(), Kind::map);
}

TEST(Changed, EveryByteReplacedIsReadOrRefused) {
  const std::string others =
      std::getenv("DITHER_NIGHTLY") ? " \n\t\"'\\:,-[]{}#&*!|>%@?~0x\xff\xc3\x80" : "\n\":,-]{#&?";
  for (const std::string& text : samples()) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char other : others) {
        std::string changed = text;
        changed[at] = other;
        read_or_refuse(changed);
        read_or_refuse(text.substr(0, at) + other + text.substr(at));
      }
    }
  }
}

}  // namespace
}  // namespace dither::config
