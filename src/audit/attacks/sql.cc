// Every kind of statement that is answered, with every kind of price, on databases one unit apart.
#include <fmt/format.h>

#include <utility>

#include "audit/attacks/attacks.h"
#include "audit/attacks/databases.h"
#include "plan/project.h"
#include "sql/statement.h"

namespace dither::audit {

namespace {

constexpr double kDraw = 15, kColumns = 6, kAnswer = 12'000;  // microseconds

// How a statement is paid for: beside it, as an error that is wanted, or in its own text.
enum class Paid { epsilon, rho, error, in_text };

struct SqlAttack {
  std::string claim, what, statement;
  std::size_t keys = 0;
  std::string relation = "add-remove";
  std::optional<Rational> delta = {};
  Paid paid = Paid::epsilon;
  bool whole = false;
  bool by_bits = false;  // of the columns that people see
  std::string budget = {};
  bool cut_units = false;
  bool free = false;  // nothing of the answer depends on a row: it costs nothing, whatever was offered
};

// An error of so much costs an epsilon of about 1 here.
const Rational kError(10);

SqlSubject subject_of(const SqlAttack& one, const std::string& name) {
  // A larger rho allows so much that few runs refute nothing.
  const Rational price = one.paid == Paid::rho ? Rational(1, 8) : one.whole ? Rational(1, 2) : Rational(1);
  SqlSubject subject{.name = name,
                     .relation = one.relation,
                     .tables = kDatabaseTables,
                     .statement = one.statement,
                     .keys = one.keys,
                     .wanted = {},
                     .promise = Promise::approximate(price, one.delta.value_or(0)),
                     .delta = one.delta.value_or(0),
                     .pairs = one.by_bits ? std::vector{nobody_and_one()} : database_pairs(one.relation),
                     .whole = one.whole,
                     .as_columns = one.by_bits,
                     .budget = one.budget};
  subject.wanted.cut_units = one.cut_units;
  if (one.free) subject.promise = Promise::pure(0);
  if (one.paid == Paid::in_text) return subject;
  subject.wanted.delta = one.delta;
  if (one.paid == Paid::epsilon) subject.wanted.epsilon = price;
  if (one.paid == Paid::rho) {
    subject.wanted.rho = price;
    subject.promise = Promise(accounting::ConcentratedDp{price, subject.delta});
  }
  if (one.paid == Paid::error) {
    subject.wanted.error = sql::WantedError{kError};
    const plan::Project project = plan::parse_project(project_text(subject), "dither.yaml");
    const session::PricedPlan plan = sql::privatize(project, sql::bind(project, one.statement), subject.wanted);
    subject.promise = Promise::approximate(plan.price.epsilon.value(), subject.delta);
  }
  return subject;
}

// Single numbers, and keys that come and go, have simple events; of several numbers a classifier finds the direction.
bool has_several_numbers(const SqlAttack& one) {
  if (one.claim == "sql-unknown-keys") return false;
  return one.keys > 0 || one.claim == "sql-avg" || one.claim == "sql-variance" ||
         one.statement.find("), ") != std::string::npos;
}

void add(Attacks& attacks, const SqlAttack& one) {
  const std::string name = one.claim + ": " + one.what;
  const bool sniper = has_several_numbers(one) && !one.whole;
  const char* const tester = one.by_bits ? "dp-sniper-bits" : sniper ? "dp-sniper" : "stat-dp";
  attacks.push_back({one.claim, name, tester,
                     one.whole     ? kAnswer
                     : one.by_bits ? kColumns
                                   : kDraw,
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
  for (const std::string relation : kRelations) {
    SqlAttack cut{"sql-cut-units", "beside people, " + relation, "SELECT COUNT(DISTINCT person) FROM visits", 0,
                  relation};
    cut.cut_units = true;
    add(attacks, cut);
    cut.what = "by grade, " + relation;  // a person has five, and keeps two
    cut.statement = "SELECT grade, COUNT(DISTINCT person) FROM visits GROUP BY grade";
    cut.keys = 1;
    add(attacks, cut);
  }
  add(attacks, {"sql-sum", "decimals", "SELECT SUM(pay) FROM visits WHERE cost > 0"});
  add(attacks, {"sql-sum", "by rho", "SELECT SUM(cost) FROM visits", 0, "add-remove", {}, Paid::rho});
  add(attacks, {"sql-sum", "for an error", "SELECT SUM(cost) FROM visits", 0, "add-remove", {}, Paid::error});
  add(attacks,
      {"sql-sum", "FILTER of each",
       "SELECT COUNT(*) FILTER (WHERE cost > 2), SUM(cost) FILTER (WHERE city = 'a'), AVG(grade) FILTER (WHERE "
       "score > 0) FROM visits"});
  const auto by_bits = [&](SqlAttack one) {
    one.by_bits = true;
    add(attacks, one);
  };
  by_bits({"sql-sum", "SUM(pay) by bits", "SELECT SUM(pay) FROM visits"});
  by_bits({"sql-avg", "AVG(pay) by bits", "SELECT AVG(pay) FROM visits"});
  add(attacks, {"sql-variance", "STDDEV_SAMP(pay)", "SELECT STDDEV_SAMP(pay) FROM visits"});
}

void add_keys(Attacks& attacks) {
  const Rational delta(1, 50);
  const std::string count_and_sum = "SELECT city, COUNT(*), SUM(pay) FROM visits GROUP BY city";
  for (const std::string relation : kRelations) {
    add(attacks, {"sql-public-keys", "COUNT(*), SUM(pay) by city, " + relation, count_and_sum, 1, relation});
    add(attacks,
        {"sql-avg", "AVG(cost) by city, " + relation, "SELECT city, AVG(cost) FROM visits GROUP BY city", 1, relation});
    add(attacks, {"sql-public-keys", "the same by rho, " + relation, count_and_sum, 1, relation, {}, Paid::rho});
  }
  // With so many numbers, normal noise is less than Laplace's.
  const std::string eight =
      "SELECT city, SUM(cost), SUM(pay), SUM(grade), SUM(score), SUM(-cost), SUM(-pay), SUM(-grade), SUM(-score) FROM "
      "visits GROUP BY city";
  add(attacks, {"sql-public-keys", "eight sums with a delta", eight, 1, "add-remove", delta});
  // A budget in mu is paid by normal noise, whatever is asked; keys that nobody listed it cannot pay for.
  const auto in_mu = [&](SqlAttack one) {
    one.budget = "{mu: 1000}";
    add(attacks, one);
  };
  in_mu({"sql-public-keys", "eight sums by rho, from a budget in mu", eight, 1, "add-remove", {}, Paid::rho});
  in_mu({"sql-public-keys", "two sums with a delta, from a budget in mu",
         "SELECT city, SUM(cost), SUM(pay) FROM visits GROUP BY city", 1, "add-remove", delta});
  add(attacks, {"sql-public-keys", "by an expression",
                "SELECT cost > 2, COUNT(*), SUM(grade) FROM visits GROUP BY cost > 2", 1});
  add(attacks, {"sql-public-keys", "by a day, replace-one", "SELECT day, COUNT(*), SUM(grade) FROM visits GROUP BY day",
                1, "replace-one"});
  // Of one key and one row of each person: a key more is a second cell, which a classifier sees by both.
  add(attacks, {"sql-public-keys", "one key of a person", "SELECT team, COUNT(*) FROM people GROUP BY team", 1});
  add(attacks,
      {"sql-public-keys", "by a day and a number", "SELECT day, grade, COUNT(*) FROM visits GROUP BY day, grade", 2});
  const std::string bigquery =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 0.02, max_groups_contributed = 1, "
      "privacy_unit_column = person) city, ";
  const std::string two_groups =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 0.02, max_groups_contributed = 2, "
      "group_selection_strategy = PUBLIC_GROUPS, privacy_unit_column = person) city, ";
  add(attacks, {"sql-public-keys", "BigQuery's bounds per group",
                bigquery + "COUNT(*, contribution_bounds_per_group => (0, 2)), SUM(cost, contribution_bounds_per_group "
                           "=> (-1, 3)) FROM visits GROUP BY city",
                1, "add-remove", delta, Paid::in_text});
  add(attacks, {"sql-avg", "BigQuery's bounds per row",
                two_groups + "AVG(cost, contribution_bounds_per_row => (0, 2)) FROM visits GROUP BY city", 1,
                "add-remove", delta, Paid::in_text});
  add(attacks,
      {"sql-count",
       "BigQuery's rows of a person",
       "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, max_rows_contributed = 2, privacy_unit_column = "
       "person) COUNT(*), SUM(cost) FROM visits",
       0,
       "add-remove",
       {},
       Paid::in_text});
  const std::string by_town = "SELECT town, COUNT(*) FROM visits GROUP BY town";
  add(attacks, {"sql-unknown-keys", "COUNT(*) by town", by_town, 1, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "keys alone", "SELECT DISTINCT town FROM visits", 1, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "COUNT(DISTINCT person) by town",
                "SELECT town, COUNT(DISTINCT person) FROM visits GROUP BY town", 1, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "SUM(cost) by town, replace-one",
                "SELECT town, SUM(cost) FROM visits GROUP BY town", 1, "replace-one", delta});
  add(attacks, {"sql-unknown-keys", "by town and city", "SELECT town, city, COUNT(*) FROM visits GROUP BY town, city",
                2, "add-remove", delta});
  add(attacks, {"sql-unknown-keys", "of rows that are units", "SELECT place, COUNT(*) FROM logs GROUP BY place", 1,
                "replace-one", delta});
  // At this price a key is shown from 4 on: a unit's own with 0.0364, two of them or one a unit early with 0.07 or
  // more.
  add(attacks, {"sql-unknown-keys", "one key of a person", "SELECT nick, COUNT(*) FROM people GROUP BY nick", 1,
                "add-remove", Rational(37, 1000)});
  add(attacks, {"sql-unknown-keys", "by rho", by_town, 1, "add-remove", delta, Paid::rho});
}

void add_sources(Attacks& attacks) {
  for (const std::string relation : kRelations) {
    const auto from = [&](const std::string& claim, const std::string& what, const std::string& statement,
                          std::size_t keys = 0) {
      add(attacks, {claim, fmt::format("{}, {}", what, relation), statement, keys, relation});
    };
    from("sql-join", "two tables of a person",
         "SELECT p.team, COUNT(*), SUM(v.cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.team", 1);
    from("sql-join", "a public table",
         "SELECT r.zone, COUNT(*) FROM visits v JOIN regions r ON v.city = r.city GROUP BY r.zone", 1);
    from("sql-union", "UNION ALL",
         "SELECT c, COUNT(*) FROM (SELECT person, city c FROM visits UNION ALL SELECT person, team FROM people) t "
         "GROUP BY c",
         1);
    from("sql-union", "UNION ALL without keys",
         "SELECT COUNT(*) FROM (SELECT person FROM visits UNION ALL SELECT person FROM people) t");
    from("sql-distinct", "SELECT DISTINCT", "SELECT COUNT(*) FROM (SELECT DISTINCT person, city, cost FROM visits) t");
    from("sql-foreign-key", "bills by their orders", "SELECT COUNT(*), SUM(amount) FROM bills");
    from("sql-foreign-key", "parts by their bills' orders", "SELECT COUNT(*), SUM(size) FROM parts");
    from("sql-row-unit", "logs", "SELECT SUM(size) FROM logs");
    from("sql-rows-unit", "any three rows", "SELECT kind, COUNT(*), SUM(size) FROM any3 GROUP BY kind", 1);
  }
  // How many rows there are is public where one is replaced by another and none is left out: no noise at all.
  add(attacks, {"sql-row-unit", "COUNT(*) without noise", "SELECT COUNT(*) FROM logs", 0, "replace-one"});
  add(attacks, {"sql-rows-unit", "COUNT(*) without noise", "SELECT COUNT(*) FROM any3", 0, "replace-one"});
  add(attacks,
      {"sql-join", "a left join",
       "SELECT COUNT(*), SUM(v.cost) FROM visits v LEFT JOIN people p ON v.person = p.person WHERE p.team = 'x'"});
  add(attacks, {"sql-foreign-key", "by a column of bills", "SELECT amount, COUNT(*) FROM bills GROUP BY amount", 1});
  add(attacks, {"sql-join", "LEFT JOIN with a public table, USING a column",
                "SELECT zone, COUNT(*) FROM visits LEFT JOIN regions USING (city) GROUP BY zone", 1});
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
  whole({"sql-above", "OFFSET over unknown keys and cells on which expressions fail",
         "SELECT town, COUNT(*), SUM(CLAMP(10 / score, 0, 5)), COUNT(CAST(town AS integer)) FROM visits GROUP BY town "
         "HAVING COUNT(*) > 0 ORDER BY COUNT(*) DESC, town LIMIT 3 OFFSET 1",
         1, "add-remove", Rational(1, 50)});
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
  whole({"sql-rows-unit", "any three rows", "SELECT kind, COUNT(*) FROM any3 GROUP BY kind", 1});
  const auto free = [&](SqlAttack one) {
    one.free = true;
    whole(one);
  };
  free({"sql-sum", "numbers that do not move",
        "SELECT SUM(0), SUM(CLAMP(cost, 0, 0)), COUNT(*) - COUNT(*) FROM visits"});
  free({"sql-above", "LIMIT 0", "SELECT city, COUNT(*), SUM(cost) FROM visits GROUP BY city LIMIT 0", 1});
  free({"sql-public-keys", "keys alone", "SELECT DISTINCT city FROM visits", 1});
  whole({"sql-unknown-keys", "BigQuery's text",
         "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5, delta = 0.02, max_groups_contributed = 1, "
         "privacy_unit_column = person) town, COUNT(*) FROM visits GROUP BY town",
         1, "add-remove", Rational(1, 50), Paid::in_text});
}

}  // namespace

void add_sql_attacks(Attacks& attacks) {
  add_aggregates(attacks);
  add_keys(attacks);
  add_sources(attacks);
  add_whole(attacks);
}

}  // namespace dither::audit
