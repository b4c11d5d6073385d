#include "mechanisms/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "accounting/accuracy.h"
#include "accounting/cost.h"
#include "mechanisms/key_check.h"
#include "testing/law_check.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using accounting::KeyNoise;
using accounting::Neighbours;

KeyedDomain listed(std::vector<std::string> keys) { return {.keys = std::move(keys)}; }
KeyedDomain numbered(int keys) {
  KeyedDomain domain{.keys = std::vector<std::string>{}};
  for (int i = 0; i < keys; ++i) domain.keys->push_back("i" + std::to_string(1'000'000 + i));
  return domain;
}

Keyed all_with(const KeyedDomain& domain, Int128 number) {
  return {*domain.keys, Integers(domain.keys->size(), number)};
}

// Gender by hair: women 20, 32, 27, 9, men 18, 40, 35, 10 (blond, dark, brown, red).
const std::vector<std::string> kTable{"tf blond", "tf brown", "tf dark", "tf red",
                                      "tm blond", "tm brown", "tm dark", "tm red"};
const Keyed kPeople{kTable, {20, 27, 32, 9, 18, 35, 40, 10}};

// What a table costs that charges every cell on its own.
Loss per_cell(const AnyMeasurement& table, std::size_t cells) {
  Loss sum = table.measure().zero();
  for (std::size_t i = 0; i < cells; ++i) sum = table.measure().add(sum, table.loss(Rational(1)));
  return sum;
}

// Spec: F-31, F-30
TEST(KeyHistogram, GenderByHairCostsEpsilonForTheWholeTable) {
  const auto table = make_laplace_histogram<L1>(listed(kTable), 2);
  EXPECT_EQ(table.loss(L1::Distance(1)), pure(Rational(1, 2)));  // one person more or less: one cell by one
  EXPECT_EQ(table.loss(L1::Distance(2)), pure(1));               // one person replaced: leaves a cell, enters another
  random::Source source = testing::seeded_source(1);
  const Data answer = table.release(Private(kPeople), source).value();
  EXPECT_EQ(std::get<Keyed>(answer).keys, kTable);
}

TEST(KeyHistogram, PlantedPriceForEveryCellIsCaught) {
  const auto table = make_laplace_histogram<L1>(listed(kTable), 2).any();
  EXPECT_NE(per_cell(table, 8), table.loss(Rational(1)));
  EXPECT_EQ(per_cell(table, 8), pure(4));
}

// The exact divergence of two whole tables of two cells, one person apart: the sum over all outcomes is at most the
// part that one cell has, whatever the other shows. Outcomes beyond 25 steps are one.
bool whole_table_within(const Rational& scale, const Rational& epsilon, Int128 moved_first, Int128 moved_second) {
  const auto law = [&](Int128 count) { return check::shown_law(KeyNoise::discrete_laplace, scale, -25, count, 25); };
  const auto x = check::both(law(5), law(3)), y = check::both(law(5 + moved_first), law(3 + moved_second));
  const Rational rounding = Rational::power_of_two(-50);
  return check::hockey_stick(x, y, epsilon).high_rational() < rounding &&
         check::hockey_stick(y, x, epsilon).high_rational() < rounding;
}

// Spec: F-30
TEST(KeyHistogram, PartsOfAPartitionCostTheLargestUnderAddRemove) {
  EXPECT_TRUE(whole_table_within(2, Rational(1, 2), 1, 0));
  EXPECT_TRUE(whole_table_within(2, Rational(1, 2), 0, -1));
  EXPECT_TRUE(whole_table_within(2, 1, 1, -1));  // replaced: both cells
}

TEST(KeyHistogram, PlantedParallelPriceUnderReplaceOneIsCaught) {
  EXPECT_FALSE(whole_table_within(2, Rational(1, 2), 1, -1));
  EXPECT_FALSE(whole_table_within(Rational(19, 10), Rational(1, 2), 1, 0));
}

// Spec: F-50
TEST(KeyHistogram, ReleasePipelineAtOneHalf) {
  // Lap(2) for add-remove; replace-one needs twice that.
  EXPECT_EQ(make_laplace_histogram<Cells>(numbered(12), 2).loss({{1, 1, 1, 1}}), pure(Rational(1, 2)));
  EXPECT_EQ(make_laplace_histogram<Cells>(numbered(12), 4).loss({{2, 2, 2, 1}}), pure(Rational(1, 2)));
  // Mean |error| and the bias of clipping at 0, from the pmf and in closed form; the continuous law gives 2 and
  // (b/2) e^(-c/b).
  const double q = std::exp(-0.5);
  for (const int c : {0, 1, 4, 10}) {
    double error = 0, bias = 0;
    for (int k = -300; k <= 300; ++k) {
      const double p = check::pmf(KeyNoise::discrete_laplace, 2, k).high_double();
      error += p * std::abs(k);
      bias += p * (std::max(0, c + k) - c);
    }
    EXPECT_NEAR(error, 2, 0.1);
    EXPECT_NEAR(bias, std::pow(q, c + 1) / (1 - q * q), 1e-12);
    EXPECT_NEAR(bias, std::exp(-c / 2.0), 0.05);
  }
}

// The clipped number of an empty cell, averaged: 4 10^5 draws (100 histograms); the mean is 0.9595, the variance below
// 5.2, so Chebyshev would need 1e9; by Bernstein a mean off by 0.06 has probability below 1e-9.
TEST(KeyHistogram, ClippingIsPostProcessingWithThisBias) {
  random::Source source = testing::seeded_source(9);
  const auto table = make_laplace_histogram<L1>(numbered(4000), 2);
  double sum = 0;
  for (int run = 0; run < 100; ++run) {
    const auto clipped = table.release(Private(Keyed{}), source).then([](const Data& noisy) {
      Integers values = std::get<Keyed>(noisy).values;
      for (Int128& value : values) value = std::max(value, Int128{0});
      return values;
    });
    EXPECT_EQ(clipped.made_by().loss(Rational(1)), pure(Rational(1, 2)));
    for (const Int128 value : clipped.value()) sum += static_cast<double>(value);
  }
  const double q = std::exp(-0.5);
  EXPECT_NEAR(sum / 400'000, q / (1 - q * q), 0.06);
}

// 10^4 first names at epsilon 1: by the union bound the largest error is at most 12.206 with 95%; of noise in whole
// steps at most 12. 500 histograms (5000 nightly) break that as often as the law says: exact binomial, false alarm
// 1e-9.
bool largest_error_breaks_twelve(const Rational& scale, double probability) {
  random::Source source = testing::seeded_source(10);
  const auto names = make_laplace_histogram<L1>(numbered(10'000), scale);
  const Private people(all_with(numbered(10'000), 6600));
  const std::int64_t runs = std::getenv("DITHER_NIGHTLY") != nullptr ? 5000 : 500;
  const std::int64_t wrong = testing::count(runs, [&] {
    const Data noisy = names.release(people, source).value();
    const Integers& values = std::get<Keyed>(noisy).values;
    return std::any_of(values.begin(), values.end(), [](Int128 v) { return magnitude(v - 6600) > 12; });
  });
  return testing::binomial_accepts(wrong, runs, probability, 1e-9);
}

// Spec: F-47
TEST(KeyHistogram, FirstNamesAreOffByTwelveAtMost) {
  EXPECT_NEAR(accounting::laplace_union_error_up(1, {10'000, 0.05}), 12.206, 5e-4);
  EXPECT_EQ(accounting::discrete_laplace_error(1, {10'000, 0.05}), 12u);
  const double failure = accounting::discrete_laplace_failure_up(1, 12, 10'000);
  EXPECT_LE(failure, 0.05);
  EXPECT_TRUE(largest_error_breaks_twelve(1, failure));
  EXPECT_FALSE(largest_error_breaks_twelve(Rational(5, 4), failure));  // more noise than that is seen
}

// Spec: W-12
TEST(KeyHistogram, LossAtManyDistances) {
  const auto laplace = make_laplace_histogram<L1>(numbered(3), Rational(5, 2));
  const auto gaussian = make_gaussian_histogram<L2>(numbered(3), 10);
  EXPECT_EQ(laplace.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(laplace.loss(L1::Distance(3)), pure(Rational(6, 5)));
  EXPECT_EQ(laplace.loss(L1::Distance(1'000'000)), pure(400'000));
  EXPECT_EQ(gaussian.loss(L2::Distance::of(0)), concentrated(0));
  EXPECT_EQ(gaussian.loss(L2::Distance::of(1)), concentrated(Rational(1, 200)));
  EXPECT_EQ(gaussian.loss(L2::Distance::of(3)), concentrated(Rational(9, 200)));
  EXPECT_EQ(gaussian.loss(L2::Distance::of(1'000'000)), concentrated(Rational(5'000'000'000L)));
  // Of the four bounds of cells the tightest that follows.
  EXPECT_EQ(make_laplace_histogram<Cells>(numbered(3), 2).loss({{3, 100, 100, 2}}), pure(3));
  EXPECT_EQ(make_gaussian_histogram<Cells>(numbered(3), 10).loss({{3, 100, 100, 2}}), concentrated(Rational(12, 200)));
}

TEST(KeyHistogram, EventsCostWhatTheLossSays) {
  const auto laplace = make_laplace_histogram<L1>(numbered(3), 2).any();
  const auto gaussian = make_gaussian_histogram<L2>(numbered(3), 10).any();
  for (const Rational& d : {Rational(1), Rational(4), Rational(9)}) {
    EXPECT_EQ(Loss(*accounting::cost(laplace.events(d)[0], Neighbours::add_remove).approximate), laplace.loss(d));
    EXPECT_EQ(Loss(*accounting::cost(gaussian.events(d)[0], Neighbours::replace_one).concentrated), gaussian.loss(d));
  }
}

// Each key's noise is the law, and different keys' noise is independent: 1000 keys 100 times for the law (false alarm
// 3e-9), and the signs of two neighbouring keys equal in as many of 10^5 pairs as independence says (1e-9).
bool every_key_has_noise_of_its_own(const std::function<Keyed(const Keyed&, random::Source&)>& answer) {
  random::Source source = testing::seeded_source(12);
  const KeyedDomain domain = numbered(1000);
  Keyed data{{(*domain.keys)[3], (*domain.keys)[500]}, {7, 0}};  // the others are missing
  std::vector<Int128> noise;
  for (int run = 0; run < 100; ++run) {
    const Keyed noisy = answer(data, source);
    for (std::size_t i = 0; i < 1000; ++i) noise.push_back(noisy.values[i] - (i == 3 ? 7 : 0));
  }
  std::size_t next = 0;
  const bool law = testing::fits(
      {5, [](Int128 k) { return testing::discrete_laplace_cdf(5, k); }, [&] { return noise[next++ % noise.size()]; }},
      100'000, 1e-9);
  const double q = std::exp(-0.2), zero = (1 - q) / (1 + q), side = (1 - zero) / 2;
  std::int64_t same = 0;
  for (std::size_t i = 0; i + 1 < noise.size(); i += 2) same += (noise[i] > 0) == (noise[i + 1] > 0) ? 1 : 0;
  return law && testing::binomial_accepts(same, 50'000, side * side + (1 - side) * (1 - side), 1e-9);
}

// Spec: W-12, W-76
TEST(KeyHistogram, EveryKeyIsAnsweredWithNoiseOfItsOwn) {
  const auto table = make_laplace_histogram<L1>(numbered(1000), 5);
  EXPECT_TRUE(every_key_has_noise_of_its_own([&](const Keyed& data, random::Source& source) {
    return std::get<Keyed>(table.release(Private(data), source).value());
  }));
}

// All keys without data share one draw.
TEST(KeyHistogram, PlantedSharedNoiseOfMissingKeysIsCaught) {
  const auto one = make_laplace_histogram<L1>(numbered(2), 5);
  EXPECT_FALSE(every_key_has_noise_of_its_own([&](const Keyed&, random::Source& source) {
    const Data two = one.release(Private(Keyed{}), source).value();
    Keyed answer{{}, Integers(1000, std::get<Keyed>(two).values[0])};
    answer.values[3] = 7 + std::get<Keyed>(two).values[1];
    return answer;
  }));
}

// Discrete Gaussian noise of sigma 5 on 10^5 keys, of which most are missing: cells of |noise| <= 12 and the two tails
// against the pmf, false alarm 1e-9.
bool gaussian_noise_follows(const Rational& sigma) {
  random::Source source = testing::seeded_source(15);
  const auto table = make_gaussian_histogram<L2>(numbered(100'000), sigma);
  const Data noisy = table.release(Private(Keyed{{"i1000003"}, {0}}), source).value();
  std::vector<std::int64_t> seen(27);
  for (const Int128 noise : std::get<Keyed>(noisy).values) {
    ++seen[static_cast<std::size_t>(std::clamp<Int128>(noise, -13, 13) + 13)];
  }
  std::vector<double> law;
  for (int k = -13; k <= 13; ++k) {
    const BigInterval p = k == -13 || k == 13 ? check::tail(KeyNoise::discrete_gaussian, 5, 13)
                                              : check::pmf(KeyNoise::discrete_gaussian, 5, k);
    law.push_back(p.high_double());
  }
  return testing::chi_square_accepts(seen, law, 1e-9);
}
// Spec: W-12
TEST(KeyHistogram, GaussianNoiseFollowsTheLaw) { EXPECT_TRUE(gaussian_noise_follows(5)); }
TEST(KeyHistogram, PlantedGaussianNoiseOfAnotherScaleIsCaught) { EXPECT_FALSE(gaussian_noise_follows(Rational(9, 2))); }

// Spec: W-76
TEST(KeyHistogram, KeysThatAreNotPublicChangeNothing) {
  const auto table = make_gaussian_histogram<L2>(listed({"ta", "tc", "te"}), 10);
  const auto answer = [&](const Data& data) {
    random::Source source = testing::seeded_source(13);
    return std::get<Keyed>(table.release(Private(data), source).value());
  };
  const Keyed plain = answer(Keyed{{"ta", "te"}, {5, 9}});
  EXPECT_EQ(answer(Keyed{{"t", "ta", "tb", "te", "tz"}, {1, 5, 1, 9, 1}}), plain);
  const auto from_engine = [&](const Integers& numbers) {  // as an engine hands them over
    random::Source source = testing::seeded_source(13);
    const std::vector<Secret<Int128>> exact(numbers.begin(), numbers.end());
    return std::get<Keyed>(table.any().release(exact, source).value());
  };
  EXPECT_EQ(from_engine({5, 0, 9}), plain);
  EXPECT_EQ(from_engine({5, 0, 9, 77}), plain);
  EXPECT_EQ(plain.keys, (std::vector<std::string>{"ta", "tc", "te"}));
}

// How often the 95% interval holds the number: 10^4 numbers (10^5 nightly), at least 95%: the exact coverage is known.
bool covers(const AnyMeasurement& table, KeyNoise law, const Rational& scale) {
  random::Source source = testing::seeded_source(14);
  const int n = std::getenv("DITHER_NIGHTLY") != nullptr ? 100'000 : 10'000;
  const Data noisy = table.release(Private(all_with(numbered(n), 50)), source).value();
  std::int64_t covered = 0;
  for (const Int128 value : std::get<Keyed>(noisy).values) {
    const ErrorBar bar = *table.error(value);
    covered += bar.low <= Rational(50) && Rational(50) <= bar.high ? 1 : 0;
  }
  const Int128 radius = (table.error(0)->high).floor();
  const double outside = 2 * check::tail(law, scale, radius + 1).high_double();
  return outside <= 0.05 && testing::binomial_accepts(covered, n, 1 - outside, 1e-9);
}

TEST(KeyHistogram, IntervalsCover) {
  EXPECT_TRUE(covers(make_laplace_histogram<L1>(numbered(100'000), 5).any(), KeyNoise::discrete_laplace, 5));
  EXPECT_TRUE(covers(make_gaussian_histogram<L2>(numbered(100'000), 5).any(), KeyNoise::discrete_gaussian, 5));
  EXPECT_NEAR(*make_gaussian_histogram<L2>(numbered(1), 5).any().error(0)->standard_error, 5, 1e-6);
}

TEST(KeyHistogram, PlantedNarrowIntervalIsCaught) {
  EXPECT_FALSE(covers(make_laplace_histogram<L1>(numbered(100'000), 5).any(), KeyNoise::discrete_laplace, 6));
}

TEST(KeyHistogram, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(testing::refusal([] { make_laplace_histogram<L1>({}, 1); }), Code::missing_key);
  EXPECT_EQ(testing::refusal([] { make_gaussian_histogram<Cells>({}, 1); }), Code::missing_key);
  EXPECT_EQ(testing::refusal([] { make_laplace_histogram<L1>(listed({"tb", "ta"}), 1); }), Code::duplicate_key);
  EXPECT_EQ(testing::refusal([] { make_laplace_histogram<L1>(numbered(2), 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_gaussian_histogram<L2>(numbered(2), -1); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::mechanisms
