#include "calculus/units.h"

#include <gtest/gtest.h>

#include "calculus/aggregates.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/specimens.h"
#include "testing/stability.h"

namespace dither::calculus {
namespace {

using testing::expect_factor;
using testing::expect_sound;
using testing::refusal;

const Metric kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced},
    kChanged{MetricKind::units_changed}, kSymmetric{MetricKind::symmetric};

TableDomain visits() { return {{{"who", CellType::integer}, {"day", CellType::integer}, {"cost", CellType::real}}}; }
TableDomain people() { return {{{"id", CellType::integer}, {"age", CellType::integer}}}; }
TablesDomain both() { return {{visits(), people()}}; }
Makers makers() {
  Makers all;
  add_unit_makers(all);
  return all;
}
Row visit(std::int64_t who, std::int64_t day) { return {who, day, 1.0}; }
Row person(std::int64_t who, std::int64_t age) { return {who, age}; }
Table table_of(const AnyTransformation& step, const Data& data) { return std::get<Table>(testing::apply(step, data)); }

// The step as it would be if a unit could not vanish from its output.
AnyTransformation believing_units_stay(const AnyTransformation& step) {
  return testing::with_metric(step, kReplaced, [](const Distance& d) { return d; });
}

// Spec: W-04, W-06, W-08
TEST(Units, EveryStepKeepsItsMap) {
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    expect_sound(make_select_table(both(), from, 0), makers());
    expect_sound(make_select_table(both(), from, 1), makers());
    expect_sound(make_join_by_unit(both(), from, "p"), makers());
    expect_sound(make_unit_windows(visits(), from, "day", 1), makers());
    expect_sound(make_unit_windows(visits(), from, "day", 2), makers());
  }
  expect_sound(make_select_table(both(), {MetricKind::sum, MetricKind::symmetric}, 0), makers());
  expect_sound(make_select_table(both(), {MetricKind::largest, MetricKind::change_one}, 1), makers());
}

TEST(Units, MapsAtSmallAndHugeDistances) {
  expect_factor(make_select_table(both(), kAdded, 0), kAdded, 1);
  expect_factor(make_select_table(both(), kReplaced, 0), kChanged, 1);
  expect_factor(make_join_by_unit(both(), kReplaced, "p"), kChanged, 1);
  expect_factor(make_unit_windows(visits(), kAdded, "day", 5), kAdded, 5);
  expect_factor(make_unit_windows(visits(), kChanged, "day", 5), kChanged, 5);
}

TEST(Units, JoinPairsRowsOfAUnit) {
  const Tables tables = {{visit(1, 1), visit(1, 2), visit(2, 1), {std::monostate(), std::int64_t{1}, 1.0}},
                         {person(1, 30), person(3, 40), {std::monostate(), std::int64_t{1}}}};
  const Table joined = table_of(make_join_by_unit(both(), kAdded, "p"), tables);
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_EQ(joined[0], (Row{std::int64_t{1}, std::int64_t{1}, 1.0, std::int64_t{30}}));
  EXPECT_EQ(joined[1], (Row{std::int64_t{1}, std::int64_t{2}, 1.0, std::int64_t{30}}));
  TablesDomain limited = both();
  limited.tables[0].rows_per_unit = 3;
  limited.tables[1].rows_per_unit = 2;
  EXPECT_EQ(std::get<TableDomain>(make_join_by_unit(limited, kAdded, "p").output()).rows_per_unit, 6u);
}

// Three units for one table: the visit, the person on one day, and the person with at most two days or three visits.
// Spec: W-04, F-04
TEST(Units, TheSameCountCostsDifferentlyUnderDifferentUnits) {
  const auto moves = [](const AnyTransformation& count) { return cells_of(count.map(Rational(1))).l1; };
  const AnyTransformation by_row = make_total_count(visits(), kAdded, 1);  // the first column numbers the visits
  const AnyTransformation by_person = make_total_count(visits(), kAdded, 3);
  const AnyTransformation windows = make_unit_windows(visits(), kAdded, "day", 2);
  const AnyTransformation by_days =
      chain(windows, make_total_count(std::get<TableDomain>(windows.output()), windows.to(), 1));
  EXPECT_EQ(moves(by_row), 1);
  EXPECT_EQ(moves(by_days), 2);
  EXPECT_EQ(moves(by_person), 3);
}

// A unit is one unit however many tables it is in.
TEST(Units, SeveralTablesShareTheirUnits) {
  const Tables with = {{visit(1, 1), visit(1, 2), visit(2, 5)}, {person(1, 30), person(2, 20)}};
  const Tables without = {{visit(2, 5)}, {person(2, 20)}};
  EXPECT_EQ(distance(kAdded, with, without), Distance(Rational(1)));
  EXPECT_EQ(distance({MetricKind::sum, MetricKind::symmetric}, with, without), Distance(Rational(3)));
}

TEST(Units, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { make_select_table(both(), kAdded, 2); }), Code::bad_count);
  EXPECT_EQ(refusal([] { make_join_by_unit(both(), kSymmetric, "p"); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { make_join_by_unit({{visits()}}, kAdded, "p"); }), Code::mixed_domains);
  EXPECT_EQ(refusal([] { make_unit_windows(visits(), kAdded, "day", 0); }), Code::bad_limit);
  EXPECT_EQ(refusal([] { make_unit_windows(visits(), kAdded, "who", 1); }), Code::bad_argument);
  EXPECT_EQ(refusal([] { make_unit_windows(visits(), kAdded, "month", 1); }), Code::unknown_key);
  EXPECT_EQ(refusal([] { make_unit_windows(visits(), kSymmetric, "day", 1); }), Code::no_theorem);
}

TEST(Units, PlantedSelectionThatStaysUnitsReplacedIsCaught) {
  EXPECT_TRUE(testing::is_caught(believing_units_stay(make_select_table(both(), kReplaced, 0))));
}

TEST(Units, PlantedJoinOnAnotherColumnIsCaught) {
  const AnyTransformation join = make_join_by_unit(both(), kAdded, "p");
  const AnyTransformation crossed = testing::with_function(join, [](const Data& data) -> Data {
    Table all;
    const Tables& tables = as<Tables>(data);
    for (const Row& left : tables[0]) {
      for (const Row& right : tables[1]) all.push_back({left[0], left[1], left[2], right[1]});
    }
    return all;
  });
  EXPECT_TRUE(testing::is_caught(crossed));
}

TEST(Units, PlantedWindowsWithoutLimitIsCaught) {
  const AnyTransformation two = make_unit_windows(visits(), kAdded, "day", 2);
  const AnyTransformation three = make_unit_windows(visits(), kAdded, "day", 3);
  EXPECT_TRUE(testing::is_caught(testing::with_map(three, [two](const Distance& d) { return two.map(d); })));
}

}  // namespace
}  // namespace dither::calculus
