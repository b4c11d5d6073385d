// Every kind of statement that is answered, on databases one unit apart: rows and values at their bounds and beyond,
// NULL, NaN, duplicates, keys that come and go, units with many rows, rows of nobody, and nobody at all.
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
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b], outside: other}
      cost: {type: integer, bounds: [-2, 4], outside: clamp}
      pay: {type: decimal, grid: 0.01, bounds: [0, 8], outside: clamp}
      town: {type: text}
      weight: {type: real, bounds: [0, 4], outside: clamp}
      score: {type: integer, bounds: [0, 4], outside: null}
      grade: {type: integer, bounds: [0, 4], outside: clamp, null_as: 2}
      day: {type: date, bounds: ["2024-01-01", "2024-01-03"], outside: clamp}
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
  offers:
    source: offers.csv
    public: true
    multiplicity: {city: 2}
    columns:
      city: {type: text}
      price: {type: integer, bounds: [0, 3], outside: clamp}
)";

// Nobody; the public tables have their rows.
CsvTables nobody() {
  return {{"visits.csv", "person,city,cost,pay,town,weight,score,grade,day\n"},
          {"people.csv", "person,team\n"},
          {"orders.csv", "id,person\n"},
          {"bills.csv", "order_id,amount\n"},
          {"logs.csv", "kind,size\n"},
          {"any3.csv", "kind,size\n"},
          {"regions.csv", "city,zone\na,north\nb,south\nother,south\n"},
          {"offers.csv", "city,price\na,3\na,2\na,1\nb,3\nother,9\n"}};
}

CsvTables with(CsvTables tables, const CsvTables& more) {
  for (const auto& [name, rows] : more) tables[name] += rows;
  return tables;
}

// Two people, one of whom has rows without values.
CsvTables two_people() {
  return with(nobody(),
              {{"visits.csv", "1,a,1,2.50,often,1,1,1,2024-01-01\n1,b,2,0.01,often,2,2,2,2024-01-02\n2,a,,,rare,,,,\n"},
               {"people.csv", "1,x\n2,z\n"},
               {"orders.csv", "10,1\n20,2\n"},
               {"bills.csv", "10,2\n20,3\n99,4\n"},
               {"logs.csv", "p,1\nq,\n"},
               {"any3.csv", "p,1\n"}});
}

std::string often(int times, const std::string& rows) {
  std::string all;
  for (int i = 0; i < times; ++i) all += rows;
  return all;
}

// Units that do all they may: more rows than count, values beyond their bounds, duplicates, and odd ones. Rows without a
// unit are nobody's, so that they change nothing.
const CsvTables kHigh = {{"visits.csv",
                          "7,a,99,1e9,new,1e300,4,99,2024-01-03\n7,a,99,1e9,new,inf,4,99,2999-01-01\n"
                          "7,b,99,99,new,99,4,4,2024-01-03\n7,c,4,8,new,4,4,4,2024-01-03\n"
                          "7,a,3,7,new,3,3,3,2024-01-03\n7,b,3,7,new,3,3,3,2024-01-03\n7,a,2,7,new,3,3,3,2024-01-03\n"
                          "7,b,2,7,new,3,3,3,2024-01-03\n7,a,1,7,new,3,3,3,2024-01-03\n7,b,1,7,new,3,3,3,2024-01-03\n" +
                              often(20, "7,a,4,8,new,4,4,4,2024-01-03\n7,b,4,8,new,4,4,4,2024-01-03\n") +
                              often(20, ",a,4,8,new,4,4,4,2024-01-03\n")},
                         {"people.csv", "7,x\n7,x\n7,z\n" + often(20, ",x\n")},
                         {"orders.csv", "70,7\n71,7\n72,7\n73,\n"},
                         {"bills.csv", "70,9\n70,9\n71,9\n72,9\n" + often(20, "73,9\n,9\n")},
                         {"logs.csv", "p,99\n"},
                         {"any3.csv", "p,9\np,9\np,9\n"}};
const CsvTables kLow = {
    {"visits.csv", "7,a,-99,NaN,old,NaN,-99,,1000-01-01\n7,b,-99,-5,,-inf,,-99,\n7,b,,NaN,old,nan,9,,\n"},
    {"people.csv", "7,\n"},
    {"orders.csv", "70,7\n71,7\n"},
    {"bills.csv", "70,\n71,-5\n"},
    {"logs.csv", ",-5\n"},
    {"any3.csv", "q,-5\nq,\n,0\n"}};

// One row of everything, with nothing in it.
const CsvTables kOne = {{"visits.csv", "7,,,,,,,,\n"}, {"people.csv", "7,z\n"}, {"orders.csv", "70,7\n"},
                        {"bills.csv", "70,1\n"},       {"logs.csv", "q,0\n"},   {"any3.csv", "q,0\nq,0\nq,0\n"}};

std::vector<SqlPair> pairs_of(const std::string& relation) {
  const CsvTables others = two_people();
  if (relation == "add-remove") {
    return {
        {"two people", "and one with many rows at the high bounds, and rows of nobody", others, with(others, kHigh)},
        {"nobody", "one at the low bounds, with missing values", nobody(), with(nobody(), kLow)}};
  }
  return {{"a person at the low bounds", "the same at the high bounds", with(others, kLow), with(others, kHigh)},
          {"a person with one empty row", "the same at the high bounds", with(others, kOne), with(others, kHigh)}};
}

// How a statement is paid for: beside it, or in its own text.
enum class Paid { epsilon, rho, in_text };

struct SqlAttack {
  std::string claim, what, statement;
  std::size_t keys = 0;
  std::string relation = "add-remove";
  std::optional<Rational> delta = {};
  Paid paid = Paid::epsilon;
  bool whole = false;
};

SqlSubject subject_of(const SqlAttack& one, const std::string& name) {
  const Rational price = one.whole ? Rational(1, 2) : Rational(1);
  const Rational delta = one.delta.value_or(0);
  sql::Wanted wanted;
  if (one.paid != Paid::in_text) {
    (one.paid == Paid::rho ? wanted.rho : wanted.epsilon) = price;
    wanted.delta = one.delta;
  }
  return {.name = name,
          .relation = one.relation,
          .tables = kTables,
          .statement = one.statement,
          .keys = one.keys,
          .wanted = wanted,
          .promise = one.paid == Paid::rho ? Promise(accounting::ConcentratedDp{price, delta})
                                           : Promise::approximate(price, delta),
          .pairs = pairs_of(one.relation),
          .whole = one.whole};
}

void add(Attacks& attacks, const SqlAttack& one) {
  const std::string name = one.claim + ": " + one.what;
  // Single numbers, and keys that come and go, have simple events; of several numbers a classifier finds the direction.
  const bool unknown_keys = one.claim == "sql-unknown-keys";
  const bool several = !unknown_keys && (one.keys > 0 || one.statement.find("),") != std::string::npos);
  attacks.push_back({one.claim, name, several && !one.whole ? "dp-sniper" : "stat-dp", one.whole ? kAnswer : kDraw,
                     [one, name]() -> Subject { return std::make_shared<const SqlSubject>(subject_of(one, name)); }});
}

const char* const kRelations[] = {"add-remove", "replace-one"};

void add_aggregates(Attacks& attacks) {
  for (const std::string relation : kRelations) {
    const auto aggregate = [&](const std::string& claim, const std::string& what) {
      const std::string statement = fmt::format("SELECT {} FROM visits", what);
      add(attacks, {claim, fmt::format("{}, {}", what, relation), statement, 0, relation});
    };
    aggregate("sql-count", "COUNT(*)");
    aggregate("sql-count-values", "COUNT(cost)");
    aggregate("sql-sum", "SUM(cost)");
    aggregate("sql-sum", "SUM(ROUND(weight, 1))");
    aggregate("sql-sum", "SUM(grade)");
    aggregate("sql-avg", "AVG(cost)");
    aggregate("sql-avg", "AVG(score)");
    aggregate("sql-variance", "VAR_POP(cost)");
  }
  add(attacks, {"sql-count-units", "COUNT(DISTINCT person)", "SELECT COUNT(DISTINCT person) FROM visits"});
  add(attacks, {"sql-count-units", "by a filter, replace-one",  // without one, who replaces whom changes nothing
                "SELECT COUNT(DISTINCT person) FILTER (WHERE cost > 2) FROM visits", 0, "replace-one"});
  add(attacks, {"sql-sum", "decimals", "SELECT SUM(pay) FROM visits WHERE cost > 0"});
  add(attacks, {"sql-sum", "by rho", "SELECT SUM(cost) FROM visits", 0, "add-remove", {}, Paid::rho});
  add(attacks, {"sql-variance", "STDDEV_SAMP(pay)", "SELECT STDDEV_SAMP(pay) FROM visits"});
}

void add_keys(Attacks& attacks) {
  const Rational delta(1, 50);
  const std::string count_and_sum = "SELECT city, COUNT(*), SUM(pay) FROM visits GROUP BY city";
  for (const std::string relation : kRelations) {
    add(attacks, {"sql-public-keys", "COUNT(*), SUM(pay) by city, " + relation, count_and_sum, 1, relation});
    add(attacks, {"sql-public-keys", "the same by rho, " + relation, count_and_sum, 1, relation, {}, Paid::rho});
  }
  // With so many numbers, normal noise is less than Laplace's.
  add(attacks, {"sql-public-keys", "eight sums with a delta",
                "SELECT city, SUM(cost), SUM(pay), SUM(grade), SUM(score), SUM(-cost), SUM(-pay), SUM(-grade), "
                "SUM(-score) FROM visits GROUP BY city",
                1, "add-remove", delta});
  add(attacks, {"sql-public-keys", "by an expression",
                "SELECT cost > 2, COUNT(*), SUM(grade) FROM visits GROUP BY cost > 2", 1});
  add(attacks, {"sql-public-keys", "by a day and a number, replace-one",
                "SELECT day, grade, COUNT(*), SUM(grade) FROM visits GROUP BY day, grade", 2, "replace-one"});
  const std::string bigquery =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 0.02, max_groups_contributed = 1, "
      "privacy_unit_column = person) city, ";
  add(attacks, {"sql-public-keys", "BigQuery's bounds per group",
                bigquery + "COUNT(*, contribution_bounds_per_group => (0, 2)), SUM(cost, contribution_bounds_per_group "
                           "=> (-1, 3)) FROM visits GROUP BY city",
                1, "add-remove", delta, Paid::in_text});
  add(attacks, {"sql-avg", "BigQuery's bounds per row",
                bigquery + "AVG(cost, contribution_bounds_per_row => (0, 2)) FROM visits GROUP BY city", 1,
                "add-remove", delta, Paid::in_text});
  const std::string by_town = "SELECT town, COUNT(*) FROM visits GROUP BY town";
  add(attacks, {"sql-unknown-keys", "COUNT(*) by town", by_town, 1, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "COUNT(DISTINCT person) by town",
                "SELECT town, COUNT(DISTINCT person) FROM visits GROUP BY town", 1, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "SUM(cost) by town, replace-one",
                "SELECT town, SUM(cost) FROM visits GROUP BY town", 1, "replace-one", delta});
  add(attacks, {"sql-unknown-keys", "by town and city", "SELECT town, city, COUNT(*) FROM visits GROUP BY town, city",
                2, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "by rho", by_town, 1, "add-remove", delta, Paid::rho});
}

void add_sources(Attacks& attacks) {
  for (const std::string relation : kRelations) {
    const auto from = [&](const std::string& claim, const std::string& what, const std::string& statement,
                          std::size_t keys = 0) {
      add(attacks, {claim, what + ", " + relation, statement, keys, relation});
    };
    from("sql-join", "two tables of a person",
         "SELECT p.team, COUNT(*), SUM(v.cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.team", 1);
    from("sql-join", "a public table",
         "SELECT r.zone, COUNT(*) FROM visits v JOIN regions r ON v.city = r.city GROUP BY r.zone", 1);
    from("sql-union", "UNION ALL",
         "SELECT c, COUNT(*) FROM (SELECT person, city c FROM visits UNION ALL SELECT person, team FROM people) t "
         "GROUP BY c",
         1);
    from("sql-distinct", "SELECT DISTINCT", "SELECT COUNT(*) FROM (SELECT DISTINCT person, city, cost FROM visits) t");
    from("sql-foreign-key", "bills by their orders", "SELECT COUNT(*), SUM(amount) FROM bills");
    from("sql-row-unit", "logs", "SELECT SUM(size) FROM logs");
    from("sql-rows-unit", "any three rows", "SELECT kind, COUNT(*), SUM(size) FROM any3 GROUP BY kind", 1);
  }
  add(attacks,
      {"sql-join", "a left join",
       "SELECT COUNT(*), SUM(v.cost) FROM visits v LEFT JOIN people p ON v.person = p.person WHERE p.team = 'x'"});
  add(attacks,
      {"sql-join", "a table with itself", "SELECT COUNT(*) FROM visits v JOIN visits w ON v.person = w.person"});
  add(attacks, {"sql-join", "a public table with several rows for a key",
                "SELECT SUM(o.price) FROM visits v JOIN offers o ON v.city = o.city"});
}

// A few statements that together go all ways; runs are few, so what they can see is large.
void add_whole(Attacks& attacks) {
  const auto whole = [&](SqlAttack one) {
    one.what += ", whole answers";
    one.whole = true;
    add(attacks, one);
  };
  whole({"sql-public-keys", "all aggregates",
         "SELECT city, COUNT(*), COUNT(cost), COUNT(DISTINCT person), SUM(cost), AVG(cost), STDDEV(cost), "
         "VAR_SAMP(cost), STDDEV_POP(cost) FROM visits GROUP BY city",
         1});
  whole({"sql-public-keys",
         "by rho",
         "SELECT city, COUNT(*) FROM visits GROUP BY city",
         1,
         "replace-one",
         {},
         Paid::rho});
  whole({"sql-unknown-keys", "COUNT(*) by town", "SELECT town, COUNT(*) FROM visits GROUP BY town", 1, "add-remove",
         Rational(1, 50)});
  whole({"sql-above", "HAVING, ORDER BY and LIMIT",
         "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING COUNT(*) > 0 ORDER BY COUNT(*) DESC, city LIMIT 2",
         1});
  whole({"sql-join", "two tables of a person, replace-one",
         "SELECT p.team, COUNT(*) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.team HAVING COUNT(*) > "
         "-9",
         1, "replace-one"});
  whole({"sql-union", "different rows of two tables",
         "WITH t AS (SELECT DISTINCT person, city c FROM visits UNION ALL SELECT person, team FROM people) "
         "SELECT c, COUNT(*) FROM t GROUP BY c",
         1});
  whole({"sql-foreign-key", "bills by their orders", "SELECT COUNT(*), SUM(amount) FROM bills"});
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
