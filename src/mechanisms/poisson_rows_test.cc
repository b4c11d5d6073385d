#include "mechanisms/poisson_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calculus/makers.h"
#include "mechanisms/more_noise_makers.h"
#include "random/source.h"
#include "testing/refusal.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

const Metric kRows{MetricKind::symmetric};
const Metric kUnits{MetricKind::units_added};

// Six rows of three units.
Table six_rows() {
  Table table;
  for (std::int64_t i = 0; i < 6; ++i) table.push_back({Cell(i / 2), Cell(i)});
  return table;
}

// How often each of the 64 subsets of rows comes must be how often independent coins give it (for units: each pair of
// rows goes together). False alarm at most 1e-9.
bool subsets_fit(const Subsampler& sampler, bool units, double rate) {
  random::Source& source = random::Source::this_thread();
  const Table table = six_rows();
  std::vector<double> p(64);
  std::vector<std::int64_t> counts(64);
  const std::size_t width = units ? 2 : 1;  // rows that share a coin
  const std::size_t coins = 6 / width;
  for (std::size_t heads = 0; heads < std::size_t{1} << coins; ++heads) {
    double probability = 1;
    std::size_t set = 0;
    for (std::size_t coin = 0; coin < coins; ++coin) {
      const bool in = (heads >> coin & 1) != 0;
      probability *= in ? rate : 1 - rate;
      if (in) set |= ((std::size_t{1} << width) - 1) << (coin * width);
    }
    p[set] = probability;
  }
  for (int n = 0; n < 20'000; ++n) {
    std::size_t set = 0;
    for (const Row& row : sampler(table, source)) set |= std::size_t{1} << std::get<std::int64_t>(row[1]);
    ++counts[set];
  }
  return testing::chi_square_accepts(counts, p, 1e-9);
}

// Spec: W-26
TEST(PoissonRows, CoinsAreIndependentAndFollowTheRate) {
  EXPECT_TRUE(subsets_fit(poisson_rows(kRows, Rational(1, 3)), false, 1.0 / 3));
  EXPECT_TRUE(subsets_fit(poisson_rows(kUnits, Rational(1, 3)), true, 1.0 / 3));
  EXPECT_TRUE(subsets_fit(poisson_rows(kRows, 1), false, 1));
  EXPECT_TRUE(subsets_fit(poisson_rows(kRows, 0), false, 0));
}
TEST(PoissonRows, PlantedOtherRateIsCaught) {
  EXPECT_FALSE(subsets_fit(poisson_rows(kRows, Rational(2, 5)), false, 1.0 / 3));
}
// Amplification is for whole units: coins for single rows keep part of a unit.
TEST(PoissonRows, PlantedCoinForEachRowOfAUnitIsCaught) {
  EXPECT_FALSE(subsets_fit(poisson_rows(kRows, Rational(1, 3)), true, 1.0 / 3));
}

// A release of one bit that costs epsilon 1 at any distance, to sample before.
AnyMeasurement costs_one(const Metric& from) {
  return AnyMeasurement({
      .recipe = {"costs-one"},
      .input = TableDomain{{{"unit", CellType::integer}, {"value", CellType::integer}}},
      .from = from,
      .measure = Measure::pure(),
      .loss = [](const Distance&) { return pure(1); },
      .events = [](const Distance&) -> std::vector<accounting::Event> {
        return {{{}, accounting::BlackBox{1}}};
      },
      .function = [](const Data& data, random::Source&) -> Data {
        return Integers{static_cast<Int128>(as<Table>(data).size())};
      },
  });
}

TEST(PoissonRows, SampledMeasurementsCostLess) {
  for (const Metric& metric : {kRows, kUnits}) {
    const AnyMeasurement sampled = make_sampled(costs_one(metric), Rational(1, 10));
    const double epsilon = epsilon_up(sampled.loss(Rational(1)), 0);
    EXPECT_NEAR(epsilon, std::log1p(0.1 * std::expm1(1.0)), 1e-9);
    EXPECT_EQ(sampled.loss(Rational(0)), pure(0));
  }
  random::Source& source = random::Source::this_thread();
  const AnyMeasurement all = make_sampled(costs_one(kRows), 1);
  EXPECT_EQ(as<Integers>(all.release(Private(six_rows()), source).value()), Integers{6});
}

TEST(PoissonRows, RecipesMakeTheSameAgain) {
  Makers makers;
  add_more_noise_makers(makers);
  makers.measurements["costs-one"] = [](const Recipe&, const Domain&, const Metric& from, const Makers&) {
    return costs_one(from);
  };
  const AnyMeasurement sampled = make_sampled(costs_one(kUnits), Rational(1, 10));
  const Recipe read = recipe_from_json(canonical_json(sampled.recipe()));
  const AnyMeasurement again = make_measurement(read, sampled.input(), sampled.from(), makers);
  EXPECT_EQ(again.recipe(), sampled.recipe());
  EXPECT_EQ(again.loss(Rational(1)), sampled.loss(Rational(1)));
  EXPECT_EQ(testing::refusal([&] {
              make_measurement({"sample", {{"rate", Rational(1, 2)}}}, sampled.input(), kRows, makers);
            }),
            Code::missing_key);
}

TEST(PoissonRows, RefusesRatesThatAreNone) {
  EXPECT_EQ(testing::refusal([] { poisson_rows(kRows, 2); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([] { make_sampled(costs_one(kRows), -1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::mechanisms
