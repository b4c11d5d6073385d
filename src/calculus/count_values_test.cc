#include "calculus/count_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calculus/counting.h"
#include "calculus/rows.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

const Metric kRows{MetricKind::symmetric};
using testing::refusal;

// What the step of the catalogue gives for a table of these cells.
Integers by_table(CellType type, const std::vector<Cell>& column, const std::vector<Rational>& edges,
                  const std::vector<std::int64_t>& categories, bool other) {
  const TableDomain domain{{{.name = "x", .type = type}}};
  Table table;
  for (const Cell& cell : column) table.push_back({cell});
  const std::vector<Cell> cells(categories.begin(), categories.end());
  if (edges.empty()) return as<Integers>(testing::apply(make_histogram(domain, kRows, "x", cells, other), table));
  const auto bucket = make_bucket(domain, kRows, "x", edges);
  const auto both =
      chain(bucket, make_histogram(std::get<TableDomain>(bucket.output()), bucket.to(), "x", cells, other));
  return as<Integers>(testing::apply(both, table));
}

// Spec: W-08
TEST(CountValues, CountsWholeNumbersAsTheHistogramDoes) {
  const std::vector<std::int64_t> values = {3,
                                            -7,
                                            3,
                                            0,
                                            std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max(),
                                            4,
                                            5,
                                            3,
                                            1'000'000'000'000};
  const std::vector<Cell> cells(values.begin(), values.end());
  for (const std::vector<std::int64_t>& categories :
       {std::vector<std::int64_t>{3}, std::vector<std::int64_t>{5, 3, -7},
        std::vector<std::int64_t>{1'000'000'000'000, 3},
        std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()}}) {
    for (const bool other : {false, true}) {
      EXPECT_EQ(count_values(values, categories, other), by_table(CellType::integer, cells, {}, categories, other));
    }
  }
  EXPECT_EQ(count_values(std::vector<std::int64_t>(), std::vector<std::int64_t>{1, 2}, true), (Integers{0, 0, 0}));
}

// Edges that no double is equal to, uneven ones, values at and next to the edges, and no numbers.
TEST(CountValues, PutsRealsInTheBucketsOfTheExactEdges) {
  std::vector<Rational> tenths;
  for (int i = 0; i <= 30; ++i) tenths.emplace_back(i, 10);
  for (const std::vector<Rational>& edges :
       {std::vector<Rational>{Rational(1, 3)}, tenths,
        std::vector<Rational>{-100, Rational(1, 10), Rational(1, 5), Rational(10'000'000)}}) {
    std::vector<double> values = {0.0,
                                  -0.0,
                                  5e-324,
                                  -1e300,
                                  1e300,
                                  std::nan(""),
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};
    for (const Rational& edge : edges) {
      const double near = edge.to_double_down();
      for (const double x : {near, std::nextafter(near, 1e9), std::nextafter(near, -1e9)}) values.push_back(x);
    }
    std::vector<std::int64_t> categories;
    for (std::size_t i = 0; i < edges.size(); ++i) categories.push_back(static_cast<std::int64_t>(i) + 1);
    const std::vector<Cell> cells(values.begin(), values.end());
    for (const bool other : {false, true}) {
      EXPECT_EQ(count_values(values, edges, categories, other),
                by_table(CellType::real, cells, edges, categories, other));
    }
  }
}

// An edge rounded down would take values below it in: the comparison above sees that.
TEST(CountValues, PlantedEdgeRoundedDownIsCaught) {
  const Rational third(1, 3);
  const std::vector<double> values = {third.to_double_down()};  // below the edge
  const std::vector<std::int64_t> categories = {0, 1};
  const Integers right = by_table(CellType::real, {values[0]}, {third}, categories, false);
  EXPECT_EQ(count_values(values, std::vector<Rational>{third}, categories, false), right);
  EXPECT_NE(count_values(values, std::vector<Rational>{Rational::from_double(values[0])}, categories, false), right);
}

TEST(CountValues, RefusesWhatTheHistogramRefuses) {
  const std::vector<std::int64_t> values = {1}, twice = {4, 4}, none;
  EXPECT_EQ(refusal([&] { count_values(values, none, true); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { count_values(values, twice, true); }), Code::duplicate_key);
  const std::vector<double> reals = {1.0};
  EXPECT_EQ(refusal([&] { count_values(reals, std::vector<Rational>{2, 1}, values, true); }), Code::bad_bounds);
  EXPECT_EQ(refusal([&] { count_values(reals, std::vector<Rational>(), values, true); }), Code::bad_bounds);
}

}  // namespace
}  // namespace dither::calculus
