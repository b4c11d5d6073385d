// For tests and fuzzing of what one unit really moves: a project, statements, databases that are neighbours.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sql/privatize.h"
#include "testing/choices.h"
#include "testing/plan_reference.h"

namespace dither::sql {

using testing::ExactNumbers;
using testing::PlanDatabase;
using testing::PlanRow;

// The private tables of one database; @ stands for its number behind their names.
inline const char* const kNeighbourTables = R"(
  visits@:
    source: visits@.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      cost: {type: integer, bounds: [-2, 4], outside: clamp}
      town: {type: text}
  people@:
    source: people@.csv
    unit: person
    bounds: {rows_per_unit: 1, keys_per_unit: 1, rows_per_key: 1}
    columns:
      person: {type: integer}
      team: {type: text, keys: [x, z], outside: null}
  bills@:
    source: bills@.csv
    unit: {through: orders@, by: {order_id: id}}
    unique: [id]
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      order_id: {type: integer}
      amount: {type: integer, bounds: [1, 4], outside: clamp}
      id: {type: integer}
  parts@:
    source: parts@.csv
    unit: {through: bills@, by: {bill_id: id}}
    bounds: {rows_per_unit: 2}
    columns:
      bill_id: {type: integer}
      size: {type: integer, bounds: [0, 3], outside: clamp}
  orders@:
    source: orders@.csv
    unit: person
    unique: [id]
    columns:
      id: {type: integer}
      person: {type: integer}
  logs@:
    source: logs@.csv
    unit: row
    columns:
      kind: {type: text, keys: [p, q], outside: other}
      size: {type: integer, bounds: [2, 6], outside: clamp, null_as: 4}
      town: {type: text}
  any3@:
    source: any3@.csv
    unit: {rows: 3}
    columns:
      kind: {type: text, keys: [p, q], outside: other}
      size: {type: integer, bounds: [0, 2], outside: clamp}
)";

inline std::string numbered(std::string text, const std::string& number) {
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, number);
  return text;
}

// A project with the tables of each of these databases, and one public table.
inline std::string project_text(const std::string& neighbours, const std::vector<std::string>& numbers = {""}) {
  std::string text =
      "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: " + neighbours + "}\ntables:";
  for (const std::string& number : numbers) text += numbered(kNeighbourTables, number);
  return text + R"(  regions:
    source: regions.csv
    public: true
    unique: [city]
    multiplicity: {zone: 2}
    columns:
      city: {type: text}
      zone: {type: text, keys: [north, south], outside: other}
budgets: {main: {epsilon: 10, delta: 1e-6}}
)";
}

// Over the tables of one database.
inline const std::vector<std::string> kNeighbourStatements = {
    "SELECT COUNT(*) FROM visits",
    "SELECT COUNT(*) FROM visits WHERE cost > 1",
    "SELECT COUNT(cost), COUNT(DISTINCT person), SUM(cost) FROM visits",
    "SELECT COUNT(DISTINCT person) FILTER (WHERE cost > 2) FROM visits",
    "SELECT city, COUNT(DISTINCT person) FILTER (WHERE cost > 2) FROM visits GROUP BY city",
    "SELECT AVG(cost), VAR_POP(cost) FROM visits WHERE town <> 'a'",
    "SELECT city, COUNT(*), SUM(cost), AVG(cost), STDDEV_SAMP(cost) FROM visits GROUP BY city",
    "SELECT AVG(cost), VAR_POP(cost) FROM visits",
    "SELECT town, AVG(cost), COUNT(cost) FROM visits GROUP BY town",
    "SELECT city, COUNT(DISTINCT person), SUM(cost * 2 - 1) FROM visits WHERE cost < 4 GROUP BY city",
    "SELECT town, COUNT(*), SUM(cost) FROM visits GROUP BY town",
    "SELECT DISTINCT town FROM visits",
    "SELECT town, city, COUNT(*) FILTER (WHERE cost > 0) FROM visits GROUP BY town, city",
    "SELECT cost > 2, SUM(CASE WHEN city = 'a' THEN cost END) FROM visits GROUP BY 1",
    "SELECT p.team, COUNT(*), SUM(v.cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.team",
    "SELECT COUNT(*), SUM(v.cost) FROM visits v LEFT JOIN people p ON v.person = p.person WHERE p.team IS NULL",
    "SELECT COUNT(*) FROM visits a JOIN visits b ON a.person = b.person AND a.city = b.city",
    "SELECT r.zone, COUNT(*), SUM(cost) FROM visits v JOIN regions r ON v.city = r.city GROUP BY r.zone",
    "SELECT r.city, SUM(cost) FROM visits v LEFT JOIN regions r ON v.city = r.zone GROUP BY r.city",
    "SELECT COUNT(*) FROM (SELECT DISTINCT person, city FROM visits) t",
    "WITH t AS (SELECT person, city c FROM visits UNION ALL SELECT person, town FROM visits) SELECT COUNT(*) FROM t",
    "SELECT c, COUNT(*) FROM (SELECT person, city c FROM visits UNION ALL SELECT * FROM people) t GROUP BY c",
    "SELECT COUNT(*), SUM(amount), AVG(amount) FROM bills",
    "SELECT amount, COUNT(*) FROM bills GROUP BY amount",
    "SELECT COUNT(*), SUM(size) FROM parts",
    "SELECT size, COUNT(*) FROM parts GROUP BY size",
    "SELECT size > 1, AVG(size), SUM(size) FROM parts GROUP BY 1",
    "SELECT COUNT(*), SUM(size), AVG(size) FROM logs",
    "SELECT SUM(size) FROM logs WHERE size > 2",
    "SELECT kind, COUNT(*), SUM(size) FROM logs GROUP BY kind",
    "SELECT town, COUNT(*), SUM(size) FROM logs GROUP BY town",
    "SELECT COUNT(*), SUM(size) FROM any3",
    "SELECT kind, COUNT(*), SUM(size) FROM any3 GROUP BY kind",
    "SELECT city, COUNT(*) FROM (SELECT * FROM visits WHERE cost IS NOT NULL) t GROUP BY city HAVING COUNT(*) > 3",
};

class Databases {
 public:
  explicit Databases(testing::Choices choices) : choices_(choices) {}

  std::uint64_t below(std::uint64_t n) { return choices_.below(n); }

  Cell text(const std::vector<std::string>& words) {
    const std::uint64_t at = below(words.size() + 1);
    return at == words.size() ? Cell{} : Cell{words[at]};
  }
  Cell number(std::int64_t low, std::int64_t high) {
    if (below(6) == 0) return Cell{};
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low + 1)));
  }

  // Everything of one unit, in all tables that have units.
  void add_unit(PlanDatabase& all, std::int64_t unit) {
    for (std::uint64_t i = below(6); i > 0; --i) {
      all["visits"].push_back({unit, text({"a", "b", "c", "d"}), number(-9, 9), text({"a", "b", "c", "e"})});
    }
    for (std::uint64_t i = below(3); i > 0; --i) all["people"].push_back({unit, text({"x", "z", "w"})});
    for (std::int64_t order = 0; order < 2; ++order) {
      if (below(2) == 0) continue;
      all["orders"].push_back({unit * 10 + order, unit});
      for (std::uint64_t i = below(4); i > 0; --i) {
        const std::int64_t bill = unit * 100 + order * 10 + static_cast<std::int64_t>(i);
        all["bills"].push_back({unit * 10 + order, number(-3, 9), bill});
        for (std::int64_t part = bill % 3; part > 0; --part) all["parts"].push_back({bill, (bill + part) % 7 - 2});
      }
    }
  }
  // Rows that belong to nobody: they count nowhere, and neighbours may differ in them.
  void add_nobody(PlanDatabase& all) {
    for (std::uint64_t i = below(3); i > 0; --i)
      all["visits"].push_back({Cell{}, text({"a", "b"}), number(-9, 9), Cell{}});
    for (std::uint64_t i = below(2); i > 0; --i) all["people"].push_back({Cell{}, text({"x", "z"})});
    for (std::uint64_t i = below(2); i > 0; --i) {
      all["bills"].push_back({std::int64_t{999}, number(-3, 9), std::int64_t{9999}});  // of an order that is not there
      all["parts"].push_back({std::int64_t{9999}, std::int64_t{2}});
      all["parts"].push_back({Cell{}, std::int64_t{3}});
    }
  }
  PlanRow log() { return {text({"p", "q", "r"}), number(-4, 9), text({"a", "b"})}; }

  PlanDatabase empty() {
    PlanDatabase all = {{"visits", {}}, {"people", {}}, {"orders", {}}, {"bills", {}},
                        {"parts", {}},  {"logs", {}},   {"any3", {}}};
    for (const char* city : {"a", "b", "c", "other", "north"})
      all["regions"].push_back({Cell{std::string(city)}, Cell{}});
    all["regions"][0][1] = all["regions"][1][1] = Cell{std::string("north")};
    all["regions"][2][1] = all["regions"][3][1] = Cell{std::string("south")};
    return all;
  }

 private:
  testing::Choices choices_;
};

// Two databases that are neighbours in every table at once: one unit, one log, any three rows.
inline std::pair<PlanDatabase, PlanDatabase> neighbours(Databases& make, bool replace) {
  PlanDatabase x = make.empty();
  for (std::int64_t unit = 1; unit <= 1 + static_cast<std::int64_t>(make.below(2)); ++unit) make.add_unit(x, unit);
  for (std::uint64_t i = make.below(3); i > 0; --i) x["logs"].push_back(make.log());
  for (std::uint64_t i = make.below(3); i > 0; --i) {
    PlanRow row = make.log();
    row.pop_back();
    x["any3"].push_back(row);
  }
  PlanDatabase y = x;
  make.add_nobody(make.below(2) == 0 ? x : y);
  make.add_unit(y, 7);
  y["logs"].push_back(make.log());
  for (int i = 0; i < 3; ++i) {
    PlanRow row = make.log();
    row.pop_back();
    y["any3"].push_back(row);
    if (!replace) continue;
    row = make.log();
    row.pop_back();
    x["any3"].push_back(row);
  }
  if (replace) {
    make.add_unit(x, make.below(2) == 0 ? 7 : 8);
    x["logs"].push_back(make.log());
  }
  return {x, y};
}

// How far the numbers of a measure are apart.
inline calculus::CellsDistance apart(const ExactNumbers& x, const ExactNumbers& y, std::size_t measure) {
  std::set<std::string> keys;
  for (const auto& entry : x) keys.insert(entry.first);
  for (const auto& entry : y) keys.insert(entry.first);
  calculus::CellsDistance d{0, 0, 0, 0};
  for (const std::string& key : keys) {
    const auto a = x.find(key);
    const auto b = y.find(key);
    const Rational move = abs(Rational(a == x.end() ? Int128{0} : a->second[measure]) -
                              Rational(b == y.end() ? Int128{0} : b->second[measure]));
    if (move.sign() > 0) d.cells += 1;
    d.l1 += move;
    d.l2_squared += move * move;
    d.largest = std::max(d.largest, move);
  }
  return d;
}

inline bool within(const calculus::CellsDistance& real, const calculus::CellsDistance& claimed) {
  return real.cells <= claimed.cells && real.l1 <= claimed.l1 && real.l2_squared <= claimed.l2_squared &&
         real.largest <= claimed.largest;
}

// Whether numbers of neighbours are no further apart than the plan claims, and which of its measures reached the claim.
struct Verdict {
  bool holds = true;
  std::set<std::size_t> reached;
};
inline void judge(const session::PricedPlan& plan, const ExactNumbers& x, const ExactNumbers& y, Verdict& verdict) {
  for (const session::Part& part : plan.parts) {
    const calculus::CellsDistance real = apart(x, y, part.measure);
    verdict.holds = verdict.holds && within(real, part.distance);
    if (real.l1 == part.distance.l1) verdict.reached.insert(part.measure);
  }
  if (!plan.keys) return;
  const std::size_t units = plan.exact.measures.size();
  const calculus::CellsDistance claimed = cells_of(plan.keys->units.map(plan.steps));
  const calculus::CellsDistance real = apart(x, y, units);
  verdict.holds = verdict.holds && within(real, claimed);
  if (real.l1 == claimed.l1) verdict.reached.insert(units);
}

inline session::PricedPlan planned(const plan::Project& project, const std::string& text) {
  Wanted wanted;
  wanted.epsilon = 1;
  wanted.delta = Rational::parse("1e-6");
  return privatize(project, sql::bind(project, text), wanted);
}

}  // namespace dither::sql
