// docs/project.schema.json says what the reader takes: no key more, no key less.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plan/detail/project_read.h"
#include "plan/project_check.h"

namespace dither::plan {
namespace {

using Json = nlohmann::json;

Json schema() { return Json::parse(std::ifstream(DITHER_SOURCE_DIR "/docs/project.schema.json")); }

TEST(ProjectSchema, HasTheKeysOfTheReader) {
  const Json definitions = schema().at("$defs");
  std::set<std::string> known;
  for (const detail::MapKeys& map : detail::project_keys()) {
    known.insert(map.name);
    ASSERT_TRUE(definitions.contains(map.name)) << map.name;
    const Json& definition = definitions.at(map.name);
    EXPECT_EQ(definition.at("additionalProperties"), false) << map.name;
    std::set<std::string> keys;
    for (const auto& [key, value] : definition.at("properties").items()) keys.insert(key);
    EXPECT_EQ(keys, std::set<std::string>(map.keys.begin(), map.keys.end())) << map.name;
  }
  for (const auto& [name, definition] : definitions.items()) EXPECT_TRUE(known.contains(name)) << name;
}

// A file with every key there is: whatever the lists name is also read.
TEST(ProjectSchema, EveryKeyIsRead) {
  EXPECT_EQ(complaint(R"(version: 1
data_version: "2"
privacy: {unit: person, neighbours: replace-one}
deadline: 5
ledger: l
anchor: a
tables:
  a:
    source: {path: a.db, kind: duckdb, table: t}
    public: false
    unit: id
    bounds: {rows_per_unit: 1, keys_per_unit: 1, rows_per_key: 1}
    expected: {rows: 1, units: 1}
    unique: [id]
    columns:
      id: {type: integer}
      b: {type: decimal, grid: 1, bounds: [0, 1], outside: null, null_as: 0}
      c: {type: integer, keys: [1], outside: {other: 2}}
      d: {type: text, max_length: 5, outside: clamp}
  b: {source: b.csv, unit: {through: a, by: {id: id}}, columns: {id: {type: integer}}}
  c: {source: c.csv, unit: {rows: 2}}
  d: {source: d.csv, public: true, multiplicity: {e: 2}}
budgets:
  x: {rule: advanced, epsilon: 1, delta: 0.1, slack: 0.1}
  z: {parent: x, epsilon: 1}
)"),
            "none");
  EXPECT_EQ(complaint(with_budgets("  x: {rho: 1}\n")), "none");
  EXPECT_EQ(complaint(with_budgets("  x: {mu: 1}\n")), "none");
}

std::set<std::string> words(const Json& list) {
  std::set<std::string> all;
  for (const Json& word : list) {
    if (word.is_string()) all.insert(word.get<std::string>());
  }
  return all;
}

TEST(ProjectSchema, HasTheWordsOfTheReader) {
  const Json definitions = schema().at("$defs");
  const auto property = [&](const char* map, const char* key) { return definitions.at(map).at("properties").at(key); };
  for (const std::string& type : words(property("column", "type").at("enum"))) EXPECT_NO_THROW(type_from(type)) << type;
  EXPECT_EQ(words(property("column", "type").at("enum")).size(), 7u);
  EXPECT_EQ(words(property("privacy", "neighbours").at("enum")), (std::set<std::string>{"add-remove", "replace-one"}));

  const auto lists = [](const std::string& found, const std::set<std::string>& all) {
    for (const std::string& word : all) EXPECT_NE(found.find(word), std::string::npos) << word << " in " << found;
  };
  // What the reader takes, it says when it is given another word.
  lists(complaint(with_column("{type: text, keys: [a], outside: nothing}")),
        words(property("column", "outside").at("anyOf").at(0).at("enum")));
  lists(complaint(with_budgets("  x: {rule: nothing}\n")), words(property("budget", "rule").at("enum")));
  lists(complaint(with_tables("  t: {unit: row, source: {path: x, kind: nothing}}\n")),
        words(property("source", "kind").at("enum")));
}

}  // namespace
}  // namespace dither::plan
