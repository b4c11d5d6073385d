#include "engine/detail/json.h"

#include <gtest/gtest.h>

#include "engine/exact_check.h"
#include "testing/refusal.h"

namespace dither::engine::detail {
namespace {

// Fields a and b of every record, "1|x;2|-".
struct Found {
  std::string rows;
  RecordReader::Damage damage;
  std::uint64_t looked_at = 0;
};
Found read(const std::string& text, const std::string& name = "x.json") {
  const TestFolder folder;
  JsonReader reader(folder.write(name, text), {"a", "b"});
  Found found{"", {}};
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    if (!found.rows.empty()) found.rows += ";";
    for (std::size_t i = 0; i < fields.size(); ++i) {
      found.rows += (i == 0 ? "" : "|") + (fields[i].data() == nullptr ? "-" : std::string(fields[i]));
    }
  }
  found.damage = reader.damage();
  found.looked_at = reader.looked_at();
  return found;
}

TEST(Json, ReadsLinesAndLists) {
  EXPECT_EQ(read(R"({"a": 1, "b": "x"}
{"b": true, "a": 1.50, "c": [1, {"a": 9}]}
{"a": null, "b": {"a": 3}}
{"a": "", "b": "\u00fc\n", "a": 123456789012345678901234567890}
{})")
                .rows,
            "1|x;1.50|true;-|-;123456789012345678901234567890|\xc3\xbc\n;-|-");
  EXPECT_EQ(read(R"([{"a": 1, "b": "],{"}, {"a": 2,
"b": "\"}"} ,
 {"a": 3}])")
                .rows,
            "1|],{;2|\"};3|-");
  EXPECT_EQ(read("[]").rows, "");
  EXPECT_EQ(read("").rows, "");
  EXPECT_EQ(read(R"({"a": ""})").rows, "|-");
}

// Whatever is wrong with the second of three records, it is a row, and the others are there.
TEST(Json, ADamagedRecordIsARowOfNulls) {
  const std::string long_text(kLongestRecord, 'q');
  for (const std::string& damaged :
       {std::string("{\"a\": 2"), std::string("nonsense"), std::string("[1]"), std::string("7"),
        std::string("{\"a\": 2}}"), std::string("{\"a\": \"x}"), std::string(), std::string("  "),
        std::string("{\"a\" 2}"), std::string("{\"a\": 2,}"), std::string("{\"a\": 2} {\"a\": 9}"),
        std::string("{a: 2}"), std::string("[{\"a\": 2},"), std::string("]"), "{\"a\": \"" + long_text + "\"}"}) {
    for (const std::string name : {"x.json", "x.ndjson"}) {
      const Found lines = read("{\"a\": 1}\n" + damaged + "\n{\"a\": 3}\n", name);
      EXPECT_EQ(lines.rows, "1|-;-|-;3|-") << damaged.substr(0, 20);
      EXPECT_EQ(lines.damage.records, 1u) << damaged.substr(0, 20);
      EXPECT_EQ(lines.damage.cells, (std::vector<std::uint64_t>{1, 1}));
    }
  }
  for (const std::string& damaged :
       {std::string("{\"a\" 2}"), std::string("nonsense"), std::string("[1]"), std::string("7"), std::string(),
        std::string("{\"a\": 2}}"), std::string("{\"a\": 2}]"), std::string("{\"a\": 2} {\"a\": 9}"),
        std::string("{\"a\": [\"]\", {}], \"b\"}"), "{\"a\": \"" + long_text + "\"}",
        "{\"a\": [1, \"],\"," + long_text + "]}"}) {
    for (const std::string parted : {",\n", ","}) {
      const Found list = read("[{\"a\": 1}" + parted + damaged + parted + "{\"a\": 3}]\n");
      EXPECT_EQ(list.rows, "1|-;-|-;3|-") << damaged.substr(0, 20);
      EXPECT_EQ(list.damage.records, 1u) << damaged.substr(0, 20);
    }
  }
  // An open quote ends with its line.
  EXPECT_EQ(read("[{\"a\": 1},\n{\"a\": \"x},\n{\"a\": 3}\n]").rows, "1|-;-|-;3|-");
  EXPECT_EQ(read("[{\"a\": 1},\n{\"a\": \"x}\n,{\"a\": 3}]").rows, "1|-;-|-;3|-");
  EXPECT_EQ(read("[{\"a\": 1},\n{\"a\": \"x}\n]").rows, "1|-;-|-");
  EXPECT_EQ(read("[{\"a\": 1}, {\"a\": 2},]").rows, "1|-;2|-;-|-");
  EXPECT_EQ(read("[,]").rows, "-|-;-|-");
  EXPECT_EQ(read("\n").rows, "-|-");
}

// Wherever a quote stays open in a list that is printed over several lines, its record is one row, and no other changes.
TEST(Json, AnOpenQuoteHarmsOneRecordOfAPrettyList) {
  struct Style {
    std::string comma, between;
  };
  for (const Style& style : {Style{",\n    ", ",\n  "}, Style{"\n    , ", "\n, "}, Style{",\n    ", ", "}}) {
    const auto record = [&](const std::string& a) {
      const std::string& comma = style.comma;
      return "{\n    \"a\": \"" + a + "\"" + comma + "\"c\": [\n      1,\n      2\n    ]" + comma +
             "\"d\": {\n      \"e\": \"f\"\n    }" + comma + "\"b\": \"y\"\n}";
    };
    const std::string first = "[\n  " + record("1"), second = style.between + record("2") + "\n]\n";
    ASSERT_EQ(read(first + second).rows, "1|y;2|y");
    for (std::size_t at = first.find('"'); at != std::string::npos; at = first.find('"', at + 1)) {
      std::string damaged = first;
      damaged.erase(at, 1);
      const Found found = read(damaged + second);
      EXPECT_EQ(found.rows, "-|-;2|y") << damaged;
      EXPECT_EQ(found.damage.records, 1u) << damaged;
    }
  }
}

// The other cells of its record stay.
TEST(Json, ADamagedCellIsNullAlone) {
  for (const std::string value : {"\"\\ud800\"",
                                  "\"\\ude00\"",
                                  "\"\\ud800x\"",
                                  "\"\\ud83dx\\ude00\"",
                                  "\"\\u12g4\"",
                                  "\"\\x\"",
                                  "\"\xff\"",
                                  "\"\xed\xa0\x80\"",
                                  "\"\t\"",
                                  "nonsense",
                                  "",
                                  "01",
                                  "1.",
                                  ".5",
                                  "+1",
                                  "0x10",
                                  "1e",
                                  "NaN",
                                  "True",
                                  "\"\\u12\""}) {
    for (const std::string& text : {"{\"a\": " + value + ", \"b\": 2}", "[{\"b\": 2, \"a\": " + value + "}]"}) {
      const Found found = read(text);
      EXPECT_EQ(found.rows, "-|2") << text;
      EXPECT_EQ(found.damage.records, 0u) << text;
      EXPECT_EQ(found.damage.cells, (std::vector<std::uint64_t>{1, 0})) << text;
    }
  }
  EXPECT_EQ(read("{\"a\": [1, nonsense, {\"b\"}], \"b\": 2}").rows, "-|2");  // a list is NULL, whatever is in it
  EXPECT_EQ(read("{\"\\ud800\": 1, \"\\u0062\": 2}").rows, "-|2");
  EXPECT_EQ(read("{\"a\": nonsense, \"a\": 1, \"b\": 1, \"b\": nonsense}").rows, "1|-");
  EXPECT_EQ(read("{\"a\": 1e400, \"b\": -0.0E+7}").rows, "1e400|-0.0E+7");  // numbers as they are written
  EXPECT_EQ(read("{\"a\": \"\\ud83d\\ude00\\\\\\/\\b\\f\\r\\t\\u00E9\\u20ac\", \"b\": \"\\u0000\"}").rows,
            std::string("\xf0\x9f\x98\x80\\/\b\f\r\t\xc3\xa9\xe2\x82\xac|\0", 17));
}

// No record alone makes lines look like a list, and in files that are named as lines not even all of them.
TEST(Json, LinesAreNotTakenForAList) {
  for (const std::string first : {"[1]", "[", "[{\"a\": 1},", "[{\"a\": 1}", "[]", "[\"", "nonsense"}) {
    for (const std::string name : {"x.json", "x.ndjson", "x.jsonl"}) {
      EXPECT_EQ(read(first + "\n{\"a\": 2}\n{\"a\": 3}\n", name).rows, "-|-;2|-;3|-") << first;
      EXPECT_EQ(read("{\"a\": 2}\n{\"a\": 3}\n" + first, name).rows, "2|-;3|-;-|-") << first;
    }
    EXPECT_EQ(read(first + "\n{\"a\": 2}\n]", "x.ndjson").rows, "-|-;2|-;-|-") << first;
  }
  EXPECT_EQ(read(" \n [{\"a\": 1}\n,{\"a\": 2}] \n\n").rows, "1|-;2|-");
  const std::string spaces(200'000, ' ');
  EXPECT_EQ(read("[{\"a\": 1},{\"a\": 2}" + spaces + "]").rows, "1|-;2|-");
}

TEST(Json, ReadingIsLinearWhateverTheBrackets) {
  for (const std::string piece : {"{\"a\":[\n", "\"\n", "{", "[{},", ",", "\\", "\n", "{\"a\": 1}"}) {
    std::string body = "[";
    while (body.size() < 5 * kLongestRecord / 2) body += piece;
    for (const std::string name : {"x.json", "x.ndjson"}) {
      EXPECT_LE(read(body + "]", name).looked_at, 3 * body.size()) << piece;
    }
  }
}

TEST(Json, RefusesNoFile) {
  EXPECT_EQ(testing::refusal([] { JsonReader("/nonexistent/x.json", {}); }), Code::cannot_read);
}

}  // namespace
}  // namespace dither::engine::detail
