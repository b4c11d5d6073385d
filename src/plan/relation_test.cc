#include "plan/relation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/functions.h"
#include "plan/project_check.h"
#include "testing/refusal.h"

namespace dither::plan {
namespace {

using testing::refusal;

const Project& clinic() {
  static const Project project = parse_project(with_tables(R"(
  visits:
    source: visits.csv
    unit: person
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b], outside: other}
      cost: {type: integer, bounds: [0, 50], outside: clamp}
  more:
    source: more.csv
    unit: person
    columns: {person: {type: integer}, city: {type: text}}
  logs:
    source: logs.csv
    unit: row
    columns: {size: {type: integer, bounds: [0, 9], outside: clamp}}
  lines:
    source: lines.csv
    unit: {through: orders, by: {of_order: id}}
    columns: {of_order: {type: integer}}
  orders:
    source: orders.csv
    unit: person
    unique: [id]
    columns: {id: {type: integer}, person: {type: integer}}
  regions:
    source: regions.csv
    public: true
    unique: [city]
    multiplicity: {zone: 3}
    columns: {city: {type: text}, zone: {type: text}}
)"),
                                               "test.yaml");
  return project;
}

const AggregateCall kRows = {.kind = AggregateKind::count_rows, .bounds_per_row = {}, .bounds_per_group = {}};

Relation visits() { return scan(clinic(), "visits"); }
Expression person() { return column(0, Type::integer); }
Expression city() { return column(1, Type::text); }
Expression cost() { return column(2, Type::integer); }
Expression whole(std::int64_t value) { return constant({Type::integer, value}); }
Expression costly(std::int64_t limit) { return resolve(">", {cost(), whole(limit)}); }

TEST(Scan, SaysWhoseEachRowIs) {
  EXPECT_EQ(visits()->owner().unit, 0u);
  EXPECT_TRUE(visits()->columns()[0].of_unit);
  EXPECT_FALSE(visits()->columns()[1].of_unit);
  EXPECT_TRUE(visits()->drops_rows());  // rows without a person
  const Relation logs = scan(clinic(), "logs");
  EXPECT_EQ(logs->columns().size(), 2u);  // the row itself stands behind the declared columns
  EXPECT_EQ(logs->owner().unit, 1u);
  EXPECT_TRUE(logs->columns()[0].of_unit);
  EXPECT_FALSE(logs->drops_rows());
  const Relation lines = scan(clinic(), "lines");
  EXPECT_EQ(lines->owner().unit, 1u);  // found through orders
  EXPECT_TRUE(lines->columns()[1].nullable);
  EXPECT_FALSE(scan(clinic(), "regions")->is_private());
  EXPECT_EQ(refusal([] { scan(clinic(), "visit"); }), Code::unknown_table);
}

// Hole 12: a column that is made anew has the facts of what makes it, not of what had its name.
// Spec: W-05
TEST(Filter, ColumnsThatAreNotNullBehindItAreKnown) {
  const Expression is_there = resolve("is not null", {cost()});
  ASSERT_TRUE(visits()->columns()[2].nullable);
  ASSERT_EQ(visits()->columns()[2].values->size(), 52u);
  for (const Expression& keep : {is_there, resolve("and", {resolve("is not null", {person()}), costly(5), is_there}),
                                 resolve("not", {resolve("is null", {cost()})})}) {
    const Facts facts = filter(visits(), keep)->columns()[2];
    EXPECT_FALSE(facts.nullable);
    EXPECT_EQ(facts.values->size(), 51u);
    EXPECT_EQ(std::count(facts.values->begin(), facts.values->end(), Cell{}), 0);
  }
  for (const Expression& keep : {resolve("or", {is_there, costly(5)}), resolve("is null", {cost()}), costly(5),
                                 resolve("is not null", {resolve("+", {cost(), whole(1)})}),
                                 resolve("not", {resolve("and", {is_there, costly(5)})})}) {
    EXPECT_TRUE(filter(visits(), keep)->columns()[2].nullable) << keep.text();
    EXPECT_EQ(filter(visits(), keep)->columns()[2].values->size(), 52u);
  }
  // Behind a join that finds nothing it may be NULL again.
  EXPECT_TRUE(join(visits(), filter(visits(), is_there), JoinKind::left, {{0, 0}})->columns()[5].nullable);
}

// A column that is always NULL has its one value still.
TEST(Filter, NothingIsLeftWithoutValues) {
  const Relation none = project(visits(), {person(), constant({Type::integer, {}})});
  const Facts facts = filter(none, resolve("is not null", {column(1, Type::integer)}))->columns()[1];
  EXPECT_TRUE(!facts.values || !facts.values->empty());
}

TEST(Projection, FactsFollowTheExpressionAndNotTheName) {
  const Relation again = project(visits(), {person(), city(), resolve("*", {cost(), whole(1000)})});
  EXPECT_EQ(again->columns()[2].range->high, Rational(50'000));
  const Relation unknown = project(again, {column(0, Type::integer), column(1, Type::text), column(0, Type::integer)});
  EXPECT_FALSE(unknown->columns()[2].range);
}

TEST(Projection, TheUnitStaysAlsoWhereNobodySelectsIt) {
  const Relation bare = project(visits(), {city()});
  ASSERT_EQ(bare->columns().size(), 2u);
  EXPECT_EQ(bare->owner().unit, 1u);
  EXPECT_EQ(project(visits(), {city(), person()})->columns().size(), 2u);
}

// Spec: R-56
TEST(Join, KeepsRowsWithTheirUnitOrIsRefused) {
  const Relation more = scan(clinic(), "more");
  const Relation regions = scan(clinic(), "regions");
  const Relation joined = join(visits(), more, JoinKind::inner, {{0, 0}});
  EXPECT_EQ(joined->owner().unit, 0u);
  EXPECT_EQ(joined->columns().size(), 5u);
  const Relation found = join(visits(), regions, JoinKind::left, {{1, 0}});
  EXPECT_TRUE(found->columns()[3].nullable);
  EXPECT_EQ(most_matches(std::get<Join>(found->step())), 1u);
  EXPECT_EQ(most_matches(std::get<Join>(join(visits(), regions, JoinKind::inner, {{1, 1}})->step())), 3u);
  const auto code = [](const Relation& l, const Relation& r, std::vector<std::pair<std::size_t, std::size_t>> on) {
    return refusal([&] { join(l, r, JoinKind::inner, std::move(on)); });
  };
  EXPECT_EQ(code(visits(), more, {{1, 1}}), Code::private_join);
  EXPECT_EQ(code(visits(), more, {}), Code::private_join);
  EXPECT_EQ(code(regions, visits(), {{0, 1}}), Code::private_join);
  EXPECT_EQ(code(visits(), regions, {}), Code::private_join);
  EXPECT_EQ(code(scan(clinic(), "logs"), visits(), {{1, 0}}), Code::private_join);
  EXPECT_EQ(code(visits(), regions, {{0, 0}}), Code::wrong_type);
  EXPECT_EQ(code(regions, regions, {{0, 0}}), Code::not_supported);
}

// A row of the public table that is found by the unit is the same for all its rows; one found by something else is not. In a
// left join on more than the unit some rows of a unit find a row and others none.
TEST(Join, WhatFollowsFromTheUnitIsKnown) {
  const Relation more = scan(clinic(), "more");
  EXPECT_FALSE(join(visits(), scan(clinic(), "regions"), JoinKind::inner, {{1, 0}})->columns()[4].of_unit);
  EXPECT_TRUE(join(visits(), more, JoinKind::left, {{0, 0}})->columns()[3].of_unit);
  EXPECT_FALSE(join(visits(), more, JoinKind::left, {{0, 0}, {1, 1}})->columns()[3].of_unit);
}

TEST(Aggregate, IsReleasedOnceAndNotAggregatedAgain) {
  const Relation counted = aggregate(project(visits(), {city()}), 1, {kRows});
  EXPECT_EQ(counted->owner().kind, Ownership::Kind::released);
  EXPECT_EQ(counted->columns()[1].type, Type::integer);
  EXPECT_FALSE(counted->columns()[1].range);  // noise may lead anywhere
  EXPECT_EQ(refusal([&] { aggregate(counted, 0, {kRows}); }), Code::nested_aggregate);
  EXPECT_EQ(refusal([] { aggregate(scan(clinic(), "regions"), 0, {kRows}); }), Code::not_supported);
  EXPECT_EQ(refusal([] { sort(visits(), {{0, false, false}}); }), Code::private_rows);
  EXPECT_EQ(refusal([] { limit(visits(), 5, 0); }), Code::private_rows);
  EXPECT_EQ(sort(counted, {{1, true, false}})->columns().size(), 2u);
}

TEST(Union, AddsTablesOfTheSameUnits) {
  const Relation a = project(visits(), {person(), city()});
  const Relation b = scan(clinic(), "more");
  const Relation both = union_all({a, b});
  EXPECT_FALSE(both->columns()[1].values);  // the second knows no keys
  EXPECT_TRUE(both->columns()[0].of_unit);
  EXPECT_EQ(both->tables(), (std::vector<std::string>{"more", "visits"}));
  EXPECT_EQ(refusal([&] { union_all({a, visits()}); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { union_all({a}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { union_all({b, scan(clinic(), "orders")}); }), Code::not_supported);
}

std::string one_form(const Relation& relation) { return canonical_json(normal_form(relation)); }

// Spec: W-28
TEST(NormalForm, OneFormForAllWaysToWriteTheSameRows) {
  const std::string plain = one_form(project(filter(visits(), resolve("and", {costly(5), costly(9)})), {city()}));
  EXPECT_EQ(one_form(project(filter(filter(visits(), costly(9)), costly(5)), {city()})), plain);
  const Relation derived = project(visits(), {cost(), city()});
  const Expression inner_cost = column(0, Type::integer);
  const auto over = [&](std::int64_t n) { return resolve(">", {inner_cost, whole(n)}); };
  const Relation outer = filter(filter(derived, over(5)), over(9));
  EXPECT_EQ(one_form(project(outer, {column(1, Type::text)})), plain);
  EXPECT_NE(one_form(project(filter(visits(), costly(5)), {city()})), plain);
}

TEST(NormalForm, LooksThroughTheSidesOfAJoin) {
  const Relation more = scan(clinic(), "more");
  const std::string plain = one_form(filter(join(visits(), more, JoinKind::inner, {{0, 0}}), costly(5)));
  EXPECT_EQ(one_form(join(filter(visits(), costly(5)), more, JoinKind::inner, {{0, 0}})), plain);
  // What a left join does not find is NULL, so a condition on its right side is not one on its rows.
  const Relation few = filter(more, resolve("=", {column(1, Type::text), constant({Type::text, std::string("a")})}));
  const Relation left = join(visits(), few, JoinKind::left, {{0, 0}});
  EXPECT_NE(one_form(left),
            one_form(filter(join(visits(), more, JoinKind::left, {{0, 0}}),
                            resolve("=", {column(4, Type::text), constant({Type::text, std::string("a")})}))));
}

}  // namespace
}  // namespace dither::plan
