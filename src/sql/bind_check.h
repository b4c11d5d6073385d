// For tests, fuzzing and benchmarks of the binder: a project, and relations in few words.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "plan/project.h"
#include "plan/relation.h"
#include "sql/statement.h"

namespace dither::sql {

inline const plan::Project& check_project() {
  static const plan::Project project = plan::parse_project(R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      cost: {type: decimal, grid: 0.01, bounds: [0, 5000], outside: clamp}
      age: {type: integer, bounds: [0, 120], outside: clamp}
      day: {type: date}
      seen: {type: timestamp}
      note: {type: text}
      smoker: {type: boolean}
  more_visits:
    source: more.csv
    unit: person
    bounds: {rows_per_unit: 6}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      cost: {type: decimal, grid: 0.01, bounds: [0, 5000], outside: clamp}
  people:
    source: people.csv
    unit: person
    bounds: {rows_per_unit: 1}
    columns:
      person: {type: integer}
      sex: {type: text, keys: [f, m], outside: other}
      born: {type: integer, bounds: [1900, 2025], outside: clamp}
  trips:
    source: trips.csv
    unit: row
    columns:
      Kind: {type: text}
      distance: {type: integer, bounds: [0, 100], outside: clamp}
  professors:
    source: professors.csv
    unit: id
    bounds: {rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2}
    columns:
      id: {type: integer}
      item: {type: text}
      quantity: {type: integer, bounds: [0, 100], outside: clamp}
  regions:
    source: regions.csv
    public: true
    unique: [city]
    columns:
      city: {type: text}
      region: {type: text, keys: [north, south], outside: other}
  prices:
    source: prices.csv
    public: true
    columns:
      city: {type: text}
      price: {type: integer, bounds: [0, 9], outside: clamp}
budgets:
  main: {epsilon: 3, delta: 1e-8}
)",
                                                           "dither.yaml");
  return project;
}

// The canonical form of a statement over that project.
inline std::string form_of(std::string_view sql) {
  return plan::canonical_json(plan::normal_form(bind(check_project(), sql).relation));
}

// "code: message | hint", or "bound" where nothing is refused.
inline std::string refusal_of(std::string_view sql) {
  try {
    bind(check_project(), sql);
    return "bound";
  } catch (const Error& error) {
    return std::string(code_name(error.code())) + ": " + error.what() + " | " + error.hint();
  }
}

}  // namespace dither::sql
