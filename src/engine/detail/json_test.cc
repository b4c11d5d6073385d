#include "engine/detail/json.h"

#include <gtest/gtest.h>

#include "engine/exact_check.h"
#include "testing/refusal.h"

namespace dither::engine::detail {
namespace {

// Fields a and b of every record, "1|x;2|-".
struct Found {
  std::string rows;
  std::uint64_t dropped;
};
Found read(const std::string& text) {
  const TestFolder folder;
  JsonReader reader(folder.write("x.json", text), {"a", "b"});
  Found found{"", 0};
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    if (!found.rows.empty()) found.rows += ";";
    for (std::size_t i = 0; i < fields.size(); ++i) {
      found.rows += (i == 0 ? "" : "|") + (fields[i].data() == nullptr ? "-" : std::string(fields[i]));
    }
  }
  found.dropped = reader.dropped();
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

TEST(Json, DropsADamagedRecordAlone) {
  const std::string long_text(kLongestRecord, 'q');
  for (const std::string& damaged : {std::string("{\"a\": 2"), std::string("nonsense"), std::string("[1]"),
                                     std::string("7"), std::string("{\"a\": \"\xff\"}"), std::string("{\"a\": 2}}"),
                                     std::string("{\"a\": \"x}"), "{\"a\": \"" + long_text + "\"}"}) {
    const Found lines = read("{\"a\": 1}\n" + damaged + "\n{\"a\": 3}\n");
    EXPECT_EQ(lines.rows, "1|-;3|-") << damaged.substr(0, 20);
    EXPECT_EQ(lines.dropped, 1u) << damaged.substr(0, 20);
  }
  for (const std::string& damaged :
       {std::string("{\"a\" 2}"), std::string("nonsense"), std::string("[1]"), std::string("7"),
        std::string("{\"a\": \"\xff\"}"), "{\"a\": \"" + long_text + "\"}"}) {
    const Found list = read("[{\"a\": 1},\n" + damaged + ",\n{\"a\": 3}]\n");
    EXPECT_EQ(list.rows, "1|-;3|-") << damaged.substr(0, 20);
    EXPECT_EQ(list.dropped, 1u) << damaged.substr(0, 20);
  }
  EXPECT_EQ(read("[{\"a\": 1}, {\"a\": 2}, {\"a\"").rows, "1|-;2|-");
}

TEST(Json, RefusesNoFile) {
  EXPECT_EQ(testing::refusal([] { JsonReader("/nonexistent/x.json", {}); }), Code::cannot_read);
}

}  // namespace
}  // namespace dither::engine::detail
