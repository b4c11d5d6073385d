// For tests: a table in memory of people with a value each, and how many rows have each value.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/arrow_check.h"
#include "engine/engine.h"
#include "engine/exact_check.h"

namespace dither::engine {

// A table of people with a value each, which is one of so many keys or none of them.
inline plan::Project project_of(const std::string& type, const std::string& source = "{kind: memory}") {
  return plan::parse_project(
      "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\nbudgets: {main: {epsilon: "
      "1}}\n"
      "tables:\n  visits:\n    source: " +
          source + "\n    unit: person\n    columns:\n      person: {type: integer}\n      x: {type: " + type + "}\n",
      "dither.yaml");
}

inline std::unique_ptr<Engine> engine_of(const plan::Project& project, std::shared_ptr<const MemoryTable> table,
                                         unsigned threads = 2) {
  Limits limits;
  limits.threads = threads;
  return open_duckdb(project, limits, {{"visits", std::move(table)}}, [] { return std::string("secret"); });
}

// How many rows have each value of x.
inline plan::BoundedAggregate by_value(const plan::Project& project) {
  const plan::Relation visits = plan::scan(project, "visits");
  plan::BoundedAggregate aggregate;
  aggregate.rows =
      plan::project(visits, {plan::column(1, visits->columns()[1].type), plan::column(0, plan::Type::integer)});
  aggregate.keys = 1;
  aggregate.keys_per_unit = 1'000'000;
  aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1'000'000}};
  return aggregate;
}

inline ArrowColumn persons(std::int64_t count, std::int64_t from = 0, std::size_t before = 0) {
  Maybe<std::int64_t> ids;
  for (std::int64_t i = 0; i < count; ++i) ids.emplace_back(from + i);
  return fixed_column("person", "l", ids, before);
}

inline std::string found(Engine& engine, const plan::Project& project) {
  engine.prepare(by_value(project));
  const ExactNumbers numbers = engine.run(by_value(project), {});
  const ExactNumbers::Content& content = ExactTestAccess::content(numbers);
  std::map<std::string, std::string> lines;
  const plan::Type type = by_value(project).rows->columns()[0].type;
  for (std::size_t i = 0; i < content.keys.size(); ++i) {
    lines[plan::str({type, content.keys[i][0]})] = to_string(content.numbers[0][i]);
  }
  std::string text;
  for (const auto& [key, rows] : lines) text += fmt::format("{}{} {}", text.empty() ? "" : "; ", key, rows);
  return text;
}

}  // namespace dither::engine
