#include "calculus/multisets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "calculus/catalogue.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/specimens.h"
#include "testing/stability.h"

namespace dither::calculus {
namespace {

using testing::check_stability;
using testing::expect_factor;
using testing::expect_sound;
using testing::run_seed;
using testing::Tight;

const Metric kSymmetric{MetricKind::symmetric}, kChangeOne{MetricKind::change_one}, kHamming{MetricKind::hamming},
    kInsertDelete{MetricKind::insert_delete}, kDiscrete{MetricKind::discrete};
const Metric kUnits[] = {{MetricKind::units_added}, {MetricKind::units_replaced}, {MetricKind::units_changed}};
const Metric kSum{MetricKind::sum, MetricKind::symmetric}, kSumChangeOne{MetricKind::sum, MetricKind::change_one};
const Metric kSumOrdered{MetricKind::sum, MetricKind::insert_delete}, kSumHamming{MetricKind::sum, MetricKind::hamming};
const Metric kLargest{MetricKind::largest, MetricKind::symmetric};

TableDomain visits() { return {{{"who", CellType::integer}, {"tags", CellType::text}, {"pay", CellType::real}}}; }
TablesDomain two() { return {{visits(), visits()}}; }
Makers makers() {
  Makers all;
  add_catalogue_makers(all);
  return all;
}
Cell text(const char* bytes) { return std::string(bytes); }
Row row(std::int64_t who, const char* tags, double pay) { return {who, text(tags), pay}; }
Table table_of(const AnyTransformation& step, const Data& data) { return std::get<Table>(testing::apply(step, data)); }

void expect_sound_with(const AnyTransformation& step, const Metric& to, const Rational& factor,
                       Tight tight = Tight::at_one) {
  expect_sound(step, makers(), tight);
  expect_factor(step, to, factor);
}
AnyTransformation::Map times(long factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * Rational(factor); };
}

// Spec: W-06, W-08, W-75
TEST(Distinct, IsOneStableAndForgetsThePublicSize) {
  expect_sound_with(make_distinct(visits(), kSymmetric), kSymmetric, 1);
  expect_sound_with(make_distinct(visits(), kInsertDelete), kSymmetric, 1);
  expect_sound_with(make_distinct(visits(), kChangeOne), kSymmetric, 2);
  expect_sound_with(make_distinct(visits(), kHamming), kSymmetric, 2);
  expect_sound_with(make_distinct(visits(), kDiscrete), kDiscrete, 1);
  for (const Metric& metric : kUnits) expect_sound_with(make_distinct(visits(), metric), metric, 1);
  const Table twice = {row(1, "a", 0.0), row(1, "a", -0.0), row(1, "b", 0.0)};
  EXPECT_EQ(table_of(make_distinct(visits(), kSymmetric), twice).size(), 2u);
}

TEST(Distinct, PlantedChangeOneKeptIsCaught) {
  const auto step = make_distinct(visits(), kChangeOne);
  EXPECT_TRUE(testing::is_caught(testing::with_metric(step, kChangeOne, times(1))));
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(1))));
}

// Spec: W-06, W-08
TEST(Explode, IsAsStableAsItsLimit) {
  expect_sound_with(make_explode(visits(), kSymmetric, "tags", ",", 3), kSymmetric, 3);
  expect_sound_with(make_explode(visits(), kInsertDelete, "tags", ",", 3), kInsertDelete, 3);
  expect_sound_with(make_explode(visits(), kChangeOne, "tags", ",", 3), kSymmetric, 6, Tight::at_one);
  expect_sound_with(make_explode(visits(), kHamming, "tags", ",", 3), kInsertDelete, 6, Tight::at_one);
  for (const Metric& metric : kUnits) expect_sound_with(make_explode(visits(), metric, "tags", ",", 3), metric, 1);
  TableDomain limited = visits();
  limited.rows_per_unit = 2;
  limited.keys_per_unit = 2;
  const auto step = make_explode(limited, {MetricKind::units_added}, "tags", ",", 3);
  EXPECT_EQ(std::get<TableDomain>(step.output()).rows_per_unit, 6u);
  EXPECT_EQ(std::get<TableDomain>(step.output()).keys_per_unit, 6u);
  expect_sound(step, makers());
}

TEST(Explode, KeepsTheFirstPieces) {
  const auto step = make_explode(visits(), kSymmetric, "tags", ",", 2);
  const Table pieces = table_of(step, Table{row(1, "a,b,c", 0), row(2, "", 0), {std::int64_t{3}, {}, 0.0}});
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0][1], text("a"));
  EXPECT_EQ(pieces[1][1], text("b"));
  EXPECT_EQ(pieces[2][1], text(""));
  EXPECT_EQ(pieces[3][1], Cell{});
}

TEST(Explode, PlantedForgottenLimitIsCaught) {
  const auto step = make_explode(visits(), kSymmetric, "tags", ",", 3);
  const auto unlimited = make_explode(visits(), kSymmetric, "tags", ",", 100);
  EXPECT_TRUE(testing::is_caught(
      testing::with_function(step, [unlimited](const Data& data) { return testing::apply(unlimited, data); })));
}

// Spec: W-06, W-08
TEST(GroupBy, RecordsAreTwoStable) {
  expect_sound_with(make_group_by(visits(), kSymmetric, "who", "pay"), kSymmetric, 2);
  expect_sound_with(make_group_by(visits(), kInsertDelete, "tags", "pay"), kSymmetric, 2);
  expect_sound_with(make_group_by(visits(), kChangeOne, "who", "tags"), kSymmetric, 4);
  expect_sound_with(make_group_by(visits(), kHamming, "who", "pay"), kSymmetric, 4);
  for (const Metric& metric : kUnits) expect_sound_with(make_group_by(visits(), metric, "who", "pay"), metric, 1);
  EXPECT_EQ(testing::refusal([] { make_group_by(visits(), kUnits[0], "tags", "pay"); }), Code::no_theorem);
}

TEST(GroupBy, PlantedOneStableIsCaught) {
  const auto step = make_group_by(visits(), kSymmetric, "who", "pay");
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(1))));
}

TEST(GroupBy, CountsAndEndsOfEachKey) {
  const Table table = {row(2, "x", 3), row(1, "x", std::nan("")), row(2, "y", -1), {std::int64_t{2}, text("x"), {}}};
  const Table records = table_of(make_group_by(visits(), kSymmetric, "who", "pay"), table);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0], (Row{std::int64_t{1}, std::int64_t{1}, {}, {}}));
  EXPECT_EQ(records[1], (Row{std::int64_t{2}, std::int64_t{3}, -1.0, 3.0}));
}

// Spec: W-06, W-08
TEST(Sort, TurnsSymmetricIntoInsertDelete) {
  expect_sound_with(make_sort(visits(), kSymmetric, "pay"), kInsertDelete, 1);
  expect_sound_with(make_sort(visits(), kInsertDelete, "pay"), kInsertDelete, 1);
  expect_sound_with(make_sort(visits(), kChangeOne, "tags"), kInsertDelete, 2);
  expect_sound_with(make_sort(visits(), kHamming, "who"), kInsertDelete, 2);
  for (const Metric& metric : kUnits) expect_sound_with(make_sort(visits(), metric, "pay"), metric, 1);
  const Table sorted = table_of(make_sort(visits(), kSymmetric, "pay"),
                                Table{row(1, "b", 2), row(1, "a", -5), row(0, "c", std::nan(""))});
  EXPECT_EQ(sorted[0][1], text("c"));
  EXPECT_EQ(sorted[1][1], text("a"));
}

TEST(Hole07, PlantedOrderKeptAsInsertDeleteIsCaught) {  // a cast to an ordered metric without sorting
  const auto step = make_sort(visits(), kSymmetric, "pay");
  EXPECT_TRUE(testing::is_caught(testing::with_function(step, [](const Data& data) { return data; })));
}

// Spec: W-06, W-08
TEST(Hole07, ResizeMovesOneRowForOne) {
  const Row padding = row(0, "", 0);
  for (const std::uint64_t n : {1u, 4u, 9u}) {
    for (const Metric& from : {kSymmetric, kInsertDelete, kChangeOne, kHamming}) {
      const auto step = make_resize(visits(), from, n, padding);
      expect_sound_with(step, kChangeOne, 1);
      EXPECT_EQ(std::get<TableDomain>(step.output()).rows, n);
    }
  }
  // In the symmetric metric that is 2, as the catalogue of the specification has it.
  const auto step = make_resize(visits(), kSymmetric, 4, padding);
  const auto both = chain(step, make_change_one_to_symmetric(std::get<TableDomain>(step.output())));
  EXPECT_EQ(number(both.map(Rational(1))), Rational(2));
  EXPECT_EQ(testing::refusal([&] { make_resize(visits(), kSymmetric, 0, padding); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { make_resize(visits(), kSymmetric, ~std::uint64_t{0}, padding); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { make_resize(visits(), kSymmetric, 1, {text("a")}); }), Code::mixed_domains);
  EXPECT_EQ(testing::refusal([&] { make_resize(visits(), kUnits[0], 1, padding); }), Code::no_theorem);
}

TEST(Hole07, PlantedResizeByPositionIsCaught) {
  const auto step = make_resize(visits(), kSymmetric, 4, row(0, "", 0));
  const auto planted = testing::with_function(step, [](const Data& data) -> Data {
    Table first = std::get<Table>(data);
    first.resize(4, row(0, "", 0));
    return first;
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

TEST(Hole13, PlantedDroppedOddRowClaimedOneIsCaught) {
  const auto sorted = make_sort(visits(), kSymmetric, "pay");
  const auto drop_odd = [sorted](const Data& data) -> Data {
    Table table = std::get<Table>(testing::apply(sorted, data));
    if (table.size() % 2 != 0) table.pop_back();
    return table;
  };
  const auto step = testing::with_metric(testing::with_function(sorted, drop_odd), kSymmetric, times(1));
  EXPECT_TRUE(testing::is_caught(step));
  const auto right = check_stability(testing::with_map(step, times(3)), run_seed());
  EXPECT_TRUE(right.holds()) << right.counterexample.value_or("");
}

// Spec: W-06, W-08
TEST(TwoTables, AreOneStablePerInput) {
  expect_sound_with(make_concat(two(), kSum), kSymmetric, 1);
  expect_sound_with(make_concat(two(), kSumChangeOne), kChangeOne, 1);
  expect_sound_with(make_concat(two(), kSumOrdered), kInsertDelete, 1);
  expect_sound_with(make_concat(two(), kSumHamming), kHamming, 1);
  expect_sound_with(make_concat(two(), kLargest), kSymmetric, 2);
  for (const auto& make : {make_intersect, make_except}) {
    expect_sound_with(make(two(), kSum), kSymmetric, 1);
    expect_sound_with(make(two(), kSumOrdered), kSymmetric, 1);
    expect_sound_with(make(two(), kSumChangeOne), kSymmetric, 2, Tight::somewhere);
    expect_sound_with(make(two(), kSumHamming), kSymmetric, 2, Tight::somewhere);
    expect_sound_with(make(two(), kLargest), kSymmetric, 2, Tight::no);
  }
  for (const Metric& metric : kUnits) {
    const Metric after = metric.kind == MetricKind::units_replaced ? kUnits[2] : metric;
    expect_sound_with(make_concat(two(), metric), metric, 1);
    expect_sound_with(make_intersect(two(), metric), after, 1, Tight::no);
    expect_sound_with(make_except(two(), metric), after, 1);
  }
  const Metric per_table{MetricKind::sum, MetricKind::units_added};  // a unit may be new in one table only: 2 in all
  EXPECT_EQ(testing::refusal([&] { make_concat(two(), per_table); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([&] { make_except({{visits()}}, kSum); }), Code::mixed_domains);
}

TEST(TwoTables, CountRowsAsMultisets) {
  const Tables tables = {{row(1, "a", 0), row(1, "a", -0.0), row(2, "b", 1)}, {row(1, "a", 0), row(3, "c", 1)}};
  EXPECT_EQ(table_of(make_concat(two(), kSum), tables).size(), 5u);
  EXPECT_EQ(table_of(make_intersect(two(), kSum), tables).size(), 1u);
  EXPECT_EQ(table_of(make_except(two(), kSum), tables).size(), 2u);
}

TEST(TwoTables, PlantedLargestClaimedOnceIsCaught) {
  EXPECT_TRUE(testing::is_caught(testing::with_map(make_concat(two(), kLargest), times(1))));
}

TEST(TwoTables, PlantedSetDifferenceIsCaught) {  // a row once in the second removes it however often it is in the first
  const auto planted = testing::with_function(make_except(two(), kSum), [](const Data& data) -> Data {
    const Tables& tables = std::get<Tables>(data);
    Table rest;
    for (const Row& one : tables[0]) {
      const auto same = [&](const Row& other) { return canonical(std::span(one)) == canonical(std::span(other)); };
      if (std::none_of(tables[1].begin(), tables[1].end(), same)) rest.push_back(one);
    }
    return rest;
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

// Spec: W-06, W-08
TEST(JoinUnique, IsTwoStablePerInput) {
  expect_sound_with(make_join_unique(two(), kSum, "who"), kSymmetric, 2);
  expect_sound_with(make_join_unique(two(), kSumOrdered, "tags"), kSymmetric, 2);
  expect_sound_with(make_join_unique(two(), kSumChangeOne, "who"), kSymmetric, 4, Tight::no);
  expect_sound_with(make_join_unique(two(), kLargest, "who"), kSymmetric, 4, Tight::no);
  expect_sound_with(make_join_unique(two(), kUnits[0], "who"), kUnits[0], 1, Tight::no);
  expect_sound_with(make_join_unique(two(), kUnits[1], "who"), kUnits[2], 1, Tight::no);
  expect_sound_with(make_join_unique(two(), kUnits[2], "who"), kUnits[2], 1, Tight::no);
  EXPECT_EQ(testing::refusal([] { make_join_unique(two(), kUnits[0], "tags"); }), Code::no_theorem);
}

TEST(JoinUnique, PlantedOneStableIsCaught) {
  const auto step = make_join_unique(two(), kSum, "who");
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(1))));
}

TEST(JoinUnique, PutsFirstRowsSideBySide) {
  const Tables tables = {{row(1, "b", 0), row(1, "a", 0), {Cell{}, text("n"), 0.0}},
                         {row(1, "z", 5), {Cell{}, text("n"), 0.0}}};
  const Table joined = table_of(make_join_unique(two(), kSum, "who"), tables);
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0], (Row{std::int64_t{1}, text("a"), 0.0, text("z"), 5.0}));
}

}  // namespace
}  // namespace dither::calculus
