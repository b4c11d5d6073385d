#include "mechanisms/key_threshold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "accounting/cost.h"
#include "accounting/group.h"
#include "accounting/relations.h"
#include "mechanisms/key_check.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using accounting::KeyNoise;
using accounting::Neighbours;

const Rational kMillionth = Rational::parse("1e-6");

Distance cells(const Rational& cells, const Rational& largest) {
  return CellsDistance{cells, cells * largest, cells * largest * largest, largest};
}

// Whether the threshold is the least that delta allows, by the sum of the pmf: a key of one unit shows when
// contribution + noise >= threshold.
struct Verdict {
  bool private_enough;
  bool least;
};
Verdict judge(KeyNoise noise, const KeyThreshold& rule, const Rational& delta, const KeyLimits& limits) {
  const auto spent = [&](Int128 threshold) {
    const BigInterval p = check::tail(noise, rule.scale, threshold - static_cast<Int128>(limits.contribution));
    return check::any_of(p, static_cast<long>(limits.keys));
  };
  return {spent(rule.threshold).surely_below(delta), spent(rule.threshold - 1).surely_above(delta)};
}

// Spec: D-23
TEST(KeyThreshold, IsTheLeastWhoseExactTailFits) {
  for (const std::string delta : {"1e-2", "1e-6", "1e-12"}) {
    for (const KeyLimits& limits : {KeyLimits{1}, KeyLimits{3}, KeyLimits{8}, KeyLimits{2, 5}}) {
      for (const Rational& budget : {Rational(1, 2), Rational(2)}) {
        const Rational d = Rational::parse(delta);
        const Verdict laplace = judge(KeyNoise::discrete_laplace, laplace_threshold_for(budget, d, limits), d, limits);
        const Verdict gaussian =
            judge(KeyNoise::discrete_gaussian, gaussian_threshold_for(budget, d, limits), d, limits);
        EXPECT_TRUE(laplace.private_enough && laplace.least) << delta << " " << limits.keys;
        EXPECT_TRUE(gaussian.private_enough && gaussian.least) << delta << " " << limits.keys;
      }
    }
  }
}

// Hole 2: the threshold found for >, the keys released at >=.
TEST(KeyThreshold, PlantedStrictThresholdIsCaught) {
  KeyThreshold rule = laplace_threshold_for(1, kMillionth, {1});
  rule.threshold -= 1;  // P(1 + noise > T - 1) fits delta just as well
  EXPECT_FALSE(judge(KeyNoise::discrete_laplace, rule, kMillionth, {1}).private_enough);
}

// Hole 25: delta spent once for each key instead of once for the unit.
TEST(KeyThreshold, PlantedDeltaWithoutTheKeysIsCaught) {
  const KeyThreshold one = laplace_threshold_for(Rational(1, 8), kMillionth, {1});  // the right scale for eight keys
  EXPECT_FALSE(judge(KeyNoise::discrete_laplace, one, kMillionth, {8}).private_enough);
}

// Spec: D-23
TEST(KeyThreshold, IsWithinAStepOfTheContinuousFormula) {
  for (const double epsilon : {0.1, 0.5, 1.0, 3.0}) {
    for (const double keys : {1.0, 2.0, 10.0}) {
      const double tau = 1 - keys / epsilon * std::log(-2 * std::expm1(std::log1p(-1e-6) / keys));
      const KeyThreshold rule =
          laplace_threshold_for(Rational::from_double(epsilon), kMillionth, {static_cast<std::uint64_t>(keys)});
      const double steps = static_cast<double>(rule.threshold) - std::ceil(tau);
      EXPECT_TRUE(steps == 0 || steps == 1) << tau;
    }
  }
  // epsilon 1, delta 1e-6, one key: tau = 1 + ln(500000) = 14.12; the discrete noise of the same scale needs 15.
  EXPECT_EQ(laplace_threshold_for(1, kMillionth, {1}).threshold, 15);
}

// One key held by n units or n - 1, and two keys held by one unit: the exact divergence of what is shown.
bool stays_within(KeyNoise noise, const KeyThreshold& rule, const accounting::ApproximateDp& claim) {
  const Int128 most = rule.threshold + 12;
  const auto law = [&](Int128 count) { return check::shown_law(noise, rule.scale, rule.threshold, count, most); };
  const auto within = [&](const auto& p, const auto& q) {
    return check::hockey_stick(p, q, claim.epsilon).low_rational() <= claim.delta &&
           check::hockey_stick(q, p, claim.epsilon).low_rational() <= claim.delta;
  };
  for (Int128 n = 1; n <= rule.threshold + 3; ++n) {
    if (!within(law(n), law(n - 1))) return false;
  }
  return true;
}
bool two_keys_stay_within(const KeyThreshold& rule, const accounting::ApproximateDp& claim) {
  const Int128 most = rule.threshold + 12;
  const auto law = [&](Int128 count) {
    return check::shown_law(KeyNoise::discrete_laplace, rule.scale, rule.threshold, count, most);
  };
  for (const auto& [a, b] : {std::pair<Int128, Int128>{1, 1}, {1, 5}, {6, 7}}) {
    const auto with = check::both(law(a), law(b)), without = check::both(law(a - 1), law(b - 1));
    if (check::hockey_stick(with, without, claim.epsilon).low_rational() > claim.delta) return false;
    if (check::hockey_stick(without, with, claim.epsilon).low_rational() > claim.delta) return false;
  }
  return true;
}
accounting::ApproximateDp loss_of(const KeyThreshold& rule, const Distance& d) {
  return std::get<accounting::ApproximateDp>(make_laplace_threshold({}, rule).any().loss(d));
}

// Spec: D-23, W-12
TEST(KeyThreshold, ExactDivergenceStaysWithinTheLoss) {
  const Rational delta(1, 100);
  const KeyThreshold one = laplace_threshold_for(Rational(1, 2), delta, {1});
  EXPECT_TRUE(stays_within(KeyNoise::discrete_laplace, one, loss_of(one, cells(1, 1))));
  const KeyThreshold two = laplace_threshold_for(1, delta, {2});
  EXPECT_TRUE(two_keys_stay_within(two, loss_of(two, cells(2, 1))));
}

TEST(KeyThreshold, PlantedTooLowAThresholdIsCaught) {
  const Rational delta(1, 100);
  KeyThreshold one = laplace_threshold_for(Rational(1, 2), delta, {1});
  one.threshold -= 1;
  EXPECT_FALSE(stays_within(KeyNoise::discrete_laplace, one, {Rational(1, 2), delta}));
  EXPECT_FALSE(two_keys_stay_within(laplace_threshold_for(Rational(1, 2), delta, {1}), {1, delta}));
}

// Spec: D-23, W-12
TEST(KeyThreshold, LossAtManyDistances) {
  const Rational delta = kMillionth;
  const KeyThreshold rule = laplace_threshold_for(Rational(1, 2), delta, {3});
  const auto shown = make_laplace_threshold({}, rule).any();
  EXPECT_EQ(rule.scale, 6);
  EXPECT_EQ(shown.loss(CellsDistance{}), approximate(0, 0));
  const auto one = loss_of(rule, cells(3, 1));
  EXPECT_EQ(one.epsilon, Rational(1, 2));
  EXPECT_LE(one.delta, delta);
  EXPECT_GT(one.delta, delta * Rational(4, 5));
  // Three units, and one in the place of another: less than the rules for any mechanism say.
  const auto three = loss_of(rule, cells(9, 1));
  const auto stacked = loss_of(rule, cells(3, 3));
  const Measure measure = Measure::approximate();
  EXPECT_TRUE(measure.at_most(Loss(three), measure.group(Loss(one), 3)));
  EXPECT_TRUE(measure.at_most(Loss(stacked), measure.group(Loss(one), 3)));
  const auto replaced = loss_of(rule, cells(6, 1));
  EXPECT_TRUE(measure.at_most(Loss(replaced),
                              Loss(accounting::with_neighbours(one, Neighbours::add_remove, Neighbours::replace_one,
                                                               accounting::NullRecord::not_allowed))));
  EXPECT_EQ(replaced.epsilon, 1);
  const auto many = loss_of(rule, cells(3, 1'000'000));
  EXPECT_EQ(many.epsilon, 500'000);
  EXPECT_EQ(many.delta, 1);
  // A count that is there with 0, or moves by less than 1, has not moved.
  EXPECT_EQ(shown.loss(CellsDistance{5, 0, 0, 0}), approximate(0, 0));
}

// Spec: W-12
TEST(KeyThreshold, GaussianLossHasADeltaOfItsOwn) {
  const Rational delta = kMillionth;
  const KeyThreshold rule = gaussian_threshold_for(Rational(1, 8), delta, {4});
  EXPECT_EQ(rule.scale, 4);
  const auto shown = make_gaussian_threshold({}, rule).any();
  const auto one = std::get<accounting::ConcentratedDp>(shown.loss(cells(4, 1)));
  EXPECT_EQ(one.rho, Rational(1, 8));
  EXPECT_LE(one.delta, delta);
  EXPECT_GT(one.delta.sign(), 0);
  EXPECT_EQ(std::get<accounting::ConcentratedDp>(shown.loss(cells(12, 1))).rho, Rational(3, 8));
  EXPECT_EQ(std::get<accounting::ConcentratedDp>(shown.loss(cells(4, 1'000'000))).delta, 1);
}

// Spec: D-23
TEST(KeyThreshold, EventsCostWhatTheLossSays) {
  const auto laplace = make_laplace_threshold({}, laplace_threshold_for(1, kMillionth, {3})).any();
  const auto gaussian = make_gaussian_threshold({}, gaussian_threshold_for(Rational(1, 10), kMillionth, {3})).any();
  for (const Distance& d : {cells(3, 1), cells(6, 1), cells(3, 2)}) {
    const auto events = laplace.events(d);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<accounting::KeyRelease>(events[0].mechanism.kind));
    EXPECT_EQ(Loss(*accounting::cost(events[0], Neighbours::add_remove).approximate), laplace.loss(d));
    EXPECT_EQ(Loss(*accounting::cost(gaussian.events(d)[0], Neighbours::add_remove).concentrated), gaussian.loss(d));
  }
  // Where sums are tighter than cells times largest, the event is what the loss proves.
  const Distance tight = CellsDistance{3, 4, 6, 2};
  EXPECT_EQ(Loss(*accounting::cost(laplace.events(tight)[0], Neighbours::add_remove).approximate), laplace.loss(tight));
  EXPECT_EQ(Loss(*accounting::cost(gaussian.events(tight)[0], Neighbours::add_remove).concentrated),
            gaussian.loss(tight));
  EXPECT_TRUE(laplace.events(CellsDistance{}).empty());
}

Keyed many_keys(std::size_t number, Int128 count) {
  Keyed data;
  for (std::size_t i = 0; i < number; ++i) data.keys.push_back("i" + std::to_string(1'000'000 + i));
  data.values.assign(number, count);
  return data;
}

// Keys that one unit holds, at delta 1/20: 10^5 keys (10^6 nightly), shown with the probability that the pmf gives.
// False alarm 1e-9; a threshold one step away changes the probability by a fifth and slips through with less than
// 1e-50.
bool singletons_show_with(const BigInterval& p, const AnyMeasurement& release) {
  random::Source source = testing::seeded_source(11);
  const std::size_t n = std::getenv("DITHER_NIGHTLY") != nullptr ? 1'000'000 : 100'000;
  const Data shown = release.release(Private(many_keys(n, 1)), source).value();
  return testing::binomial_accepts(static_cast<std::int64_t>(std::get<Keyed>(shown).keys.size()),
                                   static_cast<std::int64_t>(n), p.low_double(), 1e-9);
}

// Spec: D-23
TEST(KeyThreshold, SingletonsShowAsOftenAsTheTailSays) {
  const KeyThreshold laplace = laplace_threshold_for(Rational(1, 4), Rational(1, 20), {1});
  EXPECT_TRUE(singletons_show_with(check::tail(KeyNoise::discrete_laplace, laplace.scale, laplace.threshold - 1),
                                   make_laplace_threshold({}, laplace).any()));
  const KeyThreshold gaussian = gaussian_threshold_for(Rational(1, 40), Rational(1, 20), {1});
  EXPECT_TRUE(singletons_show_with(check::tail(KeyNoise::discrete_gaussian, gaussian.scale, gaussian.threshold - 1),
                                   make_gaussian_threshold({}, gaussian).any()));
}

TEST(KeyThreshold, PlantedReleaseAboveInsteadOfAtIsCaught) {
  const KeyThreshold rule = laplace_threshold_for(Rational(1, 4), Rational(1, 20), {1});
  EXPECT_FALSE(singletons_show_with(check::tail(KeyNoise::discrete_laplace, rule.scale, rule.threshold - 1),
                                    make_laplace_threshold({}, {rule.scale, rule.threshold + 1}).any()));
}

// Exact coverage of the interval given that a key with `count` is shown, from the pmf.
double coverage(const AnyMeasurement& release, KeyNoise noise, const KeyThreshold& rule, Int128 count) {
  double shown = 0, covered = 0;
  for (Int128 v = rule.threshold; v < rule.threshold + count + 300; ++v) {
    const double p = check::pmf(noise, rule.scale, v - count).high_double();
    const ErrorBar bar = *release.error(v);
    shown += p;
    if (bar.low <= Rational(count) && Rational(count) <= bar.high) covered += p;
  }
  return covered / shown;
}

TEST(KeyThreshold, IntervalsCoverGivenThatAKeyIsShown) {
  const KeyThreshold laplace = laplace_threshold_for(Rational(1, 2), kMillionth, {1});
  const KeyThreshold gaussian = gaussian_threshold_for(Rational(1, 50), kMillionth, {1});
  const auto first = make_laplace_threshold({}, laplace).any();
  const auto second = make_gaussian_threshold({}, gaussian).any();
  for (Int128 n = 1; n < laplace.threshold + 30; ++n) {
    EXPECT_GE(coverage(first, KeyNoise::discrete_laplace, laplace, n), 0.95) << to_string(n);
    EXPECT_GE(coverage(second, KeyNoise::discrete_gaussian, gaussian, n), 0.95) << to_string(n);
  }
  EXPECT_NEAR(*first.error(laplace.threshold)->standard_error, 2.7992, 1e-4);  // scale 2: sqrt(2 q) / (1 - q)
}

// v - r .. v + r without a thought for what being shown means.
TEST(KeyThreshold, PlantedPlainIntervalIsCaught) {
  const KeyThreshold rule = laplace_threshold_for(Rational(1, 2), kMillionth, {1});
  const AnyMeasurement plain({.recipe = {"planted"},
                              .input = KeyedDomain{},
                              .from = {MetricKind::cells},
                              .measure = Measure::approximate(),
                              .loss = {},
                              .events = {},
                              .function = {},
                              .error = [](Int128 v) {
                                return ErrorBar{{}, Rational(v) - 6, Rational(v) + 6};
                              }});
  EXPECT_LT(coverage(plain, KeyNoise::discrete_laplace, rule, 1), 0.01);
}

// Spec: W-76
TEST(KeyThreshold, ShowsKeysInTheirOrderAndNoneWithoutUnits) {
  random::Source source = testing::seeded_source(5);
  Keyed data{{"ta", "tb", "tc", "td", "te"}, {1000, 0, 1000, -1000, 1000}};
  const auto shown = make_laplace_threshold({}, {Rational(10), 1});
  for (int i = 0; i < 1000; ++i) {
    const Data answer = shown.release(Private(data), source).value();
    EXPECT_EQ(std::get<Keyed>(answer).keys, (std::vector<std::string>{"ta", "tc", "te"}));
  }
  EXPECT_EQ(std::get<Keyed>(shown.release(Private(Keyed{}), source).value()), Keyed{});
}

TEST(KeyThreshold, CountsAtTheEndsOfTheRangeAreNoTrouble) {
  random::Source source = testing::seeded_source(6);
  const auto shown = make_gaussian_threshold({}, {Rational(1000), 5000});
  const Data answer = shown.release(Private(Keyed{{"ta", "tb"}, {kInt128Max, kInt128Min}}), source).value();
  EXPECT_EQ(std::get<Keyed>(answer).keys, (std::vector<std::string>{"ta"}));
}

TEST(KeyThreshold, RefusesWhatHasNoMeaning) {
  const auto code = [](const Rational& epsilon, const Rational& delta, const KeyLimits& limits) {
    const auto first = testing::refusal([&] { laplace_threshold_for(epsilon, delta, limits); });
    EXPECT_EQ(first, testing::refusal([&] { gaussian_threshold_for(epsilon, delta, limits); }));
    return first;
  };
  EXPECT_EQ(code(1, 0, {1}), Code::bad_probability);
  EXPECT_EQ(code(1, 1, {1}), Code::bad_probability);
  EXPECT_EQ(code(1, Rational::parse("1e-301"), {1}), Code::below_floor);
  EXPECT_EQ(code(0, kMillionth, {1}), Code::bad_scale);
  EXPECT_EQ(code(Rational::parse("1e-60"), kMillionth, {1}), Code::bad_scale);
  EXPECT_EQ(code(Rational::parse("1e-9000"), kMillionth, {1}), Code::bad_scale);
  EXPECT_EQ(code(1, kMillionth, {0}), Code::bad_limit);
  EXPECT_EQ(code(1, kMillionth, {1, 0}), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_laplace_threshold({}, {Rational(1), 0}); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_laplace_threshold({}, {Rational(0), 5}); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_gaussian_threshold({}, {Rational(-1), 5}); }), Code::bad_scale);
  EXPECT_EQ(code(1, Rational::parse("1e-299"), {1}), std::nullopt);
}

// Rows per key up to r for each unit: the stability-based histogram over a domain that nobody knows.
TEST(KeyThreshold, CountsOfRowsNeedTheirContribution) {
  const KeyLimits rows{2, 5};
  const KeyThreshold rule = laplace_threshold_for(1, kMillionth, rows);
  EXPECT_EQ(rule.scale, 10);
  const auto cost = loss_of(rule, cells(2, 5));
  EXPECT_EQ(cost.epsilon, 1);
  EXPECT_LE(cost.delta, kMillionth);
  // Planted: rows counted, the threshold found for units. What that costs is far more than was asked for.
  const KeyThreshold units = laplace_threshold_for(Rational(1, 5), kMillionth, {2});
  EXPECT_EQ(units.scale, 10);
  EXPECT_GT(loss_of(units, cells(2, 5)).delta, kMillionth * Rational(14, 10));
}

}  // namespace
}  // namespace dither::mechanisms
