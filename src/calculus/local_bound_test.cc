#include "calculus/local_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "calculus/measurement.h"
#include "calculus/sensitivity.h"
#include "calculus/toy_check.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"

namespace dither::calculus {
namespace {

using testing::refusal;

static_assert(!std::is_copy_constructible_v<LocalBound>);
static_assert(!std::is_default_constructible_v<LocalBound>);

const std::vector<Row> kUniverse = toy::rows({0, 2, 4, 8});

TableDomain four_values() {
  Column value{"value", CellType::integer, false};
  for (const Row& row : kUniverse) value.categories.push_back(row[0]);
  return {{value}};
}

// The median of values in [0, 8], the lower one of two, 0 of none: it can move by 8, and mostly moves by little.
AnyTransformation median(MetricKind from) {
  return AnyTransformation({
      .recipe = {"toy-median"},
      .input = four_values(),
      .output = VectorDomain{1, 1, bounds(0, 8)},
      .from = {from},
      .to = {MetricKind::l1},
      .map = [](const Distance& d) -> Distance { return std::min(Rational(8), 8 * number(d)); },
      .function = [](const Data& data) -> Data {
        std::vector<std::int64_t> values;
        for (const Row& row : as<Table>(data)) values.push_back(std::get<std::int64_t>(row[0]));
        std::sort(values.begin(), values.end());
        return Integers{values.empty() ? Int128{0} : Int128{values[(values.size() - 1) / 2]}};
      },
  });
}

// Publishes the bound itself: what no real measurement does, and how a test sees that one can.
AnyMeasurement telling(MetricKind from, const std::optional<Rational>& smoothness) {
  return AnyMeasurement({
      .recipe = {"toy-telling"},
      .input = four_values(),
      .from = {from},
      .measure = Measure::pure(),
      .loss = [](const Distance&) { return pure(1); },
      .events = [](const Distance&) { return std::vector<accounting::Event>{}; },
      .function = {},
      .bounded =
          AnyMeasurement::Bounded{smoothness,
                                  {"toy-median"},
                                  {MetricKind::l1},
                                  [](const Data&, double bound, random::Source&) -> Data { return Reals{bound}; }},
  });
}

double told(const AnyMeasurement& measurement, const LocalBound& bound) {
  random::Source source = testing::seeded_source(1);
  return std::get<Reals>(measurement.release(bound, source).value())[0];
}
double local_of(MetricKind from, const Table& table) {
  return told(telling(from, {}), local_sensitivity(median(from), kUniverse, Private(table)));
}
double smooth_of(MetricKind from, const Table& table, const Rational& beta, int steps) {
  return told(telling(from, beta), smooth_bound(median(from), kUniverse, beta, steps, Private(table)));
}

// Spec: W-15
TEST(LocalBound, IsTheLargestMoveToANeighbour) {
  EXPECT_EQ(local_of(MetricKind::symmetric, {}), 8);
  EXPECT_EQ(local_of(MetricKind::symmetric, toy::rows({4, 4, 4})), 0);
  EXPECT_EQ(local_of(MetricKind::symmetric, toy::rows({2, 4})), 2);
  EXPECT_EQ(local_of(MetricKind::change_one, toy::rows({4, 4, 4})), 0);
  EXPECT_EQ(local_of(MetricKind::change_one, toy::rows({4, 4, 8})), 4);  // a 4 becomes 8
  EXPECT_EQ(local_of(MetricKind::change_one, toy::rows({0})), 8);
}

// The smooth bound at every small table, against all the definitions asked for: over LS, and e^beta-smooth.
bool is_smooth(MetricKind from, const Rational& beta, const std::function<double(const Table&)>& bound) {
  const std::vector<Table> tables = all_tables({kUniverse, 0, 3});
  const double factor = std::exp(beta.to_double_up());
  std::vector<double> bounds;
  for (const Table& table : tables) {
    bounds.push_back(bound(table));
    if (bounds.back() < local_of(from, table)) return false;
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (std::size_t j = 0; j < tables.size(); ++j) {
      const std::optional<Distance> d = distance({from}, tables[i], tables[j]);
      if (d && number(*d) == Rational(1) && bounds[i] > factor * bounds[j]) return false;
    }
  }
  return true;
}

// Spec: W-15, F-40
TEST(LocalBound, SmoothOnesAreSmooth) {
  for (const int steps : {0, 1, 2}) {
    for (const MetricKind from : {MetricKind::symmetric, MetricKind::change_one}) {
      EXPECT_TRUE(is_smooth(from, Rational(1, 2),
                            [&](const Table& table) { return smooth_of(from, table, Rational(1, 2), steps); }));
    }
  }
  // More steps, and the bound comes down to what it should be.
  const Table table = toy::rows({4, 4, 4, 4, 4});
  const double far = smooth_of(MetricKind::symmetric, table, 1, 0),
               near = smooth_of(MetricKind::symmetric, table, 1, 3);
  EXPECT_LT(near, far);
  EXPECT_NEAR(far, 8 * std::exp(-1.0), 1e-9);
}

TEST(LocalBound, PlantedBareLocalSensitivityIsCaught) {
  EXPECT_FALSE(is_smooth(MetricKind::symmetric, Rational(1, 2),
                         [](const Table& table) { return local_of(MetricKind::symmetric, table) + 1e-9; }));
}

// Spec: W-15, W-77
TEST(LocalBound, GoesToNoOtherMeasurement) {
  random::Source source = testing::seeded_source(1);
  const Private data(toy::rows({2, 4}));
  const LocalBound bare = local_sensitivity(median(MetricKind::symmetric), kUniverse, data);
  const LocalBound smooth = smooth_bound(median(MetricKind::symmetric), kUniverse, Rational(1, 2), 1, data);
  const AnyMeasurement needs = telling(MetricKind::symmetric, Rational(1, 3));
  EXPECT_EQ(refusal([&] { needs.release(bare, source); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { needs.release(smooth, source); }), Code::no_theorem);  // less smooth than proven for
  EXPECT_EQ(refusal([&] { telling(MetricKind::symmetric, 1).release(smooth, source); }), std::nullopt);
  EXPECT_EQ(refusal([&] { telling(MetricKind::change_one, 1).release(smooth, source); }), Code::mixed_neighbours);
  EXPECT_EQ(refusal([&] { toy::laplace(1).release(smooth, source); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { needs.release(data, source); }), Code::wrong_type);
}

// A bound on a function that never moves, given to one that adds its noise to the median.
TEST(LocalBound, IsAboutTheFunctionThatIsReleased) {
  const auto refused = [](std::string name, MetricKind norm) {
    random::Source source = testing::seeded_source(1);
    const AnyTransformation f({.recipe = {std::move(name)},
                               .input = four_values(),
                               .output = VectorDomain{1, 1, bounds(0, 0)},
                               .from = {MetricKind::symmetric},
                               .to = {norm},
                               .map = [](const Distance&) -> Distance { return Rational(0); },
                               .function = [](const Data&) -> Data { return Integers{0}; }});
    const LocalBound bound = smooth_bound(f, kUniverse, Rational(1, 2), 1, Private(toy::rows({4})));
    return refusal([&] { telling(MetricKind::symmetric, Rational(1, 2)).release(bound, source); });
  };
  EXPECT_EQ(refused("nothing", MetricKind::l1), Code::no_theorem);
  EXPECT_EQ(refused("toy-median", MetricKind::linf), Code::no_theorem);
  EXPECT_EQ(refused("toy-median", MetricKind::l1), std::nullopt);
}

// One row between 0 and 8 that the universe leaves out, and the bound would not see that the median moves there.
TEST(LocalBound, TheUniverseIsAllThatMayBeThere) {
  const Private data(toy::rows({4}));
  const auto refused = [&](const std::vector<Row>& universe) {
    return refusal([&] { smooth_bound(median(MetricKind::symmetric), universe, 1, 1, data); });
  };
  EXPECT_EQ(refused(kUniverse), std::nullopt);
  EXPECT_EQ(refused(toy::rows({4, 2, 0, 8, 4})), std::nullopt);
  EXPECT_EQ(refused(toy::rows({0, 2, 4})), Code::bad_argument);
  EXPECT_EQ(refused(toy::rows({0, 2, 4, 8, 9})), Code::bad_argument);
  EXPECT_EQ(refused({{std::int64_t{0}}, {}, {std::int64_t{4}}, {std::int64_t{8}}}), Code::bad_argument);
  const auto of_domain = [&](const TableDomain& domain, MetricKind from, const std::vector<Row>& universe) {
    const AnyTransformation count({.recipe = {"count"},
                                   .input = domain,
                                   .output = VectorDomain{1},
                                   .from = {from},
                                   .to = {MetricKind::l1},
                                   .map = [](const Distance& d) { return d; },
                                   .function = [](const Data&) -> Data { return Integers{0}; }});
    return refusal([&] { local_sensitivity(count, universe, data); });
  };
  const Column small{"value", CellType::integer, false, false, bounds(Rational(7, 2), 5)};
  EXPECT_EQ(of_domain({{small}}, MetricKind::symmetric, toy::rows({4, 5})), std::nullopt);
  EXPECT_EQ(of_domain({{small}}, MetricKind::symmetric, toy::rows({4})), Code::bad_argument);
  EXPECT_EQ(of_domain({{small}, 1}, MetricKind::symmetric, toy::rows({4, 5})), Code::no_theorem);
  EXPECT_EQ(of_domain({{small}, 1}, MetricKind::change_one, toy::rows({4, 5})), std::nullopt);
  EXPECT_EQ(of_domain(toy::one_column(), MetricKind::symmetric, toy::rows({4, 5})), Code::bad_argument);
}

// A chain would be a measurement like any other, which a queryable charges before it finds that there is no bound.
TEST(LocalBound, WhatNeedsOneStandsBehindNoOtherStep) {
  EXPECT_EQ(refusal([] { chain(toy::repeat(1), telling(MetricKind::symmetric, 1)); }), Code::wrong_type);
}

TEST(LocalBound, RefusesWhatItCannotBound) {
  const Private data(toy::rows({4}));
  EXPECT_EQ(refusal([&] { local_sensitivity(toy::repeat(1), kUniverse, data); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { smooth_bound(median(MetricKind::symmetric), kUniverse, 0, 1, data); }), Code::bad_scale);
  EXPECT_EQ(refusal([&] { smooth_bound(median(MetricKind::symmetric), kUniverse, 1, 9, data); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::calculus
