#include "random/bernoulli.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "random/detail/fixed_point.h"
#include "testing/planted_draws.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using testing::Tape;

// Over every tape: the mass of true holds p to within 2^-32. A coin that is wrong by 2^-31 fails. No false alarm.
bool follows_on_tape(const detail::ComputableReal& p, const std::function<bool(Tape&)>& toss) {
  const auto law = testing::enumerate([&](Tape& tape) { return Int128{toss(tape)}; }, 40);
  const auto pmf = [&](Int128 k, long bits) { return k == 1 ? p(bits) : BigInterval(Rational(1), bits) - p(bits); };
  return law.unresolved_share() <= 0x1p-32 && testing::follows(law, pmf, 0, 1);
}

detail::ComputableReal exactly(const Rational& p) {
  return [p](long bits) { return BigInterval(p, bits); };
}
detail::ComputableReal exp_of_minus(const Rational& x) {
  return [x](long bits) { return exp(BigInterval(-x, bits)); };
}

const std::vector<Rational> kProbabilities = {
    Rational(0),        Rational(1),        Rational(1, 2),          Rational(1, 3),
    Rational(2, 3),     Rational(1, 256),   Rational(1, 257),        Rational(255, 256),
    Rational(256, 257), Rational(1, 65536), Rational::parse("1e-9"), Rational::parse("0.999999999999"),
};

// Spec: D-68
TEST(Bernoulli, EveryTapeGivesP) {
  for (const Rational& p : kProbabilities) {
    const auto coin = Bernoulli::with_probability(p, 8);
    EXPECT_TRUE(follows_on_tape(exactly(p), [&](Tape& tape) { return coin.draw(tape); })) << p.str();
  }
  for (const Rational& p : {Rational(1, 3), Rational(65537, 65538)}) {
    const auto coin = Bernoulli::with_probability(p, 16);
    EXPECT_TRUE(follows_on_tape(exactly(p), [&](Tape& tape) { return coin.draw(tape); })) << p.str();
  }
}

// Spec: D-68
TEST(Bernoulli, EveryTapeGivesExpOfMinusX) {
  const auto check = [](const char* text, int width) {
    const Rational x = Rational::parse(text);
    const auto coin = Bernoulli::with_exp_of_minus(x, width);
    EXPECT_TRUE(follows_on_tape(exp_of_minus(x), [&](Tape& tape) { return coin.draw(tape); })) << text << " " << width;
  };
  for (const char* text : {"0", "1e-12", "1/3", "1", "7/3", "5.5", "22", "30"}) check(text, 8);
  for (const char* text : {"7/3", "10"}) check(text, 16);
}

TEST(Bernoulli, EveryTapeOfAFreshCoinGivesExpOfMinusX) {
  for (const char* text : {"0", "1e-12", "1/3", "7/3", "22", "63.9", "1e6"}) {
    const Rational x = Rational::parse(text);
    EXPECT_TRUE(follows_on_tape(exp_of_minus(x), [&](Tape& tape) { return detail::bernoulli_exp(x, 8, tape); }))
        << text;
  }
}

// The bounds hold and are narrow: within what fixed point promises. Random x below 80, and the ends.
TEST(Bernoulli, FixedPointBoundsHold) {
  Source source = testing::seeded_source(testing::run_seed() + 4);
  for (int i = 0; i < 5000; ++i) {
    Rational x = Rational(static_cast<Int128>(source.word() >> (i % 64))) * Rational(80) * Rational::power_of_two(-64);
    if (i % 10 == 0) x = Rational(i, 50);
    const auto bounds = detail::exp_of_minus_bounds(x);
    const BigInterval exact = exp_of_minus(x)(192) * BigInterval(Rational::power_of_two(64), 192);
    const bool at_one = bounds.high == ~std::uint64_t{0};  // 2^64 itself does not fit; the largest word is never sure
    ASSERT_FALSE(exact.surely_below(Rational(static_cast<Int128>(bounds.low)))) << x.str();
    ASSERT_TRUE(at_one || !exact.surely_above(Rational(static_cast<Int128>(bounds.high)))) << x.str();
    ASSERT_LE(bounds.high - bounds.low, 64 + 2 * detail::kExpNegError);
  }
}

TEST(Bernoulli, PlantedOrEqualIsCaught) {
  const Rational p(1, 3);
  EXPECT_FALSE(follows_on_tape(exactly(p), [&](Tape& tape) { return planted::bernoulli_or_equal(p, 16, tape); }));
}

TEST(Bernoulli, PlantedFloatRoundingIsCaught) {
  const Rational p(1, 3);
  const auto coin = planted::rounded_coin(p, 8);
  EXPECT_FALSE(follows_on_tape(exactly(p), [&](Tape& tape) { return coin.draw(tape); }));
}

TEST(Bernoulli, CertainOutcomesAreCertain) {
  Source source = testing::seeded_source(testing::run_seed());
  const auto always = [&](const Bernoulli& coin) { return testing::count(1000, [&] { return coin.draw(source); }); };
  EXPECT_EQ(always(Bernoulli::with_probability(0)), 0);
  EXPECT_EQ(always(Bernoulli::with_probability(1)), 1000);
  EXPECT_EQ(always(Bernoulli::with_exp_of_minus(0)), 1000);
  EXPECT_EQ(always(Bernoulli::with_exp_of_minus(Rational::parse("1e30"))), 0);    // true with probability exp(-1e30)
  EXPECT_EQ(always(Bernoulli::with_exp_of_minus(Rational::parse("1e9999"))), 0);  // beyond MPFR's exponents
}

// Shipped width, batch and single: two tests at 1e-9 each a law. The law exp(-7/3) is 0.0969719679.
TEST(Bernoulli, BatchFollowsTheLaw) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  const int n = 100'000;
  const auto check = [&](const Bernoulli& coin, double p) {
    std::vector<std::uint8_t> tosses(n);
    coin.fill(tosses, source);
    EXPECT_TRUE(testing::binomial_accepts(std::accumulate(tosses.begin(), tosses.end(), std::int64_t{0}), n, p, 1e-9));
    std::int64_t changes = 0;
    for (std::size_t i = 1; i < tosses.size(); i += 2) changes += tosses[i] ^ tosses[i - 1];
    EXPECT_TRUE(testing::binomial_accepts(changes, n / 2, 2 * p * (1 - p), 1e-9));
  };
  check(Bernoulli::with_probability(Rational(1, 3)), 1.0 / 3);
  check(Bernoulli::with_exp_of_minus(Rational(7, 3)), 0.09697196786440505);
  check(Bernoulli::with_probability(Rational(1, 3), 8), 1.0 / 3);  // every 256th toss is decided exactly
}

TEST(Bernoulli, OneTossOfAFreshCoin) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  const int n = 20'000;
  EXPECT_TRUE(
      testing::binomial_accepts(testing::count(n, [&] { return bernoulli(Rational(1, 5), source); }), n, 0.2, 1e-9));
  EXPECT_TRUE(testing::binomial_accepts(testing::count(n, [&] { return bernoulli_exp(Rational(7, 3), source); }), n,
                                        0.09697196786440505, 1e-9));
}

TEST(Bernoulli, EightBytesATossWhateverTheOutcome) {
  Source source = testing::seeded_source(testing::run_seed() + 3);
  const auto coin = Bernoulli::with_probability(Rational(1, 3));
  for (int i = 0; i < 1000; ++i) {
    const auto before = source.bytes_used();
    coin.draw(source);
    ASSERT_EQ(source.bytes_used() - before, 8u);
  }
}

TEST(Bernoulli, BadParametersAreRefused) {
  using testing::refusal;
  EXPECT_EQ(refusal([] { Bernoulli::with_probability(Rational(-1, 1000)); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { Bernoulli::with_probability(Rational(1001, 1000)); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { Bernoulli::with_exp_of_minus(Rational(-1)); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { detail::exp_of_minus_bounds(Rational(-1)); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::random
