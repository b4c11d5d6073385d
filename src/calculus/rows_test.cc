#include "calculus/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "calculus/catalogue.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/specimens.h"
#include "testing/stability.h"

namespace dither::calculus {
namespace {

using testing::expect_factor;
using testing::expect_sound;

const Cell kNull = {};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
const MetricKind kMetrics[] = {MetricKind::symmetric,      MetricKind::change_one,   MetricKind::insert_delete,
                               MetricKind::hamming,        MetricKind::discrete,     MetricKind::units_added,
                               MetricKind::units_replaced, MetricKind::units_changed};

TableDomain visits() {
  return {{{"who", CellType::integer}, {"city", CellType::text}, {"age", CellType::integer}, {"pay", CellType::real}}};
}
Makers makers() {
  Makers all;
  add_catalogue_makers(all);
  return all;
}
Cell text(const char* bytes) { return std::string(bytes); }
Cell whole(std::int64_t x) { return x; }

std::vector<AnyTransformation> one_for_one(const Metric& from) {
  return {
      make_select_columns(visits(), from, {"who", "pay"}),
      make_clamp(visits(), from, "pay", {0, 2}, NanPolicy::null),
      make_clamp(visits(), from, "age", {Rational(1, 2), 3}, NanPolicy::low),
      make_impute(visits(), from, "pay", 0.0),
      make_cast(visits(), from, "city", CellType::integer),
      make_cast(visits(), from, "pay", CellType::text),
      make_bucket(visits(), from, "pay", {0, 1, Rational(5, 2)}),
      make_scale_shift(visits(), from, "age", 2, -1),
      make_scale_shift(visits(), from, "pay", Rational(-1, 2), 0),
      make_category_codes(visits(), from, "city", {text("a"), text("b")}),
  };
}
std::vector<AnyTransformation> dropping(const Metric& from) {
  return {
      make_filter(visits(), from, "age", Comparison::at_least, whole(1)),
      make_filter(visits(), from, "city", Comparison::not_equal, text("a")),
      make_filter(visits(), from, "pay", Comparison::less, 1.5),
      make_drop_missing(visits(), from, {"age", "pay"}),
  };
}

// Spec: W-06, W-08
TEST(RowSteps, OneForOneKeepMetricAndDistance) {
  for (const MetricKind kind : kMetrics) {
    for (const AnyTransformation& step : one_for_one({kind})) {
      expect_sound(step, makers());
      expect_factor(step, {kind}, 1);
    }
  }
}

// Spec: W-06, W-08, W-75
TEST(RowSteps, DroppingRowsLosesThePublicSize) {
  const std::map<MetricKind, std::pair<MetricKind, Rational>> expected = {
      {MetricKind::symmetric, {MetricKind::symmetric, 1}},
      {MetricKind::change_one, {MetricKind::symmetric, 2}},
      {MetricKind::insert_delete, {MetricKind::insert_delete, 1}},
      {MetricKind::hamming, {MetricKind::insert_delete, 2}},
      {MetricKind::discrete, {MetricKind::discrete, 1}},
      {MetricKind::units_added, {MetricKind::units_added, 1}},
      {MetricKind::units_replaced, {MetricKind::units_changed, 1}},
      {MetricKind::units_changed, {MetricKind::units_changed, 1}},
  };
  for (const auto& [from, to] : expected) {
    for (const AnyTransformation& step : dropping({from})) {
      expect_sound(step, makers());
      expect_factor(step, {to.first}, to.second);
    }
  }
}

TEST(RowSteps, PlantedFilterKeepingChangeOneIsCaught) {
  const auto step = make_filter(visits(), {MetricKind::change_one}, "age", Comparison::at_least, whole(1));
  const auto same = [](const Distance& d) { return d; };
  EXPECT_TRUE(testing::is_caught(testing::with_metric(step, {MetricKind::change_one}, same)));
  EXPECT_TRUE(testing::is_caught(testing::with_metric(step, {MetricKind::symmetric}, same)));
}

TEST(RowSteps, FilterComparesExactlyAndDropsWhatIsMissing) {
  const Table table = {{whole(1), text("a"), kNull, std::nan("")}, {whole(2), kNull, whole(kMost), 0x1p63}};
  const auto kept = [&](std::string_view column, Comparison comparison, const Cell& constant) {
    return std::get<Table>(
               testing::apply(make_filter(visits(), {MetricKind::symmetric}, column, comparison, constant), table))
        .size();
  };
  EXPECT_EQ(kept("age", Comparison::less, 0x1p63), 1u);  // 2^63 - 1 < 2^63, though the nearest double is 2^63
  EXPECT_EQ(kept("age", Comparison::equal, 0x1p63), 0u);
  EXPECT_EQ(kept("pay", Comparison::not_equal, 1.0), 1u);  // NaN compares with nothing
  EXPECT_EQ(kept("pay", Comparison::greater, whole(kMost)), 1u);
  EXPECT_EQ(kept("city", Comparison::at_most, text("a")), 1u);
}

TEST(RowSteps, RefuseWhatIsNotThere) {
  const Metric metric{MetricKind::symmetric};
  const auto refusal = [](auto act) { return testing::refusal(act); };
  EXPECT_EQ(refusal([&] { make_filter(visits(), metric, "nobody", Comparison::less, whole(1)); }), Code::unknown_key);
  EXPECT_EQ(refusal([&] { make_filter(visits(), metric, "age", Comparison::less, text("1")); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { make_filter(visits(), metric, "age", Comparison::less, kNull); }), Code::bad_number);
  EXPECT_EQ(refusal([&] { make_select_columns(visits(), metric, {"who", "who"}); }), Code::duplicate_key);
  EXPECT_EQ(refusal([&] { make_clamp(visits(), metric, "pay", {2, 1}, NanPolicy::low); }), Code::bad_bounds);
  EXPECT_EQ(refusal([&] {
              make_clamp(visits(), metric, "age", {Rational(1, 3), Rational(2, 3)}, NanPolicy::low);
            }),
            Code::bad_bounds);
  EXPECT_EQ(refusal([&] { make_clamp(visits(), metric, "city", {0, 1}, NanPolicy::low); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { make_bucket(visits(), metric, "pay", {1, 1}); }), Code::bad_bounds);
  EXPECT_EQ(refusal([&] { make_scale_shift(visits(), metric, "pay", Rational(1, 3), 0); }), Code::bad_number);
  EXPECT_EQ(refusal([&] { make_scale_shift(visits(), metric, "age", Rational(1, 2), 0); }), Code::bad_number);
  EXPECT_EQ(refusal([&] {
              make_category_codes(visits(), metric, "city", {text("a"), text("a")});
            }),
            Code::duplicate_key);
  EXPECT_EQ(refusal([&] { make_category_codes(visits(), metric, "city", {}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { make_clamp(visits(), {MetricKind::l1}, "pay", {0, 1}, NanPolicy::low); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { comparison_from("like"); }), Code::unknown_key);
}

// Whose row it is may not change while units are counted; and what was known of units dies with the first column.
TEST(RowSteps, LeaveTheUnitAlone) {
  for (const MetricKind kind : {MetricKind::units_added, MetricKind::units_replaced, MetricKind::units_changed}) {
    EXPECT_EQ(testing::refusal([&] { make_bucket(visits(), {kind}, "who", {1}); }), Code::no_theorem);
    EXPECT_EQ(testing::refusal([&] { make_select_columns(visits(), {kind}, {"pay", "who"}); }), Code::no_theorem);
  }
}

TEST(Hole12, FactsDieWithTheColumn) {
  TableDomain limited = visits();
  limited.rows_per_unit = 2;
  limited.keys_per_unit = 1;
  const auto output = [](const AnyTransformation& step) { return std::get<TableDomain>(step.output()); };
  EXPECT_EQ(output(make_bucket(limited, {MetricKind::symmetric}, "who", {1})).rows_per_unit, std::nullopt);
  EXPECT_EQ(output(make_bucket(limited, {MetricKind::symmetric}, "age", {1})).rows_per_unit, 2u);
  EXPECT_EQ(output(make_select_columns(limited, {MetricKind::symmetric}, {"who", "age"})).keys_per_unit, std::nullopt);
  EXPECT_EQ(output(make_cast(limited, {MetricKind::symmetric}, "pay", CellType::integer)).columns[3].bounds,
            std::nullopt);
  limited.rows = 3;
  EXPECT_EQ(output(make_drop_missing(limited, {MetricKind::symmetric}, {"age"})).rows, std::nullopt);
}

// What can become NULL says so: out of range, not a number, bucket of NaN.
TEST(Hole10, WhatMayBecomeNullSaysSo) {
  TableDomain complete = visits();
  for (Column& column : complete.columns) column.nullable = false;
  const auto nullable = [](const AnyTransformation& step, std::size_t at) {
    return std::get<TableDomain>(step.output()).columns[at].nullable;
  };
  const Metric metric{MetricKind::symmetric};
  EXPECT_TRUE(nullable(make_cast(complete, metric, "city", CellType::real), 1));
  EXPECT_TRUE(nullable(make_cast(complete, metric, "pay", CellType::integer), 3));
  EXPECT_FALSE(nullable(make_cast(complete, metric, "age", CellType::real), 2));
  EXPECT_TRUE(nullable(make_bucket(complete, metric, "pay", {1}), 3));
  EXPECT_FALSE(nullable(make_bucket(complete, metric, "age", {1}), 2));
  EXPECT_TRUE(nullable(make_scale_shift(complete, metric, "age", 2, 0), 2));
  EXPECT_TRUE(nullable(make_clamp(complete, metric, "pay", {0, 1}, NanPolicy::null), 3));
  for (const auto& step :
       {make_cast(complete, metric, "city", CellType::real), make_bucket(complete, metric, "pay", {1}),
        make_scale_shift(complete, metric, "age", 2, 0), make_impute(complete, metric, "pay", 1.0)}) {
    expect_sound(step, makers());
  }
}

AnyTransformation codes() {
  return make_category_codes(visits(), {MetricKind::symmetric}, "city", {text("a"), text("b")});
}

TEST(Hole11, CategoryCodesLookAtOneRowAlone) {
  const Table both = {
      {whole(1), text("b"), kNull, 0.0}, {whole(2), text("z"), kNull, 0.0}, {whole(2), kNull, kNull, 0.0}};
  const Table coded = std::get<Table>(testing::apply(codes(), both));
  EXPECT_EQ(coded[0][1], whole(1));
  EXPECT_EQ(coded[1][1], whole(2));
  EXPECT_EQ(coded[2][1], whole(2));
  for (std::size_t i = 0; i < both.size(); ++i) {
    EXPECT_EQ(std::get<Table>(testing::apply(codes(), Table{both[i]}))[0], coded[i]);  // f(A + b) = f(A) + f(b)
  }
}

TEST(Hole11, PlantedCodesByFirstAppearanceIsCaught) {
  const auto by_appearance = [](const Data& data) -> Data {
    Table table = std::get<Table>(data);
    std::map<std::string, std::int64_t> seen;
    for (Row& row : table) {
      const auto next = static_cast<std::int64_t>(std::min<std::size_t>(seen.size(), 2));
      row[1] = seen.emplace(canonical(row[1]), next).first->second;
    }
    return table;
  };
  EXPECT_TRUE(testing::is_caught(testing::with_function(codes(), by_appearance)));
}

TEST(Hole14, ImputeRefusesWhatItCouldNotPutIn) {
  TableDomain bounded = visits();
  bounded.columns[3].bounds = Bounds{0, 1};
  const auto impute = [&](const Cell& constant) {
    return testing::refusal([&] { make_impute(bounded, {MetricKind::symmetric}, "pay", constant); });
  };
  EXPECT_EQ(impute(kInfinity), Code::bad_number);
  EXPECT_EQ(impute(std::nan("")), Code::bad_number);
  EXPECT_EQ(impute(kNull), Code::bad_number);
  EXPECT_EQ(impute(2.0), Code::bad_bounds);
  EXPECT_EQ(impute(whole(1)), Code::wrong_type);
  EXPECT_EQ(impute(1.0), std::nullopt);
  const auto step = make_impute(bounded, {MetricKind::symmetric}, "pay", 1.0);
  expect_sound(step, makers());
  EXPECT_TRUE(std::get<TableDomain>(step.output()).columns[3].finite);
}

TEST(Hole26, ClampLetsNoNanThrough) {
  const Table table = {{whole(1), kNull, kNull, std::nan("")},
                       {whole(1), kNull, kNull, kInfinity},
                       {whole(1), kNull, kNull, -kInfinity},
                       {whole(1), kNull, kNull, kNull}};
  const auto cells = [&](NanPolicy nan) {
    const auto step = make_clamp(visits(), {MetricKind::symmetric}, "pay", {-1, 2}, nan);
    const Table clamped = std::get<Table>(testing::apply(step, table));
    std::vector<Cell> all;
    for (const Row& row : clamped) all.push_back(row[3]);
    return all;
  };
  EXPECT_EQ(cells(NanPolicy::null), (std::vector<Cell>{kNull, 2.0, -1.0, kNull}));
  EXPECT_EQ(cells(NanPolicy::low), (std::vector<Cell>{-1.0, 2.0, -1.0, kNull}));
  EXPECT_EQ(cells(NanPolicy::high), (std::vector<Cell>{2.0, 2.0, -1.0, kNull}));
}

TEST(Hole26, PlantedClampThatLetsNanThroughIsCaught) {
  const auto step = make_clamp(visits(), {MetricKind::symmetric}, "pay", {0, 2}, NanPolicy::low);
  const auto planted = testing::with_function(step, [](const Data& data) -> Data {
    Table table = std::get<Table>(data);
    for (Row& row : table) {
      if (auto* x = std::get_if<double>(&row[3])) *x = std::clamp(*x, 0.0, 2.0);  // NaN is neither below nor above
    }
    return table;
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

TEST(RowSteps, CastsGiveNullOnFailure) {
  const auto cast = [](const Cell& cell, CellType from, CellType to) {
    const TableDomain domain{{{"x", from}}};
    return std::get<Table>(testing::apply(make_cast(domain, {MetricKind::symmetric}, "x", to), Table{{cell}}))[0][0];
  };
  EXPECT_EQ(cast(text("12"), CellType::text, CellType::integer), whole(12));
  EXPECT_EQ(cast(text("12x"), CellType::text, CellType::integer), kNull);
  EXPECT_EQ(cast(text("9223372036854775808"), CellType::text, CellType::integer), kNull);
  EXPECT_EQ(cast(text("nan"), CellType::text, CellType::real), kNull);
  EXPECT_EQ(cast(text("1e999"), CellType::text, CellType::real), kNull);
  EXPECT_EQ(cast(text("0.5"), CellType::text, CellType::real), Cell(0.5));
  EXPECT_EQ(cast(2.5, CellType::real, CellType::integer), whole(2));
  EXPECT_EQ(cast(0x1p63, CellType::real, CellType::integer), kNull);
  EXPECT_EQ(cast(kInfinity, CellType::real, CellType::text), kNull);
  EXPECT_EQ(cast(-0.0, CellType::real, CellType::text), cast(0.0, CellType::real, CellType::text));
  EXPECT_EQ(cast(text("true"), CellType::text, CellType::boolean), Cell(true));
  EXPECT_EQ(cast(text("yes"), CellType::text, CellType::boolean), kNull);
  EXPECT_EQ(cast(Cell(true), CellType::boolean, CellType::real), Cell(1.0));
}

}  // namespace
}  // namespace dither::calculus
