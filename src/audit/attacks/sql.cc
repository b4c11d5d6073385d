// Every kind of statement that is answered, on databases one unit apart: rows and values at their bounds and beyond,
// NULL, NaN, duplicates, keys that come and go, units with many rows.
#include "audit/sql_subject.h"

#include <fmt/format.h>

#include <utility>

#include "audit/attacks/attacks.h"

namespace dither::audit {

namespace {

constexpr double kDraw = 15, kAnswer = 12'000;  // microseconds

const char* const kTables = R"(
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b], outside: other}
      cost: {type: integer, bounds: [-2, 4], outside: clamp}
      pay: {type: decimal, grid: 0.01, bounds: [0, 8], outside: clamp}
      town: {type: text}
  people:
    source: people.csv
    unit: person
    bounds: {rows_per_unit: 1, keys_per_unit: 1, rows_per_key: 1}
    columns:
      person: {type: integer}
      team: {type: text, keys: [x, z], outside: other}
  orders:
    source: orders.csv
    unit: person
    unique: [id]
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      id: {type: integer}
      person: {type: integer}
  bills:
    source: bills.csv
    unit: {through: orders, by: {order_id: id}}
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      order_id: {type: integer}
      amount: {type: integer, bounds: [1, 4], outside: clamp}
  logs:
    source: logs.csv
    unit: row
    columns:
      kind: {type: text, keys: [p, q], outside: other}
      size: {type: integer, bounds: [0, 4], outside: clamp}
  any3:
    source: any3.csv
    unit: {rows: 3}
    columns:
      kind: {type: text, keys: [p, q], outside: other}
      size: {type: integer, bounds: [0, 2], outside: clamp}
  regions:
    source: regions.csv
    public: true
    unique: [city]
    columns:
      city: {type: text}
      zone: {type: text, keys: [north, south], outside: other}
)";

// What all databases share: two people, one of whom has rows without values.
CsvTables common() {
  return {{"visits.csv", "person,city,cost,pay,town\n1,a,1,2.50,often\n1,b,2,0.01,often\n2,a,,,rare\n"},
          {"people.csv", "person,team\n1,x\n2,z\n"},
          {"orders.csv", "id,person\n10,1\n20,2\n"},
          {"bills.csv", "order_id,amount\n10,2\n20,3\n99,4\n"},
          {"logs.csv", "kind,size\np,1\nq,\n"},
          {"any3.csv", "kind,size\np,1\n"},
          {"regions.csv", "city,zone\na,north\nb,south\nother,south\n"}};
}

CsvTables with(CsvTables tables, const CsvTables& more) {
  for (const auto& [name, rows] : more) tables[name] += rows;
  return tables;
}

// Of somebody who comes often.
const char* const kManyVisits =
    "7,a,4,8,new\n7,b,4,8,new\n7,a,4,8,new\n7,b,4,8,new\n7,a,4,8,new\n7,b,4,8,new\n7,a,4,8,new\n7,b,4,8,new\n";

// Units that do all they may: more rows than count, values beyond their bounds, duplicates, and odd ones.
const CsvTables kHigh = {
    {"visits.csv",
     std::string("7,a,99,1e9,new\n7,a,99,1e9,new\n7,b,99,99,new\n7,b,4,8,new\n7,c,4,8,new\n7,a,4,8,new\n") +
         kManyVisits},
    {"people.csv", "7,x\n7,x\n7,z\n"},
    {"orders.csv", "70,7\n71,7\n72,7\n"},
    {"bills.csv", "70,9\n70,9\n71,9\n72,9\n"},
    {"logs.csv", "p,99\n"},
    {"any3.csv", "p,9\np,9\np,9\n"}};
const CsvTables kLow = {{"visits.csv", "7,a,-99,-5,old\n7,b,-99,-5,old\n7,c,,NaN,\n7,,-99,,\n"},
                        {"people.csv", "7,\n"},
                        {"orders.csv", "70,7\n71,7\n"},
                        {"bills.csv", "70,\n71,-5\n"},
                        {"logs.csv", ",-5\n"},
                        {"any3.csv", "q,-5\nq,\n,0\n"}};

// One row of everything, with nothing in it.
const CsvTables kOne = {{"visits.csv", "7,b,,,\n"}, {"people.csv", "7,z\n"}, {"orders.csv", "70,7\n"},
                        {"bills.csv", "70,1\n"},    {"logs.csv", "q,0\n"},   {"any3.csv", "q,0\nq,0\nq,0\n"}};

std::vector<SqlPair> pairs_of(const std::string& relation) {
  if (relation == "add-remove") {
    return {{"two people", "and one with many rows at the high bounds", common(), with(common(), kHigh)},
            {"two people", "and one at the low bounds, with missing values", common(), with(common(), kLow)}};
  }
  return {{"a person at the low bounds", "the same at the high bounds", with(common(), kLow), with(common(), kHigh)},
          {"a person with one empty row", "the same at the high bounds", with(common(), kOne), with(common(), kHigh)}};
}

struct SqlAttack {
  std::string claim, what, statement;
  std::size_t keys = 0;
  std::string relation = "add-remove";
  std::optional<Rational> delta = {};
  bool whole = false;
};

void add(Attacks& attacks, const SqlAttack& one) {
  const std::string name = one.claim + ": " + one.what;
  // Single numbers, and keys that come and go, have simple events; of several numbers a classifier finds the direction.
  const bool several = !one.delta && (one.keys > 0 || one.statement.find("),") != std::string::npos);
  attacks.push_back({one.claim, name, several && !one.whole ? "dp-sniper" : "stat-dp", one.whole ? kAnswer : kDraw,
                     [one, name]() -> Subject {
                       return std::make_shared<const SqlSubject>(SqlSubject{
                           name, one.relation, kTables, one.statement, one.keys,
                           one.whole ? Rational(1, 2) : Rational(1), one.delta, pairs_of(one.relation), one.whole});
                     }});
}

void add_aggregates(Attacks& attacks) {
  for (const std::string relation : {"add-remove", "replace-one"}) {
    const auto aggregate = [&](const std::string& claim, const std::string& what) {
      const std::string statement = fmt::format("SELECT {} FROM visits", what);
      add(attacks, {claim, fmt::format("{}, {}", what, relation), statement, 0, relation});
    };
    aggregate("sql-count", "COUNT(*)");
    aggregate("sql-count-values", "COUNT(cost)");
    aggregate("sql-sum", "SUM(cost)");
    aggregate("sql-avg", "AVG(cost)");
    aggregate("sql-variance", "VAR_POP(cost)");
    add(attacks, {"sql-public-keys", "COUNT(*), SUM(pay) by city, " + relation,
                  "SELECT city, COUNT(*), SUM(pay) FROM visits GROUP BY city", 1, relation});
  }
  add(attacks, {"sql-count-units", "COUNT(DISTINCT person)", "SELECT COUNT(DISTINCT person) FROM visits"});
  add(attacks, {"sql-count-units", "by a filter, replace-one",
                "SELECT COUNT(DISTINCT person) FILTER (WHERE cost > 2) FROM visits", 0, "replace-one"});
  add(attacks, {"sql-sum", "decimals", "SELECT SUM(pay) FROM visits WHERE cost > 0"});
  add(attacks, {"sql-variance", "STDDEV_SAMP(cost)", "SELECT STDDEV_SAMP(cost) FROM visits"});
}

void add_keys(Attacks& attacks) {
  const Rational delta(1, 50);
  add(attacks, {"sql-unknown-keys", "COUNT(*) by town", "SELECT town, COUNT(*) FROM visits GROUP BY town", 1,
                "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "SUM(cost) by town, replace-one",
                "SELECT town, SUM(cost) FROM visits GROUP BY town", 1, "replace-one", delta});
  add(attacks, {"sql-above",
                "HAVING, ORDER BY and LIMIT",
                "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC LIMIT 1",
                1,
                "add-remove",
                {},
                true});
}

void add_sources(Attacks& attacks) {
  add(attacks,
      {"sql-join", "two tables of a person",
       "SELECT p.team, COUNT(*), SUM(v.cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.team", 1});
  add(attacks,
      {"sql-join", "a left join",
       "SELECT COUNT(*), SUM(v.cost) FROM visits v LEFT JOIN people p ON v.person = p.person WHERE p.team = 'x'"});
  add(attacks,
      {"sql-join", "a public table, replace-one",
       "SELECT r.zone, COUNT(*) FROM visits v JOIN regions r ON v.city = r.city GROUP BY r.zone", 1, "replace-one"});
  add(attacks, {"sql-union", "UNION ALL",
                "SELECT c, COUNT(*) FROM (SELECT person, city c FROM visits UNION ALL SELECT person, team FROM people) "
                "t GROUP BY c",
                1});
  add(attacks,
      {"sql-distinct", "SELECT DISTINCT", "SELECT COUNT(*) FROM (SELECT DISTINCT person, city FROM visits) t"});
  add(attacks, {"sql-foreign-key", "bills by their orders", "SELECT COUNT(*), SUM(amount) FROM bills"});
  for (const std::string relation : {"add-remove", "replace-one"}) {
    add(attacks, {"sql-row-unit", "logs, " + relation, "SELECT SUM(size) FROM logs", 0, relation});
    add(attacks, {"sql-rows-unit", "any three rows, " + relation,
                  "SELECT kind, COUNT(*), SUM(size) FROM any3 GROUP BY kind", 1, relation});
  }
}

// A few statements that together go all ways; runs are few, so what they can see is large.
void add_whole(Attacks& attacks) {
  const auto whole = [&](SqlAttack one) {
    one.what += ", whole answers";
    one.whole = true;
    add(attacks, one);
  };
  whole({"sql-public-keys", "all aggregates",
         "SELECT city, COUNT(*), COUNT(cost), COUNT(DISTINCT person), SUM(cost), AVG(cost), STDDEV(cost) FROM visits "
         "GROUP "
         "BY city",
         1});
  whole({"sql-unknown-keys", "COUNT(*) by town", "SELECT town, COUNT(*) FROM visits GROUP BY town", 1, "add-remove",
         Rational(1, 50)});
  whole({"sql-join", "two tables of a person, replace-one",
         "SELECT p.team, COUNT(*) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.team HAVING COUNT(*) > "
         "-9",
         1, "replace-one"});
  whole({"sql-row-unit", "logs", "SELECT COUNT(*), SUM(size) FROM logs"});
}

}  // namespace

void add_sql_attacks(Attacks& attacks) {
  add_aggregates(attacks);
  add_keys(attacks);
  add_sources(attacks);
  add_whole(attacks);
}

}  // namespace dither::audit
