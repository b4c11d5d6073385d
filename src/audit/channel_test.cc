#include "audit/channel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "audit/tester.h"
#include "base/big_interval.h"
#include "base/directed.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

using testing::refusal;

Channel::Names numbered(std::size_t count) {
  Channel::Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

Interval narrow(const BigInterval& x) { return {std::max(0.0, x.low_double()), std::min(1.0, x.high_double())}; }

// The truth with e^epsilon times the probability of each other answer.
Channel randomised_response(std::size_t k, const Rational& epsilon) {
  const BigInterval grown = exp(BigInterval(epsilon, 128));
  const BigInterval one(Rational(1), 128), sum = grown + BigInterval(Rational(static_cast<long>(k) - 1), 128);
  std::vector<std::vector<Interval>> rows(k, std::vector<Interval>(k, narrow(one / sum)));
  for (std::size_t i = 0; i < k; ++i) rows[i][i] = narrow(grown / sum);
  return {numbered(k), numbered(k), rows, Adjacency::all()};
}

// The truncated geometric law on 0 .. n whose neighbouring answers have this exact ratio: k e^-|k - x|, ends hold the rest.
Channel truncated_geometric(std::size_t n, const Rational& ratio, const Adjacency& adjacency) {
  std::vector<std::vector<Rational>> rows(n + 1, std::vector<Rational>(n + 1));
  for (std::size_t x = 0; x <= n; ++x) {
    for (std::size_t k = 0; k <= n; ++k) {
      const auto apart = static_cast<unsigned>(k > x ? k - x : x - k);
      const Rational shrunk = Rational(1) / pow(ratio, apart);
      rows[x][k] = shrunk * (k == 0 || k == n ? ratio : ratio - 1) / (ratio + 1);
    }
  }
  return {numbered(n + 1), numbered(n + 1), rows, adjacency};
}

// Spec: T-56
TEST(Channel, RandomisedResponseHasItsEpsilonExactly) {
  for (const std::size_t k : {2U, 3U, 10U}) {
    for (const Rational& epsilon : {Rational(1, 10), Rational(1), Rational(5)}) {
      const LossBounds found = min_distance(randomised_response(k, epsilon));
      EXPECT_LE(found.at_least, epsilon.to_double_up());
      EXPECT_GE(found.at_most, epsilon.to_double_down());
      EXPECT_LT(found.at_most - found.at_least, 1e-14);
    }
  }
}

// The two-sided geometric law of 100 secrets, 100 apart, on 10,000 outputs, with rate 1/100 (the ends hold the rest).
// Spec: T-56
TEST(Channel, GeometricOfAHundredSecretsIsOneForNeighboursAndNinetyNineForAll) {
  constexpr std::size_t kSecrets = 100, kOutputs = 10'000;
  const Interval rate(exp_down(-0.01), exp_up(-0.01));
  std::vector<Interval> powers{Interval(1.0)};
  for (std::size_t i = 1; i < kOutputs; ++i) powers.push_back(powers.back() * rate);
  const Interval one(1.0), inner = (one - rate) / (one + rate), outer = one / (one + rate);
  std::vector<std::vector<Interval>> rows(kSecrets);
  for (std::size_t secret = 0; secret < kSecrets; ++secret) {
    for (std::size_t output = 0; output < kOutputs; ++output) {
      const std::size_t centre = secret * 100, apart = output > centre ? output - centre : centre - output;
      rows[secret].push_back(powers[apart] * (output == 0 || output + 1 == kOutputs ? outer : inner));
    }
  }
  const Channel geometric(numbered(kSecrets), numbered(kOutputs), rows, Adjacency::consecutive(kSecrets));
  const LossBounds near = min_distance(geometric);
  EXPECT_NEAR(near.at_least, 1.0, 1e-9);
  EXPECT_NEAR(near.at_most, 1.0, 1e-9);
  const LossBounds far = min_distance(Channel(numbered(kSecrets), numbered(kOutputs), rows, Adjacency::all()));
  EXPECT_NEAR(far.at_least, 99.0, 1e-9);
  EXPECT_NEAR(far.at_most, 99.0, 1e-9);
  // The metric form: secrets i and j are |i - j| apart.
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{3, 5}, {40, 10}, {0, 73}, {99, 1}, {62, 62}}) {
    const LossBounds found = min_distance(geometric, i, j);
    const double apart = static_cast<double>(i > j ? i - j : j - i);
    EXPECT_NEAR(found.at_least, apart, 1e-9) << i << ' ' << j;
    EXPECT_NEAR(found.at_most, apart, 1e-9) << i << ' ' << j;
  }
}

// Balcer and Vadhan's k = 3: ratio 1 + 2^-3.
// Spec: T-56
TEST(Channel, TruncatedGeometricHasLogOfNineEighths) {
  const LossBounds found = min_distance(truncated_geometric(5, {9, 8}, Adjacency::consecutive(6)));
  EXPECT_EQ(found.ratio, Rational(9, 8));
  EXPECT_NEAR(found.at_least, std::log(1.125), 1e-15);
  const LossBounds all = min_distance(truncated_geometric(5, {9, 8}, Adjacency::all()));
  EXPECT_EQ(all.ratio, pow(Rational(9, 8), 5));
}

// Spec: T-54
TEST(Channel, DecidesAPureClaimAndShowsTheEvent) {
  const Channel channel = truncated_geometric(5, {9, 8}, Adjacency::consecutive(6));
  EXPECT_EQ(test_channel(channel, Promise::pure(Rational(12, 100))).verdict, Verdict::none_found);  // ln 1.125 = .1178
  const Report report = test_channel(channel, Promise::pure(Rational(1, 10)));
  ASSERT_EQ(report.verdict, Verdict::violated);
  EXPECT_EQ(report.false_alarm, 0);
  EXPECT_NEAR(report.lower_bound, std::log(1.125), 1e-12);
  EXPECT_GT(report.witness->least_first, std::exp(0.1) * report.witness->most_second);
}

// A support that differs is infinite; with delta it may be allowed.
// Spec: A-10, T-56
TEST(Channel, SupportMismatchIsInfiniteAndCostsItsMassAsDelta) {
  const Rational tenth(1, 10);
  const Channel channel({"with", "without"}, {"a", "b", "only"}, {{{4, 10}, {5, 10}, tenth}, {{5, 10}, {5, 10}, 0}},
                        Adjacency::all());
  EXPECT_EQ(min_distance(channel).at_least, HUGE_VAL);
  const DeltaBounds delta = hockey_stick_delta(channel, 0, 1, 1);
  EXPECT_EQ(delta.at_least, tenth.to_double_down());
  EXPECT_EQ(delta.at_most, tenth.to_double_up());
  EXPECT_EQ(delta.event, std::vector<std::size_t>{2});
  EXPECT_EQ(test_channel(channel, Promise::approximate(1, tenth)).verdict, Verdict::none_found);
  const Report report = test_channel(channel, Promise::approximate(1, Rational(9, 100)));
  ASSERT_EQ(report.verdict, Verdict::violated);
  EXPECT_EQ(report.witness->event, "one of: only");
  EXPECT_EQ(report.witness->first, "with");
  EXPECT_EQ(test_channel(channel, Promise::pure(50)).verdict, Verdict::violated);
}

// Rows that are alike: the witness is of two inputs even so, exact or in intervals.
TEST(Channel, WhereNothingTellsTheInputsApartTheWitnessHasTwo) {
  const std::vector<Rational> half{{1, 2}, {1, 2}};
  const std::vector<Interval> about(2, Interval(0.5, 0.5));
  for (const Adjacency& adjacency : {Adjacency::all(), Adjacency::consecutive(2)}) {
    for (const Channel& channel : {Channel({"a", "b"}, {"0", "1"}, {half, half}, adjacency),
                                   Channel({"a", "b"}, {"0", "1"}, {about, about}, adjacency)}) {
      const Report report = test_channel(channel, Promise::pure(1));
      EXPECT_EQ(report.lower_bound, 0);
      ASSERT_TRUE(report.witness.has_value());
      EXPECT_EQ(report.witness->evidence, Evidence::exact);
      EXPECT_NE(report.witness->first, report.witness->second);
    }
  }
}

// What was not looked at is said: no neighbours, points of a curve, intervals that hold laws of both kinds.
// Spec: T-54
TEST(Channel, SaysWhereItDidNotLookOrCannotDecide) {
  const auto says = [](const Report& report, const char* what) {
    return std::any_of(report.notes.begin(), report.notes.end(),
                       [&](const std::string& note) { return note.find(what) != std::string::npos; });
  };
  const Channel alone({"x"}, {"a", "b"}, {{Rational(1, 3), Rational(2, 3)}}, {});
  for (const Promise& promise : {Promise::pure(1), Promise::from_text("mu=1")}) {
    const Report none = test_channel(alone, promise);
    EXPECT_EQ(none.verdict, Verdict::none_found);
    EXPECT_EQ(none.power_1_5, 0);
    EXPECT_EQ(none.power_2, 0);
    EXPECT_TRUE(says(none, "nothing was tested"));
    EXPECT_FALSE(says(none, "exact"));
  }
  const Channel exact = truncated_geometric(5, {9, 8}, Adjacency::consecutive(6));
  EXPECT_TRUE(says(test_channel(exact, Promise::from_text("mu=1")), "points"));
  EXPECT_FALSE(says(test_channel(exact, Promise::pure(1)), "points"));
  EXPECT_TRUE(says(test_channel(exact, Promise::pure(1)), "exact"));
  const Channel blurred = randomised_response(3, 1);  // epsilon is 1, and lies within its interval
  const Rational delta = Rational::from_double(hockey_stick_delta(blurred, 0, 1, 0).at_least);
  for (const Promise& promise : {Promise::pure(1), Promise::approximate(0, delta)}) {
    const Report open = test_channel(blurred, promise);
    EXPECT_EQ(open.verdict, Verdict::none_found);
    EXPECT_TRUE(says(open, "not decided"));
    EXPECT_FALSE(says(open, "exact"));
  }
  EXPECT_FALSE(says(test_channel(blurred, Promise::pure(2)), "not decided"));
}

// The event of hockey_stick_delta is the best of all 2^k: Neyman and Pearson.
// Spec: A-10
TEST(Channel, NoEventBeatsTheOneOfPositiveTerms) {
  const Channel channel = truncated_geometric(5, {3, 2}, Adjacency::consecutive(6));
  for (const double epsilon : {0.0, 0.2, 0.405, 1.0}) {
    const DeltaBounds found = hockey_stick_delta(channel, 2, 3, epsilon);
    double best = 0;
    for (unsigned set = 0; set < 64; ++set) {
      double sum = 0;
      for (unsigned k = 0; k < 6; ++k) {
        if ((set >> k & 1) == 1) {
          sum += channel.probability(2, k).high() - std::exp(epsilon) * channel.probability(3, k).low();
        }
      }
      best = std::max(best, sum);
    }
    EXPECT_NEAR(found.at_most, best, 1e-12);
    EXPECT_NEAR(found.at_least, best, 1e-12);
  }
}

// Spec: T-54
TEST(Channel, ReadsBackWhatItPrints) {
  const std::vector<Channel> both = {truncated_geometric(3, {9, 8}, Adjacency::consecutive(4)),
                                     randomised_response(3, 1)};
  for (const Channel& channel : both) {
    const std::string text = canonical_json(channel);
    const Channel again = channel_from_json(text);
    EXPECT_EQ(canonical_json(again), text);
    EXPECT_EQ(min_distance(again).at_least, min_distance(channel).at_least);
  }
  EXPECT_EQ(canonical_json(Channel({"x"}, {"a\"", "b"}, {{Rational(1, 3), Rational(2, 3)}}, {})),
            R"({"dither-channel":1,"inputs":["x"],"outputs":["a\"","b"],"neighbours":[],"rows":[["1/3","2/3"]]})");
}

TEST(Channel, RefusesWhatIsNoChannel) {
  const auto make = [](const std::vector<std::vector<Rational>>& rows, Adjacency relation = {}) {
    return Channel({"x", "y"}, {"a", "b"}, rows, std::move(relation));
  };
  const Rational half(1, 2);
  EXPECT_EQ(refusal([&] { make({{half, half}}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { make({{half, half}, {half}}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { make({{half, half}, {half, half}}, {.pairs = {{0, 2}}}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { make({{half, half}, {half, Rational(1, 3)}}); }), Code::bad_weights);
  EXPECT_EQ(refusal([&] { make({{half, half}, {Rational(-1), Rational(2)}}); }), Code::bad_probability);
  EXPECT_EQ(refusal([&] { Channel({"x"}, {"a"}, std::vector<std::vector<Interval>>{{Interval(0.5, 1)}}, {}); }),
            Code::bad_weights);
  EXPECT_EQ(refusal([&] { channel_from_json("{\"dither-channel\":2}"); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { channel_from_json("{\"dither-channel\":1,\"inputs\":[]}"); }), Code::missing_key);
}

// What enumeration proves, a tester finds by running it. False alarm 1e-6; ln 2 against .35 is found with certainty.
TEST(Channel, PlantedRatioIsCaughtByRunningIt) {
  const Channel channel = truncated_geometric(4, 2, Adjacency::consecutive(5));
  const Effort effort{.search = 20'000, .certify = 100'000, .false_alarm = 1e-6, .seed = testing::run_seed()};
  EXPECT_EQ(stochastic(sampled(channel, Promise::pure({35, 100}), "channel"), effort).verdict, Verdict::violated);
  EXPECT_EQ(stochastic(sampled(channel, Promise::pure({70, 100}), "channel"), effort).verdict, Verdict::none_found);
  EXPECT_EQ(refusal([&] { sampled(randomised_response(3, 1), Promise::pure(1), "channel"); }), Code::no_theorem);
}

}  // namespace
}  // namespace dither::audit
