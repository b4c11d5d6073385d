// For tests of answers: a project in a folder of its own, its rows in memory, and questions in few words.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <string>

#include "ledger/ledger_check.h"
#include "session/answer.h"
#include "session/session.h"
#include "sql/query.h"
#include "testing/reference_engine.h"

namespace dither::sql::check {

inline const char* const kTables = R"(
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [Ayr, Bonn, Cork, Delft], outside: other}
      score: {type: integer, bounds: [0, 5], outside: clamp}
      town: {type: text}
  logs:
    source: logs.csv
    unit: row
    columns:
      size: {type: integer, bounds: [0, 4], outside: clamp}
)";

inline const char* const kBudgets = R"(
budgets:
  main: {epsilon: 1000000, delta: 1e-3}
  alice: {parent: main, epsilon: 100000, delta: 1e-4}
  poor: {parent: main, epsilon: 1, delta: 0}
)";

// Some people with one or two visits; nobody has been to Delft.
inline testing::PlanDatabase people(int count = 40) {
  testing::PlanDatabase database;
  const char* cities[] = {"Ayr", "Bonn", "Cork"};
  for (std::int64_t person = 0; person < count; ++person) {
    for (std::int64_t visit = 0; visit <= person % 2; ++visit) {
      const auto score = (3 * person + 2 * visit) % 6;
      database["visits"].push_back(
          {person, std::string(cities[(person + visit) % 3]), score, std::string(person % 20 == 0 ? "rare" : "often")});
    }
  }
  for (std::int64_t row = 0; row < 10; ++row) database["logs"].push_back({row % 5});
  return database;
}

class Place {
 public:
  explicit Place(const std::string& relation = "add-remove", testing::PlanDatabase rows = people(),
                 const std::string& more = "", const std::string& tables = kTables)
      : rest("privacy: {unit: person, neighbours: " + relation + "}\n" + tables + kBudgets + more),
        database(std::move(rows)) {
    set_version("1");
    engine = std::make_shared<testing::ReferenceEngine>(plan::read_project(path()), database);
  }

  // Of the data, in the project file.
  void set_version(const std::string& label) const {
    std::ofstream(path()) << "version: 1\ndata_version: \"" << label << "\"\n" << rest;
  }

  std::string path() const { return folder.file("dither.yaml"); }
  std::string ledger_path() const { return folder.file("dither.ledger"); }

  // Another one over the same folder, as another process would have it.
  session::Session open() const {
    session::Session session = session::Session::open(path());
    session.use_key(key);
    session.use_engine(engine);
    return session;
  }
  ledger::Ledger ledger() const { return ledger::Ledger::open(ledger_path(), key); }
  std::size_t releases() const {
    std::size_t count = 0;
    ledger().releases("", [&](const ledger::Release&) { return ++count > 0; });
    return count;
  }
  ledger::Release last_release() const {
    ledger::Release last;
    ledger().releases("", [&](const ledger::Release& release) { return (last = release, true); });
    return last;
  }
  std::string spent(const std::string& budget = "main") const {
    return ledger().budget(budget).spent.losses.at(0).str();
  }

  ledger::check::Folder folder;
  std::string rest;  // of the project file
  ledger::SigningKey key = ledger::SigningKey::make();
  testing::PlanDatabase database;
  std::shared_ptr<testing::ReferenceEngine> engine;
};

inline Wanted epsilon(const std::string& amount, const std::string& delta = "") {
  Wanted wanted;
  wanted.epsilon = Rational::parse(amount);
  if (!delta.empty()) wanted.delta = Rational::parse(delta);
  return wanted;
}

inline session::Ask by_ada() {
  session::Ask ask;
  ask.by = "Ada";
  return ask;
}

// As a server asks.
inline session::Ask hardened() {
  session::Ask ask = by_ada();
  ask.hardened = true;
  return ask;
}

// One row a line, cells as SQL writes them.
inline std::string text_of(const session::Answer& answer) {
  std::string text;
  for (const std::vector<Cell>& row : answer.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : ", ") + plan::str(plan::Constant{answer.types[i], row[i]});
    }
    text += "\n";
  }
  return text;
}

}  // namespace dither::sql::check
