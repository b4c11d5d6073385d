// What went wrong elsewhere with keys, each under the number of the hole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "accounting/cost.h"
#include "calculus/aggregates.h"
#include "calculus/all_makers.h"
#include "calculus/bounding.h"
#include "mechanisms/histogram.h"
#include "mechanisms/key_check.h"
#include "mechanisms/key_makers.h"
#include "mechanisms/key_threshold.h"
#include "mechanisms/partition_selection.h"
#include "mechanisms/set_union.h"
#include "mechanisms/sparse_histogram.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using accounting::KeyNoise;
using accounting::Neighbours;

const Rational kMillionth = Rational::parse("1e-6");

accounting::ApproximateDp approximate_of(const Loss& loss) { return std::get<accounting::ApproximateDp>(loss); }

// Hole 2: keys released at >= while delta was counted for >. The atom at the threshold itself must be paid for: the
// probability that a key of one unit is shown, with it, is within delta; without it, one threshold less would do.
// Spec: D-23
TEST(Hole02, TheAtomAtTheThresholdIsPaidFor) {
  const KeyThreshold rule = laplace_threshold_for(2, kMillionth, {1});
  const BigInterval at_or_above = check::tail(KeyNoise::discrete_laplace, rule.scale, rule.threshold - 1);
  const BigInterval above = check::tail(KeyNoise::discrete_laplace, rule.scale, rule.threshold);
  EXPECT_TRUE(at_or_above.surely_below(kMillionth));
  EXPECT_TRUE((at_or_above - above).surely_above(Rational(0)));
  // What is released is what was counted: a count whose noisy number is the threshold itself is shown.
  random::Source source = testing::seeded_source(31);
  bool seen_at = false, seen_below = false;
  const auto shown = make_laplace_threshold({}, rule);
  for (int i = 0; i < 2000; ++i) {
    const Data answer = shown.release(Private(Keyed{{"ta"}, {rule.threshold}}), source).value();
    for (const Int128 value : std::get<Keyed>(answer).values) {
      seen_at |= value == rule.threshold;
      seen_below |= value < rule.threshold;
    }
  }
  EXPECT_TRUE(seen_at);  // at scale 1/2 the atom at 0 has 76%
  EXPECT_FALSE(seen_below);
}

// Hole 15: keys without data shared one draw. A key that is missing, one that is there with 0 and one that is there
// with 0 in other data have one law, cell by cell: 10^5 answers each, exact cells of |noise| <= 3, false alarm 1e-9
// each.
// Spec: W-76
TEST(Hole15, AbsentAndEmptyKeysHaveTheSameLaw) {
  random::Source source = testing::seeded_source(32);
  const auto table = make_laplace_histogram<L1>({.keys = std::vector<std::string>{"ta", "tb", "tc"}}, 2);
  std::array<std::vector<std::int64_t>, 3> seen;
  for (auto& cells : seen) cells.assign(8, 0);
  std::int64_t equal = 0;
  for (int run = 0; run < 100'000; ++run) {
    const Data answer = table.release(Private(Keyed{{"tb"}, {0}}), source).value();
    const Integers& noise = std::get<Keyed>(answer).values;
    for (std::size_t key = 0; key < 3; ++key) {
      ++seen[key][magnitude(noise[key]) <= 3 ? static_cast<std::size_t>(noise[key] + 3) : 7];
    }
    equal += noise[0] == noise[2] ? 1 : 0;  // both absent: still two draws
  }
  std::vector<double> law;
  double rest = 1, same = 0;
  for (int k = -3; k <= 3; ++k) law.push_back(check::pmf(KeyNoise::discrete_laplace, 2, k).high_double());
  for (const double p : law) rest -= p;
  law.push_back(rest);
  for (int k = -200; k <= 200; ++k) same += std::pow(check::pmf(KeyNoise::discrete_laplace, 2, k).high_double(), 2);
  for (const auto& cells : seen) EXPECT_TRUE(testing::chi_square_accepts(cells, law, 1e-9));
  EXPECT_TRUE(testing::binomial_accepts(equal, 100'000, same, 1e-9));
}

// Units by key in a table whose first column is the unit and second the key; `rows` counts rows instead.
Keyed counts_by_key(const Table& table, bool rows) {
  std::map<std::string, std::multiset<std::string>> units;
  for (const Row& row : table) units[canonical(row[1])].insert(canonical(row[0]));
  Keyed counts;
  for (const auto& [key, all] : units) {
    counts.keys.push_back(key);
    const std::set<std::string> distinct(all.begin(), all.end());
    counts.values.push_back(static_cast<Int128>(rows ? all.size() : distinct.size()));
  }
  return counts;
}

// Heavy units that share keys: unit 1 has 40 rows of key 7, unit 2 has 30 and key 8.
Table heavy_table() {
  Table table;
  for (int i = 0; i < 40; ++i) table.push_back({Cell(std::int64_t{1}), Cell(std::int64_t{7})});
  for (int i = 0; i < 30; ++i) table.push_back({Cell(std::int64_t{2}), Cell(std::int64_t{7})});
  table.push_back({Cell(std::int64_t{2}), Cell(std::int64_t{8})});
  return table;
}
Table without_unit(const Table& table, std::int64_t unit) {
  Table rest;
  for (const Row& row : table) {
    if (row[0] != Cell(unit)) rest.push_back(row);
  }
  return rest;
}
bool one_unit_moves_two_cells_by_one(bool rows) {
  const Table table = heavy_table();
  for (const std::int64_t unit : {1, 2}) {
    const auto apart =
        distance({MetricKind::cells}, counts_by_key(table, rows), counts_by_key(without_unit(table, unit), rows));
    if (!at_most(*apart, CellsDistance{2, 2, 2, 1})) return false;
  }
  return true;
}

// Hole 24: selection counts distinct units, whoever shares their keys.
// Spec: D-23
TEST(Hole24, DistinctUnitsAreCountedNeverRows) { EXPECT_TRUE(one_unit_moves_two_cells_by_one(false)); }

TEST(Hole24, PlantedCountOfRowsIsCaught) {
  EXPECT_FALSE(one_unit_moves_two_cells_by_one(true));
  // And what it would do: a key of one unit with 40 rows is shown nearly always.
  const KeyThreshold rule = laplace_threshold_for(1, kMillionth, {2});
  const BigInterval shown = check::tail(KeyNoise::discrete_laplace, rule.scale, rule.threshold - 40);
  EXPECT_TRUE(shown.surely_above(Rational(9, 10)));
  // The loss at the distance that rows really have says so.
  EXPECT_GT(approximate_of(make_laplace_threshold({}, rule).any().loss(CellsDistance{1, 40, 1600, 40})).delta,
            Rational(9, 10));
}

// Hole 25: a unit in eight keys spent delta eight times.
// Spec: D-23
TEST(Hole25, DeltaIsForTheUnitWithAllItsKeys) {
  const auto at = [](const KeyThreshold& rule) {
    return approximate_of(make_laplace_threshold({}, rule).any().loss(CellsDistance{8, 8, 8, 1})).delta;
  };
  EXPECT_LE(at(laplace_threshold_for(1, kMillionth, {8})), kMillionth);
  EXPECT_GT(at(laplace_threshold_for(1, kMillionth, {8})), kMillionth * Rational(8, 10));
  EXPECT_GT(at(laplace_threshold_for(Rational(1, 8), kMillionth, {1})), kMillionth * 7);  // the overspending one
  const auto selection = make_partition_selection({}, 1, kMillionth, 8);
  EXPECT_LE(approximate_of(selection.any().loss(CellsDistance{8, 8, 8, 1})).delta, kMillionth);
}

// Hole 34: key selection ran outside the odometer. The event of a key release holds its noise and its delta, and what
// accounting makes of it is the loss: nothing runs that is not charged.
// Spec: D-23
TEST(Hole34, TheEventHoldsTheNoiseAndTheKeys) {
  const KeyThreshold rule = laplace_threshold_for(1, kMillionth, {3});
  const auto release = make_laplace_threshold({}, rule).any();
  const Distance unit = CellsDistance{3, 3, 3, 1};
  const auto events = release.events(unit);
  ASSERT_EQ(events.size(), 1u);
  const accounting::Cost cost = accounting::cost(events[0], Neighbours::add_remove);
  EXPECT_EQ(cost.approximate->epsilon, 1);
  EXPECT_EQ(Loss(*cost.approximate), release.loss(unit));
  EXPECT_GT(cost.approximate->delta.sign(), 0);
  // In the pairs too: three steps of noise and one for the keys.
  for (const auto& [view, steps] : cost.pairs) {
    std::uint64_t noise = 0;
    double keys = 0;
    for (const accounting::Step& step : steps) {
      const auto* atoms = std::get_if<accounting::AtomLoss>(&step.above);
      ASSERT_NE(atoms, nullptr);
      keys += atoms->infinite_mass;
      noise += atoms->infinite_mass > 0 ? 0 : step.times;
    }
    EXPECT_EQ(noise, 3u);
    EXPECT_GT(keys, 0.7e-6);  // one step of the threshold is a factor e^(1/3)
  }
}

// A price of the noise alone, or of the keys alone, is not the loss.
TEST(Hole34, PlantedPriceOfOnePartIsCaught) {
  const auto release = make_laplace_threshold({}, laplace_threshold_for(1, kMillionth, {3})).any();
  const Loss all = release.loss(CellsDistance{3, 3, 3, 1});
  const accounting::Event noise{{}, accounting::DiscreteLaplace{3}, 3};
  const auto one = *accounting::cost(noise, Neighbours::add_remove).approximate;
  EXPECT_FALSE(Measure::approximate().at_most(all, approximate(3 * one.epsilon, one.delta)));
  EXPECT_FALSE(Measure::approximate().at_most(all, approximate(0, kMillionth)));
}

// Hole 39: tau without the number of groups, a wrong tau, an event scaled by the sensitivity, keys missing.
// Spec: D-23
TEST(Hole39, ThresholdEventAndKeysAreRight) {
  EXPECT_LT(laplace_threshold_for(Rational(1, 4), kMillionth, {1}).threshold,
            laplace_threshold_for(1, kMillionth, {4}).threshold);  // same noise, more groups: a higher threshold
  const KeyThreshold rows = laplace_threshold_for(1, kMillionth, {4, 10});
  const auto release = make_laplace_threshold({}, rows).any();
  const Distance unit = CellsDistance{4, 40, 400, 10};
  const auto cost = accounting::cost(release.events(unit)[0], Neighbours::add_remove);
  EXPECT_EQ(cost.approximate->epsilon, 1);  // 4 keys of 10 rows at scale 40, not 10 times that and not a tenth
  EXPECT_LE(cost.approximate->delta, kMillionth);
  random::Source source = testing::seeded_source(33);
  const auto table = make_laplace_histogram<L1>({.keys = std::vector<std::string>{"ta", "tb"}}, 1);
  EXPECT_EQ(std::get<Keyed>(table.release(Private(Keyed{}), source).value()).keys.size(), 2u);
}

// Two data sets that differ by a category that one unit alone has: whatever is known beside the answer is the same.
// Spec: W-76
TEST(KeyHoles, AUniqueCategoryChangesNothingButTheAnswer) {
  Keyed x{{"ta", "tb", "tz"}, {50, 60, 70}}, y{{"ta", "tb", "trare", "tz"}, {50, 60, 1, 70}};
  const std::vector<std::string> keys{"ta", "tb", "tz"};
  const std::vector<AnyMeasurement> all{
      make_laplace_histogram<L1>({.keys = keys}, 3).any(),
      make_gaussian_histogram<L2>({.keys = keys}, 3).any(),
      make_laplace_threshold({}, laplace_threshold_for(1, kMillionth, {1})).any(),
      make_gaussian_threshold({}, gaussian_threshold_for(Rational(1, 10), kMillionth, {1})).any(),
      make_partition_selection({}, 1, kMillionth, 1).any(),
      make_sparse_histogram<L1>(100, sparse_rule_for(1, 100, 1)).any()};
  for (const AnyMeasurement& one : all) {
    random::Source source = testing::seeded_source(34);
    for (int run = 0; run < 50; ++run) {
      const Release<Data> first = one.release(Private(x), source), second = one.release(Private(y), source);
      // The plan and its price come from what was declared.
      EXPECT_EQ(canonical_json(first.made_by().recipe()), canonical_json(second.made_by().recipe()));
      EXPECT_EQ(first.made_by().loss(one_step(one.from())), second.made_by().loss(one_step(one.from())));
      // The order is that of the keys, not of the data.
      for (const Release<Data>* release : {&first, &second}) {
        const auto& shown = std::get<Keyed>(release->value()).keys;
        EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
      }
    }
  }
  // Over public keys the rare one leaves no trace at all: the same draws give the same answer.
  const auto answer = [&](const Keyed& data) {
    random::Source source = testing::seeded_source(35);
    return std::get<Keyed>(all[0].release(Private(data), source).value());
  };
  EXPECT_EQ(answer(x), answer(y));
}

Distance times(const Metric& metric, long d) {
  if (metric.kind == MetricKind::cells) return CellsDistance{d, d, d, 1};
  return Rational(d);
}

TEST(KeyMakers, RecipesMakeTheSameAgain) {
  Makers makers;
  add_key_makers(makers);
  const KeyedDomain keyed{.keys = std::vector<std::string>{"ta", "t\xff"}};
  const TableDomain table{{{"unit", CellType::integer}, {"key", CellType::text}}};
  const std::vector<AnyMeasurement> all{
      make_laplace_histogram<L1>(keyed, Rational(7, 3)).any(),
      make_laplace_histogram<Cells>(keyed, Rational(7, 3)).any(),
      make_gaussian_histogram<L2>(keyed, Rational(7, 3)).any(),
      make_gaussian_histogram<Cells>(keyed, Rational(7, 3)).any(),
      make_laplace_threshold({}, laplace_threshold_for(Rational(1, 3), kMillionth, {3})).any(),
      make_gaussian_threshold({}, gaussian_threshold_for(Rational(1, 3), kMillionth, {3})).any(),
      make_partition_selection({}, Rational(2, 3), kMillionth, 5).any(),
      make_sparse_histogram<L1>(1000, sparse_rule_for(1, 1000, 1)).any(),
      make_set_union(table, {MetricKind::units_added}, 1, kMillionth),
      make_set_union(table, {MetricKind::units_replaced}, 1, kMillionth)};
  for (const AnyMeasurement& one : all) {
    const Recipe recipe = recipe_from_json(canonical_json(one.recipe()));
    const AnyMeasurement again = make_measurement(recipe, one.input(), one.from(), makers);
    EXPECT_EQ(canonical_json(again.recipe()), canonical_json(one.recipe()));
    for (const long d : {0L, 1L, 3L, 1'000'000L}) {
      EXPECT_EQ(again.loss(times(one.from(), d)), one.loss(times(one.from(), d))) << one.recipe().name << " " << d;
    }
  }
}

// Counts of distinct units by key, at most two keys a unit; the keys are private.
AnyTransformation units_of_private_keys(const Metric& from) {
  const TableDomain table{{{"unit", CellType::integer, false}, {"key", CellType::integer, false}}};
  const AnyTransformation keep = make_keep_keys(table, from, 2);
  return chain(keep, make_units_by_key(std::get<TableDomain>(keep.output()), keep.to(), {}));
}

// Whatever releases keys goes behind a count of units by key, under both relations, and the whole chain can be written
// down and made again. Four units hold key 1, nobody key 3; one row of key 5 is not public.
// Spec: D-23, W-07
TEST(KeyMakers, EveryReleaseOfKeysGoesBehindACountOfUnits) {
  Makers makers;
  calculus::add_makers(makers);
  add_key_makers(makers);
  const KeyedDomain keyed{.keys = std::vector<std::string>{"i1", "i3"}};
  const Rational ln2 =
      std::get<accounting::ApproximateDp>(make_sparse_histogram<L1>(10, {Rational(1, 2), 2}).any().loss(Rational(1)))
          .epsilon;
  const std::vector<std::pair<AnyMeasurement, Loss>> all{
      {make_laplace_histogram<Cells>(keyed, 2).any(), pure(1)},
      {make_gaussian_histogram<Cells>(keyed, 2).any(), concentrated(Rational(1, 4))},
      {make_sparse_histogram<Cells>(10, {Rational(1, 2), 2}).any(), pure(2 * ln2)},
      {make_laplace_threshold({}, laplace_threshold_for(1, kMillionth, {2})).any(), approximate(1, kMillionth)},
      {make_gaussian_threshold({}, gaussian_threshold_for(1, kMillionth, {2})).any(), concentrated(1, kMillionth)},
      {make_partition_selection({}, 1, kMillionth, 2).any(), approximate(1, kMillionth)}};
  Table rows{{Cell(std::int64_t{9}), Cell(std::int64_t{5})}};
  for (std::int64_t unit = 0; unit < 4; ++unit) rows.push_back({Cell(unit), Cell(std::int64_t{1})});
  random::Source source = testing::seeded_source(36);
  for (const auto& [one, price] : all) {
    const AnyMeasurement added = chain(units_of_private_keys({MetricKind::units_added}), one);
    EXPECT_TRUE(added.check(Rational(1), price)) << one.recipe().name << " " << str(added.loss(Rational(1)));
    const AnyMeasurement replaced = chain(units_of_private_keys({MetricKind::units_replaced}), one);
    EXPECT_FALSE(replaced.check(Rational(1), price));  // another unit leaves two cells and enters two
    const Recipe recipe = recipe_from_json(canonical_json(added.recipe()));
    const AnyMeasurement again = make_measurement(recipe, added.input(), added.from(), makers);
    EXPECT_EQ(again.recipe(), added.recipe());
    EXPECT_EQ(again.loss(Rational(3)), added.loss(Rational(3)));
    const Data answer = again.release(Private(rows), source).value();
    const auto& shown = std::get<Keyed>(answer).keys;
    EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
    const bool listed = one.recipe().name == "laplace-histogram" || one.recipe().name == "gaussian-histogram";
    if (listed) {
      EXPECT_EQ(shown, *keyed.keys);
    }
  }
}

TEST(KeyMakers, RefuseRecipesOfSomethingElse) {
  Makers makers;
  add_key_makers(makers);
  const auto code = [&](const Recipe& recipe, const Domain& input, MetricKind from) {
    return testing::refusal([&] { make_measurement(recipe, input, {from}, makers); });
  };
  const Recipe threshold{"laplace-threshold", {{"scale", Rational(1)}, {"threshold", Rational(1, 2)}}};
  EXPECT_EQ(code(threshold, KeyedDomain{}, MetricKind::cells), Code::bad_limit);
  EXPECT_EQ(code(threshold, KeyedDomain{}, MetricKind::l1), Code::mixed_metrics);
  const Recipe whole{"laplace-threshold", {{"scale", Rational(1)}, {"threshold", Rational(9)}}};
  EXPECT_EQ(code(whole, VectorDomain{}, MetricKind::cells), Code::mixed_domains);
  EXPECT_EQ(code(whole, KeyedDomain{}, MetricKind::cells), std::nullopt);
  for (const char* key : {"7", "7g", "7 ", "7A"}) {  // not what is written for a byte
    const Recipe histogram{"laplace-histogram", {{"scale", Rational(1)}, {"keys", std::vector<std::string>{key}}}};
    EXPECT_EQ(code(histogram, KeyedDomain{}, MetricKind::l1), Code::bad_syntax) << key;
  }
  const Recipe twice{"laplace-histogram", {{"scale", Rational(1)}, {"keys", std::vector<std::string>{"74", "74"}}}};
  EXPECT_EQ(code(twice, KeyedDomain{}, MetricKind::l1), Code::duplicate_key);
  const Recipe selection{"partition-selection",
                         {{"epsilon", Rational(1)}, {"delta", kMillionth}, {"keys", Rational(1, 2)}}};
  EXPECT_EQ(code(selection, KeyedDomain{}, MetricKind::cells), Code::bad_count);
}

}  // namespace
}  // namespace dither::mechanisms
