// Project files for tests.
#pragma once

#include <string>

#include "base/error.h"
#include "plan/project.h"

namespace dither::plan {

// The example of examples/clinic.
inline const std::string kClinic = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2}
    expected: {rows: 4000}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      cost: {type: decimal, grid: 0.01, bounds: [0, 5000], outside: clamp}
  regions: {source: regions.csv, public: true, unique: [city]}
budgets:
  main: {epsilon: 3, delta: 1e-8}
  alice: {parent: main, epsilon: 1, delta: 0}
)";

// The same with one text put in place of another, which must occur.
inline std::string clinic_with(const std::string& old, const std::string& text) {
  std::string file = kClinic;
  const auto at = file.find(old);
  return at == std::string::npos ? "no such text" : file.replace(at, old.size(), text);
}

// A project of these tables, or of these budgets.
inline std::string with_tables(const std::string& tables) {
  return "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\nbudgets: {main: {epsilon: "
         "1}}\n"
         "tables:\n" +
         tables;
}
inline std::string with_budgets(const std::string& budgets) {
  return "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\n"
         "tables: {visits: {source: visits.csv, unit: row}}\nbudgets:\n" +
         budgets;
}
// One private table with one column besides the id.
inline std::string with_column(const std::string& column) {
  return with_tables(
      "  visits:\n    source: visits.csv\n    unit: person\n    columns:\n      person: {type: integer}\n      x: " +
      column + "\n");
}

inline ColumnDeclaration column_of(const std::string& column) {
  return *parse_project(with_column(column), "f").table("visits").find("x");
}

// The two lines a person sees, or "none".
inline std::string complaint(const std::string& text) {
  try {
    parse_project(text, "f");
    return "none";
  } catch (const Error& error) {
    return error.str();
  }
}

}  // namespace dither::plan
