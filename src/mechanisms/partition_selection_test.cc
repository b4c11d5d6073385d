#include "mechanisms/partition_selection.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "accounting/cost.h"
#include "mechanisms/key_check.h"
#include "mechanisms/key_threshold.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using accounting::KeyNoise;
using accounting::Neighbours;

Distance cells(const Rational& cells, const Rational& largest) {
  return CellsDistance{cells, cells * largest, cells * largest * largest, largest};
}

// Whether a <= e^epsilon b + delta surely, by intervals of 400 bits; the numbers have 120.
bool within(const Rational& a, const Rational& b, const BigInterval& factor, const Rational& delta) {
  if (a <= delta) return true;  // where b is 0 there is nothing to round
  const BigInterval left = BigInterval(a, 400) - BigInterval(delta, 400);
  return left.high_rational() <= (factor * BigInterval(b, 400)).low_rational();
}

// The four inequalities between neighbouring counts, in both directions, shown and not shown.
bool is_private(const std::vector<Rational>& p, const Rational& epsilon, const Rational& delta) {
  const BigInterval factor = exp(BigInterval(epsilon, 400));
  if (p.front() != 0 || p.back() != 1) return false;
  for (std::size_t n = 1; n < p.size(); ++n) {
    const Rational &now = p[n], &before = p[n - 1];
    if (now < before || now > 1) return false;
    if (!within(now, before, factor, delta) || !within(before, now, factor, delta)) return false;
    if (!within(1 - before, 1 - now, factor, delta) || !within(1 - now, 1 - before, factor, delta)) return false;
  }
  return true;
}

const std::vector<Rational> kEpsilons{Rational(1, 100), Rational(1, 10), Rational(1),
                                      Rational(3),      Rational(20),    Rational(1000)};
std::vector<Rational> deltas() {
  return {
      Rational(1, 2), Rational(1, 100), Rational::parse("1e-6"), Rational::parse("1e-20"), Rational::power_of_two(-100),
      Rational(1, 3)};
}

// Spec: D-23
TEST(PartitionSelection, AllFourInequalitiesHoldExactly) {
  for (const Rational& epsilon : kEpsilons) {
    for (const Rational& delta : deltas()) {
      const std::vector<Rational> p = selection_probabilities(epsilon, delta);
      EXPECT_TRUE(is_private(p, epsilon, delta)) << epsilon.str() << " " << delta.str();
      EXPECT_LE(p[1], delta);
      EXPECT_GE(p[1], delta - Rational::power_of_two(-120));
      EXPECT_GE(p[p.size() - 2], 1 - delta);
    }
  }
}

// The same numbers rounded up to the grid.
TEST(PartitionSelection, PlantedRoundingUpIsCaught) {
  std::vector<Rational> p = selection_probabilities(1, Rational::parse("1e-6"));
  for (std::size_t n = 1; n + 1 < p.size(); ++n) p[n] += Rational::power_of_two(-120);
  EXPECT_FALSE(is_private(p, 1, Rational::parse("1e-6")));
}

TEST(PartitionSelection, PlantedJumpToOneIsCaught) {
  std::vector<Rational> p = selection_probabilities(1, Rational::parse("1e-6"));
  p.erase(p.end() - 2);  // shows for sure one unit too early
  EXPECT_FALSE(is_private(p, 1, Rational::parse("1e-6")));
}

// No larger number fits: one step of 2^-118 more breaks an inequality, at every count.
// Spec: D-23
TEST(PartitionSelection, NothingLargerFits) {
  const Rational epsilon(1, 2), delta = Rational::parse("1e-5");
  const std::vector<Rational> p = selection_probabilities(epsilon, delta);
  for (std::size_t n = 1; n + 1 < p.size(); ++n) {
    const std::vector<Rational> three{p[n - 1], p[n] + Rational::power_of_two(-118)};
    const BigInterval factor = exp(BigInterval(epsilon, 400));
    EXPECT_FALSE(within(three[1], three[0], factor, delta) && within(1 - three[0], 1 - three[1], factor, delta)) << n;
  }
}

// Every (epsilon, delta) rule shows less: thresholds of Laplace noise at the same budget.
// Spec: D-23
TEST(PartitionSelection, ShowsMoreThanAnyThreshold) {
  const Rational slack = Rational::power_of_two(-60);
  for (const Rational& epsilon : {Rational(1, 2), Rational(1), Rational(2)}) {
    const Rational delta = Rational::parse("1e-6");
    const std::vector<Rational> p = selection_probabilities(epsilon, delta);
    const KeyThreshold rule = laplace_threshold_for(epsilon, delta, {1});
    bool much_more = false;
    for (std::size_t n = 1; n < p.size(); ++n) {
      const BigInterval shown =
          check::tail(KeyNoise::discrete_laplace, rule.scale, rule.threshold - static_cast<Int128>(n));
      EXPECT_GE(p[n] + slack, shown.low_rational()) << n;
      much_more |= p[n] > shown.high_rational() * Rational(3, 2);
    }
    EXPECT_TRUE(much_more);
  }
}

// Spec: D-23, W-12
TEST(PartitionSelection, OneUnitCostsTheBudget) {
  const Rational delta = Rational::parse("1e-6");
  for (const std::uint64_t keys : {1u, 3u, 50u}) {
    const auto selection = make_partition_selection({}, 1, delta, keys).any();
    const auto one = std::get<accounting::ApproximateDp>(selection.loss(cells(Rational(static_cast<long>(keys)), 1)));
    EXPECT_EQ(one.epsilon, 1);
    EXPECT_LE(one.delta, delta);
    EXPECT_GT(one.delta, delta * Rational(999'999, 1'000'000));
  }
}

TEST(PartitionSelection, LossAtManyDistances) {
  const Rational delta = Rational::parse("1e-6");
  const auto selection = make_partition_selection({}, 1, delta, 1).any();
  EXPECT_EQ(selection.loss(CellsDistance{}), approximate(0, 0));
  EXPECT_EQ(selection.loss(cells(1, 1)), approximate(1, delta));
  const Measure measure = Measure::approximate();
  EXPECT_EQ(selection.loss(cells(1, 3)), measure.group(approximate(1, delta), 3));
  EXPECT_TRUE(measure.at_most(selection.loss(cells(3, 1)), approximate(3, 3 * delta)));
  EXPECT_EQ(selection.loss(cells(1, 1'000'000)), approximate(1'000'000, 1));
  EXPECT_EQ(selection.loss(cells(Rational::parse("1e15"), 1)), approximate(Rational::parse("1e15"), 1));
}

// The exact divergence for counts several steps apart, against the rule for groups.
TEST(PartitionSelection, GroupsStayWithinTheLoss) {
  const Rational epsilon(1, 2), delta(1, 1000);
  const std::vector<Rational> p = selection_probabilities(epsilon, delta);
  const auto selection = make_partition_selection({}, epsilon, delta, 1).any();
  for (const int steps : {1, 2, 3, 7}) {
    const auto loss = std::get<accounting::ApproximateDp>(selection.loss(cells(1, steps)));
    for (std::size_t n = 0; n + static_cast<std::size_t>(steps) < p.size(); ++n) {
      const auto law = [&](const Rational& q) {
        return std::vector<BigInterval>{check::exactly(q), check::exactly(1) - check::exactly(q)};
      };
      const auto low = law(p[n]), high = law(p[n + static_cast<std::size_t>(steps)]);
      EXPECT_LE(check::hockey_stick(high, low, loss.epsilon).low_rational(), loss.delta);
      EXPECT_LE(check::hockey_stick(low, high, loss.epsilon).low_rational(), loss.delta);
    }
  }
}

TEST(PartitionSelection, EventsCostWhatTheLossSays) {
  const auto selection = make_partition_selection({}, 1, Rational::parse("1e-6"), 4).any();
  const auto events = selection.events(cells(4, 1));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].times, 4u);
  const auto one = *accounting::cost(events[0], Neighbours::add_remove).approximate;
  const auto all = std::get<accounting::ApproximateDp>(selection.loss(cells(4, 1)));
  EXPECT_EQ(4 * one.epsilon, all.epsilon);
  EXPECT_LE(all.delta, 4 * one.delta);
  EXPECT_GE(all.delta, 1 - pow(1 - one.delta, 4));
  const Distance tight = CellsDistance{3, 4, 6, 2};
  EXPECT_EQ(Loss(*accounting::cost(selection.events(tight)[0], Neighbours::replace_one).approximate),
            selection.loss(tight));
}

Keyed keys_with(std::size_t number, Int128 units) {
  Keyed data;
  for (std::size_t i = 0; i < number; ++i) data.keys.push_back("i" + std::to_string(1'000'000 + i));
  data.values.assign(number, units);
  return data;
}

// Keys of each number of units, 20,000 each (10^6 nightly), shown with probability p_n. False alarm at most 1e-9 each;
// a p_n off by a tenth slips through with less than 1e-12 where p_n lies in [0.1, 0.9].
bool frequencies_are(const std::vector<Rational>& p, const AnyMeasurement& selection) {
  random::Source source = testing::seeded_source(3);
  const std::size_t n = std::getenv("DITHER_NIGHTLY") != nullptr ? 1'000'000 : 20'000;
  bool right = true;
  for (std::size_t units = 0; units < p.size() + 2; ++units) {
    const Data answer = selection.release(Private(keys_with(n, static_cast<Int128>(units))), source).value();
    const auto hits = static_cast<std::int64_t>(std::get<Keyed>(answer).keys.size());
    const double wanted = p[std::min(units, p.size() - 1)].to_double_up();
    right &= testing::binomial_accepts(hits, static_cast<std::int64_t>(n), wanted, 1e-9);
  }
  return right;
}

// Spec: D-23
TEST(PartitionSelection, KeysAreShownAsOftenAsTheRuleSays) {
  EXPECT_TRUE(frequencies_are(selection_probabilities(1, Rational(1, 100)),
                              make_partition_selection({}, 1, Rational(1, 100), 1).any()));
}

TEST(PartitionSelection, PlantedBudgetNotSharedByTheKeysIsCaught) {
  const auto two = make_partition_selection({}, 1, Rational(1, 100), 2).any();  // where one key's rule is wanted
  EXPECT_FALSE(frequencies_are(selection_probabilities(1, Rational(1, 100)), two));
}

// A key of one unit at delta 1e-6: at most delta in 10^6 runs. Seeing more than 12 has probability below 1e-9.
// Spec: D-23
TEST(PartitionSelection, SingletonsAreShownWithDeltaAtMost) {
  random::Source source = testing::seeded_source(4);
  const auto selection = make_partition_selection({}, 1, Rational::parse("1e-6"), 1);
  const Data answer = selection.release(Private(keys_with(1'000'000, 1)), source).value();
  EXPECT_LE(std::get<Keyed>(answer).keys.size(), 12u);
}

// Spec: W-76
TEST(PartitionSelection, GivesKeysInOrderAndNothingElse) {
  random::Source source = testing::seeded_source(5);
  const auto selection = make_partition_selection({}, 1, Rational::parse("1e-6"), 1);
  const Keyed data{{"ta", "tb", "tc", "td"}, {kInt128Max, kInt128Min, 500, 0}};
  const Data answer = selection.release(Private(data), source).value();
  EXPECT_EQ(std::get<Keyed>(answer), (Keyed{{"ta", "tc"}, {0, 0}}));
  EXPECT_FALSE(selection.any().error(0).has_value());
}

TEST(PartitionSelection, RefusesWhatHasNoMeaning) {
  const auto code = [](const Rational& epsilon, const Rational& delta, std::uint64_t keys) {
    return testing::refusal([&] { make_partition_selection({}, epsilon, delta, keys); });
  };
  EXPECT_EQ(code(0, Rational(1, 100), 1), Code::bad_scale);
  EXPECT_EQ(code(1001, Rational(1, 100), 1), Code::bad_scale);
  EXPECT_EQ(code(1, 0, 1), Code::bad_probability);
  EXPECT_EQ(code(1, 1, 1), Code::bad_probability);
  EXPECT_EQ(code(1, Rational::power_of_two(-101), 1), Code::below_floor);
  EXPECT_EQ(code(1, Rational(1, 100), 0), Code::bad_limit);
  EXPECT_EQ(code(Rational::parse("1e-6"), Rational::parse("1e-9"), 1), Code::bad_limit);
}

}  // namespace
}  // namespace dither::mechanisms
