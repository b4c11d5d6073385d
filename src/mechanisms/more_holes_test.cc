// Mistakes that others have made with conversions, bounds, missing numbers and time, each under the number it has in the
// list of known holes; those with noise are in noise_holes_test.cc, those with keys in key_holes_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/gaussian.h"
#include "calculus/calculus.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/mean.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/work.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using testing::refusal;

constexpr Metric kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced};

// zCDP was turned into an epsilon by rounding down. Normal noise with mu = sqrt(2 rho) has exactly this rho, and its exact
// curve is known: no epsilon may lie below it.
bool never_below_the_truth(double (*epsilon)(const Rational& rho, double delta)) {
  for (const char* rho : {"1e-6", "0.005", "0.5", "3", "50"}) {
    for (const double delta : {1e-12, 1e-6, 0.1, 0.9}) {
      const Rational exact = Rational::parse(rho);
      const double found = epsilon(exact, delta);
      if (!(found >= 0) || accounting::gaussian_delta_down(std::sqrt(2 * exact.to_double_down()), found) > delta) {
        return false;
      }
    }
  }
  return true;
}
double ours(const Rational& rho, double delta) { return epsilon_up(concentrated(rho), delta); }
TEST(MechanismHoles, Hole16ConversionsAreNeverBelowTheTruth) {
  EXPECT_TRUE(never_below_the_truth(ours));
  const AnyMeasurement noise = make_gaussian({}, 10).any();
  double last = std::numeric_limits<double>::infinity();
  for (const char* delta : {"1e-9", "1e-6", "1e-3", "0.5", "0.999"}) {  // falls, and is never negative
    const Loss fixed = fix_delta(noise, Rational::parse(delta)).loss(Rational(1));
    const double epsilon = std::get<accounting::ApproximateDp>(fixed).epsilon.to_double_up();
    EXPECT_GE(epsilon, 0);
    EXPECT_LE(epsilon, last);
    last = epsilon;
  }
  EXPECT_EQ(refusal([&] { fix_delta(noise, 0); }), Code::bad_probability);  // no search without end
}
TEST(MechanismHoles, PlantedConversionByHalfOfRhoIsCaught) {
  EXPECT_FALSE(never_below_the_truth([](const Rational& rho, double delta) { return ours(rho / 2, delta); }));
}

TableDomain people(const Bounds& bounds) {
  return {{{"unit", CellType::integer, false},
           {.name = "value", .type = CellType::real, .nullable = true, .finite = false, .bounds = bounds}}};
}
Table people_with(const std::vector<double>& values) {
  Table table;
  for (std::size_t i = 0; i < values.size(); ++i) {
    table.push_back({Cell(static_cast<std::int64_t>(i)), Cell(values[i])});
  }
  return table;
}
Int128 total(const Bounds& bounds, const std::vector<double>& values, const Metric& from = kAdded) {
  const AnyTransformation sum = make_total_sum(people(bounds), from, {"value", bounds}, 1);
  return std::get<Integers>(testing::apply(sum, people_with(values)))[0];
}

// Bounds that are equal, or both 0, on data that is constant, empty or anything else: an answer or a refusal by name.
TEST(MechanismHoles, Hole23EqualAndZeroBounds) {
  for (const Bounds& same : {Bounds{3, 3}, Bounds{0, 0}, Bounds{-3, -3}}) {
    const Int128 one = same.low.floor();
    EXPECT_EQ(total(same, {}), 0);
    EXPECT_EQ(total(same, {3, 3, 3}), 3 * one);
    EXPECT_EQ(total(same, {-1e300, 0, 1e300}), 3 * one);
    // A unit more moves the sum by its value, which bounds of 0 make nothing.
    const AnyTransformation sum = make_total_sum(people(same), kAdded, {"value", same}, 1, MetricKind::l1);
    EXPECT_EQ(sum.map(Rational(1)), Distance(Rational(one < 0 ? -one : one)));
    random::Source source = testing::seeded_source(41);
    const NoisyMean mean = make_mean_of_private_size(people(same), kAdded, {"value", same}, 1, {1, 1}, 0);
    const MeanEstimate estimate = mean.estimate(mean.measurement.release(Private(Table{}), source).value());
    EXPECT_EQ(estimate.value, same.low);
  }
}

// A column without declared bounds is refused, under every relation: nothing is released without noise for want of them
// (30), and none are read off the data (43).
TEST(MechanismHoles, Hole30And43BoundsAreDeclaredOrRefused) {
  const TableDomain open{{{"value", CellType::real, false, true}}, 10};
  for (const MetricKind from : {MetricKind::symmetric, MetricKind::change_one, MetricKind::hamming}) {
    EXPECT_EQ(refusal([&] { make_sum(open, {from}, "value", 1); }), Code::bad_bounds);
  }
  EXPECT_EQ(refusal([&] { make_mean(open, {MetricKind::change_one}, "value", 1); }), Code::bad_bounds);
  TableDomain closed = open;
  closed.columns[0].bounds = bounds(0, 10);
  EXPECT_EQ(refusal([&] { make_sum(closed, {MetricKind::symmetric}, "value", 1); }), std::nullopt);
  // What the rows hold changes neither the map nor the refusal: both are made before there is data.
  EXPECT_EQ(make_sum(closed, {MetricKind::symmetric}, "value", 1).map(Rational(1)), Distance(Rational(10)));
}

// One NaN made every answer NaN. A missing number adds nothing, and what comes out is a number within the bounds.
TEST(MechanismHoles, Hole40OneNanChangesNoOtherAnswer) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const Bounds range = bounds(0, 10);
  EXPECT_EQ(total(range, {4, nan, 5, -nan}), 9);
  EXPECT_EQ(total(range, {4, infinity, 5, -infinity}), 19);
  random::Source source = testing::seeded_source(42);
  const NoisyMean mean = make_mean_of_private_size(people(range), kAdded, {"value", range}, 1, {5, 5}, 0);
  std::vector<double> values(1000, 7);
  values[500] = nan;
  const MeanEstimate estimate = mean.estimate(mean.measurement.release(Private(people_with(values)), source).value());
  EXPECT_NEAR(estimate.value.to_double_up(), 7, 0.5);  // the standard error is below 0.01
}

// A bound used twice made the range of [-10, 3] nothing or little. What one unit can do, tried at the ends of the bounds.
bool reaches_the_map(const Bounds& range, const Rational& added, const Rational& replaced) {
  const double low = range.low.to_double_up(), high = range.high.to_double_up();
  Int128 most_added = 0, most_replaced = 0;
  for (const double x : {low, high}) {
    most_added = std::max<Int128>(most_added, static_cast<Int128>(magnitude(total(range, {x, 1}) - total(range, {1}))));
    for (const double y : {low, high}) {
      const Int128 moved = total(range, {x, 1}, kReplaced) - total(range, {y, 1}, kReplaced);
      most_replaced = std::max<Int128>(most_replaced, static_cast<Int128>(magnitude(moved)));
    }
  }
  return Rational(most_added) == added && Rational(most_replaced) == replaced;
}
TEST(MechanismHoles, Hole42AsymmetricBounds) {
  for (const Bounds& range : {Bounds{-10, 3}, Bounds{-3, 10}, Bounds{5, 9}, Bounds{-9, -5}, Bounds{0, 7}}) {
    const auto map = [&](const Metric& from) {
      TableDomain whole = people(range);
      whole.columns[1].nullable = false;
      whole.columns[1].finite = true;
      return number(make_total_sum(whole, from, {"value", range}, 1, MetricKind::l1).map(Rational(1)));
    };
    EXPECT_TRUE(reaches_the_map(range, map(kAdded), map(kReplaced))) << str(Distance(map(kAdded)));
  }
}
TEST(MechanismHoles, PlantedBoundUsedTwiceIsCaught) {
  EXPECT_FALSE(reaches_the_map({-10, 3}, 3, 13));   // |u| alone
  EXPECT_FALSE(reaches_the_map({-10, 3}, 10, 0));   // u - u
  EXPECT_FALSE(reaches_the_map({-10, 3}, 10, 20));  // a range twice the lower bound
}

// The time of a release must not follow the noise: cycles against |noise| of 660,000 releases of one number, standard
// error 0.0016. Samplers that search upwards from 0 show 0.1 and more; false alarm at 0.01 below 1e-9.
constexpr double kMostCorrelation = std::max(0.01, testing::kMostCorrelation);
double cycles_follow_noise(Int128 work_for_each_step) {
  random::Source source;
  return testing::cycles_follow_value(
      [&] {
        return [noise = make_discrete_laplace({}, 10), &source, work_for_each_step] {
          const Data released = noise.release(Private(Integers{0}), source).value();
          const Int128 value = std::get<Integers>(released)[0];
          volatile int work = 0;
          for (Int128 i = 0; i < work_for_each_step * static_cast<Int128>(magnitude(value)); ++i) work = work + 1;
          return value;
        };
      },
      33, 20'000);
}
// Spec: W-72
TEST(MechanismHoles, Hole50TimeDoesNotFollowTheNoise) { EXPECT_LT(std::abs(cycles_follow_noise(0)), kMostCorrelation); }
TEST(MechanismHoles, PlantedWorkForEachStepOfNoiseIsCaught) {
  EXPECT_GT(std::abs(cycles_follow_noise(2)), kMostCorrelation);
}

}  // namespace
}  // namespace dither::mechanisms
