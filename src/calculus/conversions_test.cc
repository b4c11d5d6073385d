#include "calculus/conversions.h"

#include <gtest/gtest.h>

#include "calculus/catalogue.h"
#include "testing/refusal.h"
#include "testing/specimens.h"
#include "testing/stability.h"

namespace dither::calculus {
namespace {

using testing::expect_factor;
using testing::expect_sound;
using testing::Tight;

constexpr MetricKind kSymmetric = MetricKind::symmetric, kChangeOne = MetricKind::change_one;

TableDomain visits() { return {{{"who", CellType::integer}, {"pay", CellType::real}}}; }
TableDomain limited(std::uint64_t rows_per_unit) {
  TableDomain domain = visits();
  domain.rows_per_unit = rows_per_unit;
  return domain;
}
TableDomain sized(std::uint64_t rows) {
  TableDomain domain = visits();
  domain.rows = rows;
  return domain;
}
Makers makers() {
  Makers all;
  add_catalogue_makers(all);
  return all;
}
AnyTransformation::Map times(long factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * Rational(factor); };
}
Rational at(const AnyTransformation& step, const Rational& d) { return number(step.map(d)); }

// Spec: W-03, W-75
TEST(Conversions, ChangeOneIsTwoStepsAndBack) {
  const auto there = make_change_one_to_symmetric(visits());
  expect_sound(there, makers());
  expect_factor(there, {kSymmetric}, 2);
  const auto back = make_symmetric_to_change_one(sized(5));
  expect_sound(back, makers(), Tight::somewhere);
  EXPECT_EQ(at(back, 0), Rational(0));
  EXPECT_EQ(at(back, 1), Rational(1));  // never free
  EXPECT_EQ(at(back, 2), Rational(1));
  EXPECT_EQ(at(back, 3), Rational(2));
  EXPECT_EQ(at(back, 1'000'000), Rational(500'000));
  EXPECT_EQ(testing::refusal([] { make_symmetric_to_change_one(visits()); }), Code::mixed_domains);
}

TEST(Conversions, PlantedChangeOneAsOneStepIsCaught) {
  EXPECT_TRUE(testing::is_caught(testing::with_map(make_change_one_to_symmetric(visits()), times(1))));
}

// Spec: W-03
TEST(Hole07, WhoForgetsTheOrderSeesNoMore) {
  expect_sound(make_hamming_to_change_one(visits()), makers());
  expect_factor(make_hamming_to_change_one(visits()), {kChangeOne}, 1);
  expect_sound(make_insert_delete_to_symmetric(visits()), makers());
  expect_factor(make_insert_delete_to_symmetric(visits()), {kSymmetric}, 1);
}

TEST(Hole07, PlantedBoundedCastOfOrderedDataIsCaught) {  // insert-delete d on one size is not hamming d / 2
  const auto planted = testing::with_metric(make_insert_delete_to_symmetric(sized(5)), {MetricKind::hamming},
                                            [](const Distance& d) -> Distance { return number(d) / Rational(2); });
  EXPECT_TRUE(testing::is_caught(planted));
}

// Spec: W-03
TEST(Conversions, UnitsBringTheirRows) {
  const Metric added{MetricKind::units_added}, replaced{MetricKind::units_replaced}, changed{MetricKind::units_changed};
  expect_sound(make_units_to_symmetric(limited(3), added), makers());
  expect_factor(make_units_to_symmetric(limited(3), added), {kSymmetric}, 3);
  for (const Metric& from : {replaced, changed}) {
    expect_sound(make_units_to_symmetric(limited(2), from), makers());
    expect_factor(make_units_to_symmetric(limited(2), from), {kSymmetric}, 4);
    expect_sound(make_units_to_units_added(visits(), from), makers());
    expect_factor(make_units_to_units_added(visits(), from), added, 2);
  }
  const TablesDomain both{{limited(1), limited(2)}};
  expect_sound(make_units_to_symmetric(both, added), makers());
  expect_factor(make_units_to_symmetric(both, added), {MetricKind::sum, kSymmetric}, 3);
  expect_sound(make_units_replaced_to_units_changed(both), makers());
  expect_factor(make_units_replaced_to_units_changed(both), changed, 1);
  EXPECT_EQ(testing::refusal([&] { make_units_to_symmetric(visits(), added); }), Code::mixed_domains);
  EXPECT_EQ(testing::refusal([&] { make_units_to_symmetric(limited(1), {kSymmetric}); }), Code::no_theorem);
}

TEST(Conversions, PlantedReplacedUnitAsOneIsCaught) {
  const auto step = make_units_to_symmetric(limited(2), {MetricKind::units_replaced});
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(2))));
}

// Spec: W-11
TEST(Conversions, NormsOfWholeNumbers) {
  const VectorDomain three{3};
  for (const auto& make : {make_l1_to_l2, make_l1_to_linf, make_l2_to_l1, make_l2_to_linf, make_linf_to_l1,
                           make_linf_to_l2, make_cells_to_l1, make_cells_to_l2, make_cells_to_linf}) {
    expect_sound(make(three), makers());
  }
  for (const auto& make : {make_l1_to_l2, make_l1_to_linf, make_l2_to_l1, make_l2_to_linf}) {
    expect_sound(make(VectorDomain{}), makers());
    expect_sound(make(KeyedDomain{}), makers());
    EXPECT_EQ(testing::refusal([&] { make(RealsDomain{3}); }), Code::mixed_domains);
  }
  EXPECT_EQ(at(make_l1_to_l2(three), 3), Rational(9));
  EXPECT_EQ(at(make_l1_to_linf(three), 3), Rational(3));
  EXPECT_EQ(at(make_l2_to_l1(three), 3), Rational(3));
  EXPECT_EQ(at(make_l2_to_l1(three), 1'000'000), Rational(1732));  // floor(sqrt(3 * 10^6))
  EXPECT_EQ(at(make_l2_to_l1(VectorDomain{}), 1'000'000), Rational(1'000'000));
  EXPECT_EQ(at(make_l2_to_linf(three), 3), Rational(1));
  EXPECT_EQ(at(make_l2_to_linf(three), 1'000'000), Rational(1000));
  EXPECT_EQ(at(make_linf_to_l1(three), 3), Rational(9));
  EXPECT_EQ(at(make_linf_to_l2(three), 3), Rational(27));
  EXPECT_EQ(testing::refusal([] { make_linf_to_l1(VectorDomain{}); }), Code::mixed_domains);
}

// Spec: W-11
TEST(Conversions, CellsGiveTheBestOfFour) {
  const VectorDomain three{3};
  const Distance loose = CellsDistance{2, 100, 1000, 3};
  EXPECT_EQ(number(make_cells_to_l1(three).map(loose)), Rational(6));   // two cells by three
  EXPECT_EQ(number(make_cells_to_l2(three).map(loose)), Rational(18));  // two cells by three, squared
  EXPECT_EQ(number(make_cells_to_linf(three).map(CellsDistance{2, 2, 4, 5})), Rational(2));
  EXPECT_EQ(testing::refusal([] { make_cells_to_l1(KeyedDomain{}); }), Code::mixed_domains);
  expect_sound(make_cells_to_l1(KeyedDomain{{{"i1", "ta"}}}), makers());
}

TEST(Conversions, PlantedWrongNormIsCaught) {
  const VectorDomain three{3};
  EXPECT_TRUE(testing::is_caught(testing::with_map(make_l1_to_l2(three), times(1))));
  EXPECT_TRUE(testing::is_caught(testing::with_map(make_linf_to_l1(three), times(2))));
  const auto largest =
      testing::with_map(make_cells_to_l1(three), [](const Distance& d) { return cells_of(d).largest; });
  EXPECT_TRUE(testing::is_caught(largest));
}

}  // namespace
}  // namespace dither::calculus
