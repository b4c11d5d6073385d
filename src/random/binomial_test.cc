#include "random/binomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "random/pmf.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using detail::SumPrecision;
using testing::Tape;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// Sums of tables of this variance.
SumPrecision parts_of(std::uint64_t variance, const detail::Precision& part = SumPrecision{}.part) {
  return {.variance_alone = variance, .part = part, .variance_part = variance};
}

// n! / (k! (n - k)!) p^k (1 - p)^(n - k), exactly.
Rational exact_pmf(unsigned n, const Rational& p, unsigned k) {
  Rational result = pow(p, k) * pow(Rational(1) - p, n - k);
  for (unsigned i = 1; i <= k; ++i) result *= Rational(static_cast<long>(n - k + i), static_cast<long>(i));
  return result;
}

// Spec: D-68
TEST(BinomialPmf, HoldsTheExactFraction) {
  for (const Rational& p : {Rational(0), Rational(1, 2), Rational(1, 7), Rational(99, 100), Rational(1)}) {
    for (unsigned n : {0u, 1u, 2u, 10u, 40u}) {
      Rational sum;
      for (unsigned k = 0; k <= n; ++k) {
        const BigInterval law = binomial_pmf(n, p, k, 200);
        const Rational exact = exact_pmf(n, p, k);
        EXPECT_TRUE(law.contains(exact)) << n << " " << p.str() << " " << k;
        EXPECT_LE(law.high_rational() - law.low_rational(), Rational::power_of_two(-180));
        sum += exact;
      }
      EXPECT_EQ(sum, Rational(1));
    }
  }
  EXPECT_TRUE(binomial_pmf(10, Rational(1, 2), -1, 64).contains(0));
  EXPECT_TRUE(binomial_pmf(10, Rational(1, 2), 11, 64).contains(0));
}

TEST(BinomialPmf, StaysSharpForTheLargestN) {
  const BigInterval p = binomial_pmf(Binomial::kMaxTrials, Rational(1, 2), Int128{1} << 39, 128);
  // Stirling: sqrt(2 / (pi n)) (1 - 1 / (4 n) + ...).
  EXPECT_NEAR(p.low_double() / (std::sqrt(2 / M_PI) * 0x1p-20), 1.0, 1e-12);
  EXPECT_LE((p.high_rational() - p.low_rational()) / p.low_rational(), Rational::power_of_two(-100));
}

bool follows_on_tape(const Binomial& law, std::uint64_t n, const Rational& p, int depth) {
  const auto tapes = testing::enumerate([&](Tape& tape) { return Int128{law.draw(tape)}; }, depth);
  const auto pmf = [&](Int128 k, long bits) { return binomial_pmf(n, p, k, bits); };
  return tapes.unresolved_share() < 0.01 && testing::follows(tapes, pmf, 0, static_cast<Int128>(n));
}

// Tables of 8 and 16 bits leave over up to a quarter of the words, so table and residual both run.
// Spec: D-68
TEST(Binomial, EveryTapeGivesTheLaw) {
  for (std::uint64_t n : {0u, 1u, 4u, 15u}) {
    for (const Rational& p : {Rational(0), Rational(1), Rational(1, 2), Rational(1, 30), Rational(2, 3)}) {
      const Binomial law(n, p, {.alone = {.table_bits = 8, .step = 4}});
      EXPECT_TRUE(follows_on_tape(law, n, p, nightly() ? 20 : 16)) << n << " " << p.str();
    }
  }
  const Binomial law(40, Rational(3, 10), {.alone = {.table_bits = 16, .step = 4}});
  EXPECT_TRUE(follows_on_tape(law, 40, Rational(3, 10), 24));
}

TEST(Binomial, PlantedMissingTrialIsCaught) {
  const Binomial law(14, Rational(1, 2), {.alone = {.table_bits = 8, .step = 4}});
  EXPECT_FALSE(follows_on_tape(law, 15, Rational(1, 2), 16));
}

// Two parts of sizes 2 and 3: a variance of 1 a table makes the sum run.
TEST(Binomial, EveryTapeOfASumGivesTheLaw) {
  const Binomial law(5, Rational(1, 2), parts_of(1, {.table_bits = 8, .step = 4}));
  const auto tapes = testing::enumerate([&](Tape& tape) { return Int128{law.draw(tape)}; }, 20);
  EXPECT_LT(tapes.unresolved_share(), 0.01);
  const auto follows = [&](const Rational& p) {
    return testing::follows(
        tapes, [&](Int128 k, long bits) { return binomial_pmf(5, p, k, bits); }, 0, 5);
  };
  EXPECT_TRUE(follows(Rational(1, 2)));
  EXPECT_FALSE(follows(Rational(53, 100))) << "the check is too weak to see p = 0.53";
}

struct Histogram {
  std::vector<std::int64_t> counts;
  std::vector<double> probabilities;
};

// Counts in cells of `width` values around the mean; what lies outside shares the first cell.
Histogram histogram(const std::vector<std::int64_t>& draws, std::uint64_t n, const Rational& p, std::int64_t width) {
  const double mean = static_cast<double>(n) * p.to_double_down();
  const auto reach = static_cast<std::int64_t>(6 * std::sqrt(mean)) + 1;
  const std::int64_t first = std::max<std::int64_t>(0, static_cast<std::int64_t>(mean) - reach);
  const std::int64_t last = std::min(static_cast<std::int64_t>(n), static_cast<std::int64_t>(mean) + reach);
  Histogram result{std::vector<std::int64_t>(static_cast<std::size_t>((last - first) / width) + 2), {}};
  result.probabilities.assign(result.counts.size(), 0.0);
  const auto cell = [&](std::int64_t k) {
    return k < first || k > last ? 0 : static_cast<std::size_t>((k - first) / width) + 1;
  };
  for (std::int64_t k : draws) ++result.counts[cell(k)];
  double inside = 0;
  for (std::int64_t k = first; k <= last; ++k) {
    const double probability = binomial_pmf(n, p, k, 96).low_double();
    result.probabilities[cell(k)] += probability;
    inside += probability;
  }
  result.probabilities[0] = std::max(0.0, 1 - inside);
  return result;
}

bool fits(const Histogram& h) {
  return testing::chi_square_accepts(h.counts, h.probabilities, 1e-9) &&
         testing::ks_accepts(h.counts, h.probabilities, 1e-9);
}

// Shipped precision, two tests at 1e-9 each: one table, and a sum of 11 parts of 9 and 10 trials.
// Spec: D-73
TEST(Binomial, BatchFollowsTheLaw) {
  Source source = testing::seeded_source(testing::run_seed());
  std::vector<std::int64_t> draws(100'000);
  const Rational p(3, 10);
  Binomial(20'000, p).fill(draws, source);
  EXPECT_TRUE(fits(histogram(draws, 20'000, p, 20)));
  EXPECT_FALSE(fits(histogram(draws, 20'000, Rational(3, 10) + Rational(1, 1000), 20)));
  Binomial(101, Rational(2, 3), parts_of(2)).fill(draws, source);
  EXPECT_TRUE(fits(histogram(draws, 101, Rational(2, 3), 1)));
}

// Batches at a precision where one word in ten goes to the residual.
TEST(Binomial, BatchDrawsTheResidual) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  std::vector<std::int64_t> draws(3'000);
  const Binomial law(60, Rational(1, 2), {.alone = {.table_bits = 7}});
  EXPECT_GT(law.fallback_probability(), 0.05);
  law.fill(draws, source);
  EXPECT_TRUE(fits(histogram(draws, 60, Rational(1, 2), 1)));
}

// The largest n: a sum of 30 542 parts. Its mean and spread by the normal law, whose error at this n is below 1e-5; a
// value 7 standard deviations out has probability 3e-12.
TEST(Binomial, LargestNumberOfTrials) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  const Binomial law(Binomial::kMaxTrials, Rational(1, 2));
  EXPECT_LT(law.fallback_probability(), 0x1p-46);
  std::int64_t inside = 0;
  for (int i = 0; i < 60; ++i) {
    const double z = (static_cast<double>(law.draw(source)) - 0x1p39) / 0x1p19;
    EXPECT_LT(std::abs(z), 7);
    inside += std::abs(z) < 0.67448975 ? 1 : 0;
  }
  EXPECT_TRUE(testing::binomial_accepts(inside, 60, 0.5, 1e-9));
}

// Spec: W-72
TEST(Binomial, BytesAreFixedByTheParameters) {
  Source source = testing::seeded_source(testing::run_seed() + 3);
  const Binomial one(1'000'000, Rational(3, 10));
  const Binomial sum(100, Rational(1, 2), parts_of(5));  // five parts of two words
  for (int i = 0; i < 1000; ++i) {
    const auto start = source.bytes_used();
    one.draw(source);
    ASSERT_EQ(source.bytes_used() - start, 8u);
    sum.draw(source);
    ASSERT_EQ(source.bytes_used() - start, 88u);
  }
}

// Every size and shape of law up to the largest: single tables up to their widest, the first sum, many parts, skewed
// parts, and tables whose rounding is worst (one value short of a power of two).
// Spec: W-72
TEST(Binomial, FallbackIsRarerThanTwoToMinus46OverTheWholeRange) {
  double worst = 0;
  for (int log2 = 0; log2 <= 40; log2 += nightly() ? 1 : 4) {
    for (const char* p : {"0.5", "0.3", "0.99", "1e-3", "1e-6", "1e-9"}) {
      const Binomial law(std::uint64_t{1} << log2, Rational::parse(p));
      EXPECT_LT(law.fallback_probability(), 0x1p-46) << "n = 2^" << log2 << ", p = " << p;
      worst = std::max(worst, law.fallback_probability());
    }
  }
  for (std::uint64_t n : {52'000'000u, 52'000'001u, 72'000'001u, 4'000'000'007u}) {
    EXPECT_LT(Binomial(n, Rational(1, 2)).fallback_probability(), 0x1p-46) << n;
    worst = std::max(worst, Binomial(n, Rational(1, 2)).fallback_probability());
  }
  RecordProperty("log2_of_worst", std::to_string(std::log2(worst)));
}

TEST(Binomial, BadParametersAreRefused) {
  using testing::refusal;
  EXPECT_EQ(refusal([] { Binomial(10, Rational(-1, 10)); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { Binomial(10, Rational(11, 10)); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { Binomial(Binomial::kMaxTrials + 1, Rational(1, 2)); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::random
