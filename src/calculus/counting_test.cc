#include "calculus/counting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "calculus/catalogue.h"
#include "calculus/detail/cells.h"
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

const Metric kSymmetric{MetricKind::symmetric}, kChangeOne{MetricKind::change_one}, kHamming{MetricKind::hamming},
    kInsertDelete{MetricKind::insert_delete}, kL1{MetricKind::l1};

TableDomain of(const Bounds& bounds, bool nullable, CellType type = CellType::real) {
  return {{{"x", type, nullable, !nullable && type == CellType::real, bounds}}};
}
TableDomain rows(TableDomain domain, std::uint64_t n) {
  domain.rows = n;
  return domain;
}
Makers makers() {
  Makers all;
  add_catalogue_makers(all);
  return all;
}
Int128 value(const AnyTransformation& step, const Data& data) {
  return std::get<Integers>(testing::apply(step, data)).at(0);
}
AnyTransformation::Map times(long factor) {
  return [factor](const Distance& d) -> Distance { return number(d) * Rational(factor); };
}

// Spec: W-06, W-08, W-11
TEST(Count, IsOneStable) {
  const TableDomain table{{{"x", CellType::real}}};
  for (const Metric& from : {kSymmetric, kInsertDelete}) {
    expect_sound(make_count(table, from), makers());
    expect_factor(make_count(table, from), kL1, 1);
  }
  for (const Metric& from : {kChangeOne, kHamming}) {
    expect_sound(make_count(table, from), makers());
    expect_factor(make_count(table, from), kL1, 0);
  }
  EXPECT_EQ(testing::refusal([&] { make_count(table, {MetricKind::units_added}); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([&] { make_count(table, {MetricKind::discrete}); }), Code::no_theorem);
}

// Spec: W-06, W-08
TEST(Sum, PrivateSizeMovesByTheLargerBound) {
  for (const auto& [low, high, factor] :
       {std::tuple{-3L, 2L, 3L}, std::tuple{1L, 4L, 4L}, std::tuple{-5L, -5L, 5L}, std::tuple{0L, 0L, 0L}}) {
    for (const bool nullable : {false, true}) {
      for (const CellType type : {CellType::real, CellType::integer}) {
        const auto step = make_sum(of({low, high}, nullable, type), kSymmetric, "x", 1);
        expect_sound(step, makers());
        expect_factor(step, kL1, factor);
      }
    }
  }
  expect_sound(make_sum(of({-3, 2}, true), kInsertDelete, "x", Rational(1, 4)), makers());
  expect_factor(make_sum(of({-3, 2}, true), kSymmetric, "x", Rational(1, 4)), kL1, 12);
}

// Spec: W-06, W-08, W-75
TEST(Sum, PublicSizeMovesByTheRange) {
  for (const Metric& from : {kChangeOne, kHamming}) {
    const auto complete = make_sum(of({1, 4}, false), from, "x", 1);
    expect_sound(complete, makers());
    expect_factor(complete, kL1, 3);
    const auto with_missing = make_sum(of({1, 4}, true), from, "x", 1);  // NULL counts 0: as far as 0 is from 4
    expect_sound(with_missing, makers());
    expect_factor(with_missing, kL1, 4);
  }
}

TEST(Sum, RefusesWhatHasNoProof) {
  const auto sum = [](const TableDomain& domain, const Rational& step) {
    return testing::refusal([&] { make_sum(domain, kSymmetric, "x", step); });
  };
  EXPECT_EQ(sum({{{"x", CellType::real}}}, 1), Code::bad_bounds);
  EXPECT_EQ(sum({{{"x", CellType::text}}}, 1), Code::wrong_type);
  EXPECT_EQ(sum(of({0, 1}, false), 0), Code::bad_grid);
  EXPECT_EQ(sum(of({0, 1}, false), -1), Code::bad_grid);
  EXPECT_EQ(sum(of({0, Rational::power_of_two(62)}, false), 1), Code::bad_bounds);
  EXPECT_EQ(sum(of({0, Rational::power_of_two(62)}, false), 2), std::nullopt);
  EXPECT_EQ(testing::refusal([] { make_sum(of({0, 1}, false), {MetricKind::units_added}, "x", 1); }), Code::no_theorem);
}

// The same sum with each row's number as it is: W-60's forgotten clamp. The declared domain is not believed, so the tables
// here go beyond the bounds.
AnyTransformation beyond_its_bounds(AnyTransformation::Function function) {
  const AnyTransformation step = make_sum(of({0, 2}, true), kSymmetric, "x", 1);
  AnyTransformation::Parts parts = CombinatorAccess::parts(step);
  parts.input = TableDomain{{{"x", CellType::real}}};
  if (function) parts.function = std::move(function);
  return AnyTransformation(std::move(parts));
}

TEST(Sum, ClampsWhatTheDomainDidNotKeep) {
  const auto report = check_stability(beyond_its_bounds({}), run_seed());
  EXPECT_TRUE(report.holds()) << report.counterexample.value_or("");
}

// Nor does a cell that is missing although the column is declared to have none: with [5, 7] under change-one it must not
// count 0, which is 7 away from 7.
// Spec: D-77
TEST(Sum, Hole10MissingCellsAgainstTheDeclarationMoveNoMore) {
  Column column{"x", CellType::real, false, true, Bounds{5, 7}};
  for (const auto& make : {make_sum, make_mean}) {
    AnyTransformation::Parts parts = CombinatorAccess::parts(make({{column}, 4}, kChangeOne, "x", 1));
    parts.input = TableDomain{{{"x", CellType::real}}, 4};
    const auto report = check_stability(AnyTransformation(parts), run_seed());
    EXPECT_TRUE(report.holds()) << report.counterexample.value_or("");
    EXPECT_TRUE(report.tight_at_one);
    parts.function = [](const Data& data) -> Data {  // the twin: missing is 0
      Int128 total = 0;
      for (const Row& row : std::get<Table>(data)) {
        if (!detail::is_missing(row[0])) total += std::get<double>(row[0]) > 5 ? 7 : 5;
      }
      return Integers{total};
    };
    EXPECT_TRUE(testing::is_caught(AnyTransformation(parts)));
  }
}

// Spec: W-60
TEST(Sum, PlantedForgottenClampIsCaught) {
  const auto planted = beyond_its_bounds([](const Data& data) -> Data {
    Int128 total = 0;
    for (const Row& row : std::get<Table>(data)) {
      const auto* x = std::get_if<double>(&row[0]);
      if (x != nullptr && std::abs(*x) < 0x1p62) total += static_cast<Int128>(std::nearbyint(*x));
    }
    return Integers{total};
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

TEST(Sum, PlantedSmallerBoundIsCaught) {  // |U| instead of max(|L|, |U|), and U - L where the size is private
  const auto step = make_sum(of({-3, 2}, false), kSymmetric, "x", 1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(2))));
  const auto high = make_sum(of({5, 7}, false), kSymmetric, "x", 1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(high, times(2))));
}

// Spec: W-71
TEST(Sum, PlantedFloatSumIsCaught) {  // beside 2^53 a row of 0.5 is lost or counts twice, by the order of rows
  const AnyTransformation step = make_sum(of({0, Rational::power_of_two(53)}, false), kSymmetric, "x", Rational(1, 2));
  const auto planted = testing::with_function(step, [](const Data& data) -> Data {
    double sum = 0;
    for (const Row& row : std::get<Table>(data)) sum += std::get<double>(row[0]);
    return Integers{static_cast<Int128>(2 * sum)};
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

// Spec: W-71
TEST(Hole09, NoWidthLosesARow) {  // 2^24 + 1 = 2^24 in float32, 2^53 + 1 = 2^53 in float64; +-1e38 in any order
  const auto large = make_sum(of({0, 0x1000000}, false), kSymmetric, "x", 1);
  EXPECT_EQ(value(large, Table{{16777216.0}, {1.0}}), 16777217);
  const auto huge = make_sum(of({0, Rational::power_of_two(53)}, false), kSymmetric, "x", 1);
  EXPECT_EQ(value(huge, Table{{0x1p53}, {1.0}}), (Int128{1} << 53) + 1);
  const Rational limit = Rational::parse("1e38");
  const auto wide = make_sum(of({-limit, limit}, false), kSymmetric, "x", Rational::parse("1e20"));
  EXPECT_EQ(value(wide, Table{{1e38}, {1e38}, {-1e38}, {-1e38}, {1e20}}), 1);
  EXPECT_EQ(value(wide, Table{{-1e38}, {1e20}, {1e38}, {-1e38}, {1e38}}), 1);
}

// Spec: W-71
TEST(Sum, OrderOfRowsMeansNothing) {
  std::mt19937_64 random(run_seed());
  Table table;
  for (int i = 0; i < 1000; ++i)
    table.push_back({std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 80) - 90)});
  const auto step = make_sum(of({0, 1'000'000}, false), kSymmetric, "x", Rational::power_of_two(-20));
  const Int128 first = value(step, table);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(table.begin(), table.end(), random);
    EXPECT_EQ(value(step, table), first);
  }
}

TEST(Hole08, NumbersNearTheEndOfADoubleAddExactly) {
  const auto step = make_sum(of({0, Rational::power_of_two(51)}, false), kSymmetric, "x", Rational(1, 4));
  EXPECT_EQ(value(step, Table{{0x1p50 + 0.25}, {0x1p50 - 0.25}, {0.25}}), (Int128{1} << 53) + 1);
  const auto fine = make_sum(of({0, 200'000'000}, false), kSymmetric, "x", Rational::power_of_two(-26));
  EXPECT_EQ(value(fine, Table{{1e8 + 0x1p-26}, {1e8 - 0x1p-26}}), Int128{200'000'000} << 26);
}

TEST(Hole17, OddRangesLoseNoHalf) {
  expect_factor(make_sum(of({-2, 3}, false, CellType::integer), kChangeOne, "x", 1), kL1, 5);
  const Rational most(std::numeric_limits<std::int64_t>::max() / 4);
  expect_factor(make_sum(of({-most, most}, false, CellType::integer), kChangeOne, "x", 1), kL1, 2 * most);
  // 2^32 rows' worth: a sum beyond 32 bits comes out whole.
  const Table many(3, {std::int64_t{1} << 31});
  EXPECT_EQ(value(make_sum(of({0, Rational::power_of_two(31)}, false, CellType::integer), kSymmetric, "x", 1), many),
            Int128{3} << 31);
}

TEST(Hole17, PlantedHalvedRangeIsCaught) {
  const auto step = make_sum(of({-2, 3}, false, CellType::integer), kChangeOne, "x", 1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(4))));  // 2 * floor(5 / 2)
}

TEST(Hole27, SumsPastSixtyFourBitsDoNotWrap) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  const Rational edge = Rational::power_of_two(63);
  const auto step = make_sum(of({-edge, edge - 1}, false, CellType::integer), kSymmetric, "x", 4);
  expect_sound(step, makers());
  EXPECT_EQ(value(step, Table(8, {most})), Int128{8} << 61);
  EXPECT_EQ(value(step, Table(8, {least})), -(Int128{8} << 61));
}

TEST(Hole27, PlantedWrappingSumIsCaught) {
  const Rational edge = Rational::power_of_two(61);
  const auto step = make_sum(of({-edge, edge}, false, CellType::integer), kSymmetric, "x", 1);
  const auto planted = testing::with_function(step, [](const Data& data) -> Data {
    std::uint64_t total = 0;
    for (const Row& row : std::get<Table>(data)) total += static_cast<std::uint64_t>(std::get<std::int64_t>(row[0]));
    return Integers{static_cast<std::int64_t>(total)};
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

TEST(Hole14, MissingAndInfiniteCellsHaveOneMeaning) {
  const auto step = make_sum(of({-1, 2}, true), kSymmetric, "x", 1);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(value(step, Table{{std::nan("")}, {Cell{}}}), 0);
  EXPECT_EQ(value(step, Table{{infinity}}), 2);
  EXPECT_EQ(value(step, Table{{-infinity}}), -1);
  EXPECT_EQ(value(step, Table{}), 0);
  EXPECT_EQ(value(step, Table{{0.5}, {1.5}, {-0.5}}), 2);  // half to even, each row alone
}

// Spec: W-06, W-08
TEST(Mean, MovesByTheRangeOverN) {
  const auto step = make_mean(rows(of({1, 4}, false), 5), kChangeOne, "x", 1);
  expect_sound(step, makers());
  expect_factor(step, kL1, 3);
  EXPECT_EQ(std::get<VectorDomain>(step.output()).step, Rational(1, 5));  // 3 steps of 1/5: (U - L) / n
  expect_sound(make_mean(rows(of({1, 4}, false), 5), kHamming, "x", Rational(1, 2)), makers());
  EXPECT_EQ(value(step, Table{{1.0}, {1.0}, {4.0}, {4.0}, {2.0}}), 12);
}

TEST(Mean, NeedsAPublicSize) {
  const auto mean = [](const TableDomain& domain, const Metric& from) {
    return testing::refusal([&] { make_mean(domain, from, "x", 1); });
  };
  EXPECT_EQ(mean(of({1, 4}, false), kChangeOne), Code::mixed_domains);
  EXPECT_EQ(mean(rows(of({1, 4}, false), 5), kSymmetric), Code::no_theorem);
  EXPECT_EQ(mean(rows(of({1, 4}, true), 5), kChangeOne), Code::mixed_domains);  // hole 41: NULLs make n private
  EXPECT_EQ(mean(rows(of({1, 4}, false), 0), kChangeOne), Code::bad_count);
}

TEST(Hole21, MeanOfAnOddRangeIsNotHalved) {
  for (const long high : {4L, 5L}) {
    const auto step = make_mean(rows(of({1, high}, false, CellType::integer), 3), kChangeOne, "x", 1);
    expect_sound(step, makers());
    expect_factor(step, kL1, high - 1);
  }
}

TEST(Hole21, PlantedHalvedMeanIsCaught) {
  const auto step = make_mean(rows(of({1, 4}, false, CellType::integer), 3), kChangeOne, "x", 1);
  EXPECT_TRUE(testing::is_caught(testing::with_map(step, times(2))));
}

std::vector<Cell> categories() { return {std::string("a"), std::string("b"), std::string("c")}; }

// Spec: W-06, W-08, W-75
TEST(Histogram, RowsMoveBetweenCells) {
  const TableDomain table{{{"x", CellType::text}}};
  for (const bool other : {false, true}) {
    for (const Metric& from : {kSymmetric, kInsertDelete}) {
      const auto step = make_histogram(table, from, "x", categories(), other);
      expect_sound(step, makers());
      EXPECT_EQ(cells_of(step.map(Rational(1))), (CellsDistance{1, 1, 1, 1}));
      EXPECT_EQ(cells_of(step.map(Rational(3))), (CellsDistance{3, 3, 9, 3}));
    }
    for (const Metric& from : {kChangeOne, kHamming}) {
      const auto step = make_histogram(table, from, "x", categories(), other);
      expect_sound(step, makers());
      EXPECT_EQ(cells_of(step.map(Rational(1))), (CellsDistance{2, 2, 2, 1}));
      EXPECT_EQ(cells_of(step.map(Rational(3))), (CellsDistance{other ? 4 : 3, 6, 18, 3}));
    }
  }
  const auto step = make_histogram(table, kSymmetric, "x", categories(), true);
  EXPECT_EQ(std::get<Integers>(testing::apply(step, Table{{std::string("b")}, {Cell{}}, {std::string("z")}})),
            (Integers{0, 1, 0, 2}));
}

TEST(Histogram, PlantedOneStableUnderReplaceOneIsCaught) {
  const auto step = make_histogram({{{"x", CellType::text}}}, kChangeOne, "x", categories(), true);
  const auto planted = testing::with_map(step, [](const Distance& d) -> Distance {
    return CellsDistance{2 * number(d), 2 * number(d), number(d) * number(d), number(d)};  // l2 as if one cell moved
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

// Spec: W-06, W-08, W-11
TEST(CountBy, KeysArePrivateAndMoveAsCells) {
  const TableDomain table{{{"x", CellType::real}}};
  for (const Metric& from : {kSymmetric, kInsertDelete, kChangeOne, kHamming}) {
    expect_sound(make_count_by(table, from, "x"), makers());
  }
  EXPECT_EQ(cells_of(make_count_by(table, kChangeOne, "x").map(Rational(2))), (CellsDistance{4, 4, 8, 2}));
}

TEST(CountBy, PlantedSameZeroApartIsCaught) {  // keys by bits: -0.0 and 0.0 fall apart
  const auto step = make_count_by({{{"x", CellType::real}}}, kSymmetric, "x");
  const auto planted = testing::with_function(step, [](const Data& data) -> Data {
    Keyed keyed{{"minus", "plus"}, {0, 0}};
    for (const Row& row : std::get<Table>(data)) {
      const auto* x = std::get_if<double>(&row[0]);
      ++keyed.values[x != nullptr && std::signbit(*x) ? 0 : 1];
    }
    return keyed;
  });
  EXPECT_TRUE(testing::is_caught(planted));
}

}  // namespace
}  // namespace dither::calculus
