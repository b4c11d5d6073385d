// What each clause becomes.
#include <gtest/gtest.h>

#include <variant>

#include "sql/bind_check.h"

namespace dither::sql {
namespace {

using plan::AggregateKind;

template <typename Step>
const Step& step_of(const plan::Relation& relation) {
  const Step* step = std::get_if<Step>(&relation->step());
  if (step == nullptr) throw std::logic_error("another step: " + plan::canonical_json(relation));
  return *step;
}

Statement bound(std::string_view sql) { return bind(check_project(), sql); }

std::string json(std::string_view sql) { return plan::canonical_json(bound(sql).relation); }

TEST(Bind, CountsRows) {
  const Statement statement = bound("SELECT COUNT(*) FROM visits");
  const auto& aggregate = step_of<plan::Aggregate>(statement.relation);
  EXPECT_EQ(aggregate.keys, 0u);
  ASSERT_EQ(aggregate.calls.size(), 1u);
  EXPECT_EQ(aggregate.calls[0].kind, AggregateKind::count_rows);
  EXPECT_EQ(statement.names, (std::vector<std::string>{"count"}));
  EXPECT_EQ(statement.text, "SELECT COUNT(*) FROM visits");
}

TEST(Bind, KeysStandBeforeTheArgumentsAndTheUnitBehind) {
  const Statement statement = bound("SELECT city, SUM(cost) AS total FROM visits GROUP BY city");
  const auto& aggregate = step_of<plan::Aggregate>(statement.relation);
  const auto& input = step_of<plan::Projection>(aggregate.input);
  ASSERT_EQ(input.columns.size(), 3u);
  EXPECT_EQ(input.columns[0].text(), "#1");
  EXPECT_EQ(input.columns[1].text(), "#2");
  EXPECT_EQ(input.columns[2].text(), "#0");
  EXPECT_EQ(aggregate.input->owner().unit, 2u);
  EXPECT_EQ(aggregate.calls[0].column, 1u);
  EXPECT_EQ(statement.names, (std::vector<std::string>{"city", "total"}));
}

TEST(Bind, EveryAggregate) {
  const Statement statement = bound(
      "SELECT COUNT(*), COUNT(cost), COUNT(DISTINCT person), SUM(cost), AVG(cost), VAR_POP(cost), VAR_SAMP(cost), "
      "VARIANCE(age), STDDEV_POP(cost), STDDEV_SAMP(cost), STDDEV(age) FROM visits");
  const auto& calls = step_of<plan::Aggregate>(statement.relation).calls;
  const std::vector<AggregateKind> kinds{
      AggregateKind::count_rows, AggregateKind::count,       AggregateKind::count_units, AggregateKind::sum,
      AggregateKind::avg,        AggregateKind::var_pop,     AggregateKind::var_samp,    AggregateKind::var_samp,
      AggregateKind::stddev_pop, AggregateKind::stddev_samp, AggregateKind::stddev_samp};
  ASSERT_EQ(calls.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(calls[i].kind, kinds[i]) << i;
  EXPECT_EQ(calls[3].column, calls[4].column);  // one column for one argument
}

TEST(Bind, TheSameAggregateIsAskedOnce) {
  const Statement statement =
      bound("SELECT SUM(cost), SUM(cost) / 2 AS half FROM visits HAVING SUM(cost) > 5 ORDER BY SUM(cost)");
  const auto& sort = step_of<plan::Sort>(statement.relation);
  const auto& projection = step_of<plan::Projection>(sort.input);
  const auto& filter = step_of<plan::Filter>(projection.input);
  EXPECT_EQ(step_of<plan::Aggregate>(filter.input).calls.size(), 1u);
  EXPECT_EQ(sort.by[0].column, 0u);
}

TEST(Bind, FilterBecomesNullsOfTheArgument) {
  EXPECT_EQ(form_of("SELECT SUM(cost) FILTER (WHERE age < 18) FROM visits"),
            form_of("SELECT SUM(CASE WHEN age < 18 THEN cost END) FROM visits"));
  EXPECT_EQ(form_of("SELECT COUNT(*) FILTER (WHERE age < 18) FROM visits"),
            form_of("SELECT COUNT(CASE WHEN 18 > age THEN true END) FROM visits"));
  EXPECT_EQ(form_of("SELECT COUNT(1) FROM visits"), form_of("SELECT COUNT(*) FROM visits"));
  EXPECT_NE(form_of("SELECT COUNT(NULL) FROM visits"), form_of("SELECT COUNT(*) FROM visits"));
  // Units with such a row: of their rows one counts.
  const Statement units =
      sql::bind(check_project(), "SELECT COUNT(DISTINCT person) FILTER (WHERE age < 18) FROM visits");
  const auto& call = std::get<plan::Aggregate>(units.relation->step()).calls[0];
  EXPECT_EQ(call.kind, plan::AggregateKind::count);
  EXPECT_EQ(call.bounds_per_group, (plan::Range{0, 1}));
  EXPECT_EQ(form_of("SELECT COUNT(1) FILTER (WHERE age < 18) FROM visits"),
            form_of("SELECT COUNT(*) FILTER (WHERE age < 18) FROM visits"));
}

TEST(Bind, WhereHavingOrderLimit) {
  const Statement statement = bound(
      "SELECT city, COUNT(*) AS n FROM visits WHERE age > 17 GROUP BY city HAVING COUNT(*) > 10 "
      "ORDER BY n DESC, city NULLS FIRST LIMIT 5 OFFSET 2");
  const auto& limit = step_of<plan::Limit>(statement.relation);
  EXPECT_EQ(limit.rows, 5u);
  EXPECT_EQ(limit.skip, 2u);
  const auto& sort = step_of<plan::Sort>(limit.input);
  ASSERT_EQ(sort.by.size(), 2u);
  EXPECT_EQ(sort.by[0].column, 1u);
  EXPECT_TRUE(sort.by[0].descending);
  EXPECT_TRUE(sort.by[0].nulls_first);  // as PostgreSQL does where nothing is said
  EXPECT_FALSE(sort.by[1].descending);
  EXPECT_TRUE(sort.by[1].nulls_first);
  const auto& having = step_of<plan::Filter>(sort.input);
  EXPECT_EQ(having.keep.text(), "less_integer(10, #1)");
  const auto& aggregate = step_of<plan::Aggregate>(having.input);
  const auto& where = step_of<plan::Filter>(step_of<plan::Projection>(aggregate.input).input);
  EXPECT_EQ(where.keep.text(), "less_integer(17, #3)");
}

TEST(Bind, OrderByWhatIsNotSelectedLeavesNoColumn) {
  const Statement statement = bound("SELECT city FROM visits GROUP BY city ORDER BY COUNT(*) + 1 DESC");
  EXPECT_EQ(statement.names.size(), 1u);
  EXPECT_EQ(statement.relation->columns().size(), 1u);
  const auto& projection = step_of<plan::Projection>(statement.relation);
  EXPECT_EQ(step_of<plan::Sort>(projection.input).by[0].column, 1u);
}

TEST(Bind, ExpressionsOverAggregatesAreWorkedOutAfterwards) {
  const Statement statement = bound("SELECT SUM(cost) / COUNT(*) AS mean, city FROM visits GROUP BY city");
  const auto& projection = step_of<plan::Projection>(statement.relation);
  EXPECT_EQ(projection.columns[1].text(), "#0");
  EXPECT_EQ(step_of<plan::Aggregate>(projection.input).calls.size(), 2u);
}

TEST(Bind, GroupByExpressionsPositionsAndAliases) {
  const std::string by_name = form_of("SELECT age / 10 AS decade, COUNT(*) FROM visits GROUP BY age / 10");
  EXPECT_EQ(by_name, form_of("SELECT age / 10 AS decade, COUNT(*) FROM visits GROUP BY 1"));
  EXPECT_EQ(by_name, form_of("SELECT age / 10 AS decade, COUNT(*) FROM visits GROUP BY decade"));
  EXPECT_EQ(by_name, form_of("SELECT age / 10 AS decade, COUNT(*) FROM visits GROUP BY decade, 1, age / 10"));
  // A column of FROM goes before a name that SELECT gives, as in PostgreSQL.
  EXPECT_EQ(form_of("SELECT COUNT(*) FROM visits GROUP BY city"),
            form_of("SELECT COUNT(*) AS age FROM visits GROUP BY city"));
  EXPECT_NE(form_of("SELECT city AS age, COUNT(*) FROM visits GROUP BY city, age"),
            form_of("SELECT city, COUNT(*) FROM visits GROUP BY city"));
}

TEST(Bind, SelectDistinctOfPrivateRowsAreKeys) {
  EXPECT_EQ(form_of("SELECT DISTINCT city FROM visits"), form_of("SELECT city FROM visits GROUP BY city"));
  EXPECT_EQ(form_of("SELECT DISTINCT city, age FROM visits ORDER BY age"),
            form_of("SELECT city, age FROM visits GROUP BY 1, 2 ORDER BY 2"));
}

TEST(Bind, DistinctWithTheUnitStaysPrivate) {
  const Statement statement =
      bound("SELECT city, COUNT(*) FROM (SELECT DISTINCT person, city FROM visits) d GROUP BY city");
  const auto& aggregate = step_of<plan::Aggregate>(statement.relation);
  const auto& projection = step_of<plan::Projection>(aggregate.input);
  const auto& distinct = step_of<plan::Distinct>(projection.input);
  EXPECT_EQ(distinct.input->columns().size(), 2u);
}

TEST(Bind, DistinctOfAnswersIsWorkedOutAfterwards) {
  const Statement statement = bound("SELECT DISTINCT COUNT(*) AS n FROM visits GROUP BY city ORDER BY n");
  const auto& sort = step_of<plan::Sort>(statement.relation);
  EXPECT_EQ(sort.input->columns().size(), 1u);
  step_of<plan::Distinct>(sort.input);
}

TEST(Bind, JoinsOnTheUnit) {
  const Statement statement =
      bound("SELECT sex, SUM(cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY sex");
  const auto& aggregate = step_of<plan::Aggregate>(statement.relation);
  const auto& join = step_of<plan::Join>(step_of<plan::Projection>(aggregate.input).input);
  EXPECT_EQ(join.kind, plan::JoinKind::inner);
  EXPECT_EQ(join.equal, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}}));
  EXPECT_EQ(json("SELECT sex, SUM(cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY sex"),
            json("SELECT sex, SUM(cost) FROM visits JOIN people USING (person) GROUP BY sex"));
  EXPECT_EQ(json("SELECT sex, SUM(cost) FROM visits v JOIN people p ON p.person = v.person GROUP BY sex"),
            json("SELECT sex, SUM(cost) FROM visits JOIN people USING (person) GROUP BY sex"));
}

TEST(Bind, JoinsWithAPublicTable) {
  const Statement statement =
      bound("SELECT region, COUNT(*) FROM visits LEFT JOIN regions USING (city) GROUP BY region");
  const auto& aggregate = step_of<plan::Aggregate>(statement.relation);
  const auto& join = step_of<plan::Join>(step_of<plan::Projection>(aggregate.input).input);
  EXPECT_EQ(join.kind, plan::JoinKind::left);
  EXPECT_EQ(join.equal, (std::vector<std::pair<std::size_t, std::size_t>>{{1, 0}}));
}

TEST(Bind, OtherConditionsOfAnInnerJoinAreFilters) {
  EXPECT_EQ(
      form_of("SELECT COUNT(*) FROM visits v JOIN regions r ON v.city = r.city AND region = 'north' AND age > 5"),
      form_of("SELECT COUNT(*) FROM visits v JOIN regions r ON r.city = v.city WHERE age > 5 AND region = 'north'"));
}

TEST(Bind, ThreeTablesMayNameTheUnitOfAnyOfThem) {
  const std::string form = form_of(
      "SELECT COUNT(DISTINCT b.person) FROM visits a JOIN people b ON a.person = b.person JOIN more_visits c ON "
      "b.person = "
      "c.person");
  EXPECT_EQ(form,
            form_of("SELECT COUNT(DISTINCT person) FROM visits a JOIN people b USING (person) JOIN more_visits c USING "
                    "(person)"));
}

TEST(Bind, StarShowsMergedColumnsOnce) {
  EXPECT_EQ(form_of("SELECT COUNT(born) FROM (SELECT * FROM visits JOIN people USING (person)) j WHERE person > 3"),
            form_of("SELECT COUNT(born) FROM visits JOIN people USING (person) WHERE visits.person > 3"));
  EXPECT_EQ(form_of("SELECT COUNT(born) FROM (SELECT p.*, v.cost FROM visits v JOIN people p USING (person)) j"),
            form_of("SELECT COUNT(born) FROM visits JOIN people USING (person)"));
}

TEST(Bind, StarTakesTheColumnsOfAllTablesInTheirOrder) {
  const Statement statement =
      bound("SELECT t.* FROM (SELECT city, COUNT(*) AS n, SUM(cost) FROM visits GROUP BY city) t");
  EXPECT_EQ(statement.names, (std::vector<std::string>{"city", "n", "sum"}));
  const Statement join = bound(
      "SELECT COUNT(*) FROM (SELECT * FROM visits JOIN people USING (\"Person\")) j(a, b, c, d, e, f, g, h, i, k) "
      "WHERE k > 1900");
  EXPECT_NE(plan::canonical_json(join.relation).find("\"filter\":\"less_integer(1900, #9)\""), std::string::npos);
}

TEST(Bind, UnionAllOfPrivateTables) {
  const Statement statement = bound(
      "SELECT city, SUM(cost) FROM (SELECT city, cost FROM visits UNION ALL SELECT city, cost FROM more_visits UNION "
      "ALL "
      "SELECT city, cost FROM more_visits) u GROUP BY city");
  const auto& aggregate = step_of<plan::Aggregate>(statement.relation);
  const auto& all = step_of<plan::Union>(aggregate.input);
  EXPECT_EQ(all.inputs.size(), 3u);
}

TEST(Bind, CommonTablesMayBeUsedTwiceAndShadow) {
  EXPECT_EQ(
      form_of(
          "WITH v AS (SELECT person, cost FROM visits WHERE age > 5) SELECT COUNT(*) FROM v a JOIN v b USING (person)"),
      form_of("SELECT COUNT(*) FROM (SELECT person, cost FROM visits WHERE age > 5) a JOIN (SELECT person, cost FROM "
              "visits WHERE age > 5) b USING (person)"));
  EXPECT_EQ(form_of("WITH visits AS (SELECT * FROM more_visits) SELECT COUNT(*) FROM visits"),
            form_of("SELECT COUNT(*) FROM more_visits"));
  EXPECT_EQ(form_of("WITH c(p, euros) AS (SELECT person, cost FROM visits) SELECT SUM(euros) FROM c"),
            form_of("SELECT SUM(cost) FROM visits"));
}

TEST(Bind, NamesAreFoundWhateverTheirCapitals) {
  EXPECT_EQ(form_of("SELECT kind, COUNT(*) FROM trips GROUP BY kind"),
            form_of("SELECT \"Kind\", COUNT(*) FROM Trips GROUP BY \"Kind\""));
}

TEST(Bind, LimitOfAllAndOffsetAlone) {
  EXPECT_EQ(form_of("SELECT COUNT(*) FROM visits LIMIT ALL OFFSET 0"), form_of("SELECT COUNT(*) FROM visits"));
  EXPECT_EQ(form_of("SELECT city FROM visits GROUP BY 1 FETCH FIRST 3 ROWS ONLY"),
            form_of("SELECT city FROM visits GROUP BY 1 LIMIT 3"));
  EXPECT_EQ(step_of<plan::Limit>(bound("SELECT city FROM visits GROUP BY 1 OFFSET 3").relation).skip, 3u);
}

}  // namespace
}  // namespace dither::sql
