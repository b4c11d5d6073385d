#include "mechanisms/sparse_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "accounting/cost.h"
#include "random/geometric.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

// P(n + noise >= at) for the ratio q.
double reaches(double q, int n, int at) {
  const int k = at - n;
  return k >= 1 ? std::pow(q, k) / (1 + q) : 1 - std::pow(q, 1 - k) / (1 + q);
}
double pmf(double q, int k) { return (1 - q) / (1 + q) * std::pow(q, std::abs(k)); }

const Keyed kFourKeys{{"i1", "i3"}, {2, 0}};  // counts 0, 2, 0, 0: one key is there with 0, two are not there
const std::vector<int> kCounts{0, 2, 0, 0};
const SparseRule kHalf{Rational(1, 2), 2};
using Draw = std::function<Keyed(random::Source&)>;

Draw ours(const SparseRule& rule) {
  return [release = make_sparse_histogram<L1>(4, rule)](random::Source& source) {
    return std::get<Keyed>(release.release(Private(kFourKeys), source).value());
  };
}

// Which of four keys are shown (16 cells, from the product of their exact tails), and the noisy count of key i0 when it
// is shown (cells 2, 3, 4, 5, more). 10^4 runs (2 10^5 nightly); false alarm at most 2e-9. A key shown half as often
// again slips through with less than 1e-12.
bool follows_the_law(const Draw& draw) {
  random::Source source = testing::seeded_source(21);
  const int runs = std::getenv("DITHER_NIGHTLY") != nullptr ? 200'000 : 10'000;
  std::vector<std::int64_t> sets(16), values(6);
  for (int run = 0; run < runs; ++run) {
    const Keyed shown = draw(source);
    unsigned set = 0;
    Int128 first = 1;
    for (std::size_t i = 0; i < shown.keys.size(); ++i) {
      set |= 1U << (shown.keys[i][1] - '0');
      if (shown.keys[i] == "i0") first = std::min<Int128>(shown.values[i], 6);
    }
    ++sets[set];
    ++values[static_cast<std::size_t>(first) - 1];
  }
  std::vector<double> wanted(16, 1);
  for (unsigned set = 0; set < 16; ++set) {
    for (unsigned key = 0; key < 4; ++key) {
      const double p = reaches(0.5, kCounts[key], 2);
      wanted[set] *= (set >> key & 1U) != 0 ? p : 1 - p;
    }
  }
  const std::vector<double> laws{1 - reaches(0.5, 0, 2), pmf(0.5, 2), pmf(0.5, 3), pmf(0.5, 4), pmf(0.5, 5),
                                 reaches(0.5, 0, 6)};
  return testing::chi_square_accepts(sets, wanted, 1e-9) && testing::chi_square_accepts(values, laws, 1e-9);
}

// Spec: D-23
TEST(SparseHistogram, HasTheLawOfNoiseOnEveryKey) { EXPECT_TRUE(follows_the_law(ours(kHalf))); }

// The two-sided noise of a key without data drawn as if it had one side: q^T instead of q^T / (1 + q).
TEST(SparseHistogram, PlantedOneSidedTailIsCaught) {
  const Draw one_sided = [](random::Source& source) {
    const random::Geometric geometric(Rational(1, 2));
    Keyed shown;
    for (int key = 0; key < 4; ++key) {
      Int128 noisy = geometric.draw(source);
      if (key == 1) noisy = 2 + noisy - geometric.draw(source);
      if (noisy < 2) continue;
      shown.keys.push_back("i" + std::to_string(key));
      shown.values.push_back(noisy);
    }
    return shown;
  };
  EXPECT_FALSE(follows_the_law(one_sided));
}

// Keys without data are never shown: which keys are in the data then shows.
TEST(SparseHistogram, PlantedSilenceOnAbsentKeysIsCaught) {
  const Draw silent = [draw = ours(kHalf)](random::Source& source) {
    Keyed shown = draw(source), result;
    for (std::size_t i = 0; i < shown.keys.size(); ++i) {
      if (shown.keys[i] != "i1" && shown.keys[i] != "i3") continue;
      result.keys.push_back(shown.keys[i]);
      result.values.push_back(shown.values[i]);
    }
    return result;
  };
  EXPECT_FALSE(follows_the_law(silent));
}

// Spec: D-23, W-12
TEST(SparseHistogram, HugeDomainsAreNotTouched) {
  random::Source source = testing::seeded_source(22);
  const std::uint64_t size = std::uint64_t{1} << 40;
  const SparseRule rule = sparse_rule_for(1, size, 10);
  const auto release = make_sparse_histogram<L1>(size, rule);
  Keyed data{{"i1099511627775", "i1099511627776", "i5", "tx"}, {1000, 1000, 1000, 1000}};
  for (int run = 0; run < 20; ++run) {
    const Keyed shown = std::get<Keyed>(release.release(Private(data), source).value());
    // Poisson with mean at most 10 keys without data: more than 45 has probability below 1e-15.
    EXPECT_LE(shown.keys.size(), 47u);
    EXPECT_TRUE(std::is_sorted(shown.keys.begin(), shown.keys.end()));
    EXPECT_TRUE(std::binary_search(shown.keys.begin(), shown.keys.end(), "i1099511627775"));
    EXPECT_TRUE(std::binary_search(shown.keys.begin(), shown.keys.end(), "i5"));
    EXPECT_FALSE(std::binary_search(shown.keys.begin(), shown.keys.end(), "i1099511627776"));  // outside
    EXPECT_FALSE(std::binary_search(shown.keys.begin(), shown.keys.end(), "tx"));
    for (const Int128 value : shown.values) EXPECT_TRUE(value >= rule.threshold);
  }
  // T is the least with size q^T / (1 + q) <= 10: 24.7 units of 1/epsilon.
  EXPECT_EQ(rule.threshold, 26);
}

// How many keys without data are shown, over 2^30 keys: binomial, mean 20.
TEST(SparseHistogram, AsManyExtraKeysAsTheTailSays) {
  random::Source source = testing::seeded_source(23);
  const std::uint64_t size = std::uint64_t{1} << 30;
  const SparseRule rule = sparse_rule_for(Rational(1, 4), size, 20);
  const auto release = make_sparse_histogram<L1>(size, rule);
  const double q = rule.ratio.to_double_up();
  const double mean = static_cast<double>(size) * std::pow(q, static_cast<double>(rule.threshold)) / (1 + q);
  EXPECT_LE(mean, 20);
  EXPECT_GT(mean, 20 * q);
  std::int64_t extra = 0;
  const int runs = 500;
  for (int run = 0; run < runs; ++run) {
    extra += static_cast<std::int64_t>(std::get<Keyed>(release.release(Private(Keyed{}), source).value()).keys.size());
  }
  EXPECT_TRUE(
      testing::binomial_accepts(extra, runs * static_cast<std::int64_t>(size), mean / static_cast<double>(size), 1e-9));
}

TEST(SparseHistogram, LossIsDistanceTimesTheLogOfTheRatio) {
  const auto release = make_sparse_histogram<L1>(4, kHalf).any();
  EXPECT_EQ(release.loss(Rational(0)), pure(0));
  const auto one = std::get<accounting::ApproximateDp>(release.loss(Rational(1)));
  EXPECT_GE(one.epsilon, Rational::from_double(std::log(2.0)));
  EXPECT_LE(one.epsilon.to_double_up(), std::log(2.0) * (1 + 1e-14));
  EXPECT_EQ(release.loss(Rational(3)), pure(3 * one.epsilon));
  EXPECT_EQ(release.loss(Rational(1'000'000)), pure(1'000'000 * one.epsilon));
  EXPECT_EQ(Loss(*accounting::cost(release.events(Rational(3))[0], accounting::Neighbours::add_remove).approximate),
            release.loss(Rational(3)));
  for (const Rational& epsilon : {Rational(1, 100), Rational(1, 2), Rational(3), Rational(30)}) {
    const auto bought = make_sparse_histogram<L1>(1000, sparse_rule_for(epsilon, 1000, 1)).any().loss(Rational(1));
    const Rational cost = std::get<accounting::ApproximateDp>(bought).epsilon;
    EXPECT_LE(cost, epsilon);
    EXPECT_GT(cost, epsilon * (epsilon < 10 ? Rational(9999, 10000) : Rational(1, 2)));
  }
}

// Exact coverage of the interval given that a key with n is shown.
TEST(SparseHistogram, IntervalsCoverGivenThatAKeyIsShown) {
  const SparseRule rule{Rational(3, 4), 12};
  const auto release = make_sparse_histogram<L1>(100, rule).any();
  for (int n = 0; n < 40; ++n) {
    double shown = 0, covered = 0;
    for (int v = 12; v < 400; ++v) {
      const ErrorBar bar = *release.error(v);
      shown += pmf(0.75, v - n);
      if (bar.low <= Rational(n) && Rational(n) <= bar.high) covered += pmf(0.75, v - n);
    }
    EXPECT_GE(covered / shown, 0.95) << n;
  }
}

// Ratios that no double tells from 1 or from 0: the noise is what was asked for, and the bar knows how wide it is.
TEST(SparseHistogram, RatiosAtTheEndsOfTheirRange) {
  const Rational tiny = Rational::power_of_two(-60);
  const auto wide = make_sparse_histogram<L1>(4, {1 - tiny, 5}).any();
  EXPECT_NEAR(std::get<accounting::ApproximateDp>(wide.loss(Rational(1))).epsilon.to_double_up(), 0x1p-60, 0x1p-110);
  const ErrorBar bar = *wide.error(0);
  EXPECT_NEAR(*bar.standard_error, std::sqrt(2) * 0x1p60, 0x1p20);
  EXPECT_NEAR(bar.high.to_double_up(), std::log(40) * 0x1p60, 0x1p50);  // q^(r + 1) / (1 + q) <= 1/80
  const auto narrow = make_sparse_histogram<L1>(4, {Rational::power_of_two(-2000), 1}).any();
  EXPECT_NEAR(std::get<accounting::ApproximateDp>(narrow.loss(Rational(1))).epsilon.to_double_up(),
              2000 * std::log(2.0), 1e-9);
}

TEST(SparseHistogram, RefusesWhatHasNoMeaning) {
  const auto code = [](std::uint64_t size, const SparseRule& rule) {
    return testing::refusal([&] { make_sparse_histogram<L1>(size, rule); });
  };
  EXPECT_EQ(code(0, kHalf), Code::bad_limit);
  EXPECT_EQ(code((std::uint64_t{1} << 40) + 1, {Rational(1, 2), 60}), Code::bad_limit);
  EXPECT_EQ(code(4, {Rational(0), 2}), Code::bad_probability);
  EXPECT_EQ(code(4, {Rational(1), 2}), Code::bad_probability);
  EXPECT_EQ(code(4, {Rational(1, 2), 0}), Code::bad_limit);
  EXPECT_EQ(code(4, {Rational(1, 2), 100'000}), Code::bad_limit);
  EXPECT_EQ(code(std::uint64_t{1} << 40, {Rational(1, 2), 2}), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { sparse_rule_for(0, 10, 1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { sparse_rule_for(1, 10, 0); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { sparse_rule_for(1, 0, 1); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { sparse_rule_for(1, 10, Rational::parse("1e-400")); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { sparse_rule_for(Rational(1, 1000), 10, Rational::parse("1e-30")); }),
            Code::bad_limit);
}

}  // namespace
}  // namespace dither::mechanisms
