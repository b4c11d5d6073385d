// For tests: a table of people with a cost each, in a file of any kind, and what is found of it.
#pragma once

#include <string>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/files_check.h"
#include "plan/functions.h"

namespace dither::engine {

inline std::string one_table(const std::string& source, const std::string& cost = "{type: real}") {
  return "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\nbudgets: {main: {epsilon: "
         "1}}\n"
         "tables:\n  visits:\n    source: " +
         source + "\n    unit: person\n    columns:\n      person: {type: integer}\n      cost: " + cost + "\n";
}

inline plan::Project project_in(const TestFolder& folder, const std::string& text) {
  return plan::parse_project(text, folder.file("dither.yaml"));
}

// Rows and the sum of the cost in steps of 1, at most two rows a person.
inline plan::BoundedAggregate asked(const plan::Project& project) {
  const plan::Relation visits = plan::scan(project, "visits");
  plan::BoundedAggregate aggregate;
  aggregate.rows =
      plan::project(visits, {plan::column(0, plan::Type::integer), plan::column(1, visits->columns()[1].type)});
  aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 2}};
  if (plan::is_number(visits->columns()[1].type)) {
    aggregate.measures.push_back(
        {.kind = plan::MeasureKind::sum, .column = 1, .low = -100, .high = 100, .total_low = -200, .total_high = 200});
  }
  return aggregate;
}

inline std::string answer(Engine& engine, const plan::Project& project) {
  engine.prepare(asked(project));
  return shown(by_key(engine.run(asked(project), {})));
}
inline std::string answer(const plan::Project& project) { return answer(*open_duckdb(project), project); }

inline std::string complaint(const plan::Project& project) {
  try {
    return answer(project);
  } catch (const Error& error) {
    return error.str();
  }
}

}  // namespace dither::engine
