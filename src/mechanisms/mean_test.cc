#include "mechanisms/mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "accounting/cost.h"
#include "calculus/bounding.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "stats/binomial.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

constexpr Metric kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced},
    kChanged{MetricKind::units_changed};

TableDomain people() { return {{{"unit", CellType::integer, false}, {"age", CellType::integer, false}}}; }
TableDomain people_of_any_age() { return {{{"unit", CellType::integer, false}, {"age", CellType::real}}}; }
const Values kAges{"age", {0, 100}};

Table ages(std::int64_t n, std::int64_t mean) {
  Table table;
  for (std::int64_t i = 0; i < n; ++i) table.push_back({i, mean + (i % 2 == 0 ? 5 : -5)});
  return table;
}

constexpr Int128 kFine = 1 << 16;  // steps of the finer grid in one half step, of ages

Data answers(Int128 sum, Int128 count) {
  Answers both;
  for (const Int128 number : {sum, count}) both.parts.push_back(Answer{Integers{number}});
  return both;
}

// Spec: F-41, F-51
TEST(Mean, OfKnownSizeHasTheErrorOfTheOracle) {
  const NoisyMean mean = make_mean_of_known_size(people(), kAges, 10'000, Rational(1, 2));
  const MeanEstimate estimate = mean.estimate(Integers{400'000});
  EXPECT_EQ(estimate.value, Rational(40));
  EXPECT_NEAR(estimate.standard_error, 0.0282843, 1e-6);
  EXPECT_NEAR((estimate.high - estimate.value).to_double_up(), 0.0599146, 1e-4);  // noise is in whole years
  const NoisyMean twice = make_mean_of_known_size(people(), kAges, 10'000, 1);
  EXPECT_NEAR((twice.estimate(Integers{400'000}).high - 40).to_double_up(), 0.0299573, 1e-4);
}

// Spec: F-41
TEST(Mean, OfPrivateSizeHasTheErrorOfTheOracle) {
  // Half of 0.5 each, sum not centred: Laplace of scales 400 and 4; centred 200 (half of it) and 4.
  EXPECT_NEAR(quotient_error(400 * std::sqrt(2), 4 * std::sqrt(2), 40, 10'000), 0.0609, 5e-5);
  const NoisyMean mean = make_mean_of_private_size(people(), kAdded, kAges, 1, {Rational(1, 4), Rational(1, 4)}, 0);
  const MeanEstimate estimate = mean.estimate(answers(-2 * 100'000 * kFine, 10'000));  // in half years from 50
  EXPECT_EQ(estimate.value, Rational(40));
  EXPECT_NEAR(estimate.standard_error, 0.0288, 5e-5);
  EXPECT_LT(estimate.low, Rational(40));
  EXPECT_GT(estimate.high, Rational(40));
}

TEST(Mean, CostsWhatItSays) {
  const NoisyMean known = make_mean_of_known_size(people(), kAges, 100, Rational(1, 2));
  for (const long d : {0L, 1L, 3L, 1'000'000L}) {
    EXPECT_EQ(known.measurement.loss(Rational(d)), pure(Rational(d, 2)));
    for (const Metric& from : {kAdded, kReplaced, kChanged}) {
      const NoisyMean mean =
          make_mean_of_private_size(people_of_any_age(), from, kAges, 3, {Rational(1, 4), Rational(1, 8)}, 10);
      EXPECT_EQ(mean.measurement.loss(Rational(d)), pure(Rational(3 * d, 8)));
      Rational events = 0;
      for (const accounting::Event& event : mean.measurement.events(Rational(d))) {
        events += accounting::cost(event, *neighbours_of(from)).approximate->epsilon;
      }
      EXPECT_LE(events, Rational(3 * d, 8));
    }
  }
}

double release(const NoisyMean& mean, const Table& table, random::Source& source) {
  return mean.estimate(mean.measurement.release(Private(table), source).value()).value.to_double_up();
}

TEST(Mean, ReleasesComeCloseToTheMean) {
  random::Source source = testing::seeded_source(7);
  const Table table = ages(1000, 40);
  // The standard error is below 1/100, so 1 is 50 laws' widths away: less than 1e-9.
  EXPECT_NEAR(release(make_mean_of_known_size(people(), kAges, 1000, 20), table, source), 40, 1);
  EXPECT_NEAR(release(make_mean_of_private_size(people(), kAdded, kAges, 1, {20, 20}, 0), table, source), 40, 1);
}

// People with 1 to 20 rows, of which three count, far from the middle of the bounds: the mean was pulled to the middle.
TEST(Mean, HeavyUnitsKeepTheMean) {
  Table table;
  for (std::int64_t unit = 0; unit < 1000; ++unit) {
    for (std::int64_t row = 0; row <= unit % 20; ++row) table.push_back({unit, 10 + row % 2});
  }
  random::Source source = testing::seeded_source(9);
  // At epsilon 50 each the noise of the sum has scale 3, of a count of 2850 or so.
  EXPECT_NEAR(release(make_mean_of_private_size(people(), kAdded, kAges, 3, {50, 50}, 0), table, source), 10.45, 0.1);
}

// Hole 41: with most values missing the size that counts is that of the values, which is private: one value more or
// less moves the sum by half the range, whatever the length of the table, and the noise is made for that.
TEST(Mean, Hole41TheDenominatorIsPrivate) {
  TableDomain table = people_of_any_age();
  EXPECT_EQ(testing::refusal([&] { make_mean_of_known_size(table, kAges, 1000, 1); }), Code::mixed_domains);
  const NoisyMean mean = make_mean_of_private_size(table, kAdded, kAges, 1, {Rational(1, 2), Rational(1, 2)}, 0);
  const auto& parts = mean.measurement.recipe().parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0]->parts.back()->number("scale"), 200 * Rational(kFine));  // 100 half years / (1/2), not 100 / 1000
  EXPECT_EQ(parts[1]->parts.back()->number("scale"), Rational(2));
  Table rows;
  for (std::int64_t i = 0; i < 999; ++i) rows.push_back({i, Cell(std::numeric_limits<double>::quiet_NaN())});
  rows.push_back({std::int64_t{999}, Cell(100.0)});
  random::Source source = testing::seeded_source(8);
  // One value: whatever comes out says next to nothing, and the interval knows.
  const MeanEstimate estimate = mean.estimate(mean.measurement.release(Private(rows), source).value());
  EXPECT_GE(estimate.high - estimate.low, Rational(50));
}

TEST(Mean, IntervalsStayWithinTheBoundsAndSayNothingWithoutRows) {
  const NoisyMean mean = make_mean_of_private_size(people(), kAdded, kAges, 1, {1, 1}, 0);
  const MeanEstimate none = mean.estimate(answers(0, -5));
  EXPECT_EQ(none.low, Rational(0));
  EXPECT_EQ(none.high, Rational(100));
  const MeanEstimate far = mean.estimate(answers(kInt128Max, 100));
  EXPECT_EQ(far.value, Rational(100));
  EXPECT_EQ(far.high, Rational(100));
  const NoisyMean at_least = make_mean_of_private_size(people(), kAdded, kAges, 1, {1, 1}, 1000);
  EXPECT_EQ(at_least.estimate(answers(200 * kFine, 3)).value, Rational(50) + Rational(1, 10));
  EXPECT_LT(at_least.estimate(answers(200 * kFine, 3)).high, Rational(51));
}

// Whether intervals cover the exact mean in 95% of the releases or more. Not to do so by chance, at exactly 95%, has
// probability 1e-9 at most: misses are compared with the exact binomial tail.
using Make = std::function<MeanEstimate(const Table&, random::Source&)>;
bool covers(const Make& one, const Rational& exact, const Table& table) {
  const int n = std::getenv("DITHER_NIGHTLY") != nullptr ? 20'000 : 1'500;
  random::Source& source = random::Source::this_thread();
  int misses = 0;
  for (int i = 0; i < n; ++i) {
    const MeanEstimate estimate = one(table, source);
    misses += exact < estimate.low || estimate.high < exact ? 1 : 0;
  }
  return stats::binomial_upper(misses, n, 0.05) > 1e-9;
}

TEST(Mean, IntervalsCoverTheMean) {
  const Table table = ages(60, 30);
  const NoisyMean known = make_mean_of_known_size(people(), kAges, 60, Rational(1, 2));
  const NoisyMean quotient = make_mean_of_private_size(people(), kAdded, kAges, 1, {1, Rational(1, 2)}, 0);
  const NoisyMean few = make_mean_of_private_size(people(), kAdded, kAges, 1, {Rational(1, 10), Rational(1, 10)}, 20);
  for (const NoisyMean* mean : {&known, &quotient, &few}) {
    const auto one = [mean](const Table& rows, random::Source& source) {
      return mean->estimate(mean->measurement.release(Private(rows), source).value());
    };
    EXPECT_TRUE(covers(one, 30, table));
  }
}

// The interval of the sum alone, with the released count taken for the true one.
TEST(Mean, PlantedIntervalThatTrustsTheCountIsCaught) {
  const NoisyMean mean = make_mean_of_private_size(people(), kAdded, kAges, 1, {4, Rational(1, 10)}, 0);
  const auto trusting = [&](const Table& rows, random::Source& source) {
    const Data released = mean.measurement.release(Private(rows), source).value();
    const auto& parts = std::get<Answers>(released).parts;
    MeanEstimate estimate = mean.estimate(released);
    const Rational count = std::max(Rational(1), Rational(std::get<Integers>(parts[1].data)[0]));
    const Rational wide = Rational(50) / count;  // the radius of the sum is below 50 years
    estimate.low = estimate.value - wide;
    estimate.high = estimate.value + wide;
    return estimate;
  };
  EXPECT_FALSE(covers(trusting, 10, ages(60, 10)));
}

// Noise of scale 10^17 steps can be drawn, so its interval can be told.
TEST(Mean, FineGridsHaveIntervalsToo) {
  const Values fine{"age", {0, 100'000}, Rational::power_of_two(-36)};
  const NoisyMean mean = make_mean_of_private_size(people(), kAdded, fine, 1, {Rational(1, 10), 1}, 0);
  const MeanEstimate estimate = mean.estimate(answers(0, 1'000'000));
  EXPECT_EQ(estimate.value, Rational(50'000));
  EXPECT_NEAR((estimate.high - estimate.value).to_double_up(), 0.5 * std::log(40), 1e-4);  // of a sum of scale 500,000
}

TEST(Mean, Refuses) {
  EXPECT_EQ(testing::refusal([] { make_mean_of_known_size(people(), kAges, 0, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_mean_of_known_size(people(), kAges, 5, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] {
              make_mean_of_private_size(people(), kAdded, kAges, 1, {1, -1}, 0);
            }),
            Code::bad_scale);
  EXPECT_EQ(testing::refusal([] {
              make_mean_of_private_size(people(), kAdded, kAges, 0, {1, 1}, 0);
            }),
            Code::bad_limit);
  EXPECT_EQ(testing::refusal([] {
              make_mean_of_private_size(people(), {MetricKind::symmetric}, kAges, 1, {1, 1}, 0);
            }),
            Code::no_theorem);
}

// Three keys and two rows a unit reach the price of the whole chain, under both relations and in both norms.
TEST(BoundedRelease, Hole22SeveralKeysAndRowsReachThePrice) {
  const TableDomain visits = {{{"unit", CellType::integer, false}, {"city", CellType::text, false}}};
  const std::vector<Cell> cities = {Cell("Basel"), Cell("Bern"),  Cell("Chur"),
                                    Cell("Genf"),  Cell("Olten"), Cell("Visp")};
  for (const Metric& from : {kAdded, kReplaced}) {
    const AnyTransformation keep = make_keep_keys(visits, from, 3);
    const AnyTransformation count =
        chain(keep, make_count_by_key(std::get<TableDomain>(keep.output()), keep.to(), cities, 2));
    const VectorDomain numbers = std::get<VectorDomain>(count.output());
    const auto laplace = chain(count, make_discrete_laplace(numbers, 6, MetricKind::cells));
    const auto gaussian = chain(count, make_gaussian(numbers, 10, MetricKind::cells));
    EXPECT_EQ(laplace.loss(Rational(1)), pure(from == kAdded ? 1 : 2));
    EXPECT_EQ(gaussian.loss(Rational(1)), concentrated(Rational(from == kAdded ? 12 : 24, 200)));
  }
}

}  // namespace
}  // namespace dither::mechanisms
