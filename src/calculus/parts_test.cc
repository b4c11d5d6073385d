#include "calculus/parts.h"

#include <gtest/gtest.h>

#include "calculus/catalogue.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/specimens.h"
#include "testing/stability.h"

namespace dither::calculus {
namespace {

using testing::expect_factor;
using testing::expect_sound;
using testing::Tight;

TableDomain visits() { return {{{"who", CellType::integer}, {"city", CellType::text}}}; }
Makers makers() {
  Makers all;
  add_catalogue_makers(all);
  return all;
}
std::vector<Cell> cities() { return {std::string("a"), std::string("b"), {}}; }
constexpr MetricKind kSum = MetricKind::sum;

AnyTransformation::Map times(long factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * Rational(factor); };
}

// Spec: W-06, W-08, W-75
TEST(Parts, PartitionIsOneStableButTwoUnderReplaceOne) {
  const std::vector<std::tuple<Metric, Metric, long>> expected = {
      {{MetricKind::symmetric}, {kSum, MetricKind::symmetric}, 1},
      {{MetricKind::change_one}, {kSum, MetricKind::symmetric}, 2},
      {{MetricKind::insert_delete}, {kSum, MetricKind::insert_delete}, 1},
      {{MetricKind::hamming}, {kSum, MetricKind::insert_delete}, 2},
      {{MetricKind::units_added}, {MetricKind::units_added}, 1},
      {{MetricKind::units_changed}, {MetricKind::units_changed}, 1},
  };
  for (const bool other : {false, true}) {
    for (const auto& [from, to, factor] : expected) {
      const auto step = make_partition_by_key(visits(), from, "city", cities(), other);
      expect_sound(step, makers());
      expect_factor(step, to, factor);
      EXPECT_EQ(std::get<TablesDomain>(step.output()).tables.size(), other ? 4u : 3u);
    }
    const auto replaced = make_partition_by_key(visits(), {MetricKind::units_replaced}, "city", cities(), other);
    expect_sound(replaced, makers());
    expect_factor(replaced, {other ? MetricKind::units_replaced : MetricKind::units_changed}, 1);
  }
  const Metric symmetric{MetricKind::symmetric};
  EXPECT_EQ(testing::refusal([&] { make_partition_by_key(visits(), symmetric, "city", {}, true); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] {
              make_partition_by_key(visits(), symmetric, "city", {Cell{}, Cell{}}, true);
            }),
            Code::duplicate_key);
}

TEST(Parts, PlantedPartitionOneStableUnderReplaceOneIsCaught) {
  const auto step = make_partition_by_key(visits(), {MetricKind::change_one}, "city", cities(), true);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(1))));
}

// Spec: W-06, W-08
TEST(Parts, CountsMoveInFewCells) {
  const TablesDomain three{{visits(), visits(), visits()}};
  const auto summed = make_part_counts(three, {kSum, MetricKind::symmetric});
  expect_sound(summed, makers());
  EXPECT_EQ(cells_of(summed.map(Rational(2))), (CellsDistance{2, 2, 4, 2}));
  EXPECT_EQ(cells_of(summed.map(Rational(1'000'000))),
            (CellsDistance{3, 1'000'000, Rational::parse("1e12"), 1'000'000}));
  expect_sound(make_part_counts(three, {kSum, MetricKind::insert_delete}), makers());
  const auto largest = make_part_counts(three, {MetricKind::largest, MetricKind::symmetric});
  expect_sound(largest, makers(), Tight::somewhere);
  EXPECT_EQ(cells_of(largest.map(Rational(2))), (CellsDistance{3, 6, 12, 2}));
}

TEST(Parts, PlantedCountsThatForgetSquaresIsCaught) {
  const auto step = make_part_counts({{visits(), visits()}}, {kSum, MetricKind::symmetric});
  const auto planted = testing::with_map(step, [](const Distance& d) -> Distance {
    return CellsDistance{number(d), number(d), number(d),
                         number(d)};  // l2 squared d: right only if no cell moves twice
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

// Spec: W-06, W-08
TEST(Parts, ReduceByPartition) {
  const VectorDomain four{4};
  const std::vector<std::uint64_t> groups = {0, 1, 0, 0};
  const auto step = [&](MetricKind kind) { return make_reduce_by_partition(four, {kind}, groups, 3); };
  expect_sound(step(MetricKind::l1), makers());
  expect_sound(step(MetricKind::l2), makers(), Tight::no);  // attained at d = 3, when the group moves as one
  expect_sound(step(MetricKind::linf), makers());
  expect_sound(step(MetricKind::cells), makers());
  expect_factor(step(MetricKind::l1), {MetricKind::l1}, 1);
  expect_factor(step(MetricKind::l2), {MetricKind::l2}, 3);
  expect_factor(step(MetricKind::linf), {MetricKind::linf}, 3);
  EXPECT_EQ(std::get<Integers>(testing::apply(step(MetricKind::l1), Integers{1, 2, 3, 4})), (Integers{8, 2, 0}));
  EXPECT_EQ(std::get<Integers>(testing::apply(step(MetricKind::l1), Integers{kInt128Max, 2, 3, -4})),
            (Integers{kInt128Max - 1, 2, 0}));
  EXPECT_EQ(testing::refusal([&] {
              make_reduce_by_partition(four, {MetricKind::l1}, {0, 1}, 2);
            }),
            Code::mixed_domains);
  EXPECT_EQ(testing::refusal([&] {
              make_reduce_by_partition(four, {MetricKind::l1}, {0, 1, 2, 3}, 3);
            }),
            Code::out_of_range);
  EXPECT_EQ(testing::refusal([&] {
              make_reduce_by_partition(four, {MetricKind::l1}, {0, 1, 2, 3}, ~std::uint64_t{0});
            }),
            Code::bad_count);
}

TEST(Parts, PlantedReduceOneStableInL2IsCaught) {
  const auto step = make_reduce_by_partition({4}, {MetricKind::l2}, {0, 0, 0, 0}, 1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(1))));
}

}  // namespace
}  // namespace dither::calculus
